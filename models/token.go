package models

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Token is an API token: it lets a program act for a member within its scopes.
type Token struct {
	ID        string // UUIDv7
	MemberID  string
	ParentID  string // token that created it and that it ends with, or ""
	Name      string // chosen by the member
	Scopes    Scopes
	CreatedAt Time
	ExpiresAt Time // 0 for never
	UsedAt    Time // last use, within an hour; 0 for never
}

// Scope is a permission of a token.
type Scope string

// The scopes.
const (
	ListingsWrite Scope = "listings:write"
	OffersWrite   Scope = "offers:write"
	MessagesWrite Scope = "messages:write"
	WatchWrite    Scope = "watch:write"
	AccountRead   Scope = "account:read"
	TokensWrite   Scope = "tokens:write"
	Moderation    Scope = "moderation" // only of members whose role has it, like those below
	SiteWrite     Scope = "site"
	Admin         Scope = "admin"
)

// Scopes are the permissions of a token.
type Scopes []Scope

// AllScopes lists all scopes in display order.
var AllScopes = Scopes{ListingsWrite, OffersWrite, MessagesWrite, WatchWrite, AccountRead, TokensWrite, Moderation, SiteWrite, Admin}

// Has reports whether s contains scope.
func (s Scopes) Has(scope Scope) bool { return slices.Contains(s, scope) }

// String returns the scopes separated by spaces, as in OAuth.
func (s Scopes) String() string {
	words := make([]string, len(s))
	for i, scope := range s {
		words[i] = string(scope)
	}
	return strings.Join(words, " ")
}

// ParseScopes parses scopes separated by commas or spaces. For an unknown
// scope, or none, it returns an Invalid error that lists the valid ones.
func ParseScopes(text string) (Scopes, error) {
	var scopes Scopes
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		scope := Scope(word)
		if !AllScopes.Has(scope) {
			return nil, InvalidField("scopes", "invalid_value",
				"Unknown scope %q. Use any of %s.", word, strings.Join(strings.Fields(AllScopes.String()), ", "))
		}
		if !scopes.Has(scope) {
			scopes = append(scopes, scope)
		}
	}
	if len(scopes) == 0 {
		return nil, InvalidField("scopes", "missing_parameter", "A token needs at least one scope. Use any of %s.", strings.ReplaceAll(AllScopes.String(), " ", ", "))
	}
	return scopes, nil
}

// Check normalises the name of a new token and returns an Invalid error if a field
// is invalid.
func (t *Token) Check() error {
	t.Name = strings.TrimSpace(t.Name)
	if n := utf8.RuneCountInString(t.Name); n == 0 || n > 60 || !Storable(t.Name) {
		return InvalidField("name", "invalid_value", "Enter a name of 1 to 60 characters that says what the token is for.")
	}
	if _, err := ParseScopes(t.Scopes.String()); err != nil {
		return err
	}
	if t.ExpiresAt != 0 && t.ExpiresAt <= t.CreatedAt {
		return InvalidField("expires_at", "invalid_value", "The expiry must be in the future.")
	}
	return nil
}

// Identity is the authenticated sender of a request.
type Identity struct {
	Member  Member
	Account Account
	Scopes  Scopes // of the token; all scopes for a session
	Session bool   // authenticated by a session rather than a token
	TokenID string // "" for a session

	Audience string // resource that the token is for; "" for every one
}

// OpenSession describes a session for the member's list.
type OpenSession struct {
	Client    string // user agent
	CreatedAt Time
	SeenAt    Time // last use, within an hour
}

// Device identifies the device of a session among those of a member: by its user agent, which a
// form can't contain.
func (s *OpenSession) Device() string { return SecretHash(s.Client)[:16] }
