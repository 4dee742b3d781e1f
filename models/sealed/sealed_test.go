package sealed

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBox encrypts with both kinds of keys, and opens nothing with another key or for another use.
func TestBox(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secret.key")
	boxes := []Box{{File: file}, {Secret: "of the environment", File: file}, {Secret: "another"}}
	for i, box := range boxes {
		sealed, err := box.Seal("mail", "hunter2")
		if err != nil || strings.Contains(sealed, "hunter2") {
			t.Fatalf("%q (%v)", sealed, err)
		}
		for j, other := range boxes {
			text, err := other.Open("mail", sealed)
			if i == j && (text != "hunter2" || err != nil) || i != j && !errors.Is(err, ErrKey) {
				t.Errorf("box %d opens that of box %d: %q (%v)", j, i, text, err)
			}
		}
		for _, c := range []struct{ name, sealed string }{{"backup", sealed}, {"mail", sealed[1:]}, {"mail", ""}, {"mail", "hunter2"}} {
			if text, err := box.Open(c.name, c.sealed); !errors.Is(err, ErrKey) {
				t.Errorf("%v is opened: %q (%v)", c, text, err)
			}
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the key: %v (%v)", info.Mode(), err)
	}
	if _, err := (Box{File: filepath.Join(t.TempDir(), "none")}).Open("mail", "x"); !errors.Is(err, ErrKey) {
		t.Errorf("without a key the error is %v", err)
	}
}
