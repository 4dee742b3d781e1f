package account

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

type signUpIn struct {
	Handle   string        `json:"handle" jsonschema:"handle used in URLs: 3 to 30 letters, digits and single hyphens" maxlength:"30" example:"kleine-blende"`
	Name     string        `json:"name,omitempty" jsonschema:"display name" maxlength:"60" example:"Kleine Blende"`
	Region   models.Region `json:"region,omitempty" jsonschema:"country or subdivision, ISO 3166" example:"DE"`
	Email    string        `json:"email" jsonschema:"email address; must be confirmed" maxlength:"254" example:"jane@example.org"`
	Password string        `json:"password" jsonschema:"at least 10 characters" format:"password" maxlength:"1000"`
	nextIn
}

type confirmIn struct {
	Code     string `json:"code,omitempty" jsonschema:"code from the email" maxlength:"100"`
	Password string `json:"password,omitempty" jsonschema:"password of the account; not needed in the browser that signed up" format:"password" maxlength:"1000"`
}

// signUpOperations returns the operations that create an account.
func (s accountOps) signUpOperations() []web.Operation {
	return []web.Operation{
		showForm(s, web.Op[nextIn, *ui.FormPage]{
			Name: "show_sign_up", Page: "/sign-up",
			Title: "Sign up", Summary: "Shows the sign-up form.", Description: "Returns the sign-up form.",
		}, func(in *nextIn) *ui.FormPage { return views.NewSignUp(s.Site, web.LocalPath(in.Next)) }),
		web.Op[signUpIn, *views.SignUpSent]{
			Name: "sign_up", Method: http.MethodPost, Page: "/sign-up",
			Tag: "Account", Title: "Sign up", Summary: "Creates an account, to be confirmed by email.",
			Description: "Starts the creation of an account and sends a confirmation link by email. The response is the same if the address already has an account; the email says so.",
			Errors:      []string{"invalid_parameter", "handle_taken", "too_many_guesses"},
			Sample:      func() *views.SignUpSent { return views.NewSignedUp(s.Site, "") },
			Do:          s.signUp,
		}.Operation(),
		showForm(s, web.Op[struct{}, *ui.FormPage]{
			Name: "show_sign_up_sent", Page: "/sign-up/sent",
			Title: "Check your email", Summary: "Shows what to do after signing up.", Description: "Returns a page saying that the email was sent.",
		}, func(_ *struct{}) *ui.FormPage { return views.NewSignUpSent(s.Site) }),
		web.Op[codeIn, *ui.FormPage]{
			Name: "show_confirm_sign_up", Page: "/sign-up/confirm", Live: true, Unlisted: true, Tag: "Account",
			Title: "Confirm your email address", Summary: "Shows the form that confirms an email address.", Description: "Returns the form that confirms an email address.",
			Sample: s.sampleForm,
			Do: func(ctx context.Context, in *codeIn) (*ui.FormPage, error) {
				return views.NewConfirmSignUp(s.Site, in.Code, s.Accounts.SignedUpFrom(ctx, in.Code, web.CallerOf(ctx).Secret)), nil
			},
		}.Operation(),
		web.Op[confirmIn, *views.SessionResult]{
			Name: "confirm_sign_up", Method: http.MethodPost, Page: "/sign-up/confirm",
			Tag: "Account", Title: "Confirm your email address", Summary: "Confirms an email address and creates the account.",
			Description: "Creates the account that an emailed code belongs to and signs the browser in. Needs the password chosen when signing up, unless it is the browser that signed up.",
			Done:        "Email address confirmed. You're signed in.",
			Errors:      []string{"invalid_parameter", "code_invalid", "handle_taken", "email_taken", "too_many_guesses"},
			Sample:      s.sampleSession,
			Do:          s.confirmSignUp,
		}.Operation(),
	}
}

// signUp sends a confirmation link. Its response does not reveal whether the address
// already has an account. The secret that it gives the browser is that of no session: it
// tells the browser again that signed up.
func (s accountOps) signUp(ctx context.Context, in *signUpIn) (*views.SignUpSent, error) {
	if err := s.Accounts.LimitEmail(ctx, in.Email, caller.Addr(ctx)); err != nil {
		return nil, err
	}
	device := web.CallerOf(ctx).Secret
	if caller.Identity(ctx) == nil {
		device = models.NewSecret()
	}
	code, err := s.Accounts.SignUp(ctx, models.Registration{Handle: in.Handle, Name: in.Name, Region: in.Region, Email: in.Email, Password: in.Password, Language: languages.Of(ctx).Code(), Next: web.LocalPath(in.Next), Device: device})
	if err != nil {
		return nil, err
	}
	email, _ := models.ParseEmail(in.Email)
	handle, _ := models.ParseHandle(in.Handle)
	if code == "" {
		err = s.Mailer.Send(ctx, email, mailer.EmailSignUpAgain, handle, "/sign-in")
	} else {
		err = s.Mailer.Send(ctx, email, mailer.EmailSignUp, handle, mailer.WithCode("/sign-up/confirm", code))
	}
	return views.NewSignedUp(s.Site, device), err
}

// confirmSignUp creates the account and starts a session: who knows the emailed code and
// chose the password could sign in.
func (s accountOps) confirmSignUp(ctx context.Context, in *confirmIn) (*views.SessionResult, error) {
	member, next, err := s.Accounts.ConfirmSignUp(ctx, in.Code, in.Password, web.CallerOf(ctx).Secret, caller.Addr(ctx))
	if err != nil {
		return nil, err
	}
	account, err := s.Accounts.Account(ctx, member.ID)
	if err != nil {
		return nil, err
	}
	return s.startSession(ctx, account, next)
}
