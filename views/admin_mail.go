package views

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Mail is the page about the emails that the site sends.
type Mail struct {
	Settings MailSettings   `json:"mail_settings" jsonschema:"how email is sent, without secrets"`
	Waiting  int            `json:"waiting" jsonschema:"number of emails that are sent next" min:"0"`
	Retrying int            `json:"retrying" jsonschema:"number of emails that failed and are tried again" min:"0"`
	Failed   int            `json:"failed" jsonschema:"number of emails that were given up on in the last 14 days" min:"0"`
	Emails   []*UnsentEmail `json:"emails" jsonschema:"emails that are not sent, at most 50: failed ones first, then those tried again"`
	Links    []Link         `json:"links"`
	site     *Site
}

// MailSettings is how email is sent.
type MailSettings struct {
	Transport  string `json:"transport" jsonschema:"smtp: by the mail server; outbox: written to files in DATA_DIR/outbox, because SMTP_URL is not set" enum:"smtp,outbox"`
	Server     string `json:"mail_server,omitempty" jsonschema:"host and port of the mail server"`
	Encryption string `json:"encryption,omitempty" jsonschema:"tls: from the start; starttls: required; opportunistic: if the mail server offers it" enum:"tls,starttls,opportunistic"`
	SignsIn    bool   `json:"signs_in,omitempty" jsonschema:"whether it signs in with a user name and password"`
	From       string `json:"sender_address" jsonschema:"sender of email"`
}

// The transports of email.
const (
	SMTPTransport   = "smtp"
	OutboxTransport = "outbox"
)

// UnsentEmail is an email that is not sent.
type UnsentEmail struct {
	ID       string `json:"id"`
	To       string `json:"recipient" jsonschema:"address of the recipient, shortened"`
	Subject  string `json:"email_subject" jsonschema:"subject of the email" untrusted:"true"`
	Status   string `json:"email_status" jsonschema:"waiting: not tried yet; retrying: failed, and is tried again; failed: given up on" enum:"waiting,retrying,failed"`
	Attempts int    `json:"attempts" jsonschema:"how often it was tried" min:"0"`
	Error    string `json:"error,omitempty" jsonschema:"why the last attempt failed"`
	QueuedAt string `json:"queued_at" jsonschema:"when it was queued"`
	NextAt   string `json:"next_attempt_at,omitempty" jsonschema:"when it is tried again"`
	FailedAt string `json:"failed_at,omitempty" jsonschema:"when it was given up on"`
}

// The statuses of emails that are not sent, with their labels.
const (
	emailWaiting  = "waiting"
	emailRetrying = "retrying"
	emailFailed   = "failed"
)

var emailStatusTexts = map[string]string{emailWaiting: languages.Mark("Waiting"), emailRetrying: languages.Mark("Will be tried again"), emailFailed: languages.Mark("Failed")}

// NewMail returns the page about email.
func NewMail(site *Site, set MailSettings, counts models.MailCounts, unsent []models.Delivery) *Mail {
	p := &Mail{Settings: set, Waiting: counts.Waiting, Retrying: counts.Retrying, Failed: counts.Failed, Emails: []*UnsentEmail{}, Links: []Link{{adminPath, "Dashboard"}}, site: site}
	for i := range unsent {
		p.Emails = append(p.Emails, newUnsentEmail(&unsent[i]))
	}
	return p
}

func newUnsentEmail(d *models.Delivery) *UnsentEmail {
	e := &UnsentEmail{ID: d.ID, To: shortEmail(d.Recipient), Subject: d.Subject, Status: emailWaiting, Attempts: d.Attempts, Error: d.Error, QueuedAt: d.CreatedAt.RFC3339(), FailedAt: d.FailedAt.RFC3339()}
	switch {
	case d.FailedAt > 0:
		e.Status = emailFailed
	case d.Error != "":
		e.Status, e.NextAt = emailRetrying, d.NextAt.RFC3339()
	}
	return e
}

// shortEmail returns an email address without most of what is before the @: "j…@example.org".
func shortEmail(address string) string {
	local, domain, _ := strings.Cut(address, "@")
	for _, first := range local {
		return string(first) + "…@" + domain
	}
	return "…@" + domain
}

// lead says how email is sent.
func (p *Mail) lead(ctx context.Context) string {
	if p.Settings.Transport == OutboxTransport {
		return t(ctx, "No mail server is set up: emails reach nobody. They are written to the folder outbox in DATA_DIR. Set SMTP_URL and start the server again.")
	}
	return t(ctx, "Emails go out through %s.", p.Settings.Server)
}

// facts returns the settings for display.
func (p *Mail) facts(ctx context.Context) []fact {
	set, signIn := &p.Settings, ""
	if set.Transport == SMTPTransport {
		signIn = t(ctx, "No")
		if set.SignsIn {
			signIn = t(ctx, "With user name and password")
		}
	}
	return []fact{{"Sent through", set.Transport, ""}, {"Mail server", set.Server, ""}, {"Encryption", set.Encryption, ""}, {"Sign-in", signIn, ""}, {"Sender", set.From, ""},
		{"Waiting", strconv.Itoa(p.Waiting), ""}, {"Will be tried again", strconv.Itoa(p.Retrying), ""}, {"Failed", strconv.Itoa(p.Failed), ""}}
}

// when says when the email was queued, and what comes next.
func (e *UnsentEmail) when(ctx context.Context) string {
	switch e.Status {
	case emailFailed:
		return t(ctx, "Queued %s, given up on %s.", momentIn(ctx, e.QueuedAt), momentIn(ctx, e.FailedAt))
	case emailRetrying:
		return t(ctx, "Queued %s, next attempt %s.", momentIn(ctx, e.QueuedAt), momentIn(ctx, e.NextAt))
	}
	return t(ctx, "Queued %s.", momentIn(ctx, e.QueuedAt))
}

// Head implements Page.
func (p *Mail) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Email"), Description: t(ctx, "How email is sent, and what could not be sent."), Path: adminMailPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Markdown implements Page.
func (p *Mail) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Email"), t(ctx, p.site.notice())).in(ctx)
	m.text(p.lead(ctx))
	m.raw("\n")
	m.factRows(p.facts(ctx))
	if len(p.Emails) > 0 {
		m.section("Not sent")
		m.head("To", "Subject", "Status", "Attempts", "Reason", "When", "Id")
		for _, e := range p.Emails {
			m.row(mdText(e.To), mdText(untrusted(e.Subject)), e.Status, strconv.Itoa(e.Attempts), mdText(e.Error), mdText(e.when(ctx)), e.ID)
		}
	}
	m.links(p.Links)
	return m.done(w)
}
