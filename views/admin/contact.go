package admin

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// ContactForm is what a contact form is filled in with.
type ContactForm struct {
	Stamp       string // says when the form was made
	Name, Email string // of the member who is signed in
	Topic       models.ContactTopic
	About       string // path of the page it is about, or ""
}

// NewContact returns the page with the contact form.
func NewContact(site *ui.Site, form ContactForm) *ui.FormPage {
	return ui.NewFormPage(site, ui.ContactPath, languages.Mark("Contact"), languages.Mark("Ask about a print, a photograph, a camera or a commission. We'll reply by email."), contactForm(form),
		ui.Link{Href: "/help", Label: "Help"}, ui.Link{Href: "/privacy", Label: "Privacy"}, ui.Link{Href: "/imprint", Label: "Imprint"})
}

// NewContactSent returns the page after a message was sent.
func NewContactSent(site *ui.Site) *ui.FormPage {
	return ui.NewFormPage(site, ui.ContactPath+"/sent", languages.Mark("Message sent"), languages.Mark("Thanks for your message. We'll reply to the email address you gave us."), nil, ui.Link{Href: "/", Label: "Home"})
}

// topicChoices are the topics of messages.
var topicChoices = []ui.Choice{
	{Value: string(models.ContactPrint), Label: languages.Mark("A print or a photograph")},
	{Value: string(models.ContactGear), Label: languages.Mark("Gear for sale")},
	{Value: string(models.ContactJob), Label: languages.Mark("A commission or job")},
	{Value: string(models.ContactOther), Label: languages.Mark("Something else")},
}

// stamp returns the stamp of a form: the one it was rejected with, so that its age counts,
// or a new one if that was refused.
func (c *ContactForm) stamp(f *ui.Form) string {
	if f.Error != nil && f.Error.Code != "form_expired" {
		return f.Value("stamp", c.Stamp)
	}
	return c.Stamp
}

// ContactMessage is a message to the owner of the site.
type ContactMessage struct {
	ID     string               `json:"id"`
	Name   string               `json:"name" jsonschema:"name of the sender" untrusted:"true"`
	Email  string               `json:"email" jsonschema:"address that the sender is answered at" untrusted:"true"`
	Member *ui.Person           `json:"member,omitempty" jsonschema:"the member who sent it; absent if the sender was not signed in, and nothing about them is verified"`
	Topic  models.ContactTopic  `json:"topic" jsonschema:"what it is about"`
	About  string               `json:"about,omitempty" jsonschema:"path of the page it is about"`
	Text   string               `json:"text" jsonschema:"the message, plain text" untrusted:"true"`
	Status models.ContactStatus `json:"contact_status" jsonschema:"open until it is filed as done or spam"`
	SentAt string               `json:"sent_at" jsonschema:"when it was sent"`
	site   *ui.Site
}

// NewContactMessage returns a message. member is who sent it, nil for a visitor.
func NewContactMessage(site *ui.Site, m *models.ContactMessage, member *models.Member) *ContactMessage {
	p := &ContactMessage{ID: m.ID, Name: m.Name, Email: m.Email, Topic: m.Topic, About: m.About, Text: m.Text, Status: m.Status, SentAt: m.CreatedAt.RFC3339(), site: site}
	if member != nil {
		person := ui.NewPerson(site, member)
		p.Member = &person
	}
	return p
}

// path returns the path that forms about the message are sent to.
func (p *ContactMessage) path() string { return ui.AdminContactPath + "/" + p.ID }

// Resource returns the path of the messages in the API.
func (p *ContactMessage) Resource() string { return "/api/admin/contact" }

// Head implements Page.
func (p *ContactMessage) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Contact message"), Description: ui.T(ctx, "A message to the owner of the site."), Path: ui.AdminContactPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Markdown implements Page.
func (p *ContactMessage) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Contact message"), ui.T(ctx, p.site.Notice())).In(ctx)
	writeContactMessage(m, p)
	return m.Done(w)
}

// writeContactMessage writes a message as a table of facts and a quote.
func writeContactMessage(m *ui.Markdown, p *ContactMessage) {
	m.Raw("\n")
	rows := []ui.Fact{{Name: "From", Value: ui.Untrusted(p.Name)}, {Name: "Email", Value: ui.Untrusted(p.Email)}, {Name: "Topic", Value: p.topic(m.Context) + " (" + string(p.Topic) + ")"}, {Name: "About", Value: p.About},
		{Name: "Sent", Value: ui.MomentIn(m.Context, p.SentAt)}, {Name: "Status", Value: string(p.Status)}, {Name: "Id", Value: p.ID}}
	if p.Member != nil {
		rows = append(rows, ui.Fact{Name: "Member", Value: ui.UntrustedName(p.Member.Name, p.Member.Handle), Href: ui.SellerPath(p.Member.Handle)}, ui.Fact{Name: "Username", Value: p.Member.Handle})
	}
	m.FactRows(rows)
	m.Raw("\n")
	m.Quote(p.Text)
}

// topic returns the label of the topic.
func (p *ContactMessage) topic(ctx context.Context) string {
	return ui.ChoiceLabel(ctx, topicChoices, string(p.Topic))
}

// ContactMessages is the page of the messages to the owner in one status.
type ContactMessages struct {
	Status     models.ContactStatus `json:"contact_status" jsonschema:"status of these messages"`
	Open       int                  `json:"open" jsonschema:"number of open messages" min:"0"`
	Messages   []*ContactMessage    `json:"contact_messages" jsonschema:"newest first"`
	NextCursor string               `json:"next_cursor,omitempty"`
	Links      []ui.Link            `json:"links"`
	next       ui.Next
	site       *ui.Site
}

// NewContactMessages returns the page of messages in a status; open is how many are open.
func NewContactMessages(site *ui.Site, status models.ContactStatus, open int, messages []*ContactMessage, next ui.Next) *ContactMessages {
	return &ContactMessages{Status: status, Open: open, Messages: messages, NextCursor: next.Cursor, Links: []ui.Link{{Href: ui.AdminPath, Label: "Dashboard"}}, next: next, site: site}
}

// statusLabels name the statuses.
var statusLabels = map[models.ContactStatus]string{models.ContactOpen: languages.Mark("Open"), models.ContactDone: languages.Mark("Done"), models.ContactSpam: languages.Mark("Spam")}

// fileTexts are the labels of the buttons that give a message a status.
var fileTexts = map[models.ContactStatus]string{models.ContactOpen: languages.Mark("Reopen"), models.ContactDone: languages.Mark("Mark as done"), models.ContactSpam: languages.Mark("Mark as spam")}

// statusPath returns the path of the messages in a status.
func statusPath(s models.ContactStatus) string {
	if s == models.ContactOpen {
		return ui.AdminContactPath
	}
	return ui.WithParam(ui.AdminContactPath, "status", string(s))
}

func (p *ContactMessages) lead(ctx context.Context) string {
	if p.Open == 0 {
		return ui.T(ctx, "No unanswered messages")
	}
	return ui.TN(ctx, p.Open, "%s unanswered message", "%s unanswered messages")
}

// After implements web.PagedPage.
func (p *ContactMessages) After() string { return p.NextCursor }

// Head implements Page.
func (p *ContactMessages) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Contact messages"), Description: ui.T(ctx, "Messages from the contact form."), Path: statusPath(p.Status), NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Markdown implements Page.
func (p *ContactMessages) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Contact messages"), ui.T(ctx, p.site.Notice())).In(ctx)
	if p.NextCursor != "" {
		m.More(p.next.Path(statusPath(p.Status)))
	}
	m.Paragraph(p.lead(ctx))
	m.Paragraph(ui.T(ctx, "Shown: %s (%s).", ui.T(ctx, statusLabels[p.Status]), p.Status))
	for i, message := range p.Messages {
		m.Section(strconv.Itoa(i+1) + ". " + ui.Untrusted(message.Name))
		writeContactMessage(m, message)
	}
	m.Links(p.Links)
	return m.Done(w)
}

// ContactEmail returns the email to an operator about a message. It has the text without
// links; the page of messages has it in full. Replies go to the sender.
func ContactEmail(ctx context.Context, site *ui.Site, message *models.ContactMessage) *ui.Email {
	p := NewContactMessage(site, message, nil)
	name := ui.WithoutLinks(ctx, p.Name)
	about := ui.T(ctx, "Topic: %s", p.topic(ctx))
	if p.About != "" {
		about += "\n" + ui.T(ctx, "About: %s", site.URL(p.About))
	}
	var quoted []string
	for line := range strings.SplitSeq(p.Text, "\n") {
		quoted = append(quoted, strings.TrimRight("> "+ui.WithoutLinks(ctx, line), " "))
	}
	return &ui.Email{
		Subject: ui.T(ctx, "Message from %s", name), Lead: []string{ui.T(ctx, "%s wrote to you. Reply to this email to respond.", name), about, strings.Join(quoted, "\n")},
		Button: ui.Link{Href: ui.AdminContactPath, Label: ui.T(ctx, "All messages")},
	}
}
