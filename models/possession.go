package models

import (
	"crypto/rand"
	"strings"
	"time"
)

// PossessionStatus is the state of a proof of possession.
type PossessionStatus string

// The states of a proof of possession.
const (
	PossessionOpen     PossessionStatus = "open"     // the seller has a code
	PossessionWaiting  PossessionStatus = "waiting"  // an operator is to look at the photo
	PossessionVerified PossessionStatus = "verified" // an operator has confirmed it
	PossessionRejected PossessionStatus = "rejected" // an operator has rejected the photo
)

// PossessionStatuses lists all states of a proof of possession.
var PossessionStatuses = []PossessionStatus{PossessionOpen, PossessionWaiting, PossessionVerified, PossessionRejected}

// CodeLifetime is how long a seller can send a photo with a code.
const CodeLifetime = 7 * 24 * time.Hour

// Possession is the proof that the seller of a listing has the item: a photograph of it
// beside a code that the site gave out shortly before. Only the seller and the operators
// see code and photograph, and an operator decides.
type Possession struct {
	ListingID string
	Code      string // "" before the first code
	Status    PossessionStatus
	IssuedAt  Time
	ExpiresAt Time   // of the code
	Photo     string // key, "" before it is sent and once it is erased
	Width     int    // of the original, pixels
	Height    int
	Bytes     int64 // size of its files in all widths
	ShowPhoto bool  // the seller wants it among the photos of the listing
	SentAt    Time
	DecidedAt Time
	Reason    string // why an operator rejected it
}

// Expired reports whether the code is of no more use at a time.
func (p *Possession) Expired(now Time) bool { return p.ExpiresAt <= now }

// codeLetters are the characters of codes, without those that look alike in handwriting.
const codeLetters = "ACDEFHJKMNPRTUVWXY34679"

// NewPossessionCode returns a code for paper, such as "K7R-4MX".
func NewPossessionCode() string {
	var b strings.Builder
	for b.Len() < 7 {
		if b.Len() == 3 {
			b.WriteByte('-')
		}
		var random [1]byte
		rand.Read(random[:]) // never fails
		if i := int(random[0]); i < 256-256%len(codeLetters) {
			b.WriteByte(codeLetters[i%len(codeLetters)])
		}
	}
	return b.String()
}
