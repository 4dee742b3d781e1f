package trade

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Message is one message of a conversation.
type Message struct {
	ID     string `json:"id" jsonschema:"UUID of the message"`
	Sender string `json:"sender" jsonschema:"handle of the author"`
	Mine   bool   `json:"mine" jsonschema:"true for your own messages"`
	Text   string `json:"text" jsonschema:"plain text" untrusted:"true"`
	SentAt string `json:"sent_at"`
}

// ConversationCard is a conversation as the list shows it.
type ConversationCard struct {
	ID string `json:"id" jsonschema:"UUID of the conversation"`
	ui.Ref
	With      ui.Person `json:"with" jsonschema:"the other member"`
	Role      string    `json:"role" jsonschema:"your role" enum:"buyer,seller"`
	Listing   ui.Topic  `json:"listing" jsonschema:"the listing it is about"`
	Unread    int       `json:"unread" jsonschema:"number of unread messages" min:"0"`
	LastText  string    `json:"last_message" jsonschema:"beginning of the last message" untrusted:"true"`
	UpdatedAt string    `json:"updated_at"`
}

// Conversations is the page of a member's conversations.
type Conversations struct {
	Unread        int                `json:"unread" jsonschema:"number of unread messages in all conversations" min:"0"`
	Conversations []ConversationCard `json:"conversations" jsonschema:"last active first"`
	NextCursor    string             `json:"next_cursor,omitempty"`
	Links         []ui.Link          `json:"links"`
	site          *ui.Site
}

// Conversation is the page of one conversation.
type Conversation struct {
	ID string `json:"id" jsonschema:"UUID of the conversation"`
	ui.Ref
	With       ui.Person `json:"with" jsonschema:"the other member"`
	Role       string    `json:"role" jsonschema:"your role" enum:"buyer,seller"`
	Listing    ui.Topic  `json:"listing" jsonschema:"the listing it is about"`
	Blocked    bool      `json:"blocked" jsonschema:"true when you have blocked the other member"`
	Unread     int       `json:"unread" jsonschema:"number of unread messages" min:"0"`
	Messages   []Message `json:"messages" jsonschema:"oldest first"`
	NextCursor string    `json:"next_cursor,omitempty" jsonschema:"cursor of earlier messages; absent when there are none"`
	Links      []ui.Link `json:"links"`
	site       *ui.Site
}

// ConversationParts holds what the page of a conversation is made of.
type ConversationParts struct {
	Conversation *models.Conversation
	Me, With     *models.Member
	About        *models.Listing
	Messages     []models.Message
	NextCursor   string
	Blocked      bool
}

// maxExcerpt is the maximum number of characters of the last message in the list.
const maxExcerpt = 160

// NewConversations returns the list of a member's conversations. next is the cursor
// of the next page, "" for none.
func NewConversations(site *ui.Site, me string, unread int, parts []ConversationParts, next string) *Conversations {
	p := &Conversations{Unread: unread, Conversations: []ConversationCard{}, NextCursor: next, site: site,
		Links: []ui.Link{{Href: ui.BlocksPath, Label: "Blocked members"}, {Href: "/account", Label: "Your account"}}}
	for _, part := range parts {
		c := part.Conversation
		p.Conversations = append(p.Conversations, ConversationCard{ID: c.ID, Ref: ui.NewRef(ui.ConversationPath(c.ID)), With: ui.NewPerson(site, part.With),
			Role: role(c, me), Listing: ui.NewTopic(site, part.About), Unread: c.Unread, LastText: ui.Excerpt(c.LastText, maxExcerpt), UpdatedAt: c.UpdatedAt.RFC3339()})
	}
	return p
}

// role returns the side of the member me in a conversation.
func role(c *models.Conversation, me string) string {
	if c.SellerID == me {
		return "seller"
	}
	return "buyer"
}

// NewConversation returns the page of a conversation.
func NewConversation(site *ui.Site, parts ConversationParts) *Conversation {
	c := parts.Conversation
	p := &Conversation{ID: c.ID, Ref: ui.NewRef(ui.ConversationPath(c.ID)), With: ui.NewPerson(site, parts.With), Role: role(c, parts.Me.ID),
		Listing: ui.NewTopic(site, parts.About), Blocked: parts.Blocked, Unread: c.Unread, Messages: []Message{}, NextCursor: parts.NextCursor, site: site}
	for _, m := range parts.Messages {
		sender := parts.With.Handle
		if m.SenderID == parts.Me.ID {
			sender = parts.Me.Handle
		}
		p.Messages = append(p.Messages, Message{ID: m.ID, Sender: sender, Mine: m.SenderID == parts.Me.ID, Text: m.Text, SentAt: m.At.RFC3339()})
	}
	p.Links = []ui.Link{{Href: ui.MessagesPath, Label: "All conversations"}}
	if path := p.Listing.Page; path != "" {
		p.Links = append(p.Links, ui.Link{Href: path, Label: "The listing"})
	}
	return p
}

// Resource returns where the API has the conversation.
func (p *Conversation) Resource() string { return "/api/conversations/" + p.ID }

// Head implements Page.
func (p *Conversations) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Messages"), Description: ui.T(ctx, "Your conversations with buyers and sellers."), Path: ui.MessagesPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Head implements Page.
func (p *Conversation) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Messages with %s", p.With.Name), Description: ui.T(ctx, "Your conversation with %s.", p.With.Name), Path: ui.ConversationPath(p.ID), NoIndex: true,
		Crumbs: []ui.Link{ui.AccountCrumb, {Href: ui.MessagesPath, Label: "Messages"}}}
}

// lead returns the first paragraph of the page.
func (p *Conversations) lead(ctx context.Context) string {
	switch {
	case len(p.Conversations) == 0:
		return ui.T(ctx, "No messages yet. To contact a seller, open their listing and select Message.")
	case p.Unread == 0:
		return ui.T(ctx, "You're all caught up.")
	}
	return ui.TN(ctx, p.Unread, "%s unread message.", "%s unread messages.")
}

// next returns the path of the next page.
func (p *Conversations) next() string { return ui.WithCursor(ui.MessagesPath, p.NextCursor) }

func (p *Conversation) earlier() string {
	return ui.WithCursor(ui.ConversationPath(p.ID), p.NextCursor)
}

// After implements web.PagedPage.
func (p *Conversations) After() string { return p.NextCursor }

// After implements web.PagedPage: earlier messages come after.
func (p *Conversation) After() string { return p.NextCursor }

// Markdown implements Page.
func (p *Conversations) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Messages"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.lead(ctx))
	if len(p.Conversations) > 0 {
		m.Raw("\n")
		m.Head("Conversation", "With", "Listing", "Your role", "Last message", "Unread", "Updated")
		for i := range p.Conversations {
			c := &p.Conversations[i]
			m.Row(m.Link(ui.Link{Href: ui.ConversationPath(c.ID), Label: c.ID}), m.Person(&c.With), m.Topic(&c.Listing), ui.T(ctx, c.Role),
				ui.MarkdownText(ui.Untrusted(c.LastText)), ui.NumberIn(ctx, c.Unread), ui.DayIn(ctx, c.UpdatedAt))
		}
	}
	if p.NextCursor != "" {
		m.Raw("\n", m.Link(ui.Link{Href: p.next(), Label: "Older conversations"}), "\n")
	}
	m.Links(p.Links)
	return m.Done(w)
}

// Markdown implements Page.
func (p *Conversation) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Messages with %s", ui.UntrustedName(p.With.Name, p.With.Handle)), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Raw("\n")
	m.Head("Detail", "Value")
	m.Row(ui.T(ctx, "With"), m.Person(&p.With))
	m.Row(ui.T(ctx, "Your role"), ui.T(ctx, p.Role))
	m.Row(ui.T(ctx, "Listing"), m.Topic(&p.Listing))
	m.Row(ui.T(ctx, "Conversation"), p.site.URL(p.Page))
	if p.Blocked {
		m.Row(ui.T(ctx, "Blocked"), ui.T(ctx, "You've blocked this member."))
	}
	if p.NextCursor != "" {
		m.Raw("\n", m.Link(ui.Link{Href: p.earlier(), Label: "Earlier messages"}), "\n")
	}
	for i := range p.Messages {
		message := &p.Messages[i]
		by := ui.MarkdownText(message.Sender)
		if message.Mine {
			by += " (" + ui.T(ctx, "you") + ")"
		}
		m.Raw("\n**", by, "**, ", ui.MomentIn(ctx, message.SentAt), ":\n\n")
		m.Quote(message.Text)
	}
	m.Links(p.Links)
	return m.Done(w)
}

// roleText begins a sentence about a conversation with the reader's role in it: the name
// of the listing follows.
func roleText(ctx context.Context, role string) string {
	if role == "seller" {
		return ui.T(ctx, "You are the seller of")
	}
	return ui.T(ctx, "You are the buyer of")
}
