package views

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// ContactForm is what a contact form is filled in with.
type ContactForm struct {
	Stamp       string // says when the form was made
	Name, Email string // of the member who is signed in
	Topic       models.ContactTopic
	About       string // path of the page it is about, or ""
}

// NewContact returns the page with the contact form.
func NewContact(site *Site, form ContactForm) *FormPage {
	return newFormPage(site, contactPath, languages.Mark("Contact"), languages.Mark("Ask about a print, a photograph, a camera or a job. We'll answer by email."), contactForm(form),
		Link{"/help", "Help"}, Link{"/privacy", "Privacy"}, Link{"/imprint", "Imprint"})
}

// NewContactSent returns the page after a message was sent.
func NewContactSent(site *Site) *FormPage {
	return newFormPage(site, contactPath+"/sent", languages.Mark("Message sent"), languages.Mark("Thanks for writing. We'll answer by email, to the address you gave."), nil, Link{"/", "Home"})
}

// topicChoices are the topics of messages.
var topicChoices = []Choice{
	{Value: string(models.ContactPrint), Label: languages.Mark("A print or a photograph")},
	{Value: string(models.ContactGear), Label: languages.Mark("Gear for sale")},
	{Value: string(models.ContactJob), Label: languages.Mark("A job or commission")},
	{Value: string(models.ContactOther), Label: languages.Mark("Something else")},
}

// stamp returns the stamp of a form: the one it was rejected with, so that its age counts,
// or a new one if that was refused.
func (c *ContactForm) stamp(f *Form) string {
	if f.Error != nil && f.Error.Code != "form_expired" {
		return f.value("stamp", c.Stamp)
	}
	return c.Stamp
}

// ContactMessage is a message to the owner of the site.
type ContactMessage struct {
	ID     string               `json:"id"`
	Name   string               `json:"name" jsonschema:"name of the sender" untrusted:"true"`
	Email  string               `json:"email" jsonschema:"address that the sender is answered at" untrusted:"true"`
	Member *Person              `json:"member,omitempty" jsonschema:"the member who sent it; absent if the sender was not signed in, and nothing about them is verified"`
	Topic  models.ContactTopic  `json:"topic" jsonschema:"what it is about"`
	About  string               `json:"about,omitempty" jsonschema:"path of the page it is about"`
	Text   string               `json:"text" jsonschema:"the message, plain text" untrusted:"true"`
	Status models.ContactStatus `json:"contact_status" jsonschema:"open until it is filed as done or spam"`
	SentAt string               `json:"sent_at" jsonschema:"when it was sent"`
	site   *Site
}

// NewContactMessage returns a message. member is who sent it, nil for a visitor.
func NewContactMessage(site *Site, m *models.ContactMessage, member *models.Member) *ContactMessage {
	p := &ContactMessage{ID: m.ID, Name: m.Name, Email: m.Email, Topic: m.Topic, About: m.About, Text: m.Text, Status: m.Status, SentAt: m.CreatedAt.RFC3339(), site: site}
	if member != nil {
		person := newPerson(site, member)
		p.Member = &person
	}
	return p
}

// path returns the path that forms about the message are sent to.
func (p *ContactMessage) path() string { return adminContactPath + "/" + p.ID }

// Resource returns the path of the messages in the API.
func (p *ContactMessage) Resource() string { return "/api/admin/contact" }

// Head implements Page.
func (p *ContactMessage) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Contact message"), Description: t(ctx, "A message to the owner of the site."), Path: adminContactPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Markdown implements Page.
func (p *ContactMessage) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Contact message"), t(ctx, p.site.notice())).in(ctx)
	writeContactMessage(m, p)
	return m.done(w)
}

// writeContactMessage writes a message as a table of facts and a quote.
func writeContactMessage(m *markdown, p *ContactMessage) {
	m.raw("\n")
	rows := []fact{{"From", untrusted(p.Name), ""}, {"Email", untrusted(p.Email), ""}, {"Topic", p.topic(m.ctx) + " (" + string(p.Topic) + ")", ""}, {"About", p.About, ""},
		{"Sent", momentIn(m.ctx, p.SentAt), ""}, {"Status", string(p.Status), ""}, {"Id", p.ID, ""}}
	if p.Member != nil {
		rows = append(rows, fact{"Member", untrustedName(p.Member.Name, p.Member.Handle), sellerPath(p.Member.Handle)}, fact{"Handle", p.Member.Handle, ""})
	}
	m.factRows(rows)
	m.raw("\n")
	m.quote(p.Text)
}

// topic returns the label of the topic.
func (p *ContactMessage) topic(ctx context.Context) string {
	return choiceLabel(ctx, topicChoices, string(p.Topic))
}

// ContactMessages is the page of the messages to the owner in one status.
type ContactMessages struct {
	Status     models.ContactStatus `json:"contact_status" jsonschema:"status of these messages"`
	Open       int                  `json:"open" jsonschema:"number of open messages" min:"0"`
	Messages   []*ContactMessage    `json:"contact_messages" jsonschema:"newest first"`
	NextCursor string               `json:"next_cursor,omitempty"`
	Links      []Link               `json:"links"`
	next       Next
	site       *Site
}

// NewContactMessages returns the page of messages in a status; open is how many are open.
func NewContactMessages(site *Site, status models.ContactStatus, open int, messages []*ContactMessage, next Next) *ContactMessages {
	return &ContactMessages{Status: status, Open: open, Messages: messages, NextCursor: next.Cursor, Links: []Link{{adminPath, "Dashboard"}}, next: next, site: site}
}

// statusLabels name the statuses.
var statusLabels = map[models.ContactStatus]string{models.ContactOpen: languages.Mark("Open"), models.ContactDone: languages.Mark("Done"), models.ContactSpam: languages.Mark("Spam")}

// fileTexts are the labels of the buttons that give a message a status.
var fileTexts = map[models.ContactStatus]string{models.ContactOpen: languages.Mark("Reopen"), models.ContactDone: languages.Mark("Mark as done"), models.ContactSpam: languages.Mark("Mark as spam")}

// statusPath returns the path of the messages in a status.
func statusPath(s models.ContactStatus) string {
	if s == models.ContactOpen {
		return adminContactPath
	}
	return withParam(adminContactPath, "status", string(s))
}

func (p *ContactMessages) lead(ctx context.Context) string {
	if p.Open == 0 {
		return t(ctx, "No message is waiting for an answer.")
	}
	return tn(ctx, p.Open, "%s message is waiting for an answer.", "%s messages are waiting for an answer.")
}

// After implements web.PagedPage.
func (p *ContactMessages) After() string { return p.NextCursor }

// Head implements Page.
func (p *ContactMessages) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Contact messages"), Description: t(ctx, "What visitors wrote through the contact form."), Path: statusPath(p.Status), NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Markdown implements Page.
func (p *ContactMessages) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Contact messages"), t(ctx, p.site.notice())).in(ctx)
	if p.NextCursor != "" {
		m.more(p.next.path(statusPath(p.Status)))
	}
	m.text(p.lead(ctx))
	m.text(t(ctx, "Shown: %s (%s).", t(ctx, statusLabels[p.Status]), p.Status))
	for i, message := range p.Messages {
		m.section(strconv.Itoa(i+1) + ". " + untrusted(message.Name))
		writeContactMessage(m, message)
	}
	m.links(p.Links)
	return m.done(w)
}

// ContactEmail returns the email to an operator about a message. It has the text without
// links; the page of messages has it in full. Replies go to the sender.
func ContactEmail(ctx context.Context, site *Site, message *models.ContactMessage) (subject, body string) {
	p := NewContactMessage(site, message, nil)
	name := withoutLinks(ctx, p.Name)
	lines := []string{t(ctx, "%s wrote to you. Reply to this email to answer.", name), "", t(ctx, "Topic: %s", p.topic(ctx))}
	if p.About != "" {
		lines = append(lines, t(ctx, "About: %s", site.URL(p.About)))
	}
	lines = append(lines, "")
	for line := range strings.SplitSeq(p.Text, "\n") {
		lines = append(lines, strings.TrimRight("> "+withoutLinks(ctx, line), " "))
	}
	lines = append(lines, "", t(ctx, "All messages: %s", site.URL(adminContactPath)))
	return t(ctx, "Message from %s", name), site.emailBody(ctx, lines...)
}
