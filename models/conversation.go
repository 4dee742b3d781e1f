package models

// Conversation is what a buyer and a seller write each other about a listing.
type Conversation struct {
	ID           string // UUIDv7
	ListingID    string
	BuyerID      string
	SellerID     string
	UpdatedAt    Time // last message
	BuyerReadAt  Time
	SellerReadAt Time
	Unread       int    // messages the other member sent that the asking member has not read
	LastText     string // of the last message
}

// Other is the id of the member on the other side.
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
	At       Time   // no two of a conversation have the same

	// First marks the first one since the other side last read: it is told to them
	// by mail, and those that follow are not. It is set by Write and Reply alone.
	First bool
}

// Bounds of messages.
const (
	MaxMessage      = 4000
	MessagesPerHour = 60 // of one sender
)
