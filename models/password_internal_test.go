package models

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strings"
	"testing"
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
	hash, err := HashPassword("correct horse battery")
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
