package search

import (
	"strconv"
	"strings"
	"testing"
)

func TestMemoIsBounded(t *testing.T) {
	t.Parallel()
	x := New(realLookup())
	for i := range 200 {
		x.current.Load().match("canon eos " + strconv.Itoa(i))
	}
	if n := x.current.Load().memo.Len(); n != 200 {
		t.Errorf("%d of 200 keywords are stored", n)
	}
	if m := x.current.Load().match("canon eos 7"); x.current.Load().match("canon eos 7") != m {
		t.Error("a keyword is matched again")
	}
	before := x.current.Load().memo.Len()
	if x.current.Load().match(strings.Repeat("x", keywordLimit+1)); x.current.Load().memo.Len() != before {
		t.Error("a keyword of any length is stored")
	}
}
