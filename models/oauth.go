package models

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Lifetimes of grants, codes and tokens of OAuth clients.
const (
	GrantLifetime       = 90 * 24 * time.Hour
	AccessTokenLifetime = time.Hour
	OAuthCodeLifetime   = time.Minute
)

// GrantableScopes are the scopes that OAuth clients may have: all but TokensWrite,
// because a token that a client creates would outlive its grant.
var GrantableScopes = slices.DeleteFunc(slices.Clone(AllScopes), func(s Scope) bool { return s == TokensWrite })

// DefaultScopes are the scopes of a client that asks for none: what every member may
// grant.
var DefaultScopes = slices.DeleteFunc(RoleMember.Scopes(), func(s Scope) bool { return s == TokensWrite })

// OAuthError is an error of a token request, as RFC 6749 section 5.2 defines it.
type OAuthError struct {
	Code        string // "invalid_grant"
	Description string
}

// Error implements error.
func (e *OAuthError) Error() string { return e.Code + ": " + e.Description }

// OAuthClient is a program that asks members to act for them.
type OAuthClient struct {
	ID           string // URL of its metadata document, or the id it was registered with
	Name         string
	RedirectURIs []string
	CreatedAt    Time
}

// Redirects reports whether the client may redirect to an address: to one of its
// redirect URIs exactly, except that the port of a loopback address may be any, since
// programs listen on one that is free (RFC 8252 section 7.3).
func (c *OAuthClient) Redirects(address string) bool {
	return slices.ContainsFunc(c.RedirectURIs, func(registered string) bool {
		return registered == address || isLoopbackURI(registered) && withoutPort(registered) == withoutPort(address)
	})
}

// privateSchemes are the URI schemes of editors that came before RFC 8252, which
// requires a dot in them.
var privateSchemes = []string{"cursor", "vscode", "vscode-insiders", "windsurf"}

// maxRedirectURI is the maximum length of a redirect URI in bytes.
const maxRedirectURI = 500

// ValidRedirectURI reports whether a client may have a redirect URI: an https address,
// an http address of the member's own machine, or one of a scheme that belongs to a
// program.
func ValidRedirectURI(address string) bool {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxRedirectURI || u.User != nil || u.Opaque != "" || strings.Contains(address, "#") || !uriText(address) {
		return false
	}
	switch u.Scheme {
	case "https":
		return u.Hostname() != ""
	case "http":
		return isLoopbackURI(address)
	}
	return strings.Contains(u.Scheme, ".") || slices.Contains(privateSchemes, u.Scheme)
}

// uriText reports whether text has only characters that a URI may contain.
func uriText(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r) })
}

// isLoopbackURI reports whether a URI is an http address of the member's own machine.
func isLoopbackURI(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// withoutPort returns a URI without its port, or "" if it is invalid.
func withoutPort(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return ""
	}
	return strings.Replace(address, "://"+u.Host, "://"+strings.TrimSuffix(u.Host, ":"+u.Port()), 1)
}

// ValidChallenge reports whether text is a PKCE code challenge of the method S256.
func ValidChallenge(text string) bool {
	sum, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return err == nil && len(sum) == sha256.Size
}

// Verifies reports whether a PKCE code verifier is the one of a challenge (RFC 7636).
func Verifies(verifier, challenge string) bool {
	if len(verifier) < 43 || len(verifier) > 128 {
		return false
	}
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(challenge)) == 1
}

// Grant is what a member allowed a client to do.
type Grant struct {
	ID          string // UUIDv7
	MemberID    string
	ClientID    string
	ClientName  string
	RedirectURI string
	Scopes      Scopes
	Resource    string // audience of its tokens
	Challenge   string // PKCE code challenge, S256
	CreatedAt   Time
	UsedAt      Time // when the client last got a token
	ExpiresAt   Time
}

// TokenRequest is the request of a client for tokens.
type TokenRequest struct {
	Secret      string // authorization code or refresh token
	ClientID    string
	RedirectURI string // "" if not sent
	Verifier    string // of a code
	Resource    string // "" if not sent
	Scopes      Scopes // of a refresh; nil for those of the grant
}

// GrantTokens are the tokens that a client gets.
type GrantTokens struct {
	Access, Refresh string
	Scopes          Scopes // of the access token
	Lifetime        time.Duration
}
