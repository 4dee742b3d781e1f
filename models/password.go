package models

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
)

// The length of passwords, in characters. No rule says which: length is what
// counts (NIST SP 800-63B).
const (
	MinPassword = 10
	MaxPassword = 200
)

// argonParams are OWASP's: 19 MiB, two passes, one lane. That is some 30 ms, and
// bounded memory on a small machine.
var argonParams = &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashing bounds how many passwords are hashed at once, and so their memory.
var hashing = make(chan struct{}, 4)

// HashPassword is how a password is kept: argon2id, with its parameters and salt.
func HashPassword(password string) (string, error) {
	hashing <- struct{}{}
	defer func() { <-hashing }()
	return argon2id.CreateHash(password, argonParams)
}

// passwordMatches compares a password with a kept hash. Without a hash it takes
// as long, and is false: nobody learns by the clock whether there was one.
func passwordMatches(password, hash string) bool {
	known := hash != ""
	if !known {
		hash = nobodysHash()
	}
	hashing <- struct{}{}
	defer func() { <-hashing }()
	same, err := argon2id.ComparePasswordAndHash(password, hash)
	return err == nil && same && known
}

var nobodysHash = sync.OnceValue(func() string {
	hash, err := argon2id.CreateHash(NewSecret(), argonParams)
	if err != nil {
		panic(err) // it fails only without randomness
	}
	return hash
})

// checkPassword says what is wrong with a new password, or nil.
func checkPassword(password, handle, email string) *FieldError {
	local, _, _ := strings.Cut(email, "@")
	lower := strings.ToLower(password)
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password) || strings.ContainsRune(password, 0):
		return &FieldError{"password", "invalid_value", "The password has bytes that are no text."}
	case n < MinPassword:
		return &FieldError{"password", "too_short", "The password needs at least 10 characters; a few words in a row make a good one."}
	case n > MaxPassword:
		return &FieldError{"password", "invalid_value", "The password may have at most 200 characters."}
	case strings.Trim(lower, lower[:1]) == "":
		return &FieldError{"password", "too_simple", "The password is one character over and over."}
	case lower == handle || lower == email || lower == local || commonPasswords[lower]:
		return &FieldError{"password", "too_simple", "The password is among the first that anybody would try."}
	}
	return nil
}

// commonPasswords are those of ten and more characters that leaked lists have most often.
var commonPasswords = set("1234567890", "12345678910", "0123456789", "0987654321", "1q2w3e4r5t", "1qaz2wsx3edc", "qwertyuiop",
	"qwerty123456", "password12", "password123", "password1234", "passw0rd123", "iloveyou123", "letmein123", "welcome123",
	"administrator", "abcdefghij", "football123", "sunshine123", "princess123", "photography", "photographer", "secondlight")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
