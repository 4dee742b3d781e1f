package models

// WaitingKind is the kind of a pending task.
type WaitingKind string

// The kinds of things that wait for a member.
const (
	WaitingReply    WaitingKind = "reply"     // to an offer
	WaitingArrange  WaitingKind = "arrange"   // propose a hand-over
	WaitingAgree    WaitingKind = "agree"     // to a proposed hand-over
	WaitingSend     WaitingKind = "send"      // the item
	WaitingHandOver WaitingKind = "hand_over" // the item at a pick-up
	WaitingConfirm  WaitingKind = "confirm"   // that the item arrived as agreed
)

// WaitingKinds lists all kinds of things that wait for a member.
var WaitingKinds = []WaitingKind{WaitingReply, WaitingArrange, WaitingAgree, WaitingSend, WaitingHandOver, WaitingConfirm}

// Waiting is an offer that waits for a member.
type Waiting struct {
	OfferID string
	Kind    WaitingKind
	Title   string // of the listing
	DueAt   Time
}

// WaitingCounts are the numbers of a member's pending tasks.
type WaitingCounts struct {
	Unread  int // messages
	Replies int // offers to reply to
	Arrange int // hand-overs to propose or agree to
	Send    int // items to send or hand over
	Confirm int // purchases to confirm
}

// Total returns the sum of all counts.
func (c WaitingCounts) Total() int { return c.Unread + c.Replies + c.Arrange + c.Send + c.Confirm }
