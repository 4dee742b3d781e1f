package account

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

// NewRelyingParty returns the WebAuthn relying party of the site, or nil when its host
// cannot have passkeys, such as an IP address.
func NewRelyingParty(site *ui.Site) *webauthn.WebAuthn {
	base, err := url.Parse(site.BaseURL)
	if err != nil || base.Hostname() == "" {
		return nil
	}
	if _, err := netip.ParseAddr(base.Hostname()); err == nil {
		return nil
	}
	party, err := webauthn.New(&webauthn.Config{
		RPID: base.Hostname(), RPDisplayName: site.Name(), RPOrigins: []string{site.BaseURL},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil
	}
	return party
}

// passkeyUser is a member with their passkeys. It implements webauthn.User.
type passkeyUser struct {
	id, handle, name string
	keys             []models.Passkey
	credentials      []webauthn.Credential
}

func (u *passkeyUser) WebAuthnID() []byte                         { return []byte(u.id) }
func (u *passkeyUser) WebAuthnName() string                       { return u.handle }
func (u *passkeyUser) WebAuthnDisplayName() string                { return u.name }
func (u *passkeyUser) WebAuthnCredentials() []webauthn.Credential { return u.credentials }

// passkeyUser returns a member with their passkeys.
func (s accountOps) passkeyUser(ctx context.Context, m *models.Member) (*passkeyUser, error) {
	u := &passkeyUser{id: m.ID, handle: m.Handle, name: m.Name}
	var err error
	if u.keys, err = s.Accounts.Passkeys(ctx, m.ID); err != nil {
		return nil, err
	}
	u.credentials = make([]webauthn.Credential, len(u.keys))
	for i := range u.keys {
		if err := json.Unmarshal([]byte(u.keys[i].Credential), &u.credentials[i]); err != nil {
			return nil, err
		}
	}
	return u, nil
}

type ceremonyIn struct {
	Password string `json:"password" jsonschema:"current password" format:"password"`
}

type credentialIn struct {
	Ceremony   string `json:"ceremony" jsonschema:"ceremony code from begin_passkey or begin_passkey_sign_in" maxlength:"100"`
	Credential string `json:"credential" jsonschema:"response of the authenticator, as JSON" maxlength:"20000"`
}

type addPasskeyIn struct {
	credentialIn
	Name string `json:"name" jsonschema:"name of the passkey" maxlength:"60" example:"My phone"`
}

type passkeySignInIn struct {
	credentialIn
	nextIn
}

type passkeyIDIn struct {
	ID string `json:"id" in:"path" jsonschema:"id of the passkey"`
}

// passkeyOperations returns the operations on passkeys.
func (s accountOps) passkeyOperations() []web.Operation {
	const page = passkeysPage
	sample := func() *views.Passkeys { return views.NewPasskeys(s.Site, nil, true) }
	ceremony := func() *views.Ceremony { return views.NewCeremony(s.Site, "", nil) }
	return []web.Operation{
		web.Op[struct{}, *views.Passkeys]{
			Name: "list_passkeys", Page: page, Access: web.SignedIn,
			Tag: "Account", Title: "Passkeys", Summary: "Lists your passkeys.", Description: "Returns the member's passkeys.",
			Sample: sample,
			Do: func(ctx context.Context, _ *struct{}) (*views.Passkeys, error) {
				keys, err := s.Accounts.Passkeys(ctx, caller.ID(ctx))
				return views.NewPasskeys(s.Site, keys, s.Party != nil), err
			},
		}.Operation(),
		web.Op[ceremonyIn, *views.Ceremony]{
			Name: "begin_passkey", Method: http.MethodPost, Page: page + "/begin", Access: web.SignedIn,
			Tag: "Account", Title: "Start adding a passkey", Summary: "Starts the registration of a passkey.", Description: "Returns the WebAuthn creation options for the authenticator.",
			Errors: []string{"invalid_parameter", "too_many_guesses", "passkeys_unavailable"},
			Sample: ceremony,
			Do:     s.beginPasskey,
		}.Operation(),
		web.Op[addPasskeyIn, *views.Passkeys]{
			Name: "add_passkey", Method: http.MethodPost, Page: page, Access: web.SignedIn,
			Tag: "Account", Title: "Add a passkey", Summary: "Adds a new passkey.", Description: "Verifies the authenticator's response and saves the passkey.",
			Done:   "Your passkey is ready.",
			Errors: []string{"code_invalid", "passkey_refused", "too_many_passkeys", "passkeys_unavailable"},
			Sample: sample,
			Do:     s.addPasskey,
		}.Operation(),
		web.Op[passkeyIDIn, *views.Passkeys]{
			Name: "keep_passkey", Method: http.MethodPost, Page: page + "/{id}/keep", Access: web.SignedIn,
			Tag: "Account", Title: "Keep a passkey", Summary: "Keeps a suspended passkey.", Description: "Ends the suspension of a passkey after the password or the email address was changed. It can be used to sign in again.",
			Done:   "You can sign in with this passkey again.",
			Errors: []string{"passkey_not_found"},
			Sample: sample,
			Do: func(ctx context.Context, in *passkeyIDIn) (*views.Passkeys, error) {
				return views.NewPasskeys(s.Site, nil, true), s.Accounts.KeepPasskey(ctx, caller.ID(ctx), in.ID)
			},
		}.Operation(),
		web.Op[passkeyIDIn, *views.Passkeys]{
			Name: "remove_passkey", Method: http.MethodPost, Page: page + "/{id}/remove", Access: web.SignedIn, Destructive: true,
			Tag: "Account", Title: "Remove a passkey", Summary: "Removes a passkey.", Description: "Removes a passkey. It can no longer be used to sign in.",
			Done:   "Passkey removed.",
			Errors: []string{"passkey_not_found"},
			Sample: sample,
			Do: func(ctx context.Context, in *passkeyIDIn) (*views.Passkeys, error) {
				return views.NewPasskeys(s.Site, nil, true), s.Accounts.RemovePasskey(ctx, caller.ID(ctx), in.ID)
			},
		}.Operation(),
		web.Op[struct{}, *views.Ceremony]{
			Name: "begin_passkey_sign_in", Method: http.MethodPost, Page: "/sign-in/passkey/begin",
			Tag: "Account", Title: "Start signing in with a passkey", Summary: "Starts signing in with a passkey.", Description: "Returns the WebAuthn request options for the authenticator.",
			Errors: []string{"passkeys_unavailable"},
			Sample: ceremony,
			Do: func(ctx context.Context, _ *struct{}) (*views.Ceremony, error) {
				if s.Party == nil {
					return nil, errNoPasskeys
				}
				options, data, err := s.Party.BeginDiscoverableLogin()
				if err != nil {
					return nil, err
				}
				return s.beginCeremony(ctx, "", data, options.Response)
			},
		}.Operation(),
		web.Op[passkeySignInIn, *views.SessionResult]{
			Name: "sign_in_with_passkey", Method: http.MethodPost, Page: "/sign-in/passkey",
			Tag: "Account", Title: "Sign in with a passkey", Summary: "Signs a browser in with a passkey.", Description: "Verifies the authenticator's response and starts a session of its member.",
			Errors: []string{"code_invalid", "passkey_refused", "passkeys_unavailable"},
			Sample: s.sampleSession,
			Do:     s.signInWithPasskey,
		}.Operation(),
	}
}

var (
	errNoPasskeys     = codes.New("passkeys_unavailable")
	errPasskeyRefused = &problem.Error{Kind: problem.Unauthenticated, Code: "passkey_refused", Message: problem.Textf("This passkey isn't registered here."),
		Hint: problem.Textf("Try again, or sign in with your password.")}
)

// errPasskeySuspended is the error for signing in with a passkey that its member has not
// kept since their account was recovered.
var errPasskeySuspended = &problem.Error{Kind: problem.Unauthenticated, Code: "passkey_refused",
	Message: problem.Textf("This passkey is suspended because your password or email address was changed."),
	Hint:    problem.Programf("Sign in with your password, then keep the passkey at /account/passkeys.")}

// passkeyRefused returns passkey_refused with its cause, which is logged.
func passkeyRefused(err error) error {
	e := *errPasskeyRefused
	e.Cause = err
	return &e
}

// beginCeremony stores the state of a WebAuthn ceremony and returns its code and options.
func (s accountOps) beginCeremony(ctx context.Context, memberID string, data *webauthn.SessionData, options any) (*views.Ceremony, error) {
	encoded, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	code, err := s.Accounts.BeginCeremony(ctx, memberID, string(encoded))
	return views.NewCeremony(s.Site, code, options), err
}

// endCeremony returns the stored state of a ceremony, which can be used once.
func (s accountOps) endCeremony(ctx context.Context, code, memberID string) (data webauthn.SessionData, err error) {
	if s.Party == nil {
		return data, errNoPasskeys
	}
	encoded, err := s.Accounts.EndCeremony(ctx, code, memberID)
	if err != nil {
		return data, err
	}
	return data, json.Unmarshal([]byte(encoded), &data)
}

// beginPasskey starts the registration of a passkey. It requires the password, so that
// nobody with access to a signed-in browser can add one.
func (s accountOps) beginPasskey(ctx context.Context, in *ceremonyIn) (*views.Ceremony, error) {
	if s.Party == nil {
		return nil, errNoPasskeys
	}
	id := caller.Identity(ctx)
	if err := s.Accounts.CheckPassword(ctx, &id.Account, "password", in.Password, caller.Addr(ctx)); err != nil {
		return nil, err
	}
	user, err := s.passkeyUser(ctx, &id.Member)
	if err != nil {
		return nil, err
	}
	options, data, err := s.Party.BeginRegistration(user, webauthn.WithRegistrationRelyingPartyName(s.Site.Name()), webauthn.WithExclusions(webauthn.Credentials(user.credentials).CredentialDescriptors()))
	if err != nil {
		return nil, err
	}
	return s.beginCeremony(ctx, id.Member.ID, data, options.Response)
}

func (s accountOps) addPasskey(ctx context.Context, in *addPasskeyIn) (*views.Passkeys, error) {
	id := caller.Identity(ctx)
	data, err := s.endCeremony(ctx, in.Ceremony, id.Member.ID)
	if err != nil {
		return nil, err
	}
	response, err := protocol.ParseCredentialCreationResponseBytes([]byte(in.Credential))
	if err != nil {
		return nil, passkeyRefused(err)
	}
	credential, err := s.Party.CreateCredential(&passkeyUser{id: id.Member.ID, handle: id.Member.Handle, name: id.Member.Name}, data, response)
	if err != nil {
		return nil, passkeyRefused(err)
	}
	encoded, err := json.Marshal(credential)
	if err != nil {
		return nil, err
	}
	key := models.Passkey{KeyID: base64.RawURLEncoding.EncodeToString(credential.ID), Name: in.Name, Credential: string(encoded)}
	if err := s.Accounts.AddPasskey(ctx, &id.Account, &key); err != nil {
		return nil, err
	}
	if err := s.Mailer.Send(ctx, id.Account.Email, mailer.EmailPasskeyAdded, "", passkeysPage); err != nil {
		return nil, err
	}
	keys, err := s.Accounts.Passkeys(ctx, id.Member.ID)
	return views.NewPasskeys(s.Site, keys, true), err
}

// signInWithPasskey starts a session of the member a passkey belongs to. The passkey
// identifies the member, so no address is asked for or revealed.
func (s accountOps) signInWithPasskey(ctx context.Context, in *passkeySignInIn) (*views.SessionResult, error) {
	data, err := s.endCeremony(ctx, in.Ceremony, "")
	if err != nil {
		return nil, err
	}
	response, err := protocol.ParseCredentialRequestResponseBytes([]byte(in.Credential))
	if err != nil {
		return nil, passkeyRefused(err)
	}
	var account *models.Account
	var user *passkeyUser
	credential, err := s.Party.ValidateDiscoverableLogin(func(_, handle []byte) (webauthn.User, error) {
		member, err := s.Accounts.MemberByID(ctx, string(handle))
		if err != nil {
			return nil, err
		}
		if account, err = s.Accounts.Account(ctx, member.ID); err != nil {
			return nil, err
		}
		user, err = s.passkeyUser(ctx, member)
		return user, err
	}, data, response)
	if err == nil && credential.Authenticator.CloneWarning {
		err = errors.New("signature counter went back: the passkey may be cloned")
	}
	if err != nil {
		return nil, passkeyRefused(err)
	}
	if err := s.usePasskey(ctx, user, credential); err != nil {
		return nil, err
	}
	return s.startSession(ctx, account, in.Next)
}

// usePasskey records the use of a verified credential. It returns an error if its passkey
// is suspended.
func (s accountOps) usePasskey(ctx context.Context, user *passkeyUser, credential *webauthn.Credential) error {
	keyID := base64.RawURLEncoding.EncodeToString(credential.ID)
	i := slices.IndexFunc(user.keys, func(k models.Passkey) bool { return k.KeyID == keyID })
	if i < 0 {
		return errPasskeyRefused
	}
	if user.keys[i].Suspended {
		return errPasskeySuspended
	}
	encoded, err := json.Marshal(credential)
	if err != nil {
		return err
	}
	return s.Accounts.UsePasskey(ctx, user.keys[i].ID, string(encoded))
}
