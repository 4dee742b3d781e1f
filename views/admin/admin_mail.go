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

// Mail is the page about the emails that the site sends.
type Mail struct {
	Settings MailSettings   `json:"mail_settings" jsonschema:"how email is sent, without secrets"`
	Waiting  int            `json:"waiting" jsonschema:"number of emails that are sent next" min:"0"`
	Retrying int            `json:"retrying" jsonschema:"number of emails that failed and are tried again" min:"0"`
	Failed   int            `json:"failed" jsonschema:"number of emails that were given up on in the last 14 days" min:"0"`
	Emails   []*UnsentEmail `json:"emails" jsonschema:"emails that are not sent, at most 50: failed ones first, then those tried again"`
	Links    []ui.Link      `json:"links"`
	site     *ui.Site
}

// MailSettings is how email is sent.
type MailSettings struct {
	Transport  string `json:"transport" jsonschema:"smtp: by the mail server; outbox: written to files in DATA_DIR/outbox, because there is no mail server" enum:"smtp,outbox"`
	Server     string `json:"mail_server,omitempty" jsonschema:"host and port of the mail server"`
	Encryption string `json:"encryption,omitempty" jsonschema:"tls: from the start; starttls: required; opportunistic: if the mail server offers it" enum:"tls,starttls,opportunistic"`
	SignsIn    bool   `json:"signs_in,omitempty" jsonschema:"whether it signs in with a user name and password"`
	From       string `json:"sender_address" jsonschema:"sender of email"`

	Environment bool   `json:"environment,omitempty" jsonschema:"whether SMTP_URL of the server's environment applies"`
	Locked      bool   `json:"password_unreadable,omitempty" jsonschema:"whether the password was encrypted with another key, so that it must be entered again"`
	User        string `json:"user_name,omitempty" jsonschema:"user name that the owner has set"`
	Host        string `json:"-"` // as it was entered
	Port        int    `json:"-"`
	Sender      string `json:"-"`
}

// MailPreset is the mail server of a provider.
type MailPreset struct {
	ui.Choice
	Host string
	Port int
}

// mailPresets are the mail servers of providers.
var mailPresets = []MailPreset{
	{ui.Choice{Value: "own", Label: languages.Mark("Your own mail server")}, "", 587},
	{ui.Choice{Value: "gmail", Label: "Gmail"}, "smtp.gmail.com", 465},
	{ui.Choice{Value: "fastmail", Label: "Fastmail"}, "smtp.fastmail.com", 465},
	{ui.Choice{Value: "mailgun", Label: "Mailgun"}, "smtp.eu.mailgun.org", 587},
	{ui.Choice{Value: "brevo", Label: "Brevo"}, "smtp-relay.brevo.com", 587},
	{ui.Choice{Value: "postmark", Label: "Postmark"}, "smtp.postmarkapp.com", 587},
}

// MailPresetOf returns the preset with a name that names a server, or nil.
func MailPresetOf(name string) *MailPreset {
	for i := range mailPresets {
		if p := &mailPresets[i]; p.Value == name && p.Host != "" {
			return p
		}
	}
	return nil
}

// preset returns the name of the provider whose mail server is set.
func (set *MailSettings) preset() string {
	for _, p := range mailPresets {
		if p.Host == set.Host && set.Host != "" {
			return p.Value
		}
	}
	return mailPresets[0].Value
}

// port returns the port, as it is entered.
func (set *MailSettings) port() string {
	if set.Port == 0 {
		return ""
	}
	return strconv.Itoa(set.Port)
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

var emailStatusTexts = map[string]string{emailWaiting: languages.Mark("Queued"), emailRetrying: languages.Mark("Retrying"), emailFailed: languages.Mark("Failed")}

// NewMail returns the page about email.
func NewMail(site *ui.Site, set MailSettings, counts models.MailCounts, unsent []models.Delivery) *Mail {
	return &Mail{Settings: set, Waiting: counts.Waiting, Retrying: counts.Retrying, Failed: counts.Failed, Emails: ui.Each(unsent, newUnsentEmail), Links: []ui.Link{{Href: ui.AdminPath, Label: "Dashboard"}}, site: site}
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
		return ui.T(ctx, "No mail server is set up, so no one gets email or can sign up. Until then, emails are saved to the outbox folder.")
	}
	return ui.T(ctx, "Emails are sent through %s.", p.Settings.Server)
}

// facts returns the settings for display.
func (p *Mail) facts(ctx context.Context) []ui.Fact {
	set, signIn := &p.Settings, ""
	if set.Transport == SMTPTransport {
		signIn = ui.T(ctx, "No")
		if set.SignsIn {
			signIn = ui.T(ctx, "With user name and password")
		}
	}
	return []ui.Fact{{Name: "Sent through", Value: set.Transport}, {Name: "Mail server", Value: set.Server}, {Name: "Encryption", Value: set.Encryption}, {Name: "Sign-in", Value: signIn}, {Name: "Sender", Value: set.From},
		{Name: "Queued", Value: strconv.Itoa(p.Waiting)}, {Name: "Retrying", Value: strconv.Itoa(p.Retrying)}, {Name: "Failed", Value: strconv.Itoa(p.Failed)}}
}

// passwordHelp says what becomes of the password.
func (p *Mail) passwordHelp() string {
	if p.Settings.SignsIn && !p.Settings.Locked {
		return languages.Mark("Leave it empty to keep the one you saved. It’s stored encrypted, and we never show it again.")
	}
	return languages.Mark("It’s stored encrypted, and we never show it again.")
}

// when says when the email was queued, and what comes next.
func (e *UnsentEmail) when(ctx context.Context) string {
	switch e.Status {
	case emailFailed:
		return ui.T(ctx, "Queued %s, failed %s.", ui.MomentIn(ctx, e.QueuedAt), ui.MomentIn(ctx, e.FailedAt))
	case emailRetrying:
		return ui.T(ctx, "Queued %s, next attempt %s.", ui.MomentIn(ctx, e.QueuedAt), ui.MomentIn(ctx, e.NextAt))
	}
	return ui.T(ctx, "Queued %s.", ui.MomentIn(ctx, e.QueuedAt))
}

// Head implements Page.
func (p *Mail) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Email"), Description: ui.T(ctx, "Email settings and failed emails."), Path: ui.AdminMailPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Markdown implements Page.
func (p *Mail) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Email"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.lead(ctx))
	m.Raw("\n")
	m.FactRows(p.facts(ctx))
	if len(p.Emails) > 0 {
		m.Section("Not sent")
		m.Head("To", "Subject", "Status", "Attempts", "Reason", "When", "Id")
		for _, e := range p.Emails {
			m.Row(ui.MarkdownText(e.To), ui.MarkdownText(ui.Untrusted(e.Subject)), e.Status, strconv.Itoa(e.Attempts), ui.MarkdownText(e.Error), ui.MarkdownText(e.when(ctx)), e.ID)
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}
