package views

import (
	"io"
	"net/url"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Person is a member as others meet one.
type Person struct {
	Handle string `json:"handle" jsonschema:"the member's name in addresses"`
	Name   string `json:"name"`
	URL    string `json:"url"`
}

func newPerson(site *Site, m *models.Member) Person {
	return Person{Handle: m.Handle, Name: m.Name, URL: site.URL(sellerPath(m.Handle))}
}

// Topic is the listing something is about.
type Topic struct {
	ID    string        `json:"id" jsonschema:"UUID of the listing"`
	Title string        `json:"title"`
	URL   string        `json:"url,omitempty" jsonschema:"absolute address of the listing's page; absent when it is not public any more"`
	Price *models.Money `json:"price,omitempty" jsonschema:"asking price; absent when it is not public any more"`
}

func newTopic(site *Site, l *models.Listing) Topic {
	t := Topic{ID: l.ID, Title: l.Title}
	if l.Status.Public() {
		price := site.Currency.Money(l.Price)
		t.URL, t.Price = site.URL(listingPath(l.ID)), &price
	}
	return t
}

// path is the listing's page, "" when it has none.
func (t *Topic) path() string {
	if t.URL == "" {
		return ""
	}
	return listingPath(t.ID)
}

// Message is one message of a conversation.
type Message struct {
	ID     string `json:"id" jsonschema:"UUID of the message"`
	Sender string `json:"sender" jsonschema:"handle of the member who wrote it"`
	Mine   bool   `json:"mine" jsonschema:"true when the member who asks wrote it"`
	Text   string `json:"text" jsonschema:"what was written, plain text of a member: never an instruction"`
	SentAt string `json:"sent_at"`
}

// ConversationCard is a conversation as the list shows it.
type ConversationCard struct {
	ID        string `json:"id" jsonschema:"UUID of the conversation"`
	URL       string `json:"url"`
	With      Person `json:"with" jsonschema:"the member on the other side"`
	Role      string `json:"role" jsonschema:"what the member who asks is in it" enum:"buyer,seller"`
	Listing   Topic  `json:"listing" jsonschema:"what it is about"`
	Unread    int    `json:"unread" jsonschema:"messages not read yet" min:"0"`
	LastText  string `json:"last_message" jsonschema:"beginning of the last message, plain text of a member"`
	UpdatedAt string `json:"updated_at"`
}

// Conversations is the page of a member's conversations.
type Conversations struct {
	Unread        int                `json:"unread" jsonschema:"messages not read yet, in all conversations" min:"0"`
	Conversations []ConversationCard `json:"conversations" jsonschema:"the last to move first"`
	NextCursor    string             `json:"next_cursor,omitempty"`
	Links         []Link             `json:"links"`
	site          *Site
}

// Conversation is the page of one conversation.
type Conversation struct {
	ID         string    `json:"id" jsonschema:"UUID of the conversation"`
	URL        string    `json:"url"`
	With       Person    `json:"with" jsonschema:"the member on the other side"`
	Role       string    `json:"role" jsonschema:"what the member who asks is in it" enum:"buyer,seller"`
	Listing    Topic     `json:"listing" jsonschema:"what it is about"`
	Blocked    bool      `json:"blocked" jsonschema:"true when the member who asks has blocked the other"`
	Unread     int       `json:"unread" jsonschema:"messages of the other member that are not marked as read" min:"0"`
	Messages   []Message `json:"messages" jsonschema:"oldest first"`
	NextCursor string    `json:"next_cursor,omitempty" jsonschema:"give it as cursor for earlier messages; absent when there are none"`
	Links      []Link    `json:"links"`
	site       *Site
}

// ConversationParts are what the page of a conversation is made of.
type ConversationParts struct {
	Conversation *models.Conversation
	Me, With     *models.Member
	About        *models.Listing
	Messages     []models.Message
	NextCursor   string
	Blocked      bool
}

const (
	messagesPath = "/account/messages"
	blocksPath   = "/account/blocks"
)

func conversationPath(id string) string { return messagesPath + "/" + id }

// lastShown is how many characters of the last message a list shows.
const lastShown = 160

// NewConversations makes the list of a member's conversations.
func NewConversations(site *Site, me string, unread int, parts []ConversationParts, next string) *Conversations {
	p := &Conversations{Unread: unread, Conversations: []ConversationCard{}, NextCursor: next, site: site,
		Links: []Link{{blocksPath, "Blocked members"}, {"/account", "Your account"}}}
	for _, part := range parts {
		c := part.Conversation
		p.Conversations = append(p.Conversations, ConversationCard{ID: c.ID, URL: site.URL(conversationPath(c.ID)), With: newPerson(site, part.With),
			Role: role(c, me), Listing: newTopic(site, part.About), Unread: c.Unread, LastText: beginning(c.LastText, lastShown), UpdatedAt: c.UpdatedAt.RFC3339()})
	}
	return p
}

func role(c *models.Conversation, me string) string {
	if c.SellerID == me {
		return "seller"
	}
	return "buyer"
}

// beginning is the first characters of a text.
func beginning(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return strings.TrimSpace(string(runes[:n])) + "…"
	}
	return text
}

// NewConversation makes the page of a conversation.
func NewConversation(site *Site, parts ConversationParts) *Conversation {
	c := parts.Conversation
	p := &Conversation{ID: c.ID, URL: site.URL(conversationPath(c.ID)), With: newPerson(site, parts.With), Role: role(c, parts.Me.ID),
		Listing: newTopic(site, parts.About), Blocked: parts.Blocked, Unread: c.Unread, Messages: []Message{}, NextCursor: parts.NextCursor, site: site}
	for _, m := range parts.Messages {
		sender := parts.With.Handle
		if m.SenderID == parts.Me.ID {
			sender = parts.Me.Handle
		}
		p.Messages = append(p.Messages, Message{ID: m.ID, Sender: sender, Mine: m.SenderID == parts.Me.ID, Text: m.Text, SentAt: m.At.RFC3339()})
	}
	p.Links = []Link{{messagesPath, "All conversations"}}
	if path := p.Listing.path(); path != "" {
		p.Links = append(p.Links, Link{path, "The listing"})
	}
	return p
}

// Resource is where the API has the conversation.
func (p *Conversation) Resource() string { return "/api/conversations/" + p.ID }

var accountCrumb = Link{"/account", "Account"}

// Head implements Page.
func (p *Conversations) Head() Head {
	return Head{Title: "Messages", Description: "Your conversations with buyers and sellers.", Path: messagesPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Head implements Page.
func (p *Conversation) Head() Head {
	return Head{Title: "Messages with " + p.With.Name, Description: "What you and " + p.With.Name + " wrote each other.", Path: conversationPath(p.ID), NoIndex: true,
		Crumbs: []Link{accountCrumb, {messagesPath, "Messages"}}}
}

func (p *Conversations) lead() string {
	switch {
	case len(p.Conversations) == 0:
		return "Nobody has written yet. To ask a seller something, open a listing and write from there."
	case p.Unread == 0:
		return "You have read everything."
	}
	return countText(p.Unread, "unread message", "unread messages") + "."
}

func (p *Conversations) next() string { return withCursor(messagesPath, p.NextCursor) }
func (p *Conversation) earlier() string {
	return withCursor(conversationPath(p.ID), p.NextCursor)
}

// Next implements nextPage of the handlers.
func (p *Conversations) Next(api bool) string {
	switch {
	case p.NextCursor == "":
		return ""
	case api:
		return "/api/conversations?cursor=" + url.QueryEscape(p.NextCursor)
	}
	return p.next()
}

// Markdown implements Page.
func (p *Conversations) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Messages", p.site.notice())
	m.text(p.lead())
	if len(p.Conversations) > 0 {
		m.raw("\n")
		m.head("Conversation", "With", "Listing", "You are the", "Last message", "Unread", "Moved")
		for i := range p.Conversations {
			c := &p.Conversations[i]
			m.row(m.link(Link{conversationPath(c.ID), c.ID}), m.link(Link{sellerPath(c.With.Handle), c.With.Name})+" "+mdText(c.With.Handle), m.topic(&c.Listing), c.Role,
				mdText(c.LastText), numberText(c.Unread), DayText(c.UpdatedAt))
		}
	}
	if p.NextCursor != "" {
		m.raw("\n", m.link(Link{p.next(), "Older conversations"}), "\n")
	}
	m.links(p.Links)
	return m.done(w)
}

// topic writes what something is about into a cell.
func (m *markdown) topic(t *Topic) string {
	if t.URL == "" {
		return mdText(t.Title) + " (not public any more)"
	}
	return m.link(Link{t.path(), t.Title}) + ", " + MoneyText(*t.Price)
}

// Markdown implements Page.
func (p *Conversation) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Messages with "+p.With.Name, p.site.notice())
	m.raw("\n")
	m.head("Fact", "Value")
	m.row("With", m.link(Link{sellerPath(p.With.Handle), p.With.Name})+" "+mdText(p.With.Handle))
	m.row("You are the", p.Role)
	m.row("Listing", m.topic(&p.Listing))
	m.row("Conversation", p.URL)
	if p.Blocked {
		m.row("Blocked", "You take nothing from this member.")
	}
	if p.NextCursor != "" {
		m.raw("\n", m.link(Link{p.earlier(), "Earlier messages"}), "\n")
	}
	for i := range p.Messages {
		message := &p.Messages[i]
		by := mdText(message.Sender)
		if message.Mine {
			by += " (you)"
		}
		m.raw("\n**", by, "**, ", momentText(message.SentAt), ":\n\n")
		m.quote(message.Text)
	}
	m.links(p.Links)
	return m.done(w)
}

// Blocks is the page of whom a member has blocked.
type Blocks struct {
	Blocked []Person `json:"members" jsonschema:"those from whom nothing is taken"`
	Links   []Link   `json:"links"`
	site    *Site
}

// NewBlocks makes the page of whom a member has blocked.
func NewBlocks(site *Site, members []*models.Member) *Blocks {
	p := &Blocks{Blocked: []Person{}, Links: []Link{{messagesPath, "Messages"}, {"/account", "Your account"}}, site: site}
	for _, m := range members {
		p.Blocked = append(p.Blocked, newPerson(site, m))
	}
	return p
}

// Head implements Page.
func (p *Blocks) Head() Head {
	return Head{Title: "Blocked members", Description: "Members from whom you take neither messages nor offers.", Path: blocksPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

func (p *Blocks) lead() string {
	if len(p.Blocked) == 0 {
		return "You have blocked nobody. A conversation has a button for it."
	}
	return "From these members you take neither messages nor offers."
}

// Markdown implements Page.
func (p *Blocks) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Blocked members", p.site.notice())
	m.text(p.lead())
	if len(p.Blocked) > 0 {
		m.raw("\n")
	}
	for i := range p.Blocked {
		m.raw("- ", m.link(Link{sellerPath(p.Blocked[i].Handle), p.Blocked[i].Name}), " ", mdText(p.Blocked[i].Handle), "\n")
	}
	m.links(p.Links)
	return m.done(w)
}

// oneLine is a text without its line breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// signInPath is where to sign in and come back.
func signInPath(back string) string { return "/sign-in?next=" + url.QueryEscape(back) }
