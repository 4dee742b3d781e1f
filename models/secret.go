package models

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
)

// NewSecret makes a secret of 256 random bits as 43 characters of base64url,
// for sessions, tokens and mailed codes.
func NewSecret() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// secretHash is how a secret is kept. A secret this long cannot be guessed from
// its hash, so that a fast hash without salt serves, and can be looked up.
func secretHash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
