package models

import (
	"fmt"
	"slices"
	"strings"
)

// Token lets a program act for a member, within its scopes.
type Token struct {
	ID        string // UUIDv7
	MemberID  string
	Name      string // what it is for, as the member calls it
	Scopes    Scopes
	CreatedAt Time
	ExpiresAt Time // 0 for never
	UsedAt    Time // last use, to the hour; 0 for never
	RevokedAt Time // 0 while it is good
}

// Scope is one thing a token may do.
type Scope string

// The scopes.
const (
	ListingsWrite Scope = "listings:write"
	OffersWrite   Scope = "offers:write"
	MessagesWrite Scope = "messages:write"
	AccountRead   Scope = "account:read"
)

// Scopes is what a token may do.
type Scopes []Scope

// AllScopes is every scope, in the order they are shown in.
var AllScopes = Scopes{ListingsWrite, OffersWrite, MessagesWrite, AccountRead}

// Has reports whether a scope is among them.
func (s Scopes) Has(scope Scope) bool { return slices.Contains(s, scope) }

// String writes the scopes as they are kept: separated by spaces, as OAuth does.
func (s Scopes) String() string {
	words := make([]string, len(s))
	for i, scope := range s {
		words[i] = string(scope)
	}
	return strings.Join(words, " ")
}

// ParseScopes reads scopes separated by commas or spaces. An unknown one, or
// none, is Invalid and names those there are.
func ParseScopes(text string) (Scopes, error) {
	var scopes Scopes
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		scope := Scope(word)
		if !AllScopes.Has(scope) {
			return nil, invalidFields([]FieldError{{"scopes", "invalid_value",
				fmt.Sprintf("There is no scope %q; there is %s.", word, strings.Join(strings.Fields(AllScopes.String()), ", "))}})
		}
		if !scopes.Has(scope) {
			scopes = append(scopes, scope)
		}
	}
	if len(scopes) == 0 {
		return nil, invalidFields([]FieldError{{"scopes", "missing_parameter", "A token needs at least one scope; there is " + strings.ReplaceAll(AllScopes.String(), " ", ", ") + "."}})
	}
	return scopes, nil
}
