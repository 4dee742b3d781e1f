package handlers

import (
	"context"
	"net/http"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// accountOperations are what members do about themselves.
func (s *Server) accountOperations() []Operation {
	return slices.Concat([]Operation{s.getMe()}, s.signUpOperations(), s.signInOperations(), s.settingsOperations(), s.passkeyOperations())
}

func (s *Server) getMe() Operation {
	return Op[struct{}, *views.Me]{
		Name: "get_me", Path: "/api/me", Page: "/account", Access: Members, Scope: models.AccountRead,
		Tag: "Account", Title: "Your account", Summary: "Who you are here, and what waits for you.",
		Description: "Answers with the member the token or the session belongs to: handle, name, region, e-mail address, how many listings are in each status, " +
			"how many messages are unread, and what this token may do. Call it first to learn which handle you act for.",
		Sample: func() *views.Me {
			return views.NewMe(&s.site, sampleIdentity(), map[models.Status]int{models.StatusDraft: 1, models.StatusActive: 4, models.StatusSold: 12}, 2, nil)
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.Me, error) {
			id := callerOf(ctx).Identity
			counts, err := s.store.CountBySeller(ctx, id.Member.ID)
			if err != nil {
				return nil, err
			}
			unread, err := s.store.CountUnread(ctx, id.Member.ID)
			if err != nil {
				return nil, err
			}
			return views.NewMe(&s.site, id, counts, unread, s.ownPages(id.Account.Role == models.RoleOperator)), nil
		},
	}.Operation()
}

// sampleIdentity is somebody invented.
func sampleIdentity() *models.Identity {
	return &models.Identity{
		Member: models.Member{ID: "01932f0a-7b1c-7000-8000-000000000001", Handle: "kleine-blende", Name: "Kleine Blende", Region: "DE-HH", Bio: "Leica and Rollei, serviced.",
			JoinedAt: 1_709_287_200_000},
		Account: models.Account{Email: "jane@example.org", Role: models.RoleMember}, Scopes: models.AllScopes,
	}
}

// ownPages are the pages of what is a member's own, and for operators those that
// keep the site. Only what is mounted is named.
func (s *Server) ownPages(operator bool) []views.Link {
	mounted := map[string]bool{}
	var links, keeping []views.Link
	for i := range s.ops {
		op := &s.ops[i]
		if op.Writes() || op.Page == "" {
			continue
		}
		mounted[op.Page] = true
		if op.Access == Operators && operator && len(pathNames(op.Page)) == 0 {
			keeping = append(keeping, views.Link{Href: op.Page, Label: op.Title})
		}
	}
	for _, l := range views.OwnPages {
		if mounted[l.Href] {
			links = append(links, l)
		}
	}
	return append(links, keeping...)
}

type profileIn struct {
	Name   string         `json:"name" jsonschema:"name for people" maxlength:"60" example:"Kleine Blende"`
	Region *models.Region `json:"region,omitempty" jsonschema:"where the gear is, ISO 3166" example:"DE"`
	Bio    *string        `json:"bio,omitempty" jsonschema:"what others may know, plain text" maxlength:"2000" example:"Leica and Rollei, serviced."`
}

type newEmailIn struct {
	Email    string `json:"email" jsonschema:"the new address, which is to be confirmed" maxlength:"254" example:"jane@example.org"`
	Password string `json:"password" jsonschema:"the password of the account" format:"password"`
}

type changePasswordIn struct {
	Old      string `json:"old_password" jsonschema:"the password so far" format:"password"`
	Password string `json:"password" jsonschema:"the new one, 10 characters and more" format:"password"`
}

type deleteIn struct {
	Password string `json:"password" jsonschema:"the password of the account" format:"password"`
}

// settingsOperations change a member's account. No token may.
func (s *Server) settingsOperations() []Operation {
	const page = "/account/settings"
	return []Operation{
		Op[struct{}, *views.Settings]{
			Name: "show_settings", Page: page, Access: SignedIn,
			Tag: "Account", Title: "Settings", Summary: "What others see of you, and how you sign in.", Description: "Shows the member's settings and the browsers that are signed in.",
			Sample: func() *views.Settings { return views.NewSettings(&s.site, sampleIdentity(), nil) },
			Do: func(ctx context.Context, _ *struct{}) (*views.Settings, error) {
				sessions, err := s.store.Sessions(ctx, memberID(ctx))
				return views.NewSettings(&s.site, callerOf(ctx).Identity, sessions), err
			},
		}.Operation(),
		Op[profileIn, *views.Settings]{
			Name: "edit_profile", Method: http.MethodPost, Page: page, Access: SignedIn,
			Tag: "Account", Title: "Edit your profile", Summary: "Changes your name, region and what you say of yourself.", Description: "Changes what others see of the member.",
			Done:   "Your profile is changed.",
			Sample: func() *views.Settings { return views.NewSettings(&s.site, sampleIdentity(), nil) },
			Do: func(ctx context.Context, in *profileIn) (*views.Settings, error) {
				id := *callerOf(ctx).Identity
				if id.Account.Suspended() {
					return nil, errSuspended
				}
				if in.Region == nil {
					in.Region = &id.Member.Region
				}
				if in.Bio == nil {
					in.Bio = &id.Member.Bio
				}
				if err := s.store.EditMember(ctx, id.Member.ID, in.Name, *in.Region, *in.Bio); err != nil {
					return nil, err
				}
				id.Member.Name, id.Member.Region, id.Member.Bio = in.Name, *in.Region, *in.Bio
				return views.NewSettings(&s.site, &id, nil), nil
			},
		}.Operation(),
		Op[newEmailIn, *views.Settings]{
			Name: "change_email", Method: http.MethodPost, Page: page + "/email", Form: page, Access: SignedIn,
			Tag: "Account", Title: "Change your address", Summary: "Asks to change the e-mail address you sign in with.",
			Description: "Mails a link to the new address. Until it is confirmed nothing changes; the old address is told.",
			Done:        "A mail is on its way to the new address. Until you open the link in it nothing changes.",
			Errors:      []string{"invalid_parameter", "too_many_guesses"},
			Sample:      func() *views.Settings { return views.NewSettings(&s.site, sampleIdentity(), nil) },
			Do:          s.changeEmail,
		}.Operation(),
		Op[codeIn, *views.Entry]{
			Name: "show_confirm_email", Page: "/account/email/confirm", Unlisted: true, Live: true,
			Tag: "Account", Title: "Confirm your new address", Summary: "The button that confirms a new address.", Description: "Shows the button that confirms a new e-mail address.",
			Sample: s.sampleEntry,
			Do: func(_ context.Context, in *codeIn) (*views.Entry, error) {
				return views.NewConfirmEmail(&s.site, in.Code), nil
			},
		}.Operation(),
		Op[codeIn, *views.Entry]{
			Name: "confirm_email", Method: http.MethodPost, Page: "/account/email/confirm",
			Tag: "Account", Title: "Confirm your new address", Summary: "Changes the address whose code was mailed.", Description: "Changes the e-mail address an account signs in with.",
			Done:   "Your new address is confirmed. You sign in with it from now on.",
			Errors: []string{"code_invalid", "email_taken"},
			Sample: s.sampleEntry,
			Do: func(ctx context.Context, in *codeIn) (*views.Entry, error) {
				if err := s.store.ConfirmEmail(ctx, in.Code); err != nil {
					return nil, err
				}
				return views.NewSignIn(&s.site, "", false), nil
			},
		}.Operation(),
		Op[changePasswordIn, *views.Passage]{
			Name: "change_password", Method: http.MethodPost, Page: page + "/password", Form: page, Access: SignedIn,
			Tag: "Account", Title: "Change your password", Summary: "Sets a new password, for who knows the old one.",
			Description: "Sets a new password and signs every other browser out.",
			Done:        "Your new password is set, and every other browser is signed out.",
			Errors:      []string{"invalid_parameter", "too_many_guesses"},
			Sample:      s.samplePassage,
			Do:          s.changePassword,
		}.Operation(),
		Op[struct{}, *views.Export]{
			Name: "export_account", Page: "/account/export", Access: SignedIn, Live: true,
			Tag: "Account", Title: "Everything held about you", Summary: "Everything the site holds about you, to look at and to keep.",
			Description: "Answers with every row the site holds about the member, by table; as JSON at /account/export.json.",
			Sample:      func() *views.Export { return views.NewExport(&s.site, sampleIdentity(), 1_709_287_200_000, nil) },
			Do: func(ctx context.Context, _ *struct{}) (*views.Export, error) {
				tables, err := s.store.Held(ctx, memberID(ctx))
				return views.NewExport(&s.site, callerOf(ctx).Identity, models.TimeOf(s.clock()), tables), err
			},
		}.Operation(),
		Op[struct{}, *views.Entry]{
			Name: "show_delete_account", Page: "/account/delete", Access: SignedIn,
			Tag: "Account", Title: "Delete your account", Summary: "The form to delete your account.", Description: "Shows what deleting the account takes away, and the form for it.",
			Sample: s.sampleEntry,
			Do: func(context.Context, *struct{}) (*views.Entry, error) {
				return views.NewDeleteAccount(&s.site), nil
			},
		}.Operation(),
		Op[deleteIn, *views.Passage]{
			Name: "delete_account", Method: http.MethodPost, Page: "/account/delete", Access: SignedIn, Destructive: true,
			Tag: "Account", Title: "Delete your account", Summary: "Deletes your account for good.",
			Description: "Takes the account, the name, the listings for sale and every token off the site. What others rely on stays without a name.",
			Done:        "Your account is deleted.",
			Errors:      []string{"invalid_parameter", "too_many_guesses"},
			Sample:      func() *views.Passage { return views.NewSignedOut(&s.site) },
			Do: func(ctx context.Context, in *deleteIn) (*views.Passage, error) {
				if err := s.store.CheckPassword(ctx, memberID(ctx), "password", in.Password); err != nil {
					return nil, err
				}
				return views.NewSignedOut(&s.site), s.store.DeleteAccount(ctx, memberID(ctx))
			},
		}.Operation(),
	}
}

// changeEmail asks for a new address to be confirmed, and tells the old one.
func (s *Server) changeEmail(ctx context.Context, in *newEmailIn) (*views.Settings, error) {
	id := callerOf(ctx).Identity
	if err := s.store.CheckPassword(ctx, id.Member.ID, "password", in.Password); err != nil {
		return nil, err
	}
	if err := s.store.AskMail(ctx, in.Email, askerOf(ctx)); err != nil {
		return nil, err
	}
	code, err := s.store.BeginEmailChange(ctx, id.Member.ID, in.Email)
	if err != nil {
		return nil, err
	}
	email, _ := models.ParseEmail(in.Email)
	if code == "" {
		err = s.post(ctx, email, letterEmailTaken, id.Member.Handle, "/account/settings")
	} else {
		err = s.post(ctx, email, letterNewEmail, id.Member.Handle, withCode("/account/email/confirm", code))
	}
	if err == nil {
		err = s.post(ctx, id.Account.Email, letterEmailChanges, id.Member.Handle, "/reset-password")
	}
	return views.NewSettings(&s.site, id, nil), err
}

// changePassword signs everybody out who knew the old one, and the asker in anew.
func (s *Server) changePassword(ctx context.Context, in *changePasswordIn) (*views.Passage, error) {
	id := callerOf(ctx).Identity
	if err := s.store.ChangePassword(ctx, id.Member.ID, in.Old, in.Password); err != nil {
		return nil, err
	}
	if err := s.post(ctx, id.Account.Email, letterPasswordChanged, id.Member.Handle, "/reset-password"); err != nil {
		return nil, err
	}
	return s.enter(ctx, id.Member.ID, "/account/settings")
}
