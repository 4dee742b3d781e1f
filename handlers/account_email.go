package handlers

import (
	"context"
	"net/url"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// accountEmail is the template of an email about an account: plain text with at most
// one link. The only user input in it is the handle, so that nobody can make the
// site send their text to others.
type accountEmail struct {
	subject string
	body    string // with {{.Site}}, {{.Handle}} and {{.Link}} of emailData
}

// emailData is the data of an accountEmail.
type emailData struct {
	Site, Handle, Link string
}

func newAccountEmail(subject, body string) accountEmail { return accountEmail{subject, body} }

// in returns the subject and the body of the email in a language.
func (e accountEmail) in(l *languages.Language, data emailData) (subject, body string) {
	body = strings.NewReplacer("{{.Site}}", data.Site, "{{.Handle}}", data.Handle, "{{.Link}}", data.Link).Replace(l.Text(e.body))
	return l.Text(e.subject), body
}

// Templates of account emails.
var (
	emailSignUp = newAccountEmail("Confirm your email address", `Someone, probably you, signed up for {{.Site}} as {{.Handle}} with this email address.
To confirm it, open this page and enter the password you chose:

{{.Link}}

The link expires in 24 hours. If this wasn't you, ignore this email and no account
will be created.
`)
	emailSignUpAgain = newAccountEmail("You have an account already", `Someone, probably you, tried to sign up for {{.Site}} with this email address.
You already have an account. Sign in or reset your password here:

{{.Link}}

If this wasn't you, you can ignore this email: nothing has changed.
`)
	emailReset = newAccountEmail("Set a new password", `Someone, probably you, asked {{.Site}} to reset the password of the account with
this email address. To set a new password, open this page:

{{.Link}}

The link expires in one hour. If this wasn't you, ignore this email: your password
stays the same.
`)
	emailOperatorReset = newAccountEmail("Set a new password", `An operator of {{.Site}} sent you a link to set a new password for your account
{{.Handle}}. Open this page:

{{.Link}}

The link expires in one hour. If you didn't ask for it, ignore this email: your password
stays the same.
`)
	emailNoReset = newAccountEmail("No account has this address", `Someone, probably you, asked {{.Site}} to reset the password of the account with
this email address, but there is no such account. If you signed up with another
address, use that one:

{{.Link}}

If this wasn't you, you can ignore this email.
`)
	emailNewAddress = newAccountEmail("Confirm your new email address", `The {{.Site}} member {{.Handle}} wants to use this email address.
If this is you, open this page and enter your password:

{{.Link}}

The link expires in 24 hours. If this wasn't you, you can ignore this email.
`)
	emailAddressTaken = newAccountEmail("This address has an account already", `A member of {{.Site}} tried to use this email address, which already has its own
account. If this was you, sign in to that account and delete it first, or use
another address:

{{.Link}}

If this wasn't you, you can ignore this email: nothing has changed.
`)
	emailAddressChanging = newAccountEmail("Your email address is about to change", `Someone signed in to {{.Site}} as {{.Handle}} asked to change the email address of
the account. It changes when the new address is confirmed. Other browsers were
signed out, and access tokens no longer work.

If this wasn't you, set a new password now. That stops the change and signs out
everybody else:

{{.Link}}
`)
	emailAddressChanged = newAccountEmail("Your email address was changed", `The email address of your {{.Site}} account was changed. This email went to the old
and the new address.

If this wasn't you, undo the change within 72 hours:

{{.Link}}
`)
	emailUndone = newAccountEmail("Set a new password", `A recent change to your {{.Site}} account was undone. This is its email address
again, everybody is signed out, and the password no longer works. Set a new one
here:

{{.Link}}

The link expires in one hour. After that, reset your password on the sign-in page.
`)
	emailTokenCreated = newAccountEmail("An access token was created", `An access token was created for your {{.Site}} account. A program that has it can act
for you. See your tokens here:

{{.Link}}

If this wasn't you, revoke the token and change your password.
`)
	emailAppConnected = newAccountEmail("An app was connected", `An app was connected to your {{.Site}} account and can act for you. See what it may do
here:

{{.Link}}

If this wasn't you, disconnect the app and change your password.
`)
	emailPasskeyAdded = newAccountEmail("A passkey was added", `A passkey was added to your {{.Site}} account. It can be used to sign in. See your
passkeys here:

{{.Link}}

If this wasn't you, remove the passkey and change your password.
`)
	emailSetUp = newAccountEmail("Your site is set up", `{{.Site}} is set up, and you run it as {{.Handle}}. If you read this, email works.

What to do next:

{{.Link}}
`)
	emailPasswordChanged = newAccountEmail("Your password was changed", `The password of your {{.Site}} account was changed. Other browsers were signed out,
and access tokens no longer work.

If this wasn't you, undo the change within 72 hours. You'll then get a link to set a
new password:

{{.Link}}
`)
)

// mailer queues emails about accounts.
type mailer struct {
	Deliveries *store.Deliveries
	Site       *ui.Site
}

// sendEmail queues an email to an address, in the language of the request that causes it.
// The link is a path with its query.
func (s *mailer) sendEmail(ctx context.Context, to string, email accountEmail, handle, link string) error {
	site := strings.Join(strings.Fields(s.Site.Name()), " ")
	subject, body := email.in(languages.Of(ctx), emailData{Site: site, Handle: handle, Link: s.Site.URL(link)})
	return s.Deliveries.Queue(ctx, models.Delivery{Kind: models.Mail, Recipient: to, Subject: subject + " – " + site, Body: body})
}

// withCode adds an emailed code to the path of a page.
func withCode(path, code string) string { return path + "?code=" + url.QueryEscape(code) }
