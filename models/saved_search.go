package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// SavedSearch is a search a member keeps, with alerts.
type SavedSearch struct {
	ID            string // UUIDv7
	MemberID      string
	Name          string
	Query         string    // parameters of the search: "keyword=r6&budget=-900"
	Every         Frequency // how often alerts go out
	Email         bool
	Webhook       string // address of a signed webhook, "" for none
	WebhookSecret string
	CreatedAt     Time
	LookedAt      Time // listings first published after it are news
	DueAt         Time // when it is looked at next
}

// FeedSecret names the search's feed. It is made of the webhook's secret, so that
// the member can be shown it again, and NewSecrets changes both.
func (s *SavedSearch) FeedSecret() string { return s.derive("feed") }

// StopKey is what ends the search's mail from a link in it.
func (s *SavedSearch) StopKey() string { return s.derive("stop") }

func (s *SavedSearch) derive(use string) string {
	mac := hmac.New(sha256.New, []byte(s.WebhookSecret))
	mac.Write([]byte(use + " " + s.ID))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Version stands for what the member may change: another one is another search.
func (s *SavedSearch) Version() int64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q %q %t %q", s.Name, s.Query, s.Every, s.Email, s.Webhook)
	return int64(h.Sum64()&(1<<53-1)) + 1
}

// Frequency is how often alerts of a saved search go out.
type Frequency string

// The frequencies.
const (
	Instant Frequency = "instant"
	Daily   Frequency = "daily"
	Weekly  Frequency = "weekly"
)

// Frequencies is every frequency.
var Frequencies = []Frequency{Instant, Daily, Weekly}

// pause is the time between two looks.
func (f Frequency) pause() time.Duration {
	switch f {
	case Daily:
		return 24 * time.Hour
	case Weekly:
		return 7 * 24 * time.Hour
	}
	return 0
}

// Bounds of saved searches.
const (
	MaxSearches    = 100 // of a member
	maxSearchQuery = 1000
)

// check tells everything that keeps the search from being kept. That the query
// is a search is for the caller to check, and that the webhook is no private
// address for whoever delivers: names resolve to what they like, when they like.
func (s *SavedSearch) check() error {
	var fields []FieldError
	refuse := func(field, message string) { fields = append(fields, FieldError{field, "invalid_value", message}) }
	s.Name = strings.TrimSpace(s.Name)
	if n := utf8.RuneCountInString(s.Name); n == 0 || n > 100 || !storable(s.Name) {
		refuse("name", "A saved search has a name of 1 to 100 characters.")
	}
	if len(s.Query) > maxSearchQuery || !storable(s.Query) {
		refuse("query", "The search is too long to be kept.")
	}
	if !slices.Contains(Frequencies, s.Every) {
		refuse("every", fmt.Sprintf("%q is none of %s.", s.Every, joined(Frequencies)))
	}
	if s.Webhook != "" {
		u, err := url.Parse(s.Webhook)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || len(s.Webhook) > 500 || !storable(s.Webhook) {
			refuse("webhook", "A webhook is an address such as https://example.org/hook.")
		}
	}
	return invalidFields(fields)
}
