package models

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
