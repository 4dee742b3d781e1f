package models

import (
	"time"
	"unicode/utf8"
)

// Conversation is a message thread between a buyer and the seller of a listing.
type Conversation struct {
	ID           string // UUIDv7
	ListingID    string
	BuyerID      string
	SellerID     string
	UpdatedAt    Time // time of the last message
	BuyerReadAt  Time
	SellerReadAt Time
	Hidden       bool   // from the seller, who wrote to all watchers, until the buyer answers
	Unread       int    // messages the requesting member has not read
	LastText     string // text of the last message
}

// Other returns the id of the other participant.
func (c *Conversation) Other(memberID string) string {
	if memberID == c.BuyerID {
		return c.SellerID
	}
	return c.BuyerID
}

// Message is one message of a conversation.
type Message struct {
	ID       string // UUIDv7
	SenderID string
	Text     string // plain text, 1 to 4,000 characters
	At       Time   // unique within a conversation

	// FirstUnread reports whether the recipient had no other unread messages,
	// and is therefore notified by email. It is set only by SendMessage and
	// Reply.
	FirstUnread bool
}

// Limits of messages.
const (
	MaxMessage      = 4000 // characters
	MessagesPerHour = 60   // per sender
)

// ReadAt returns the column, and the time, up to which a member has read the
// messages.
func (c *Conversation) ReadAt(memberID string) (column string, at Time) {
	if memberID == c.BuyerID {
		return "buyer_read_at", c.BuyerReadAt
	}
	return "seller_read_at", c.SellerReadAt
}

// Check returns an error if the text of the message is invalid.
func (m *Message) Check() error {
	if n := utf8.RuneCountInString(m.Text); n == 0 || n > MaxMessage || !Storable(m.Text) {
		return InvalidField("text", "invalid_value", "A message must be 1 to 4,000 characters of text.")
	}
	return nil
}

// ResponseStats summarises how a seller responds to first messages.
type ResponseStats struct {
	Conversations int           // answered, or older than a day
	Answered      int           // of these, those the seller answered
	Median        time.Duration // time to the first answer; 0 if unknown or most were not answered
}
