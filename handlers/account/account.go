package account

import (
	"context"
	"net/http"
	"slices"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/account"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
)

func (s accountOps) getMe() web.Operation {
	return web.Op[struct{}, *views.Me]{
		Name: "get_me", Path: "/api/me", Access: web.Members, Scope: string(models.AccountRead),
		Tag: "Account", Title: "Your account", Summary: "Returns your account, open tasks, listing counts and unread messages.",
		Description: "Returns the member the token or session belongs to: handle, name, region, email address, number of listings in each status, " +
			"number of unread messages, offers that wait for you, and the scopes of this token. Call it first to find out which member you act for.",
		Sample: func() *views.Me {
			return views.NewMe(s.Site, sample.Identity(), map[models.Status]int{models.StatusDraft: 1, models.StatusActive: 4, models.StatusSold: 12},
				tradeviews.WaitingParts{Unread: 2, Offers: []models.Waiting{{OfferID: "019aa7d2-7c00-7000-8000-00000000000f", Kind: models.WaitingSend, Title: "Canon EOS R6 body", DueAt: sample.Day}}}, nil)
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.Me, error) {
			id := caller.Identity(ctx)
			counts, err := s.Listings.CountBySeller(ctx, id.Member.ID)
			if err != nil {
				return nil, err
			}
			waiting, err := s.waiting(ctx)
			if err != nil {
				return nil, err
			}
			return views.NewMe(s.Site, id, counts, waiting, s.ownPages(id.Account.Role)), nil
		},
	}.Operation()
}

// ownPages returns links to the member's account pages and, by their role, to those of
// moderation and administration.
func (s accountOps) ownPages(role models.Role) []ui.Link {
	return slices.Concat(views.AccountLinks, staffPages(role))
}

type profileIn struct {
	Name    string         `json:"name" jsonschema:"display name" maxlength:"60" example:"Kleine Blende"`
	Region  *models.Region `json:"region,omitempty" jsonschema:"country or subdivision, ISO 3166" example:"DE"`
	Bio     *string        `json:"bio,omitempty" jsonschema:"public profile text, plain text" maxlength:"2000" example:"Leica and Rollei, serviced."`
	Postage *string        `json:"postage,omitempty" jsonschema:"what you charge for shipping, unless a listing says otherwise: pickup, free, or prices by country, EU and world" maxlength:"300" example:"DE 6.90, EU 14.90, world 29"`
	input.PostageRows
	Kind    *models.SellerKind `json:"seller_kind,omitempty" jsonschema:"who you sell as: dealers usually get more, and prices account for it" enum:"dealer,private" example:"private"`
	Sellers *bool              `json:"seller_messages,omitempty" jsonschema:"whether sellers of items you watch can message you"`
}

type tradeSettingsIn struct {
	Address string `json:"delivery_address,omitempty" jsonschema:"where sellers send what you buy, plain text; only the seller of an accepted offer sees it" maxlength:"500" example:"Jane Doe, 1 High Street, 10115 Berlin, Germany"`
	Holder  string `json:"account_holder,omitempty" jsonschema:"name of the holder of the account that buyers pay to" maxlength:"70" example:"Jane Doe"`
	IBAN    string `json:"iban,omitempty" jsonschema:"account that buyers pay to; only buyers see it" maxlength:"60" example:"DE02 1203 0000 0000 2020 51"`
	Link    string `json:"payment_link,omitempty" jsonschema:"your own payment page, https only" maxlength:"500"`
	Cash    bool   `json:"cash,omitempty" jsonschema:"you take cash when the buyer collects the item"`
}

type newEmailIn struct {
	Email    string `json:"email" jsonschema:"new email address; must be confirmed" maxlength:"254" example:"jane@example.org"`
	Password string `json:"password" jsonschema:"current password" format:"password"`
}

type changePasswordIn struct {
	Old      string `json:"old_password" jsonschema:"current password" format:"password"`
	Password string `json:"password" jsonschema:"new password, at least 10 characters" format:"password"`
}

type deleteIn struct {
	Password string `json:"password" jsonschema:"current password" format:"password"`
}

// deviceIn names a device of a member.
type deviceIn struct {
	Device string `json:"device" jsonschema:"device, as in sessions" maxlength:"16"`
}

// settingsOperations returns the operations on a member's settings. They need a
// browser session; tokens are refused.
func (s accountOps) settingsOperations() []web.Operation {
	const page = "/account/settings"
	return []web.Operation{
		web.Op[struct{}, *views.Settings]{
			Name: "show_settings", Page: page, Access: web.SignedIn,
			Tag: "Account", Title: "Settings", Summary: "Shows your profile and sign-in settings.", Description: "Returns the member's settings and active sessions.",
			Sample: func() *views.Settings { return views.NewSettings(s.Site, sample.Identity(), nil) },
			Do: func(ctx context.Context, _ *struct{}) (*views.Settings, error) {
				sessions, err := s.Accounts.Sessions(ctx, caller.ID(ctx))
				if err != nil {
					return nil, err
				}
				member, err := s.Accounts.MemberByID(ctx, caller.ID(ctx))
				if err != nil {
					return nil, err
				}
				sellers, err := s.Trades.SellerMessages(ctx, caller.ID(ctx))
				if err != nil {
					return nil, err
				}
				trade, err := s.Trades.TradeSettings(ctx, caller.ID(ctx))
				if err != nil {
					return nil, err
				}
				return views.NewSettings(s.Site, caller.Identity(ctx), sessions).WithProfile(member, sellers).WithTrade(&trade), nil
			},
		}.Operation(),
		web.Op[deviceIn, *views.Settings]{
			Name: "sign_out_device", Method: http.MethodPost, Page: page + "/sign-out-device", Form: page, Access: web.SignedIn,
			Tag: "Account", Title: "Sign out a device", Summary: "Signs you out of one device.", Description: "Ends the sessions of the member with one browser on one operating system.",
			Done:   "Device signed out.",
			Sample: func() *views.Settings { return views.NewSettings(s.Site, sample.Identity(), nil) },
			Do: func(ctx context.Context, in *deviceIn) (*views.Settings, error) {
				sessions, err := s.Accounts.Sessions(ctx, caller.ID(ctx))
				for i := range sessions {
					if err == nil && sessions[i].Device() == in.Device {
						err = s.Accounts.EndSessionsOf(ctx, caller.ID(ctx), sessions[i].Client)
					}
				}
				return views.NewSettings(s.Site, caller.Identity(ctx), sessions), err
			},
		}.Operation(),
		web.Op[profileIn, *views.Settings]{
			Name: "edit_profile", Method: http.MethodPost, Page: page, Access: web.SignedIn,
			Tag: "Account", Title: "Edit your profile", Summary: "Updates your name, region and bio.", Description: "Updates the member's public profile. Omitted fields keep their value.",
			Done:   "Profile saved.",
			Sample: func() *views.Settings { return views.NewSettings(s.Site, sample.Identity(), nil) },
			Do: func(ctx context.Context, in *profileIn) (*views.Settings, error) {
				id := *caller.Identity(ctx)
				if id.Account.Suspended() {
					return nil, web.ErrSuspended
				}
				if in.Region == nil {
					in.Region = &id.Member.Region
				}
				if in.Bio == nil {
					in.Bio = &id.Member.Bio
				}
				if err := s.setPostage(ctx, in.Postage, &in.PostageRows); err != nil {
					return nil, err
				}
				if in.Kind != nil {
					if err := s.Listings.SetSellerKind(ctx, id.Member.ID, *in.Kind); err != nil {
						return nil, err
					}
				}
				if in.Sellers != nil {
					if err := s.Trades.SetSellerMessages(ctx, id.Member.ID, *in.Sellers); err != nil {
						return nil, err
					}
				}
				if err := s.Accounts.EditMember(ctx, id.Member.ID, in.Name, *in.Region, *in.Bio); err != nil {
					return nil, err
				}
				id.Member.Name, id.Member.Region, id.Member.Bio = in.Name, *in.Region, *in.Bio
				return views.NewSettings(s.Site, &id, nil), nil
			},
		}.Operation(),
		web.Op[tradeSettingsIn, *views.Settings]{
			Name: "edit_trade_settings", Method: http.MethodPost, Page: page + "/trade", Form: page, Access: web.SignedIn,
			Tag: "Account", Title: "Delivery and payment", Summary: "Sets your delivery address and how buyers pay you.",
			Description: "Replaces the address that sellers send items to, and how buyers pay for yours. Both apply to new sales; agreed sales keep theirs.",
			Done:        "Details saved.",
			Errors:      []string{"invalid_parameter"},
			Sample:      func() *views.Settings { return views.NewSettings(s.Site, sample.Identity(), nil) },
			Do: func(ctx context.Context, in *tradeSettingsIn) (*views.Settings, error) {
				if caller.Identity(ctx).Account.Suspended() {
					return nil, web.ErrSuspended
				}
				err := s.Trades.EditTradeSettings(ctx, caller.ID(ctx), func(t *models.TradeSettings) {
					*t = models.TradeSettings{Address: in.Address, PaymentWays: models.PaymentWays{AccountHolder: in.Holder, IBAN: in.IBAN, PaymentLink: in.Link, Cash: in.Cash}}
				})
				return views.NewSettings(s.Site, caller.Identity(ctx), nil), err
			},
		}.Operation(),
		web.Op[newEmailIn, *views.Settings]{
			Name: "change_email", Method: http.MethodPost, Page: page + "/email", Form: page, Access: web.SignedIn,
			Tag: "Account", Title: "Change your email address", Summary: "Starts a change of the email address you sign in with.",
			Description: "Sends a confirmation link to the new address and a notice to the old one. The address changes when the link is confirmed. Ends every other session and all tokens.",
			Done:        "We've emailed a link to your new address. Your address changes when you confirm it.",
			Errors:      []string{"invalid_parameter", "too_many_guesses", "too_many_changes"},
			Sample:      func() *views.Settings { return views.NewSettings(s.Site, sample.Identity(), nil) },
			Do:          s.changeEmail,
		}.Operation(),
		showForm(s, web.Op[codeIn, *ui.FormPage]{
			Name: "show_confirm_email", Page: "/account/email/confirm", Live: true,
			Title: "Confirm your new email address", Summary: "Shows the form that confirms a new email address.", Description: "Returns the form that confirms a new email address.",
		}, func(in *codeIn) *ui.FormPage { return views.NewConfirmEmail(s.Site, in.Code) }),
		web.Op[confirmIn, *ui.FormPage]{
			Name: "confirm_email", Method: http.MethodPost, Page: "/account/email/confirm",
			Tag: "Account", Title: "Confirm your new email address", Summary: "Confirms a new email address with an emailed code.",
			Description: "Changes the email address of an account. Needs its password. Ends every other session and all tokens, and suspends the passkeys.",
			Done:        "Your new email address is confirmed. Use it the next time you sign in.",
			Errors:      []string{"invalid_parameter", "code_invalid", "email_taken", "too_many_guesses", "too_many_changes"},
			Sample:      s.sampleForm,
			Do:          s.confirmEmail,
		}.Operation(),
		showForm(s, web.Op[codeIn, *ui.FormPage]{
			Name: "show_undo_change", Page: "/account/undo", Live: true,
			Title: "Undo a change", Summary: "Shows the form that undoes a change of the password or email address.", Description: "Returns the form that undoes a change with an emailed code.",
		}, func(in *codeIn) *ui.FormPage { return views.NewUndoChange(s.Site, in.Code) }),
		web.Op[codeIn, *ui.FormPage]{
			Name: "undo_change", Method: http.MethodPost, Page: "/account/undo",
			Tag: "Account", Title: "Undo a change", Summary: "Undoes a change of the password or email address.",
			Description: "Restores the email address before the change, ends all sessions and tokens, suspends the passkeys, and sends a password reset link to the restored address.",
			Done:        "We've undone the change and signed everyone out of your account.",
			Errors:      []string{"code_invalid", "email_taken"},
			Sample:      s.sampleForm,
			Do:          s.undoChange,
		}.Operation(),
		web.Op[changePasswordIn, *views.SessionResult]{
			Name: "change_password", Method: http.MethodPost, Page: page + "/password", Form: page, Access: web.SignedIn,
			Tag: "Account", Title: "Change your password", Summary: "Changes your password.",
			Description: "Sets a new password and ends every other session and all tokens.",
			Done:        "Password changed. We've signed out your other browsers, and your access tokens no longer work.",
			Errors:      []string{"invalid_parameter", "too_many_guesses", "too_many_changes"},
			Sample:      s.sampleSession,
			Do:          s.changePassword,
		}.Operation(),
		web.Op[struct{}, *views.Export]{
			Name: "export_account", Page: "/account/export", Access: web.SignedIn, Live: true,
			Tag: "Account", Title: "Your data", Summary: "Exports all personal data stored about you.",
			Description: "Returns every stored row about the member, grouped by table. The JSON file is at /account/export.json.",
			Sample: func() *views.Export {
				return views.NewExport(s.Site, sample.Identity(), 1_709_287_200_000, nil)
			},
			Do: func(ctx context.Context, _ *struct{}) (*views.Export, error) {
				tables, err := s.Accounts.PersonalData(ctx, caller.ID(ctx))
				return views.NewExport(s.Site, caller.Identity(ctx), models.TimeOf(s.Clock()), tables), err
			},
		}.Operation(),
		web.Op[struct{}, *ui.FormPage]{
			Name: "show_delete_account", Page: "/account/delete", Access: web.SignedIn,
			Tag: "Account", Title: "Delete your account", Summary: "Shows the form that deletes your account.", Description: "Returns the form that deletes the account, with what is deleted.",
			Sample: s.sampleForm,
			Do: func(context.Context, *struct{}) (*ui.FormPage, error) {
				return views.NewDeleteAccount(s.Site), nil
			},
		}.Operation(),
		web.Op[deleteIn, *views.SessionResult]{
			Name: "delete_account", Method: http.MethodPost, Page: "/account/delete", Access: web.SignedIn, Destructive: true,
			Tag: "Account", Title: "Delete your account", Summary: "Permanently deletes your account.",
			Description: "Deletes the account, its name, tokens and active listings. Records that other members rely on, such as completed sales, stay without a name.",
			Done:        "Your account has been deleted.",
			Errors:      []string{"invalid_parameter", "last_operator", "too_many_guesses"},
			Sample:      func() *views.SessionResult { return views.NewSignedOut(s.Site) },
			Do: func(ctx context.Context, in *deleteIn) (*views.SessionResult, error) {
				if err := s.Accounts.CheckPassword(ctx, &caller.Identity(ctx).Account, "password", in.Password, caller.Addr(ctx)); err != nil {
					return nil, err
				}
				if err := s.Accounts.DeleteAccount(ctx, caller.ID(ctx)); err != nil {
					return nil, err
				}
				return views.NewSignedOut(s.Site), s.Mailer.Forget(caller.Identity(ctx).Account.Email)
			},
		}.Operation(),
	}
}

// setPostage sets the default postage of the caller, as a text or the rows of a form; nil leaves
// it as it is.
func (s accountOps) setPostage(ctx context.Context, text *string, rows *input.PostageRows) error {
	if text == nil {
		return nil
	}
	var fieldErrors web.FieldErrors
	postage := s.Amounts.ReadPostage(rows.Text(*text), s.Site.Currency(), caller.Identity(ctx).Member.Region, &fieldErrors)
	if err := fieldErrors.Err(); err != nil {
		return err
	}
	return s.Accounts.SetPostage(ctx, caller.ID(ctx), postage)
}

// changeEmail sends a confirmation link to the new address and notifies the old one.
func (s accountOps) changeEmail(ctx context.Context, in *newEmailIn) (*views.Settings, error) {
	id := caller.Identity(ctx)
	if err := s.Accounts.CheckPassword(ctx, &id.Account, "password", in.Password, caller.Addr(ctx)); err != nil {
		return nil, err
	}
	if err := s.Accounts.LimitEmail(ctx, in.Email, caller.Addr(ctx)); err != nil {
		return nil, err
	}
	code, err := s.Accounts.BeginEmailChange(ctx, &id.Account, in.Email, web.CallerOf(ctx).Secret)
	if err != nil {
		return nil, err
	}
	email, _ := models.ParseEmail(in.Email)
	if code == "" {
		err = s.Mailer.Send(ctx, email, mailer.EmailAddressTaken, id.Member.Handle, "/account/settings")
	} else {
		err = s.Mailer.Send(ctx, email, mailer.EmailNewAddress, id.Member.Handle, mailer.WithCode("/account/email/confirm", code))
	}
	if err == nil {
		err = s.Mailer.Send(ctx, id.Account.Email, mailer.EmailAddressChanging, id.Member.Handle, "/reset-password")
	}
	return views.NewSettings(s.Site, id, nil), err
}

// confirmEmail changes the address of an account and notifies both addresses.
func (s accountOps) confirmEmail(ctx context.Context, in *confirmIn) (*ui.FormPage, error) {
	change, err := s.Accounts.ConfirmEmail(ctx, in.Code, in.Password, caller.Addr(ctx), web.CallerOf(ctx).Secret)
	if err != nil {
		return nil, err
	}
	for _, to := range []string{change.OldEmail, change.Account.Email} {
		if err := s.Mailer.Send(ctx, to, mailer.EmailAddressChanged, "", mailer.WithCode("/account/undo", change.Undo)); err != nil {
			return nil, err
		}
	}
	return views.NewSignIn(s.Site, "", false), nil
}

// undoChange undoes a change of an account and sends a reset link to the restored
// address.
func (s accountOps) undoChange(ctx context.Context, in *codeIn) (*ui.FormPage, error) {
	email, reset, err := s.Accounts.UndoChange(ctx, in.Code)
	if err != nil {
		return nil, err
	}
	return views.NewResetPasswordSent(s.Site), s.Mailer.Send(ctx, email, mailer.EmailUndone, "", mailer.WithCode("/reset-password/new", reset))
}

// changePassword ends every session of the caller and starts a new one.
func (s accountOps) changePassword(ctx context.Context, in *changePasswordIn) (*views.SessionResult, error) {
	change, err := s.Accounts.ChangePassword(ctx, &caller.Identity(ctx).Account, in.Old, in.Password, caller.Addr(ctx))
	if err != nil {
		return nil, err
	}
	if err := s.Mailer.Send(ctx, change.Account.Email, mailer.EmailPasswordChanged, "", mailer.WithCode("/account/undo", change.Undo)); err != nil {
		return nil, err
	}
	return s.startSession(ctx, change.Account, "/account/settings")
}
