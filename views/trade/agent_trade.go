package trade

import (
	"context"
	"io"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// OfferBrief is an offer in a list, from the point of view of one of its two members.
type OfferBrief struct {
	ID        string             `json:"id"`
	Status    models.OfferStatus `json:"status"`
	Role      string             `json:"role" jsonschema:"your role" enum:"buyer,seller"`
	YourTurn  bool               `json:"your_turn" jsonschema:"true when it is your turn to answer"`
	Amount    ui.AmountText      `json:"amount" jsonschema:"current price, which accepting agrees to"`
	Price     ui.AmountText      `json:"price,omitempty" jsonschema:"asking price"`
	Listing   string             `json:"listing" jsonschema:"id of the listing"`
	Title     string             `json:"title" jsonschema:"title of the listing" untrusted:"true"`
	With      string             `json:"with" jsonschema:"handle of the other member"`
	ExpiresAt string             `json:"expires_at,omitempty"`
	Bought    bool               `json:"bought,omitempty" jsonschema:"a purchase, which reserves the listing"`
	Total     ui.AmountText      `json:"total_price,omitempty" jsonschema:"with postage"`
}

func (p *OfferCard) brief() OfferBrief {
	return OfferBrief{p.ID, p.Status, p.Role, p.YourTurn, ui.NewAmountText(p.Amount), ui.AmountTextOr(p.Price), p.Listing, ui.Excerpt(p.Title, 80), p.With.Handle, p.ExpiresAt, p.Bought, ui.AmountTextOr(p.Total)}
}

// OfferOptions are the options of the result of an offer.
type OfferOptions struct {
	Include []string `json:"include,omitempty" enum:"history" jsonschema:"history: every price with its message"`
}

// OfferResult is the result of reading, making or changing an offer.
type OfferResult struct {
	OfferBrief
	Message      string         `json:"message,omitempty" jsonschema:"message of the other member with their last price" untrusted:"true"`
	CountersLeft int            `json:"counters_left,omitempty"`
	Handover     *HandoverBrief `json:"handover,omitempty" jsonschema:"how the item gets to the buyer"`
	Pay          string         `json:"pay,omitempty" jsonschema:"how the seller is paid" untrusted:"true"`
	Dispute      string         `json:"dispute,omitempty" jsonschema:"problem the buyer reported" untrusted:"true"`
	History      []OfferHistory `json:"history,omitempty" jsonschema:"oldest first"`
	Next         []string       `json:"next" jsonschema:"tools to call next"`
	page         *Offer
}

// HandoverBrief is how the item of an offer gets to the buyer.
type HandoverBrief struct {
	Status   models.HandoverStatus `json:"status"`
	Method   models.HandoverMethod `json:"method,omitempty"`
	Place    string                `json:"place,omitempty" untrusted:"true"`
	MeetAt   string                `json:"meet_at,omitempty" jsonschema:"local time at the place"`
	Proposal int                   `json:"proposal,omitempty" jsonschema:"number that agree_handover needs"`
	Address  string                `json:"address,omitempty" jsonschema:"of the buyer; reading only. Show it only to the member" untrusted:"true"`
	Payment  string                `json:"payment,omitempty" untrusted:"true"`
	Link     string                `json:"payment_link,omitempty" untrusted:"true"`
	Tracking string                `json:"tracking,omitempty" jsonschema:"carrier, number and link" untrusted:"true"`
	DueAt    string                `json:"due_at,omitempty"`
}

func (h *Handover) brief() *HandoverBrief {
	if h == nil {
		return nil
	}
	return &HandoverBrief{h.Status, h.Method, h.Place, h.MeetAt, h.Proposal, h.Address, h.Payment, h.PaymentLink, ui.Commas(h.Carrier, h.Tracking, h.TrackingURL), h.DueAt}
}

// OfferHistory is one entry of an offer's price history.
type OfferHistory struct {
	By      string        `json:"by" enum:"buyer,seller"`
	Amount  ui.AmountText `json:"amount"`
	Message string        `json:"message,omitempty" untrusted:"true"`
	At      string        `json:"at"`
}

// Result returns what get_offer returns.
func (p *Offer) Result(o *OfferOptions) *OfferResult {
	r := p.Change(nil)
	r.Handover = p.Handover.brief()
	if slices.Contains(o.Include, "history") {
		r.History = ui.Each(p.Prices, func(price *OfferPrice) OfferHistory {
			return OfferHistory{price.By, ui.NewAmountText(price.Amount), price.Message, price.At}
		})
	}
	return r
}

// Change returns what the tools that make or change an offer return.
func (p *Offer) Change(*ui.NoOptions) *OfferResult {
	r := &OfferResult{OfferBrief: p.brief(), CountersLeft: p.CountersLeft, Pay: p.Pay.text(context.Background(), ui.AsWritten), Dispute: ui.Excerpt(p.Dispute, ui.MaxResultText), Next: []string{}, page: p}
	if p.Handover != nil && p.Handover.DueAt != "" { // the trade has not ended
		r.Handover = p.Handover.brief()
	}
	if n := len(p.Prices); n > 0 && p.Prices[n-1].By != p.Role {
		r.Message = ui.Excerpt(p.Prices[n-1].Message, ui.MaxResultText)
	}
	if p.Handover != nil {
		for _, step := range p.Handover.Steps {
			r.Next = append(r.Next, string(step))
		}
	}
	for _, step := range p.Steps {
		r.Next = append(r.Next, stepOperation(step))
	}
	if p.Status == models.OfferDisputed {
		r.Next = append(r.Next, "add_evidence")
	}
	if p.MayRate {
		r.Next = append(r.Next, "rate_trade")
	}
	return r
}

// Text implements web.ToolResult.
func (r *OfferResult) Text(w io.Writer) error {
	p := r.page
	m := ui.NewMarkdown(p.site, p.heading(context.Background(), ui.Untrusted), "")
	m.Raw("\nOffer ", p.ID, ". ", ui.MarkdownText(p.stateSentence(m.Context, p.With.Handle)), "\n")
	if r.Message != "" {
		m.Raw("\n")
		m.Quote(r.Message)
	}
	if h := r.Handover; h != nil {
		for _, f := range p.Handover.facts(m.Context, ui.Untrusted) {
			if f.Value != "" {
				m.Raw("- ", f.Name, ": ", ui.MarkdownText(f.Value), "\n")
			}
		}
		if h.Proposal > 0 {
			m.Raw("- Proposal: ", ui.NumberText(h.Proposal), "\n")
		}
		if h.Address != "" {
			m.Raw("\nAddress:\n")
			m.Quote(h.Address)
		}
	}
	if r.Pay != "" {
		m.Raw("\nPayment:\n")
		m.Quote(r.Pay)
	}
	if r.Dispute != "" {
		m.Raw("\nReported problem:\n")
		m.Quote(r.Dispute)
	}
	for _, h := range r.History {
		m.Raw("- ", h.By, " ", string(h.Amount), " ", ui.MarkdownText(ui.Untrusted(h.Message)), "\n")
	}
	m.ToolNames(r.Next)
	return m.Done(w)
}

// OffersResult is the result of listing a member's offers.
type OffersResult struct {
	Offers     []OfferBrief `json:"offers" jsonschema:"last changed first"`
	NextCursor string       `json:"next_cursor,omitempty"`
	page       *Offers
}

// Result returns what list_offers returns.
func (p *Offers) Result(*ui.NoOptions) *OffersResult {
	return &OffersResult{ui.Each(p.Offers, (*OfferCard).brief), p.NextCursor, p}
}

// Text implements web.ToolResult.
func (r *OffersResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, "Your offers", "")
	if len(r.Offers) == 0 {
		m.Paragraph(r.page.empty(m.Context))
	}
	for i := range r.page.Offers {
		o := &r.page.Offers[i]
		turn := ""
		if o.YourTurn {
			turn = "your turn"
		}
		m.Raw("- ", ui.Commas(ui.MarkdownText(ui.Untrusted(ui.Excerpt(o.Title, 60))), ui.MoneyText(o.Amount), string(o.Status), "you are the "+o.Role, turn), ": ", o.ID, "\n")
	}
	m.MoreWith(r.NextCursor)
	m.ToolNames([]string{"get_offer (id)"})
	return m.Done(w)
}

// ConversationBrief is a conversation in a list.
type ConversationBrief struct {
	ID      string `json:"id"`
	With    string `json:"with" jsonschema:"handle of the other member"`
	Role    string `json:"role" jsonschema:"your role" enum:"buyer,seller"`
	Listing string `json:"listing" jsonschema:"id of the listing it is about"`
	Title   string `json:"title" jsonschema:"title of the listing" untrusted:"true"`
	Unread  int    `json:"unread"`
}

// ConversationLine is a conversation in a list, with its last message.
type ConversationLine struct {
	ConversationBrief
	LastText string `json:"last_message" jsonschema:"beginning of the last message" untrusted:"true"`
}

// brief returns the conversation as results list it.
func (c *ConversationCard) brief() ConversationLine {
	return ConversationLine{ConversationBrief{c.ID, c.With.Handle, c.Role, c.Listing.ID, ui.Excerpt(c.Listing.Title, 80), c.Unread}, c.LastText}
}

// ConversationsResult is the result of listing a member's conversations.
type ConversationsResult struct {
	Unread        int                `json:"unread" jsonschema:"unread messages in all conversations"`
	Conversations []ConversationLine `json:"conversations" jsonschema:"last active first"`
	NextCursor    string             `json:"next_cursor,omitempty"`
	page          *Conversations
}

// Result returns what list_conversations returns.
func (p *Conversations) Result(*ui.NoOptions) *ConversationsResult {
	return &ConversationsResult{p.Unread, ui.Each(p.Conversations, (*ConversationCard).brief), p.NextCursor, p}
}

// Text implements web.ToolResult.
func (r *ConversationsResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, "Messages", "")
	m.Raw("\n", ui.CountText(r.Unread, "unread message", "unread messages"), ".\n\n")
	for i := range r.page.Conversations {
		c := &r.page.Conversations[i]
		m.Raw("- ", c.ID, ", ", c.With.Handle, ", ", ui.NumberText(c.Unread), " unread: ", ui.MarkdownText(ui.Untrusted(c.LastText)), "\n")
	}
	m.MoreWith(r.NextCursor)
	m.ToolNames([]string{"get_conversation (id)", "reply_message (id)"})
	return m.Done(w)
}

// ConversationResult is the result of reading a conversation or writing in it.
type ConversationResult struct {
	ConversationBrief
	Blocked    bool           `json:"blocked,omitempty" jsonschema:"true when you have blocked the other member"`
	Messages   []MessageBrief `json:"messages" jsonschema:"oldest first"`
	NextCursor string         `json:"next_cursor,omitempty" jsonschema:"cursor of earlier messages"`
	Next       []string       `json:"next" jsonschema:"tools to call next"`
	page       *Conversation
}

// MessageBrief is a message of a conversation. Its text is in the text of the result
// too only if it is the last.
type MessageBrief struct {
	Sender string `json:"sender" jsonschema:"handle of the author"`
	Text   string `json:"text" untrusted:"true"`
	SentAt string `json:"sent_at"`
}

// Result returns what get_conversation returns.
func (p *Conversation) Result(*ui.NoOptions) *ConversationResult {
	return p.result(len(p.Messages))
}

// Sent returns what the tools that write in a conversation return.
func (p *Conversation) Sent(*ui.NoOptions) *ConversationResult { return p.result(1) }

// result returns the conversation with its last n messages.
func (p *Conversation) result(n int) *ConversationResult {
	r := &ConversationResult{ConversationBrief: ConversationBrief{p.ID, p.With.Handle, p.Role, p.Listing.ID, ui.Excerpt(p.Listing.Title, 80), p.Unread},
		Blocked: p.Blocked, NextCursor: p.NextCursor, Next: []string{"reply_message"}, page: p}
	r.Messages = ui.Each(p.Messages[max(0, len(p.Messages)-n):], func(m *Message) MessageBrief { return MessageBrief{m.Sender, m.Text, m.SentAt} })
	if p.Role == "buyer" {
		r.Next = append(r.Next, "make_offer")
	}
	return r
}

// Text implements web.ToolResult.
func (r *ConversationResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, "Conversation", "")
	m.Raw("\n", r.ID, " with ", r.With, ", about ", ui.MarkdownText(ui.Untrusted(r.Title)), ".\n")
	for _, message := range r.Messages {
		m.Raw("\n", message.Sender, ":\n")
		m.Quote(message.Text)
	}
	m.ToolNames(r.Next)
	return m.Done(w)
}
