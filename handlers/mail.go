package handlers

import (
	"context"
	"net/url"
	"strings"
	"text/template"

	"github.com/secondlight/secondlight/models"
)

// letter is a mail the site writes by itself: plain text with one link at most.
// What strangers choose does not stand in it, so that nobody has the site mail
// their words to others; a handle, which is a word, is the exception.
type letter struct {
	subject string
	body    *template.Template
}

// lettered is what a letter is filled in with.
type lettered struct {
	Site, Handle, Link string
}

func newLetter(subject, body string) letter {
	return letter{subject, template.Must(template.New(subject).Option("missingkey=error").Parse(body))}
}

// The letters.
var (
	letterSignUp = newLetter("Confirm your e-mail address", `Somebody, probably you, signed up at {{.Site}} as {{.Handle}} with this e-mail address.
To confirm it, open this page and press the button:

{{.Link}}

The link is good for 24 hours. If it was not you, do nothing: without the
confirmation there is no account.
`)
	letterSignUpAgain = newLetter("You have an account already", `Somebody, probably you, tried to sign up at {{.Site}} with this e-mail address.
It has an account already. Sign in with it here, or ask there for a new password:

{{.Link}}

If it was not you, do nothing: nothing has changed.
`)
	letterReset = newLetter("Set a new password", `Somebody, probably you, asked {{.Site}} to set a new password for the account of
this e-mail address. To set one, open this page:

{{.Link}}

The link is good for one hour. If it was not you, do nothing: the old password
stays.
`)
	letterNoReset = newLetter("No account has this address", `Somebody, probably you, asked {{.Site}} to set a new password for the account of
this e-mail address. No account has it. If you signed up with another address, ask
with that one:

{{.Link}}

If it was not you, do nothing.
`)
	letterNewEmail = newLetter("Confirm your new e-mail address", `The member {{.Handle}} of {{.Site}} wants to use this e-mail address from now on.
If that is you, open this page and press the button:

{{.Link}}

The link is good for 24 hours. If it was not you, do nothing.
`)
	letterEmailTaken = newLetter("This address has an account already", `A member of {{.Site}} wanted to use this e-mail address, which has an account of
its own already. If that was you, sign in to that account and delete it first, or
use another address:

{{.Link}}

If it was not you, do nothing: nothing has changed.
`)
	letterEmailChanges = newLetter("Your e-mail address is about to change", `Somebody signed in as {{.Handle}} at {{.Site}} asked to change the e-mail address of
the account to another one. Until that one is confirmed nothing changes.

If it was not you, set a new password now, which signs everybody else out:

{{.Link}}
`)
	letterPasskeyAdded = newLetter("A passkey was added", `A passkey was added to the account of {{.Handle}} at {{.Site}}: whoever holds it can
sign in. Your passkeys are here:

{{.Link}}

If it was not you, remove it, and set a new password.
`)
	letterPasswordChanged = newLetter("Your password was changed", `The password of {{.Handle}} at {{.Site}} was changed, and every browser signed out.

If it was not you, set a new one now:

{{.Link}}
`)
)

// post queues a letter. The link is a path with its query.
func (s *Server) post(ctx context.Context, to string, l letter, handle, link string) error {
	var body strings.Builder
	site := strings.Join(strings.Fields(s.site.Name), " ")
	if err := l.body.Execute(&body, lettered{Site: site, Handle: handle, Link: s.site.URL(link)}); err != nil {
		return err
	}
	return s.store.Queue(ctx, models.Delivery{Kind: models.Mail, Recipient: to, Subject: l.subject + " – " + site, Body: body.String()})
}

// withCode is the path of a page that a mailed code opens.
func withCode(path, code string) string { return path + "?code=" + url.QueryEscape(code) }
