package views

import (
	"io"

	"github.com/a-h/templ"
)

// Entry is a page on the way in: it says something, and has a form or none.
type Entry struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Links []Link `json:"links"`
	path  string
	form  templ.Component
	site  *Site
}

// Where programs learn how to get in.
var programsLink = Link{"/developers", "Programs and agents use a token instead"}

func newEntry(site *Site, path, title, text string, form templ.Component, links ...Link) *Entry {
	return &Entry{Title: title, Text: text, Links: list(links), path: path, form: form, site: site}
}

// NewSignIn asks who is there. Next is where to go on to, and passkeys says whether
// there can be any.
func NewSignIn(site *Site, next string, passkeys bool) *Entry {
	return newEntry(site, "/sign-in", "Sign in", "With the e-mail address and the password of your account.", signInForm(next, passkeys),
		Link{"/sign-up", "Become a member"}, Link{"/reset-password", "Set a new password"}, programsLink)
}

// NewSignUp asks what is needed to become a member.
func NewSignUp(site *Site) *Entry {
	return newEntry(site, "/sign-up", "Become a member",
		"Members sell, make offers, keep a watchlist and are told of what they look for. You will get a mail to confirm your address.", signUpForm(),
		Link{"/sign-in", "Sign in, if you have an account"}, programsLink)
}

// NewSignUpSent says that a mail is on its way, whoever asked.
func NewSignUpSent(site *Site) *Entry {
	return newEntry(site, "/sign-up/sent", "Look into your mail",
		"A mail is on its way to the address you gave. Open the link in it and press the button there; it is good for 24 hours.", nil,
		Link{"/sign-up", "No mail? Try again"}, Link{"/sign-in", "Sign in"})
}

// NewConfirmSignUp has the button that confirms an address. Opening the page
// confirms nothing, because programs that look through mail open every link.
func NewConfirmSignUp(site *Site, code string) *Entry {
	return newEntry(site, "/sign-up/confirm", "Confirm your address", "Press the button and your account is ready.",
		confirmForm("confirm_sign_up", "/sign-up/confirm", code, "Confirm my address"), Link{"/sign-up", "Sign up again, if the link is too old"})
}

// NewReset asks whose password is forgotten.
func NewReset(site *Site) *Entry {
	return newEntry(site, "/reset-password", "Set a new password", "Give the e-mail address of your account, and a link to set a new password is mailed to it.", resetForm(),
		Link{"/sign-in", "Sign in"})
}

// NewResetSent says that a mail is on its way, whoever asked.
func NewResetSent(site *Site) *Entry {
	return newEntry(site, "/reset-password/sent", "Look into your mail",
		"A mail is on its way to the address you gave. The link in it is good for one hour.", nil,
		Link{"/reset-password", "No mail? Try again"}, Link{"/sign-in", "Sign in"})
}

// NewPassword asks for a new password, with a mailed code.
func NewPassword(site *Site, code string) *Entry {
	return newEntry(site, "/reset-password/new", "Choose a new password",
		"At least 10 characters; a few words in a row make a good one. Every browser that is signed in to your account is signed out.", newPasswordForm(code),
		Link{"/reset-password", "Ask for another link, if this one is too old"})
}

// NewConfirmEmail has the button that changes the address of an account.
func NewConfirmEmail(site *Site, code string) *Entry {
	return newEntry(site, "/account/email/confirm", "Confirm your new address", "Press the button, and you sign in with this e-mail address from now on.",
		confirmForm("confirm_email", "/account/email/confirm", code, "Use this address"), Link{"/account/settings", "Settings"})
}

// Head implements Page.
func (p *Entry) Head() Head {
	return Head{Title: p.Title, Description: p.Text, Path: p.path, NoIndex: true}
}

// Markdown implements Page.
func (p *Entry) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Title, p.site.notice())
	m.text(p.Text)
	m.links(p.Links)
	return m.done(w)
}

// Passage is what comes of signing in or out: where to go on to.
type Passage struct {
	SignedIn bool   `json:"signed_in" jsonschema:"true when the browser is signed in now"`
	Next     string `json:"next" jsonschema:"path to go on to"`
	secret   string
	site     *Site
}

// NewSignedIn leads a browser on that is signed in with a secret.
func NewSignedIn(site *Site, next, secret string) *Passage { return &Passage{true, next, secret, site} }

// NewSignedOut leads a browser on that is not signed in any more.
func NewSignedOut(site *Site) *Passage { return &Passage{false, "/", "", site} }

// Session is the secret of the browser's session, "" when it ended.
func (p *Passage) Session() string { return p.secret }

// Head implements Page.
func (p *Passage) Head() Head {
	return Head{Title: p.text(), Description: p.text(), Path: p.Next, NoIndex: true}
}

func (p *Passage) text() string {
	if p.SignedIn {
		return "You are signed in."
	}
	return "You are signed out."
}

// Markdown implements Page.
func (p *Passage) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.text(), "")
	m.links([]Link{{p.Next, p.Next}})
	return m.done(w)
}
