package handlers

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

type nextIn struct {
	Next string `json:"next,omitempty" jsonschema:"path to go on to afterwards" example:"/account"`
}

type signInIn struct {
	Email    string `json:"email" jsonschema:"e-mail address of the account" maxlength:"254" example:"jane@example.org"`
	Password string `json:"password" jsonschema:"the password" format:"password"`
	nextIn
}

type emailIn struct {
	Email string `json:"email" jsonschema:"e-mail address of the account" maxlength:"254" example:"jane@example.org"`
}

type newPasswordIn struct {
	Code     string `json:"code,omitempty" jsonschema:"code out of the mail" maxlength:"100"`
	Password string `json:"password" jsonschema:"10 characters and more" format:"password"`
}

// signInOperations are the ways in and out, and back in without the password.
func (s *Server) signInOperations() []Operation {
	return []Operation{
		Op[nextIn, *views.Entry]{
			Name: "show_sign_in", Page: "/sign-in", Unlisted: true,
			Tag: "Account", Title: "Sign in", Summary: "The form to sign in.", Description: "Shows the form to sign in.",
			Sample: s.sampleEntry,
			Do: func(_ context.Context, in *nextIn) (*views.Entry, error) {
				return views.NewSignIn(&s.site, localPath(in.Next), s.party != nil), nil
			},
		}.Operation(),
		Op[signInIn, *views.Passage]{
			Name: "sign_in", Method: http.MethodPost, Page: "/sign-in",
			Tag: "Account", Title: "Sign in", Summary: "Signs a browser in.",
			Description: "Signs a browser in with e-mail address and password, and goes on to next. Programs send a token instead.",
			Errors:      []string{"sign_in_failed", "too_many_guesses"},
			Sample:      s.samplePassage,
			Do:          s.signIn,
		}.Operation(),
		Op[struct{}, *views.Passage]{
			Name: "sign_out", Method: http.MethodPost, Page: "/sign-out", Form: "/account",
			Tag: "Account", Title: "Sign out", Summary: "Signs this browser out.", Description: "Signs this browser out.",
			Done:   "You are signed out.",
			Sample: s.samplePassage,
			Do: func(ctx context.Context, _ *struct{}) (*views.Passage, error) {
				if secret := callerOf(ctx).secret; secret != "" {
					if err := s.store.EndSession(ctx, secret); err != nil {
						return nil, err
					}
				}
				return views.NewSignedOut(&s.site), nil
			},
		}.Operation(),
		Op[struct{}, *views.Passage]{
			Name: "sign_out_everywhere", Method: http.MethodPost, Page: "/account/sign-out-everywhere", Form: "/account/settings", Access: SignedIn,
			Tag: "Account", Title: "Sign out everywhere", Summary: "Signs every browser of yours out.", Description: "Ends every session of the member, this one too. Tokens stay.",
			Done:   "You are signed out everywhere.",
			Sample: s.samplePassage,
			Do: func(ctx context.Context, _ *struct{}) (*views.Passage, error) {
				return views.NewSignedOut(&s.site), s.store.EndSessions(ctx, memberID(ctx))
			},
		}.Operation(),
		Op[struct{}, *views.Entry]{
			Name: "show_reset_password", Page: "/reset-password", Unlisted: true,
			Tag: "Account", Title: "Forgotten password", Summary: "The form to ask for a new password.", Description: "Shows the form to ask for a link to set a new password.",
			Sample: s.sampleEntry,
			Do: func(context.Context, *struct{}) (*views.Entry, error) {
				return views.NewReset(&s.site), nil
			},
		}.Operation(),
		Op[emailIn, *views.Entry]{
			Name: "ask_new_password", Method: http.MethodPost, Page: "/reset-password",
			Tag: "Account", Title: "Forgotten password", Summary: "Asks for a link to set a new password.",
			Description: "Mails a link to set a new password. The answer is the same whether the address has an account.",
			Errors:      []string{"invalid_parameter", "too_many_guesses"},
			Sample:      s.sampleEntry,
			Do:          s.askNewPassword,
		}.Operation(),
		Op[struct{}, *views.Entry]{
			Name: "show_reset_sent", Page: "/reset-password/sent", Unlisted: true,
			Tag: "Account", Title: "Look into your mail", Summary: "What to do after asking for a new password.", Description: "Says that a mail is on its way.",
			Sample: s.sampleEntry,
			Do: func(context.Context, *struct{}) (*views.Entry, error) {
				return views.NewResetSent(&s.site), nil
			},
		}.Operation(),
		Op[codeIn, *views.Entry]{
			Name: "show_new_password", Page: "/reset-password/new", Unlisted: true, Live: true,
			Tag: "Account", Title: "New password", Summary: "The form to set a new password.", Description: "Shows the form to set a new password with a mailed code.",
			Sample: s.sampleEntry,
			Do: func(_ context.Context, in *codeIn) (*views.Entry, error) {
				return views.NewPassword(&s.site, in.Code), nil
			},
		}.Operation(),
		Op[newPasswordIn, *views.Entry]{
			Name: "set_password", Method: http.MethodPost, Page: "/reset-password/new",
			Tag: "Account", Title: "New password", Summary: "Sets a new password with a mailed code.",
			Description: "Sets a new password with a mailed code and ends every session.",
			Done:        "Your new password is set. Sign in with it.",
			Errors:      []string{"invalid_parameter", "code_invalid"},
			Sample:      s.sampleEntry,
			Do: func(ctx context.Context, in *newPasswordIn) (*views.Entry, error) {
				if err := s.store.Reset(ctx, in.Code, in.Password); err != nil {
					return nil, err
				}
				return views.NewSignIn(&s.site, "", false), nil
			},
		}.Operation(),
	}
}

// signIn begins a session with a fresh secret, and ends the one the browser had.
func (s *Server) signIn(ctx context.Context, in *signInIn) (*views.Passage, error) {
	account, err := s.store.SignIn(ctx, in.Email, in.Password, askerOf(ctx))
	if err != nil {
		return nil, err
	}
	return s.enter(ctx, account.MemberID, in.Next)
}

// enter signs the browser that asks in as a member, and leads on to next.
func (s *Server) enter(ctx context.Context, memberID, next string) (*views.Passage, error) {
	c := callerOf(ctx)
	if c.secret != "" {
		if err := s.store.EndSession(ctx, c.secret); err != nil {
			return nil, err
		}
	}
	secret, err := s.store.BeginSession(ctx, memberID, c.agent)
	if err != nil {
		return nil, err
	}
	return views.NewSignedIn(&s.site, localPath(next), secret), nil
}

// askNewPassword mails a link, or that there is no account.
func (s *Server) askNewPassword(ctx context.Context, in *emailIn) (*views.Entry, error) {
	if err := s.store.AskMail(ctx, in.Email, askerOf(ctx)); err != nil {
		return nil, err
	}
	code, err := s.store.BeginReset(ctx, in.Email)
	if err != nil {
		return nil, err
	}
	email, _ := models.ParseEmail(in.Email)
	if code == "" {
		err = s.post(ctx, email, letterNoReset, "", "/reset-password")
	} else {
		err = s.post(ctx, email, letterReset, "", withCode("/reset-password/new", code))
	}
	return views.NewResetSent(&s.site), err
}

// askerOf is whom guesses are counted by: the network address of who asks.
func askerOf(ctx context.Context) string { return limitedAs(callerOf(ctx).addr).String() }

// samplePassage is an answer to show.
func (s *Server) samplePassage() *views.Passage { return views.NewSignedIn(&s.site, "/account", "") }
