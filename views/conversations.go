package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
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
	Ref
	With      Person `json:"with" jsonschema:"the other member"`
	Role      string `json:"role" jsonschema:"your role" enum:"buyer,seller"`
	Listing   Topic  `json:"listing" jsonschema:"the listing it is about"`
	Unread    int    `json:"unread" jsonschema:"number of unread messages" min:"0"`
	LastText  string `json:"last_message" jsonschema:"beginning of the last message" untrusted:"true"`
	UpdatedAt string `json:"updated_at"`
}

// Conversations is the page of a member's conversations.
type Conversations struct {
	Unread        int                `json:"unread" jsonschema:"number of unread messages in all conversations" min:"0"`
	Conversations []ConversationCard `json:"conversations" jsonschema:"last active first"`
	NextCursor    string             `json:"next_cursor,omitempty"`
	Links         []Link             `json:"links"`
	site          *Site
}

// Conversation is the page of one conversation.
type Conversation struct {
	ID string `json:"id" jsonschema:"UUID of the conversation"`
	Ref
	With       Person    `json:"with" jsonschema:"the other member"`
	Role       string    `json:"role" jsonschema:"your role" enum:"buyer,seller"`
	Listing    Topic     `json:"listing" jsonschema:"the listing it is about"`
	Blocked    bool      `json:"blocked" jsonschema:"true when you have blocked the other member"`
	Unread     int       `json:"unread" jsonschema:"number of unread messages" min:"0"`
	Messages   []Message `json:"messages" jsonschema:"oldest first"`
	NextCursor string    `json:"next_cursor,omitempty" jsonschema:"cursor of earlier messages; absent when there are none"`
	Links      []Link    `json:"links"`
	site       *Site
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
func NewConversations(site *Site, me string, unread int, parts []ConversationParts, next string) *Conversations {
	p := &Conversations{Unread: unread, Conversations: []ConversationCard{}, NextCursor: next, site: site,
		Links: []Link{{blocksPath, "Blocked members"}, {"/account", "Your account"}}}
	for _, part := range parts {
		c := part.Conversation
		p.Conversations = append(p.Conversations, ConversationCard{ID: c.ID, Ref: newRef(conversationPath(c.ID)), With: newPerson(site, part.With),
			Role: role(c, me), Listing: newTopic(site, part.About), Unread: c.Unread, LastText: excerpt(c.LastText, maxExcerpt), UpdatedAt: c.UpdatedAt.RFC3339()})
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
func NewConversation(site *Site, parts ConversationParts) *Conversation {
	c := parts.Conversation
	p := &Conversation{ID: c.ID, Ref: newRef(conversationPath(c.ID)), With: newPerson(site, parts.With), Role: role(c, parts.Me.ID),
		Listing: newTopic(site, parts.About), Blocked: parts.Blocked, Unread: c.Unread, Messages: []Message{}, NextCursor: parts.NextCursor, site: site}
	for _, m := range parts.Messages {
		sender := parts.With.Handle
		if m.SenderID == parts.Me.ID {
			sender = parts.Me.Handle
		}
		p.Messages = append(p.Messages, Message{ID: m.ID, Sender: sender, Mine: m.SenderID == parts.Me.ID, Text: m.Text, SentAt: m.At.RFC3339()})
	}
	p.Links = []Link{{messagesPath, "All conversations"}}
	if path := p.Listing.Page; path != "" {
		p.Links = append(p.Links, Link{path, "The listing"})
	}
	return p
}

// Resource returns where the API has the conversation.
func (p *Conversation) Resource() string { return "/api/conversations/" + p.ID }

// Head implements Page.
func (p *Conversations) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Messages"), Description: t(ctx, "Your conversations with buyers and sellers."), Path: messagesPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Head implements Page.
func (p *Conversation) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Messages with %s", p.With.Name), Description: t(ctx, "What you and %s wrote each other.", p.With.Name), Path: conversationPath(p.ID), NoIndex: true,
		Crumbs: []Link{accountCrumb, {messagesPath, "Messages"}}}
}

// lead returns the first paragraph of the page.
func (p *Conversations) lead(ctx context.Context) string {
	switch {
	case len(p.Conversations) == 0:
		return t(ctx, "Nobody has written yet. To ask a seller something, open a listing and write from there.")
	case p.Unread == 0:
		return t(ctx, "You have read everything.")
	}
	return tn(ctx, p.Unread, "%s unread message.", "%s unread messages.")
}

// next returns the path of the next page.
func (p *Conversations) next() string { return withCursor(messagesPath, p.NextCursor) }

func (p *Conversation) earlier() string {
	return withCursor(conversationPath(p.ID), p.NextCursor)
}

// After implements web.PagedPage.
func (p *Conversations) After() string { return p.NextCursor }

// After implements web.PagedPage: earlier messages come after.
func (p *Conversation) After() string { return p.NextCursor }

// Markdown implements Page.
func (p *Conversations) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Messages"), t(ctx, p.site.notice())).in(ctx)
	m.text(p.lead(ctx))
	if len(p.Conversations) > 0 {
		m.raw("\n")
		m.head("Conversation", "With", "Listing", "You are the", "Last message", "Unread", "Moved")
		for i := range p.Conversations {
			c := &p.Conversations[i]
			m.row(m.link(Link{conversationPath(c.ID), c.ID}), m.person(&c.With), m.topic(&c.Listing), t(ctx, c.Role),
				mdText(untrusted(c.LastText)), numberIn(ctx, c.Unread), dayIn(ctx, c.UpdatedAt))
		}
	}
	if p.NextCursor != "" {
		m.raw("\n", m.link(Link{p.next(), "Older conversations"}), "\n")
	}
	m.links(p.Links)
	return m.done(w)
}

// Markdown implements Page.
func (p *Conversation) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Messages with %s", untrustedName(p.With.Name, p.With.Handle)), t(ctx, p.site.notice())).in(ctx)
	m.raw("\n")
	m.head("Fact", "Value")
	m.row(t(ctx, "With"), m.person(&p.With))
	m.row(t(ctx, "You are the"), t(ctx, p.Role))
	m.row(t(ctx, "Listing"), m.topic(&p.Listing))
	m.row(t(ctx, "Conversation"), p.site.URL(p.Page))
	if p.Blocked {
		m.row(t(ctx, "Blocked"), t(ctx, "You take nothing from this member."))
	}
	if p.NextCursor != "" {
		m.raw("\n", m.link(Link{p.earlier(), "Earlier messages"}), "\n")
	}
	for i := range p.Messages {
		message := &p.Messages[i]
		by := mdText(message.Sender)
		if message.Mine {
			by += " (" + t(ctx, "you") + ")"
		}
		m.raw("\n**", by, "**, ", momentIn(ctx, message.SentAt), ":\n\n")
		m.quote(message.Text)
	}
	m.links(p.Links)
	return m.done(w)
}

// roleText begins a sentence about a conversation with the reader's role in it: the name
// of the listing follows.
func roleText(ctx context.Context, role string) string {
	if role == "seller" {
		return t(ctx, "You are the seller of")
	}
	return t(ctx, "You are the buyer of")
}
