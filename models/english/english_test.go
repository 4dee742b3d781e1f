package english_test

import (
	"testing"

	"github.com/secondlight/secondlight/models/english"
)

func TestSentence(t *testing.T) {
	for s, want := range map[string]string{"": "", "the row is too long": "The row is too long.", "Is it?": "Is it?", "next_cursor is old": "next_cursor is old.", "élan": "Élan."} {
		if got := english.Sentence(s); got != want {
			t.Errorf("Sentence(%q) = %q, want %q", s, got, want)
		}
	}
}
