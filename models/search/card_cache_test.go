package search

import (
	"bytes"
	"fmt"
	"testing"
)

// TestCardCache tests that the cache returns a card as it is now, whichever of the cards with
// the same slot was asked for before, and that one that is asked for once replaces none.
func TestCardCache(t *testing.T) {
	t.Parallel()
	store := newCardStore()
	docs := []uint32{0, 1, cardSlots, 2 * cardSlots}
	store.at = make([]uint32, docs[len(docs)-1]+1)
	read := func(d uint32) string {
		json, _ := store.appendJSON(nil, nil, d, new(ID))
		return string(json)
	}
	want := map[uint32]string{}
	put := func(d uint32, text string) {
		want[d] = text
		store.set(d, []byte(text))
	}
	for i := range store.at {
		store.at[i] = noCard
	}
	for round := range 4 {
		for _, d := range docs {
			put(d, fmt.Sprintf(`{"card":%d,"round":%d}`, d, round))
			for _, other := range docs {
				for range other % 3 {
					if got := read(other); got != want[other] {
						t.Errorf("card %d is %s, want %s", other, got, want[other])
					}
				}
			}
		}
	}
	put(1, string(bytes.Repeat([]byte("x"), slotBytes+1))) // too large for a slot
	read(1)
	if got := read(1); got != want[1] {
		t.Errorf("a large card is %.40s", got)
	}
	for range 2 {
		read(0)
		read(0)
		read(cardSlots)
		if _, cached := store.cache().append(nil, 0); !cached {
			t.Error("a card that was asked for once replaces one that is asked for often")
		}
	}
}
