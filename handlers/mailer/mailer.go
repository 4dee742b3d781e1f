// Package mailer queues emails about accounts.
package mailer

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// AccountEmail is the template of an email about an account: text with one link, which
// is a button in HTML. The only user input in it is the handle, so that nobody can make
// the site send their text to others.
type AccountEmail struct {
	Subject string
	body    string // with {{.Site}}, {{.Handle}} and {{.Link}} of EmailData
	button  string
}

// EmailData is the data of an AccountEmail.
type EmailData struct {
	Site, Handle, Link string
}

func NewAccountEmail(subject, body string) AccountEmail {
	return AccountEmail{Subject: subject, body: body, button: languages.Mark("Continue")}
}

// withButton returns the email with what its button says.
func (e AccountEmail) withButton(text string) AccountEmail {
	e.button = text
	return e
}

// In returns the subject and the body of the email in a language.
func (e AccountEmail) In(l *languages.Language, data EmailData) (subject, body string) {
	body = strings.NewReplacer("{{.Site}}", data.Site, "{{.Handle}}", data.Handle, "{{.Link}}", data.Link).Replace(l.Text(e.body))
	return l.Text(e.Subject), body
}

// Templates of account emails.
var (
	EmailSignUp = NewAccountEmail("Confirm your email address", `Someone, probably you, signed up for {{.Site}} as {{.Handle}} with this email address.
To confirm it, open this page. On another device, enter the password you chose:

{{.Link}}

The link expires in 24 hours. If this wasn't you, ignore this email and no account
will be created.
`).withButton(languages.Mark("Confirm your email address"))
	EmailSignUpAgain = NewAccountEmail("You already have an account", `Someone, probably you, tried to sign up for {{.Site}} with this email address.
You already have an account. Sign in or reset your password here:

{{.Link}}

If this wasn't you, you can ignore this email: nothing has changed.
`).withButton(languages.Mark("Sign in"))
	EmailReset = NewAccountEmail("Set a new password", `Someone, probably you, asked to reset the password of the {{.Site}} account with
this email address. To set a new password, open this page:

{{.Link}}

The link expires in one hour. If this wasn't you, ignore this email: your password
stays the same.
`).withButton(languages.Mark("Set a new password"))
	EmailOperatorReset = NewAccountEmail("Set a new password", `The {{.Site}} team has sent you a link to set a new password for your account
{{.Handle}}. Open this page:

{{.Link}}

The link expires in one hour. If you didn't ask for it, ignore this email: your password
stays the same.
`).withButton(languages.Mark("Set a new password"))
	EmailNoReset = NewAccountEmail("No account with this email address", `Someone, probably you, asked {{.Site}} to reset a password, but no account has
this email address. If you signed up with another address, use that one:

{{.Link}}

If this wasn't you, you can ignore this email.
`)
	EmailNewAddress = NewAccountEmail("Confirm your new email address", `{{.Handle}}, a member of {{.Site}}, wants to use this email address.
If this is you, open this page and enter your password:

{{.Link}}

The link expires in 24 hours. If this wasn't you, you can ignore this email.
`).withButton(languages.Mark("Confirm your new email address"))
	EmailAddressTaken = NewAccountEmail("This email address already has an account", `A member of {{.Site}} tried to use this email address, which already has its own
account. If this was you, sign in to that account and delete it first, or use
another address:

{{.Link}}

If this wasn't you, you can ignore this email: nothing has changed.
`)
	EmailAddressChanging = NewAccountEmail("Your email address is about to change", `Someone signed in to {{.Site}} as {{.Handle}} has asked to change the account's
email address. It changes once the new address is confirmed. Other browsers have been
signed out, and access tokens no longer work.

If this wasn't you, set a new password now. That stops the change and signs
everyone else out:

{{.Link}}
`).withButton(languages.Mark("Set a new password"))
	EmailAddressChanged = NewAccountEmail("Your email address was changed", `The email address of your {{.Site}} account was changed. This email went to the old
and the new address.

If this wasn't you, undo the change within 72 hours:

{{.Link}}
`).withButton(languages.Mark("Undo the change"))
	EmailOperatorAddress = NewAccountEmail("Set a new password", `The {{.Site}} team has made this the email address of your account {{.Handle}} and
signed everyone out. Set a new password here:

{{.Link}}

The link expires in one hour. After that, reset your password on the sign-in page.
`).withButton(languages.Mark("Set a new password"))
	EmailUndone = NewAccountEmail("Set a new password", `A recent change to your {{.Site}} account has been undone. This email address is
back on the account, everyone has been signed out, and the old password no longer
works. Set a new one here:

{{.Link}}

The link expires in one hour. After that, reset your password on the sign-in page.
`).withButton(languages.Mark("Set a new password"))
	EmailTokenCreated = NewAccountEmail("An access token was created", `An access token was created for your {{.Site}} account. A program that has it can act
for you. See your tokens here:

{{.Link}}

If this wasn't you, revoke the token and change your password.
`).withButton(languages.Mark("View your tokens"))
	EmailAppConnected = NewAccountEmail("An app was connected", `An app was connected to your {{.Site}} account and can act for you. See its permissions
here:

{{.Link}}

If this wasn't you, disconnect the app and change your password.
`).withButton(languages.Mark("View connected apps"))
	EmailPasskeyAdded = NewAccountEmail("A passkey was added", `A passkey was added to your {{.Site}} account. It can be used to sign in. See your
passkeys here:

{{.Link}}

If this wasn't you, remove the passkey and change your password.
`).withButton(languages.Mark("View your passkeys"))
	EmailSetUp = NewAccountEmail("Your site is set up", `{{.Site}} is set up, and your username is {{.Handle}}. If you're reading this, email works.

What to do next:

{{.Link}}
`)
	EmailPasswordChanged = NewAccountEmail("Your password was changed", `The password of your {{.Site}} account was changed. Other browsers were signed out,
and access tokens no longer work.

If this wasn't you, undo the change within 72 hours. You'll then get a link to set a
new password:

{{.Link}}
`).withButton(languages.Mark("Undo the change"))
)

// Mailer queues emails about accounts.
type Mailer struct {
	Deliveries *store.Deliveries
	Site       *ui.Site
	Outbox     string // folder of emails that no mail server sends, or ""
}

// Forget deletes the emails to an address in the outbox.
func (s *Mailer) Forget(address string) error {
	return delivery.CleanOutbox(s.Outbox, time.Time{}, address)
}

// Send queues an email to an address, in the language of the request that causes it.
// The link is a path with its query.
func (s *Mailer) Send(ctx context.Context, to string, email AccountEmail, handle, link string) error {
	site := strings.Join(strings.Fields(s.Site.Name()), " ")
	subject, body := email.In(languages.Of(ctx), EmailData{Site: site, Handle: handle, Link: s.Site.URL(link)})
	lead, notes, _ := strings.Cut(body, s.Site.URL(link))
	html := ui.Email{Subject: subject, Lead: paragraphs(lead), Button: ui.Link{Href: link, Label: languages.Of(ctx).Text(email.button)}, Notes: paragraphs(notes)}
	return s.Deliveries.Queue(ctx, models.Delivery{Kind: models.Mail, Recipient: to, Subject: subject + " – " + site, Body: body, HTML: html.HTML(ctx, s.Site)})
}

// paragraphs returns the paragraphs of a text without the ends of their lines.
func paragraphs(text string) (all []string) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if words := strings.Fields(paragraph); len(words) > 0 {
			all = append(all, strings.Join(words, " "))
		}
	}
	return all
}

// ReplaceEmail changes the email address of a member who can no longer read theirs. The new
// address gets a link to set a new password, and the old one a link to undo the change.
func (s *Mailer) ReplaceEmail(ctx context.Context, accounts *store.Accounts, account *models.Account, handle, email string) error {
	change, reset, err := accounts.ReplaceEmail(ctx, account, email)
	if err != nil {
		return err
	}
	ctx = s.Site.InLanguage(ctx, account.Language)
	if err := s.Send(ctx, change.Account.Email, EmailOperatorAddress, handle, WithCode("/reset-password/new", reset)); err != nil {
		return err
	}
	return s.Send(ctx, change.OldEmail, EmailAddressChanged, handle, WithCode("/account/undo", change.Undo))
}

// WithCode adds an emailed code to the path of a page.
func WithCode(path, code string) string { return path + "?code=" + url.QueryEscape(code) }
