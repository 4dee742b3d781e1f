package account

import (
	"github.com/secondlight/secondlight/views/ui"
)

// NewSignUp returns the sign-up page. next is the path to return to once the address is
// confirmed.
func NewSignUp(site *ui.Site, next string) *ui.FormPage {
	return ui.NewFormPage(site, "/sign-up", "Create an account",
		"Sell your gear, make offers, keep a watchlist and get alerts for what you're looking for. We'll email you a link to confirm your address.", signUpForm(next),
		ui.Link{Href: ui.SignInPath(next), Label: "Already have an account? Sign in"})
}

// NewSignUpSent returns the page shown after a sign-up, whether or not the email
// address is new.
func NewSignUpSent(site *ui.Site) *ui.FormPage {
	return ui.NewFormPage(site, "/sign-up/sent", "Check your email",
		"We've emailed you a link. It expires in 24 hours and takes you back to where you were.", nil,
		ui.Link{Href: "/sign-up", Label: "No email? Try again"}, ui.Link{Href: "/sign-in", Label: "Sign in"})
}

// SignUpSent is the page shown after a sign-up to the browser that sent it.
type SignUpSent struct {
	*ui.FormPage
	device string
}

// NewSignedUp returns the page shown after a sign-up. device is the secret that the browser keeps.
func NewSignedUp(site *ui.Site, device string) *SignUpSent {
	return &SignUpSent{NewSignUpSent(site), device}
}

// Session returns the secret that the browser keeps.
func (p *SignUpSent) Session() string { return p.device }

// NewConfirmSignUp returns the page that confirms an email address. Confirming takes
// a click, because mail scanners open every link, and the password unless the browser
// signed up, because the recipient of the email may not be who signed up.
func NewConfirmSignUp(site *ui.Site, code string, signedUpHere bool) *ui.FormPage {
	if signedUpHere {
		return ui.NewFormPage(site, "/sign-up/confirm", "Confirm your address", "One more click and your account is ready.",
			confirmHere(code), ui.Link{Href: "/sign-up", Label: "Link expired? Sign up again"})
	}
	return ui.NewFormPage(site, "/sign-up/confirm", "Confirm your address", "Enter the password you chose when you signed up.",
		ui.ConfirmForm("confirm_sign_up", "/sign-up/confirm", code, "Confirm and sign in"), ui.Link{Href: "/sign-up", Label: "Link expired? Sign up again"})
}
