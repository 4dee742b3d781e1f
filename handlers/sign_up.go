package handlers

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

type signUpIn struct {
	Handle   string        `json:"handle" jsonschema:"name in addresses: 3 to 30 letters, digits and single hyphens" maxlength:"30" example:"kleine-blende"`
	Name     string        `json:"name,omitempty" jsonschema:"name for people" maxlength:"60" example:"Kleine Blende"`
	Region   models.Region `json:"region,omitempty" jsonschema:"where the gear is, ISO 3166" example:"DE"`
	Email    string        `json:"email" jsonschema:"e-mail address, which is to be confirmed" maxlength:"254" example:"jane@example.org"`
	Password string        `json:"password" jsonschema:"10 characters and more" format:"password" maxlength:"1000"`
}

type codeIn struct {
	Code string `json:"code,omitempty" jsonschema:"code out of a mail" maxlength:"100"`
}

// signUpOperations are how somebody becomes a member.
func (s *Server) signUpOperations() []Operation {
	return []Operation{
		Op[struct{}, *views.Entry]{
			Name: "show_sign_up", Page: "/sign-up", Unlisted: true,
			Tag: "Account", Title: "Sign up", Summary: "The form to become a member.", Description: "Shows the form to become a member.",
			Sample: s.sampleEntry,
			Do: func(context.Context, *struct{}) (*views.Entry, error) {
				return views.NewSignUp(&s.site), nil
			},
		}.Operation(),
		Op[signUpIn, *views.Entry]{
			Name: "sign_up", Method: http.MethodPost, Page: "/sign-up",
			Tag: "Account", Title: "Sign up", Summary: "Asks for an account, to be confirmed by e-mail.",
			Description: "Asks for an account. The answer is the same whether the address has one already; the mail tells.",
			Errors:      []string{"invalid_parameter", "handle_taken", "too_many_guesses"},
			Sample:      s.sampleEntry,
			Do:          s.signUp,
		}.Operation(),
		Op[struct{}, *views.Entry]{
			Name: "show_sign_up_sent", Page: "/sign-up/sent", Unlisted: true,
			Tag: "Account", Title: "Look into your mail", Summary: "What to do after signing up.", Description: "Says that a mail is on its way.",
			Sample: s.sampleEntry,
			Do: func(context.Context, *struct{}) (*views.Entry, error) {
				return views.NewSignUpSent(&s.site), nil
			},
		}.Operation(),
		Op[codeIn, *views.Entry]{
			Name: "show_confirm_sign_up", Page: "/sign-up/confirm", Unlisted: true, Live: true,
			Tag: "Account", Title: "Confirm your address", Summary: "The button that confirms an address.", Description: "Shows the button that confirms an e-mail address.",
			Sample: s.sampleEntry,
			Do: func(_ context.Context, in *codeIn) (*views.Entry, error) {
				return views.NewConfirmSignUp(&s.site, in.Code), nil
			},
		}.Operation(),
		Op[codeIn, *views.Entry]{
			Name: "confirm_sign_up", Method: http.MethodPost, Page: "/sign-up/confirm",
			Tag: "Account", Title: "Confirm your address", Summary: "Makes the account whose code was mailed.",
			Description: "Makes the account whose code was mailed.",
			Done:        "Your address is confirmed and your account is ready. Sign in.",
			Errors:      []string{"code_invalid", "handle_taken", "email_taken"},
			Sample:      s.sampleEntry,
			Do: func(ctx context.Context, in *codeIn) (*views.Entry, error) {
				if _, err := s.store.ConfirmSignUp(ctx, in.Code); err != nil {
					return nil, err
				}
				return views.NewSignIn(&s.site, "", false), nil
			},
		}.Operation(),
	}
}

// signUp asks for an account. What it does and says is the same whether the
// address has one.
func (s *Server) signUp(ctx context.Context, in *signUpIn) (*views.Entry, error) {
	if err := s.store.AskMail(ctx, in.Email, askerOf(ctx)); err != nil {
		return nil, err
	}
	code, err := s.store.SignUp(ctx, models.Registration{Handle: in.Handle, Name: in.Name, Region: in.Region, Email: in.Email, Password: in.Password})
	if err != nil {
		return nil, err
	}
	email, _ := models.ParseEmail(in.Email)
	handle, _ := models.ParseHandle(in.Handle)
	if code == "" {
		err = s.post(ctx, email, letterSignUpAgain, handle, "/sign-in")
	} else {
		err = s.post(ctx, email, letterSignUp, handle, withCode("/sign-up/confirm", code))
	}
	return views.NewSignUpSent(&s.site), err
}

// sampleEntry is an answer to show.
func (s *Server) sampleEntry() *views.Entry { return views.NewSignUpSent(&s.site) }
