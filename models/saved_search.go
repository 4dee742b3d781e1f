package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/problem"
)

// SavedSearch is a search saved by a member to get alerts.
type SavedSearch struct {
	ID            string // UUIDv7
	MemberID      string
	Name          string
	Query         string    // search parameters: "keyword=r6&budget=-900"
	Every         Frequency // frequency of alerts
	Email         bool
	Webhook       string                 // URL, or ""
	WebhookEvents TextList[WebhookEvent] // what Webhook is sent, in alphabetical order
	WebhookSecret string
	CreatedAt     Time
	LastRunAt     Time `db:"looked_at"` // listings first published after it are new
	NextRunAt     Time `db:"due_at"`
}

// FeedSecret returns the secret in the URL of the search's feed. It is derived
// from the webhook secret, so that it can be shown again; NewSecrets changes
// both.
func (s *SavedSearch) FeedSecret() string { return s.deriveKey("feed") }

// UnsubscribeKey returns the key in the unsubscribe link of the search's
// emails.
func (s *SavedSearch) UnsubscribeKey() string { return s.deriveKey("stop") }

func (s *SavedSearch) deriveKey(use string) string {
	mac := hmac.New(sha256.New, []byte(s.WebhookSecret))
	mac.Write([]byte(use + " " + s.ID))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Version returns a hash of the fields that the member may change.
func (s *SavedSearch) Version() int64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q %q %t %q %q", s.Name, s.Query, s.Every, s.Email, s.Webhook, s.WebhookEvents)
	return int64(h.Sum64()&(1<<53-1)) + 1
}

// Notifies reports whether the search has a webhook that is sent an event.
func (s *SavedSearch) Notifies(event WebhookEvent) bool {
	return s.Webhook != "" && slices.Contains(s.WebhookEvents, event)
}

// WebhookEvent is what the webhook of a saved search is notified of.
type WebhookEvent string

// The events of webhooks.
const (
	ListingsPublished WebhookEvent = "listings.published" // new listings that match the search
	TrendsChanged     WebhookEvent = "trends.changed"     // price trends of gear that the search names
)

// WebhookEvents lists all events of webhooks.
var WebhookEvents = []WebhookEvent{ListingsPublished, TrendsChanged}

// Frequency is how often alerts of a saved search are sent.
type Frequency string

// The frequencies.
const (
	Instant Frequency = "instant"
	Daily   Frequency = "daily"
	Weekly  Frequency = "weekly"
)

// Frequencies lists all frequencies.
var Frequencies = []Frequency{Instant, Daily, Weekly}

// Interval returns the time between two runs, 0 for Instant.
func (f Frequency) Interval() time.Duration {
	switch f {
	case Daily:
		return 24 * time.Hour
	case Weekly:
		return 7 * 24 * time.Hour
	}
	return 0
}

// Limits of saved searches.
const (
	MaxSearches    = 100  // per member
	maxSearchQuery = 1000 // bytes
)

// Check normalises the search and returns an Invalid error that lists all
// invalid fields. Callers must check that Query is a valid search. Whoever
// delivers to Webhook must check that it does not resolve to a private address.
func (s *SavedSearch) Check() error {
	var fields []problem.FieldError
	refuse := func(field string, format problem.Format, args ...any) {
		fields = append(fields, problem.FieldError{Field: field, Code: "invalid_value", Message: problem.Textf(format, args...)})
	}
	s.Name = strings.TrimSpace(s.Name)
	if n := utf8.RuneCountInString(s.Name); n == 0 || n > 100 || !Storable(s.Name) {
		refuse("name", "Enter a name of 1 to 100 characters.")
	}
	if len(s.Query) > maxSearchQuery || !Storable(s.Query) {
		refuse("query", "The search is too long to save.")
	}
	if !slices.Contains(Frequencies, s.Every) {
		refuse("every", "%q isn't one of %s.", s.Every, Joined(Frequencies))
	}
	for _, e := range s.WebhookEvents {
		if !slices.Contains(WebhookEvents, e) {
			refuse("webhook_events", "%q isn't one of %s.", e, Joined(WebhookEvents))
		}
	}
	if len(s.WebhookEvents) == 0 {
		refuse("webhook_events", "Choose at least one event.")
	}
	slices.Sort(s.WebhookEvents)
	s.WebhookEvents = slices.Compact(s.WebhookEvents)
	if s.Webhook != "" {
		if !isWebhookURL(s.Webhook) {
			refuse("webhook", "Enter a URL such as https://example.org/hook.")
		}
	}
	return InvalidFields(fields)
}
