package search

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// What the reader of many titles remembers changes nothing.
func TestTitleReader(t *testing.T) {
	t.Parallel()
	l := realLookup()
	r := newTitleReader(l)
	check := func(gear int, title string) {
		t.Helper()
		want := foreignTerms(l, gear, title)
		var got []string
		for _, term := range r.foreign(nil, gear, title) {
			got = append(got, r.terms[term])
		}
		if !sameSet(got, want) {
			t.Fatalf("%q: %q, want %q", title, got, want)
		}
	}
	for _, title := range []string{"Canon EOS 5D Mark II", "sony alpha 7 iii body", "50 mm f 1.8", "50 mm", "F 1.8", "mark", "mark II", "x-t3 mk 2 - 18 mm-ish", "f/ 2.8", ""} {
		check(3, title)
	}
	m := &market{r: rand.New(rand.NewPCG(5, 5)), lookup: l}
	chunks := strings.Fields("mark Mark mk II iii 2 7 alpha ALPHA a7 f f/ F/1.8 1.8 50 50mm mm MM - x-t3 100-400 mm, (mark) α 7R ½ é")
	for range 20000 {
		var words []string
		for range m.r.IntN(6) {
			words = append(words, chunks[m.r.IntN(len(chunks))])
		}
		check(m.r.IntN(l.Size()), strings.Join(words, " "))
	}
	for _, title := range realTitles(t) {
		check(m.r.IntN(l.Size()), title)
	}
}

// realTitles is what sellers write, where the shared data is there.
func realTitles(t *testing.T) (titles []string) {
	f, err := os.Open("../../../shared/data/real-titles.csv")
	if err != nil {
		return nil
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		titles = append(titles, row[1])
	}
	return titles
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Compact(slices.Sorted(slices.Values(a))), slices.Compact(slices.Sorted(slices.Values(b))))
}
