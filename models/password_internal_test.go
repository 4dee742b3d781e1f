package models

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/problem"
)

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	for password, code := range map[string]string{
		"correct horse battery":   "",
		"dragonfly lens 2024":     "",
		"Xq7!vLm2#pR9":            "",
		"short":                   "too_short",
		"aaaaaaaaaaaaaaaa":        "too_simple",
		"jane@example.org":        "too_simple",
		"QWERTYuiop":              "too_simple",
		"christopher":             "too_simple",
		"4815162342":              "too_simple",
		"Dragon2024!":             "too_simple",
		"...password123":          "too_simple",
		"Photographer":            "too_simple",
		strings.Repeat("ab", 101): "invalid_value",
		"bytes that are \xff\xfe": "invalid_value",
	} {
		got := ""
		if e := CheckPassword(password, "jane", "jane@example.org"); e != nil {
			got = e.Code
		}
		if got != code {
			t.Errorf("%q: code %q, want %q", password, got, code)
		}
	}
}

// TestPasswordParams checks that hashes cost what OWASP recommends, outside of tests.
func TestPasswordParams(t *testing.T) {
	t.Parallel()
	hash, err := HashPassword(t.Context(), "correct horse battery")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("%s, %v", hash, err)
	}
}

func TestPasswordList(t *testing.T) {
	t.Parallel()
	r, err := gzip.NewReader(bytes.NewReader(passwordList))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(list) < 10_000 || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Errorf("%d passwords; want at least 10,000, sorted and unique", len(list))
	}
	if strings.ToLower(string(text)) != string(text) {
		t.Error("the list is not in lower case")
	}
	if len(commonPasswords()) < len(list) {
		t.Errorf("%d of %d passwords loaded", len(commonPasswords()), len(list))
	}
}

// TestPasswordsWait holds the places in which passwords are hashed: one that waits gives up with
// its context, and one too many is refused.
func TestPasswordsWait(t *testing.T) {
	all := int64(max(1, runtime.GOMAXPROCS(0)-1))
	if err := hashing.Acquire(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	defer hashing.Release(all)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := PasswordMatches(gone, "correct horse battery", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("a reader who has gone: %v", err)
	}
	if err := hashesWaiting.Acquire(t.Context(), maxHashesWaiting); err != nil {
		t.Fatal(err)
	}
	_, err := HashPassword(t.Context(), "correct horse battery")
	hashesWaiting.Release(maxHashesWaiting)
	var busy *problem.Error
	if !errors.As(err, &busy) || busy.Kind != problem.Unavailable || busy.Wait == 0 {
		t.Errorf("one too many: %v", err)
	}
}
