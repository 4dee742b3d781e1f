package account

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// NewSignIn returns the sign-in page. next is the path to redirect to, passkeys
// reports whether passkeys are available.
func NewSignIn(site *ui.Site, next string, passkeys bool) *ui.FormPage {
	return ui.NewFormPage(site, "/sign-in", "Sign in", "Enter your email address and password.", signInForm(next, passkeys),
		ui.Link{Href: ui.SignUpPath(next), Label: "Create an account"}, ui.Link{Href: "/reset-password", Label: "Set a new password"})
}

// NewOffline returns the page that browsers show without a connection.
func NewOffline(site *ui.Site) *ui.FormPage {
	return ui.NewFormPage(site, "/offline", "You're offline", "This page isn't on your device. Pages you've visited open without a connection, as you last saw them.", searchviews.StoredListings(),
		ui.Link{Href: "/", Label: "Home"}, ui.Link{Href: ui.SearchPath, Label: "Shop all"})
}

// NewResetPassword returns the page that asks for the email address of an account.
func NewResetPassword(site *ui.Site) *ui.FormPage {
	return ui.NewFormPage(site, "/reset-password", "Set a new password", "Enter your email address and we'll send you a link to set a new password.", resetForm(),
		ui.Link{Href: "/sign-in", Label: "Sign in"})
}

// NewResetPasswordSent returns the page shown after a password reset was requested,
// whether or not the account exists.
func NewResetPasswordSent(site *ui.Site) *ui.FormPage {
	return ui.NewFormPage(site, "/reset-password/sent", "Check your email",
		"We've emailed you a link. It expires in one hour.", nil,
		ui.Link{Href: "/reset-password", Label: "No email? Try again"}, ui.Link{Href: "/sign-in", Label: "Sign in"})
}

// NewSetPassword returns the page that sets a new password with an emailed code.
func NewSetPassword(site *ui.Site, code string) *ui.FormPage {
	return ui.NewFormPage(site, "/reset-password/new", "Choose a new password",
		"At least 10 characters. We'll sign you out everywhere and your access tokens will stop working.", newPasswordForm(code),
		ui.Link{Href: "/reset-password", Label: "Link expired? Get a new one"})
}

// NewConfirmEmail returns the page that confirms a changed email address.
func NewConfirmEmail(site *ui.Site, code string) *ui.FormPage {
	return ui.NewFormPage(site, "/account/email/confirm", "Confirm your new address", "Enter your password to use this email address from now on. Other browsers are signed out, and your tokens no longer work.",
		ui.ConfirmForm("confirm_email", "/account/email/confirm", code, "Confirm email address"), ui.Link{Href: "/account/settings", Label: "Settings"})
}

// NewUndoChange returns the page that undoes a change of the password or the email
// address.
func NewUndoChange(site *ui.Site, code string) *ui.FormPage {
	return ui.NewFormPage(site, "/account/undo", "Undo a change to your account",
		"Didn't make this change? Undo it here. We'll restore your email address, sign everyone out and email you a link to set a new password.",
		undoForm(code), ui.Link{Href: "/reset-password", Label: "Reset your password"})
}

// SessionResult is the result of signing in or out.
type SessionResult struct {
	SignedIn bool   `json:"signed_in" jsonschema:"true after signing in"`
	Next     string `json:"next" jsonschema:"path to redirect to"`
	secret   string
	site     *ui.Site
}

// NewSignedIn returns the result of signing in with the secret of the new session.
func NewSignedIn(site *ui.Site, next, secret string) *SessionResult {
	return &SessionResult{true, next, secret, site}
}

// NewSignedOut returns the result of signing out.
func NewSignedOut(site *ui.Site) *SessionResult { return &SessionResult{false, "/", "", site} }

// Session returns the secret of the new session, "" after signing out.
func (p *SessionResult) Session() string { return p.secret }

// Head implements Page.
func (p *SessionResult) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, p.text()), Description: ui.T(ctx, p.text()), Path: p.Next, NoIndex: true}
}

func (p *SessionResult) text() string {
	if p.SignedIn {
		return languages.Mark("You're signed in.")
	}
	return languages.Mark("You've signed out.")
}

// Markdown implements Page.
func (p *SessionResult) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, p.text()), "").In(ctx)
	m.Links([]ui.Link{{Href: p.Next, Label: p.Next}})
	return m.Done(w)
}
