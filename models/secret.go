package models

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
)

// NewSecret returns 256 random bits as 43 characters of base64url, for
// sessions, tokens and emailed codes.
func NewSecret() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// SecretHash returns the hash under which a secret is stored. A fast hash
// without salt is safe because the secret is random.
func SecretHash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
