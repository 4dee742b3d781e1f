package account

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

// SignInPage is the path of the sign-in page.
const SignInPage = "/sign-in"

type nextIn struct {
	Next string `json:"next,omitempty" jsonschema:"path to redirect to afterwards" maxlength:"4000" example:"/account"`
}

type signInIn struct {
	Email    string `json:"email" jsonschema:"email address of the account" maxlength:"254" example:"jane@example.org"`
	Password string `json:"password" jsonschema:"password of the account" format:"password"`
	nextIn
}

type emailIn struct {
	Email string `json:"email" jsonschema:"email address of the account" maxlength:"254" example:"jane@example.org"`
}

type newPasswordIn struct {
	Code     string `json:"code,omitempty" jsonschema:"code from the email" maxlength:"100"`
	Password string `json:"password" jsonschema:"new password, at least 10 characters" format:"password"`
}

// signInOperations returns the operations that sign in and out and reset passwords.
func (s accountOps) signInOperations() []web.Operation {
	return []web.Operation{
		showForm(s, web.Op[nextIn, *ui.FormPage]{
			Name: "show_sign_in", Page: SignInPage,
			Title: "Sign in", Summary: "Shows the sign-in form.", Description: "Returns the sign-in form.",
		}, func(in *nextIn) *ui.FormPage { return views.NewSignIn(s.Site, web.LocalPath(in.Next), s.Party != nil) }),
		web.Op[signInIn, *views.SessionResult]{
			Name: "sign_in", Method: http.MethodPost, Page: SignInPage,
			Tag: "Account", Title: "Sign in", Summary: "Signs a browser in.",
			Description: "Starts a browser session with an email address and password, and redirects to next. Programs send a token instead.",
			Errors:      []string{"sign_in_failed", "too_many_guesses"},
			Sample:      s.sampleSession,
			Do:          s.signIn,
		}.Operation(),
		web.Op[struct{}, *views.SessionResult]{
			Name: "sign_out", Method: http.MethodPost, Page: "/sign-out", Form: "/account",
			Tag: "Account", Title: "Sign out", Summary: "Signs this browser out.", Description: "Ends the session of this browser.",
			Done:   "You've signed out.",
			Sample: s.sampleSession,
			Do: func(ctx context.Context, _ *struct{}) (*views.SessionResult, error) {
				if secret := web.CallerOf(ctx).Secret; secret != "" {
					if err := s.Accounts.EndSession(ctx, secret); err != nil {
						return nil, err
					}
				}
				return views.NewSignedOut(s.Site), nil
			},
		}.Operation(),
		web.Op[struct{}, *views.SessionResult]{
			Name: "sign_out_everywhere", Method: http.MethodPost, Page: "/account/sign-out-everywhere", Form: "/account/settings", Access: web.SignedIn,
			Tag: "Account", Title: "Sign out everywhere", Summary: "Signs you out of every browser.", Description: "Ends every session of the member, including this one. API tokens stay valid.",
			Done:   "You've signed out everywhere.",
			Sample: s.sampleSession,
			Do: func(ctx context.Context, _ *struct{}) (*views.SessionResult, error) {
				return views.NewSignedOut(s.Site), s.Accounts.EndSessions(ctx, caller.ID(ctx))
			},
		}.Operation(),
		showForm(s, web.Op[struct{}, *ui.FormPage]{
			Name: "show_reset_password", Page: "/reset-password",
			Title: "Forgot your password?", Summary: "Shows the password reset form.", Description: "Returns the form that requests a password reset link.",
		}, func(_ *struct{}) *ui.FormPage { return views.NewResetPassword(s.Site) }),
		web.Op[emailIn, *ui.FormPage]{
			Name: "ask_new_password", Method: http.MethodPost, Page: "/reset-password",
			Tag: "Account", Title: "Forgot your password?", Summary: "Requests a password reset link.",
			Description: "Sends a password reset link by email. The response is the same whether or not the address has an account.",
			Errors:      []string{"invalid_parameter", "too_many_guesses"},
			Sample:      s.sampleForm,
			Do:          s.askNewPassword,
		}.Operation(),
		showForm(s, web.Op[struct{}, *ui.FormPage]{
			Name: "show_reset_sent", Page: "/reset-password/sent",
			Title: "Check your email", Summary: "Shows what to do after requesting a password reset.", Description: "Returns a page saying that the email was sent.",
		}, func(_ *struct{}) *ui.FormPage { return views.NewResetPasswordSent(s.Site) }),
		showForm(s, web.Op[codeIn, *ui.FormPage]{
			Name: "show_new_password", Page: "/reset-password/new", Live: true,
			Title: "New password", Summary: "Shows the form that sets a new password.", Description: "Returns the form that sets a new password with an emailed code.",
		}, func(in *codeIn) *ui.FormPage { return views.NewSetPassword(s.Site, in.Code) }),
		web.Op[newPasswordIn, *ui.FormPage]{
			Name: "set_password", Method: http.MethodPost, Page: "/reset-password/new",
			Tag: "Account", Title: "New password", Summary: "Sets a new password with an emailed code.",
			Description: "Sets a new password with an emailed code. Ends all sessions, tokens and other emailed codes, and suspends the passkeys until the member keeps them.",
			Done:        "Password changed. Sign in with your new password.",
			Errors:      []string{"invalid_parameter", "code_invalid"},
			Sample:      s.sampleForm,
			Do:          s.setPassword,
		}.Operation(),
	}
}

// showForm completes an operation that shows a form, or a page between two forms.
func showForm[In any](s accountOps, op web.Op[In, *ui.FormPage], show func(*In) *ui.FormPage) web.Operation {
	op.Unlisted, op.Tag, op.Sample = true, "Account", s.sampleForm
	op.Do = func(_ context.Context, in *In) (*ui.FormPage, error) { return show(in), nil }
	return op.Operation()
}

// signIn starts a session and ends the one the browser had.
func (s accountOps) signIn(ctx context.Context, in *signInIn) (*views.SessionResult, error) {
	account, err := s.Accounts.SignIn(ctx, in.Email, in.Password, caller.Addr(ctx))
	if err != nil {
		return nil, err
	}
	return s.startSession(ctx, account, in.Next)
}

// startSession starts a session of an account in the calling browser, replacing the one
// it had, and redirects to next, or to the passkeys if there are suspended ones.
func (s accountOps) startSession(ctx context.Context, account *models.Account, next string) (*views.SessionResult, error) {
	suspended, err := s.Accounts.HasSuspendedPasskeys(ctx, account.MemberID)
	if err != nil {
		return nil, err
	}
	if suspended {
		next = passkeysPage
	}
	c := web.CallerOf(ctx)
	if c.Secret != "" {
		if err := s.Accounts.EndSession(ctx, c.Secret); err != nil {
			return nil, err
		}
	}
	secret, err := s.Accounts.BeginSession(ctx, account, c.Agent, caller.Addr(ctx))
	if err != nil {
		return nil, err
	}
	return views.NewSignedIn(s.Site, web.LocalPath(next), secret), nil
}

// setPassword sets a new password with an emailed code and notifies the member.
func (s accountOps) setPassword(ctx context.Context, in *newPasswordIn) (*ui.FormPage, error) {
	change, err := s.Accounts.ResetPassword(ctx, in.Code, in.Password)
	if err != nil {
		return nil, err
	}
	if err := s.Mailer.Send(ctx, change.Account.Email, mailer.EmailPasswordChanged, "", mailer.WithCode("/account/undo", change.Undo)); err != nil {
		return nil, err
	}
	return views.NewSignIn(s.Site, "", false), nil
}

// askNewPassword sends a reset link, or an email saying that there is no account.
func (s accountOps) askNewPassword(ctx context.Context, in *emailIn) (*ui.FormPage, error) {
	if err := s.Accounts.LimitEmail(ctx, in.Email, caller.Addr(ctx)); err != nil {
		return nil, err
	}
	code, err := s.Accounts.BeginPasswordReset(ctx, in.Email)
	if err != nil {
		return nil, err
	}
	email, _ := models.ParseEmail(in.Email)
	if code == "" {
		err = s.Mailer.Send(ctx, email, mailer.EmailNoReset, "", "/reset-password")
	} else {
		err = s.Mailer.Send(ctx, email, mailer.EmailReset, "", mailer.WithCode("/reset-password/new", code))
	}
	return views.NewResetPasswordSent(s.Site), err
}

// sampleSession returns an example response.
func (s accountOps) sampleSession() *views.SessionResult {
	return views.NewSignedIn(s.Site, "/account", "")
}

type codeIn struct {
	Code string `json:"code,omitempty" jsonschema:"code from the email" maxlength:"100"`
}

// sampleForm returns an example response.
func (s accountOps) sampleForm() *ui.FormPage { return views.NewSignUpSent(s.Site) }

// passkeysPage is the path of the page of a member's passkeys.
const passkeysPage = "/account/passkeys"
