package search

import (
	"strconv"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

func TestMemoKeepsWhatIsAskedFor(t *testing.T) {
	var o memo
	large := &match{runs: make([][models.MaxRun]run, 1), reach: [][]uint16{nil, make([]uint16, 5000)}}
	o.put("hot", large)
	for i := range 4000 { // several times what it has room for
		if o.get("hot") != large {
			t.Fatalf("what is asked for all the time is gone after %d others", i)
		}
		o.put(strconv.Itoa(i), large)
	}
	size := 0
	for _, n := range o.clock {
		size += n.size()
	}
	if size != o.size || size > memoLimit || size < memoLimit/2 || len(o.clock) != len(o.byWord) {
		t.Errorf("%d bytes in %d places, %d are noted for %d keywords, at most %d are promised", size, len(o.clock), o.size, len(o.byWord), memoLimit)
	}
	if o.get("0") != nil || o.get("3999") == nil {
		t.Error("what came first is there and nobody asked for it, or what came last is not")
	}
	long := strings.Repeat("x", keywordLimit+1)
	if o.put(long, large); o.get(long) != nil {
		t.Error("a keyword without measure is kept")
	}
}
