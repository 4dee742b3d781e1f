// Package sealed encrypts the secrets that an owner enters, so that a database or a backup alone
// doesn't give them away.
package sealed

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/secondlight/secondlight/models/durable"
)

// Box encrypts with the key that is made of Secret or, without one, with that in File, which it
// makes with the first secret.
type Box struct{ Secret, File string }

// ErrKey is the error of a secret that was encrypted with another key, or that was changed.
var ErrKey = errors.New("the secret was encrypted with another key")

// Seal encrypts a text. name says what it is for: Open needs the same.
func (b Box) Seal(name, text string) (string, error) {
	aead, err := b.cipher(true)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(text)+aead.Overhead())
	rand.Read(nonce)
	return base64.RawStdEncoding.EncodeToString(aead.Seal(nonce, nonce, []byte(text), []byte(name))), nil
}

// Open returns the text that Seal encrypted. The error is ErrKey if the key is another one.
func (b Box) Open(name, sealed string) (string, error) {
	aead, err := b.cipher(false)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrKey
	}
	if err != nil {
		return "", err
	}
	data, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil || len(data) < aead.NonceSize() {
		return "", ErrKey
	}
	text, err := aead.Open(nil, data[:aead.NonceSize()], data[aead.NonceSize():], []byte(name))
	if err != nil {
		return "", ErrKey
	}
	return string(text), nil
}

// cipher returns the cipher of the key. It may make the key.
func (b Box) cipher(make bool) (cipher.AEAD, error) {
	secret := []byte(b.Secret)
	if b.Secret == "" {
		var err error
		if secret, err = os.ReadFile(b.File); errors.Is(err, fs.ErrNotExist) && make && b.File != "" {
			secret = []byte(rand.Text() + rand.Text())
			err = durable.WriteFile(b.File, func(w io.Writer) error { _, err := w.Write(secret); return err })
		}
		if err != nil {
			return nil, err
		}
	}
	key := sha256.Sum256(secret)
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
