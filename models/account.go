package models

import (
	"cmp"
	"net/mail"
	"regexp"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models/problem"
)

// Account is the private part of a member: how they sign in and what they may
// do. It is never shown to other members.
type Account struct {
	MemberID    string
	Email       string // unique, normalised by ParseEmail
	Role        Role
	Language    string // that they have chosen, a BCP 47 tag; "" for none
	CreatedAt   Time
	SuspendedAt Time // 0 if not suspended

	Password   string `json:"-"` // argon2id hash; "" if a new one has to be set
	Generation int64  `json:"-"` // increases when all credentials end
}

// Suspended reports whether an operator has suspended the account.
func (a *Account) Suspended() bool { return a.SuspendedAt != 0 }

// Role determines what an account may do beside trading.
type Role string

// The roles.
const (
	RoleMember    Role = "member"
	RoleModerator Role = "moderator" // handles reports, removes and restores listings, suspends members
	RoleEditor    Role = "editor"    // changes what the site says and looks like
	RoleOperator  Role = "operator"  // does both, and administers members
)

// Roles lists the roles, the least powerful first.
var Roles = []Role{RoleMember, RoleModerator, RoleEditor, RoleOperator}

// staffScopes are the scopes that only some roles have.
var staffScopes = map[Role]Scopes{
	RoleModerator: {Moderation},
	RoleEditor:    {SiteWrite},
	RoleOperator:  {Moderation, SiteWrite, Admin},
}

// StaffScopes returns the scopes that the role has and members don't.
func (r Role) StaffScopes() Scopes { return staffScopes[r] }

// May reports whether the role has a scope.
func (r Role) May(scope Scope) bool {
	return !staffScopes[RoleOperator].Has(scope) || staffScopes[r].Has(scope)
}

// Scopes returns the scopes that the role has, in display order.
func (r Role) Scopes() Scopes {
	return slices.DeleteFunc(slices.Clone(AllScopes), func(s Scope) bool { return !r.May(s) })
}

// CheckScopes returns an Invalid error unless the role has all of scopes.
func (r Role) CheckScopes(scopes Scopes) error {
	for _, scope := range scopes {
		if !r.May(scope) {
			return InvalidField("scopes", "invalid_value", "The role %s doesn't have the scope %s. Use any of %s.", r, scope, Joined(r.Scopes()))
		}
	}
	return nil
}

// Registration is the input of CreateAccount and SignUp.
type Registration struct {
	Handle   string // see ParseHandle
	Name     string // display name; defaults to the handle
	Region   Region // where their gear is; optional
	Email    string
	Password string
	Language string // that they read, a BCP 47 tag; optional
	Next     string // path to return to once the address is confirmed; optional
	Device   string // secret of the browser, which then confirms the address without the password; optional
}

// Check normalises the registration and returns an Invalid error that lists all
// invalid fields.
func (r *Registration) Check() error {
	var fields []problem.FieldError
	refuse := func(field string, format problem.Format, args ...any) {
		fields = append(fields, problem.FieldError{Field: field, Code: "invalid_value", Message: problem.Textf(format, args...)})
	}
	var ok bool
	if r.Handle, ok = ParseHandle(r.Handle); !ok {
		refuse("handle", "Use 3 to 30 letters, digits and single hyphens, such as jane-doe.")
	}
	if r.Email, ok = ParseEmail(r.Email); !ok {
		refuse("email", "Enter an email address such as name@example.org.")
	}
	m := Member{Name: cmp.Or(strings.TrimSpace(r.Name), r.Handle, "-"), Region: r.Region}
	fields = append(fields, m.Check()...)
	r.Name, r.Region = m.Name, m.Region
	if bad := CheckPassword(r.Password, r.Handle, r.Email); bad != nil {
		fields = append(fields, *bad)
	}
	return InvalidFields(fields)
}

// InvalidField returns the error for a single invalid field.
func InvalidField(field, code string, format problem.Format, args ...any) error {
	return InvalidFields([]problem.FieldError{{Field: field, Code: code, Message: problem.Textf(format, args...)}})
}

// InvalidFields returns an Invalid error for the given field errors, or nil if
// there are none.
func InvalidFields(fields []problem.FieldError) error {
	if len(fields) == 0 {
		return nil
	}
	return &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: fields[0].Message, Fields: fields}
}

var handleForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ParseHandle normalises a handle to lower case and reports whether it is
// valid: 3 to 30 letters, digits and single hyphens. The prefix of former
// members' handles is reserved.
func ParseHandle(s string) (handle string, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	return s, len(s) >= 3 && len(s) <= 30 && handleForm.MatchString(s) && !strings.HasPrefix(s, FormerPrefix)
}

// FormerPrefix starts the handles of members who deleted their account.
const FormerPrefix = "former-"

// ParseEmail normalises an email address to lower case and reports whether it
// is valid. An address with a display name is not.
func ParseEmail(s string) (email string, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	a, err := mail.ParseAddress(s)
	return s, err == nil && a.Address == s && len(s) <= 254 && Storable(s) && !strings.ContainsAny(s, "\r\n\"")
}

// Passkey is a WebAuthn credential of a member.
type Passkey struct {
	ID         string // UUIDv7
	MemberID   string
	KeyID      string // credential id, base64url
	Name       string // chosen by the member
	Credential string // data needed to verify it, as JSON
	CreatedAt  Time
	UsedAt     Time // last use; 0 for never
	Suspended  bool // by a recovery: can't be used to sign in until it is kept
}

// PersonalDataTable holds the rows of a database table that concern a member.
type PersonalDataTable struct {
	Name    string // "offer_rounds"
	Text    string // description
	Columns []string
	Rows    [][]any // values are of type string, int64, bool, Time or Cents
}
