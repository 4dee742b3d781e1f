package search

import (
	"strconv"
	"strings"
	"testing"
)

func TestMemoIsBounded(t *testing.T) {
	x := New(realLookup())
	for i := range 200 {
		x.match("canon eos " + strconv.Itoa(i))
	}
	if n := x.memo.Len(); n != 200 {
		t.Errorf("%d of 200 keywords are stored", n)
	}
	if m := x.match("canon eos 7"); x.match("canon eos 7") != m {
		t.Error("a keyword is matched again")
	}
	before := x.memo.Len()
	if x.match(strings.Repeat("x", keywordLimit+1)); x.memo.Len() != before {
		t.Error("a keyword of any length is stored")
	}
}
