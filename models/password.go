package models

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"runtime"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/sync/semaphore"

	"github.com/secondlight/secondlight/models/problem"
)

// Limits on the length of a password, in characters. No kinds of characters are
// required: length is what counts (NIST SP 800-63B).
const (
	MinPassword = 10
	MaxPassword = 200
)

// PasswordParams are the parameters of new hashes, those OWASP recommends: 19 MiB, two
// passes, one lane. A hash takes about 30 ms. Package storetest sets cheaper ones.
var PasswordParams = &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// maxHashesWaiting limits how many passwords are hashed or wait for it: with one processor the last
// one waits for 1.5 seconds.
const maxHashesWaiting = 50

// Passwords are hashed in the order in which they arrive, and one processor is left to everybody
// else. Attempts of an address are limited before they wait; see store.Accounts.SignIn.
var (
	hashesWaiting = semaphore.NewWeighted(maxHashesWaiting)
	hashing       = semaphore.NewWeighted(int64(max(1, runtime.GOMAXPROCS(0)-1)))
)

// errManyPasswords means that more passwords wait to be hashed than maxHashesWaiting.
var errManyPasswords = &problem.Error{Kind: problem.Unavailable, Code: "unavailable", Message: problem.Textf("Many people are signing in right now."),
	Hint: problem.Textf("Try again in a few seconds."), Wait: 5}

// QueuePassword takes a place in the queue of passwords to hash, or returns an Unavailable error if
// there is none. The caller must call leave afterwards.
func QueuePassword() (leave func(), err error) {
	if !hashesWaiting.TryAcquire(1) {
		return nil, errManyPasswords
	}
	return func() { hashesWaiting.Release(1) }, nil
}

// HashPassword returns the argon2id hash of a password, with its parameters and a random salt, as
// it is stored. It returns an Unavailable error if too many passwords wait to be hashed.
func HashPassword(ctx context.Context, password string) (string, error) {
	leave, err := QueuePassword()
	if err != nil {
		return "", err
	}
	defer leave()
	if err := hashing.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer hashing.Release(1)
	return argon2id.CreateHash(password, PasswordParams)
}

// PasswordMatches reports whether a password has the given hash. An empty hash
// matches nothing and takes as long to compare, so that the response time does
// not tell whether an account exists. The caller must hold a place in the
// queue, see QueuePassword. It returns ctx.Err() if ctx ends first.
func PasswordMatches(ctx context.Context, password, hash string) (bool, error) {
	known := hash != ""
	if !known {
		hash = dummyHash()
	}
	if err := hashing.Acquire(ctx, 1); err != nil {
		return false, err
	}
	defer hashing.Release(1)
	same, err := argon2id.ComparePasswordAndHash(password, hash)
	return err == nil && same && known, nil
}

// dummyHash returns the hash of a random password.
var dummyHash = sync.OnceValue(func() string {
	hash, err := argon2id.CreateHash(NewSecret(), PasswordParams)
	if err != nil {
		panic(err) // fails only without a source of randomness
	}
	return hash
})

// CheckPassword validates a new password for the member with the given handle and
// email address. It returns nil when the password is acceptable.
func CheckPassword(password, handle, email string) *problem.FieldError {
	local, _, _ := strings.Cut(email, "@")
	lower := strings.ToLower(password)
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password) || strings.ContainsRune(password, 0):
		return &problem.FieldError{Field: "password", Code: "invalid_value", Message: problem.Textf("The password must be valid text.")}
	case n < MinPassword:
		return &problem.FieldError{Field: "password", Code: "too_short", Message: problem.Textf("Use at least 10 characters; a few unrelated words make a good password.")}
	case n > MaxPassword:
		return &problem.FieldError{Field: "password", Code: "invalid_value", Message: problem.Textf("Use at most 200 characters.")}
	case strings.Trim(lower, lower[:1]) == "":
		return &problem.FieldError{Field: "password", Code: "too_simple", Message: problem.Textf("Don't use the same character throughout.")}
	case lower == handle || lower == email || lower == local || isCommonPassword(lower):
		return &problem.FieldError{Field: "password", Code: "too_simple", Message: problem.Textf("This password is too easy to guess. Choose another. A few unrelated words work well.")}
	}
	return nil
}

// isCommonPassword reports whether a password in lower case is in the list of
// common ones, as it is or with digits and punctuation around it ("dragon2024!").
func isCommonPassword(password string) bool {
	letters := strings.TrimFunc(password, func(r rune) bool { return !unicode.IsLetter(r) })
	return commonPasswords()[password] || commonPasswords()[letters]
}

// passwordList is gzipped text, one lower-case password a line, sorted: the 10,000
// most common passwords of the npm package @zxcvbn-ts/language-common 4.1.3, and
// of its other 39,233 those of at least MinPassword characters. It is under the
// MIT licence, see passwords.LICENSE.txt.
//
//go:embed passwords.txt.gz
var passwordList []byte

// commonPasswords returns the embedded list, and what people would try here first.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	common := map[string]bool{"photography": true, "photographer": true, "secondlight": true, "abcdefghij": true, "0123456789": true, "0987654321": true}
	list, err := gzip.NewReader(bytes.NewReader(passwordList))
	if err != nil {
		panic(err) // the list is embedded and tested
	}
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		common[lines.Text()] = true
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
	return common
})

// NewSecret returns 256 random bits as 43 characters of base64url, for
// sessions, tokens and emailed codes.
func NewSecret() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// WebhookSecretPrefix begins the secrets of webhooks.
const WebhookSecretPrefix = "whsec_"

// NewWebhookSecret returns a random secret of 256 bits that signs webhooks, in base64 as Standard
// Webhooks expects it.
func NewWebhookSecret() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return WebhookSecretPrefix + base64.StdEncoding.EncodeToString(b[:])
}

// SecretHash returns the hash under which a secret is stored. A fast hash
// without salt is safe because the secret is random.
func SecretHash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
