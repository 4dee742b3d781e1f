package handlers

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// newRelyingParty is the site as authenticators know it; nil where it has no name
// that a passkey could be for, such as a network address.
func newRelyingParty(site *views.Site) *webauthn.WebAuthn {
	base, err := url.Parse(site.BaseURL)
	if err != nil || base.Hostname() == "" {
		return nil
	}
	if _, err := netip.ParseAddr(base.Hostname()); err == nil {
		return nil
	}
	party, err := webauthn.New(&webauthn.Config{
		RPID: base.Hostname(), RPDisplayName: site.Name, RPOrigins: []string{site.BaseURL},
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

// keyHolder is a member as the library asks for one.
type keyHolder struct {
	id, handle, name string
	keys             []models.Passkey
	credentials      []webauthn.Credential
}

func (h *keyHolder) WebAuthnID() []byte                         { return []byte(h.id) }
func (h *keyHolder) WebAuthnName() string                       { return h.handle }
func (h *keyHolder) WebAuthnDisplayName() string                { return h.name }
func (h *keyHolder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

// holderOf is a member with their passkeys.
func (s *Server) holderOf(ctx context.Context, m *models.Member) (*keyHolder, error) {
	h := &keyHolder{id: m.ID, handle: m.Handle, name: m.Name}
	var err error
	if h.keys, err = s.store.Passkeys(ctx, m.ID); err != nil {
		return nil, err
	}
	h.credentials = make([]webauthn.Credential, len(h.keys))
	for i := range h.keys {
		if err := json.Unmarshal([]byte(h.keys[i].Credential), &h.credentials[i]); err != nil {
			return nil, err
		}
	}
	return h, nil
}

type ceremonyIn struct {
	Password string `json:"password" jsonschema:"the password of the account" format:"password"`
}

type credentialIn struct {
	Ceremony   string `json:"ceremony" jsonschema:"code of the ceremony, as its beginning told it" maxlength:"100"`
	Credential string `json:"credential" jsonschema:"what the authenticator answered, as JSON" maxlength:"20000"`
}

type addPasskeyIn struct {
	credentialIn
	Name string `json:"name" jsonschema:"what to call the passkey" maxlength:"60" example:"My telephone"`
}

type passkeySignInIn struct {
	credentialIn
	nextIn
}

type passkeyIDIn struct {
	ID string `json:"id" in:"path" jsonschema:"id of the passkey"`
}

// passkeyOperations let members sign in with a key instead of the password.
func (s *Server) passkeyOperations() []Operation {
	const page = "/account/passkeys"
	sample := func() *views.Passkeys { return views.NewPasskeys(&s.site, nil, true) }
	ceremony := func() *views.Ceremony { return views.NewCeremony(&s.site, "", nil) }
	return []Operation{
		Op[struct{}, *views.Passkeys]{
			Name: "list_passkeys", Page: page, Access: SignedIn,
			Tag: "Account", Title: "Passkeys", Summary: "The keys you sign in with instead of the password.", Description: "Shows the member's passkeys.",
			Sample: sample,
			Do: func(ctx context.Context, _ *struct{}) (*views.Passkeys, error) {
				keys, err := s.store.Passkeys(ctx, memberID(ctx))
				return views.NewPasskeys(&s.site, keys, s.party != nil), err
			},
		}.Operation(),
		Op[ceremonyIn, *views.Ceremony]{
			Name: "begin_passkey", Method: http.MethodPost, Page: page + "/begin", Access: SignedIn,
			Tag: "Account", Title: "Begin to add a passkey", Summary: "Asks for a passkey to be made.", Description: "Answers with what the browser gives to the authenticator.",
			Errors: []string{"invalid_parameter", "too_many_guesses", "passkeys_unavailable"},
			Sample: ceremony,
			Do:     s.beginPasskey,
		}.Operation(),
		Op[addPasskeyIn, *views.Passkeys]{
			Name: "add_passkey", Method: http.MethodPost, Page: page, Access: SignedIn,
			Tag: "Account", Title: "Add a passkey", Summary: "Keeps a passkey that was just made.", Description: "Takes the authenticator's answer and keeps the key.",
			Done:   "Your passkey is ready.",
			Errors: []string{"code_invalid", "passkey_refused", "too_many_passkeys", "passkeys_unavailable"},
			Sample: sample,
			Do:     s.addPasskey,
		}.Operation(),
		Op[passkeyIDIn, *views.Passkeys]{
			Name: "remove_passkey", Method: http.MethodPost, Page: page + "/{id}/remove", Access: SignedIn, Destructive: true,
			Tag: "Account", Title: "Remove a passkey", Summary: "Forgets a passkey.", Description: "Nobody signs in with the passkey any more.",
			Done:   "The passkey is removed.",
			Errors: []string{"passkey_not_found"},
			Sample: sample,
			Do: func(ctx context.Context, in *passkeyIDIn) (*views.Passkeys, error) {
				return views.NewPasskeys(&s.site, nil, true), s.store.RemovePasskey(ctx, memberID(ctx), in.ID)
			},
		}.Operation(),
		Op[struct{}, *views.Ceremony]{
			Name: "begin_passkey_sign_in", Method: http.MethodPost, Page: "/sign-in/passkey/begin",
			Tag: "Account", Title: "Begin to sign in with a passkey", Summary: "Asks for a passkey.", Description: "Answers with what the browser gives to the authenticator.",
			Errors: []string{"passkeys_unavailable"},
			Sample: ceremony,
			Do: func(ctx context.Context, _ *struct{}) (*views.Ceremony, error) {
				if s.party == nil {
					return nil, errNoPasskeys
				}
				options, data, err := s.party.BeginDiscoverableLogin()
				if err != nil {
					return nil, err
				}
				return s.beginCeremony(ctx, "", data, options.Response)
			},
		}.Operation(),
		Op[passkeySignInIn, *views.Passage]{
			Name: "sign_in_with_passkey", Method: http.MethodPost, Page: "/sign-in/passkey",
			Tag: "Account", Title: "Sign in with a passkey", Summary: "Signs a browser in with a passkey.", Description: "Takes the authenticator's answer and signs its member in.",
			Errors: []string{"code_invalid", "passkey_refused", "passkeys_unavailable"},
			Sample: s.samplePassage,
			Do:     s.signInWithPasskey,
		}.Operation(),
	}
}

var (
	errNoPasskeys     = fromCode("passkeys_unavailable")
	errPasskeyRefused = &models.Error{Kind: models.Unauthenticated, Code: "passkey_refused", Message: "The passkey is not one that is known here.",
		Hint: "Try again, or sign in with the password."}
)

// refusedKey is passkey_refused, with what the library says for the log.
func refusedKey(err error) error {
	e := *errPasskeyRefused
	e.Cause = err
	return &e
}

func (s *Server) beginCeremony(ctx context.Context, memberID string, data *webauthn.SessionData, options any) (*views.Ceremony, error) {
	kept, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	code, err := s.store.BeginCeremony(ctx, memberID, string(kept))
	return views.NewCeremony(&s.site, code, options), err
}

func (s *Server) endCeremony(ctx context.Context, code, memberID string) (data webauthn.SessionData, err error) {
	if s.party == nil {
		return data, errNoPasskeys
	}
	kept, err := s.store.EndCeremony(ctx, code, memberID)
	if err != nil {
		return data, err
	}
	return data, json.Unmarshal([]byte(kept), &data)
}

// beginPasskey asks for the password first: who finds a browser signed in must not
// make themselves a key.
func (s *Server) beginPasskey(ctx context.Context, in *ceremonyIn) (*views.Ceremony, error) {
	if s.party == nil {
		return nil, errNoPasskeys
	}
	id := callerOf(ctx).Identity
	if err := s.store.CheckPassword(ctx, id.Member.ID, "password", in.Password); err != nil {
		return nil, err
	}
	holder, err := s.holderOf(ctx, &id.Member)
	if err != nil {
		return nil, err
	}
	options, data, err := s.party.BeginRegistration(holder, webauthn.WithExclusions(webauthn.Credentials(holder.credentials).CredentialDescriptors()))
	if err != nil {
		return nil, err
	}
	return s.beginCeremony(ctx, id.Member.ID, data, options.Response)
}

func (s *Server) addPasskey(ctx context.Context, in *addPasskeyIn) (*views.Passkeys, error) {
	id := callerOf(ctx).Identity
	data, err := s.endCeremony(ctx, in.Ceremony, id.Member.ID)
	if err != nil {
		return nil, err
	}
	answer, err := protocol.ParseCredentialCreationResponseBytes([]byte(in.Credential))
	if err != nil {
		return nil, refusedKey(err)
	}
	credential, err := s.party.CreateCredential(&keyHolder{id: id.Member.ID, handle: id.Member.Handle, name: id.Member.Name}, data, answer)
	if err != nil {
		return nil, refusedKey(err)
	}
	kept, err := json.Marshal(credential)
	if err != nil {
		return nil, err
	}
	key := models.Passkey{MemberID: id.Member.ID, KeyID: base64.RawURLEncoding.EncodeToString(credential.ID), Name: in.Name, Credential: string(kept)}
	if err := s.store.AddPasskey(ctx, &key); err != nil {
		return nil, err
	}
	if err := s.post(ctx, id.Account.Email, letterPasskeyAdded, id.Member.Handle, "/account/passkeys"); err != nil {
		return nil, err
	}
	keys, err := s.store.Passkeys(ctx, id.Member.ID)
	return views.NewPasskeys(&s.site, keys, true), err
}

// signInWithPasskey lets the holder of a key in. Which member it is the key says:
// nobody asks for an address, and nobody learns of one.
func (s *Server) signInWithPasskey(ctx context.Context, in *passkeySignInIn) (*views.Passage, error) {
	data, err := s.endCeremony(ctx, in.Ceremony, "")
	if err != nil {
		return nil, err
	}
	answer, err := protocol.ParseCredentialRequestResponseBytes([]byte(in.Credential))
	if err != nil {
		return nil, refusedKey(err)
	}
	var holder *keyHolder
	credential, err := s.party.ValidateDiscoverableLogin(func(_, handle []byte) (webauthn.User, error) {
		member, err := s.store.MemberByID(ctx, string(handle))
		if err != nil {
			return nil, err
		}
		holder, err = s.holderOf(ctx, member)
		return holder, err
	}, data, answer)
	if err == nil && credential.Authenticator.CloneWarning {
		err = errors.New("the key's counter went back: there are two of it")
	}
	if err != nil {
		return nil, refusedKey(err)
	}
	kept, err := json.Marshal(credential)
	if err != nil {
		return nil, err
	}
	keyID := base64.RawURLEncoding.EncodeToString(credential.ID)
	for _, key := range holder.keys {
		if key.KeyID == keyID {
			if err := s.store.UsePasskey(ctx, key.ID, string(kept)); err != nil {
				return nil, err
			}
		}
	}
	return s.enter(ctx, holder.id, in.Next)
}
