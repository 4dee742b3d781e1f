package models

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/problem"
)

// ContactMessage is a message to the owner of the site.
type ContactMessage struct {
	ID        string // UUIDv7
	MemberID  string // who sent it, "" for a visitor
	Name      string
	Email     string // where the sender is answered
	Topic     ContactTopic
	About     string // path of the page it is about, or ""
	Text      string
	Status    ContactStatus
	Stamp     string // of the form it was sent with, "" for a program
	CreatedAt Time
}

// ContactTopic is what a message is about.
type ContactTopic string

// The topics.
const (
	ContactPrint ContactTopic = "print"
	ContactGear  ContactTopic = "gear"
	ContactJob   ContactTopic = "job"
	ContactOther ContactTopic = "other"
)

// ContactTopics lists the topics in display order.
var ContactTopics = []ContactTopic{ContactPrint, ContactGear, ContactJob, ContactOther}

// ContactStatus is what has become of a message.
type ContactStatus string

// The statuses.
const (
	ContactOpen ContactStatus = "open"
	ContactDone ContactStatus = "done"
	ContactSpam ContactStatus = "spam"
)

// ContactStatuses lists the statuses in display order.
var ContactStatuses = []ContactStatus{ContactOpen, ContactDone, ContactSpam}

// Limits of messages, in characters, and how long they are stored.
const (
	MaxContactName = 60
	MaxContactText = 4000
	MaxAboutPath   = 300
	ContactPeriod  = 180 * 24 * time.Hour
	SpamPeriod     = 30 * 24 * time.Hour
)

// Check normalises the message and returns an Invalid error that lists all invalid fields.
func (m *ContactMessage) Check() error {
	var fields []problem.FieldError
	m.Name = strings.Join(strings.Fields(m.Name), " ")
	if m.Name == "" || !Storable(m.Name) || utf8.RuneCountInString(m.Name) > MaxContactName {
		fields = append(fields, problem.FieldError{Field: "name", Code: "invalid_value", Message: problem.Textf("Enter a name of at most %d characters.", MaxContactName)})
	}
	email, ok := ParseEmail(m.Email)
	if !ok {
		fields = append(fields, problem.FieldError{Field: "email", Code: "invalid_value", Message: problem.Textf("Enter your email address so we can reply.")})
	}
	m.Email = email
	if !slices.Contains(ContactTopics, m.Topic) {
		fields = append(fields, problem.FieldError{Field: "topic", Code: "invalid_value", Message: problem.Textf("Choose print, gear, job or other.")})
	}
	m.Text = strings.TrimSpace(strings.ReplaceAll(m.Text, "\r\n", "\n"))
	if m.Text == "" || !Storable(m.Text) || utf8.RuneCountInString(m.Text) > MaxContactText {
		fields = append(fields, problem.FieldError{Field: "text", Code: "invalid_value", Message: problem.Textf("Write a message of at most 4,000 characters.")})
	}
	if !isLocalPath(m.About) {
		m.About = ""
	}
	return InvalidFields(fields)
}

// isLocalPath reports whether a path is one of a page of the site.
func isLocalPath(path string) bool {
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && len(path) <= MaxAboutPath &&
		!strings.ContainsFunc(path, func(r rune) bool {
			return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.", r)
		})
}

// Ages of a contact form when it is sent. People take longer than the first to write.
const (
	minContactAge = 3 * time.Second
	maxContactAge = 24 * time.Hour
)

// NewContactStamp returns a stamp that says when a form was made, signed with a key.
func NewContactStamp(key string, at Time) string {
	body := make([]byte, 16)
	binary.BigEndian.PutUint64(body, uint64(at))
	rand.Read(body[8:]) // never fails
	return base64.RawURLEncoding.EncodeToString(append(body, stampSignature(key, body)...))
}

// stampSignature returns the signature of the body of a stamp.
func stampSignature(key string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	return mac.Sum(nil)[:16]
}

// CheckContactStamp returns an error unless a form with a stamp may be sent now: form_expired
// if it is forged or too old, form_too_fast if nobody writes so fast.
func CheckContactStamp(key, stamp string, now Time) error {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(stamp)
	if err != nil || len(raw) != 32 || !hmac.Equal(raw[16:], stampSignature(key, raw[:16])) {
		return ErrFormExpired
	}
	age := time.Duration(now-Time(binary.BigEndian.Uint64(raw))) * time.Millisecond
	switch {
	case age < 0, age > maxContactAge:
		return ErrFormExpired
	case age < minContactAge:
		return &problem.Error{Kind: problem.TooMany, Code: "form_too_fast", Message: problem.Textf("Sent too quickly."), Hint: problem.Textf("Wait a few seconds and try again."), Wait: int(minContactAge.Seconds())}
	}
	return nil
}

var ErrFormExpired = &problem.Error{Kind: problem.Conflict, Code: "form_expired", Message: problem.Textf("This form has expired or has already been sent."),
	Hint: problem.Textf("If you haven't sent it yet, send it now. Your text is still here.")}
