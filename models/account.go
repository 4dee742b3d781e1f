package models

import (
	"cmp"
	"net/mail"
	"regexp"
	"strings"
)

// Account is the private side of a member: how they sign in and what they may
// do. Nothing of it is shown to anybody else.
type Account struct {
	MemberID    string
	Email       string // unique, as ParseEmail writes it
	Role        Role
	CreatedAt   Time
	SuspendedAt Time // 0 while in good standing

	password string // its hash
}

// Suspended reports whether the operator has taken the account's rights away.
func (a *Account) Suspended() bool { return a.SuspendedAt != 0 }

// Role is what an account may do beyond its own affairs.
type Role string

// The roles.
const (
	RoleMember   Role = "member"
	RoleOperator Role = "operator" // sees reports, hides and restores, suspends
)

// Registration is what somebody gives to become a member.
type Registration struct {
	Handle   string // in addresses; see ParseHandle
	Name     string // display name; the handle when empty
	Region   Region // where their gear is; "" when not told
	Email    string
	Password string
}

// check normalises the registration and tells everything that is wrong with it at once.
func (r *Registration) check() error {
	var fields []FieldError
	refuse := func(field, message string) {
		fields = append(fields, FieldError{field, "invalid_value", message})
	}
	var ok bool
	if r.Handle, ok = ParseHandle(r.Handle); !ok {
		refuse("handle", "A handle is 3 to 30 letters, digits and single hyphens, such as jane-doe.")
	}
	if r.Email, ok = ParseEmail(r.Email); !ok {
		refuse("email", "That is no e-mail address; write it as name@example.org.")
	}
	m := Member{Name: cmp.Or(strings.TrimSpace(r.Name), r.Handle, "-"), Region: r.Region}
	fields = append(fields, m.check()...)
	r.Name, r.Region = m.Name, m.Region
	if bad := checkPassword(r.Password, r.Handle, r.Email); bad != nil {
		fields = append(fields, *bad)
	}
	return invalidFields(fields)
}

// invalidFields is the error about fields that cannot be taken as they are, or nil.
func invalidFields(fields []FieldError) error {
	if len(fields) == 0 {
		return nil
	}
	return &Error{Kind: Invalid, Code: "invalid_parameter", Message: fields[0].Message,
		Hint: "Correct " + fieldNames(fields) + " and send it again.", Fields: fields}
}

func fieldNames(fields []FieldError) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Field
	}
	return strings.Join(names, ", ")
}

var handleForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ParseHandle reads a handle, 3 to 30 letters, digits and single hyphens, and
// folds it to lower case.
func ParseHandle(s string) (handle string, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	return s, len(s) >= 3 && len(s) <= 30 && handleForm.MatchString(s) && !strings.HasPrefix(s, formerPrefix)
}

// formerPrefix begins the handles of members who left; nobody may choose one.
const formerPrefix = "former-"

// ParseEmail reads the address of a mailbox, without a name beside it, and folds
// it to lower case: nobody runs two mailboxes that differ in nothing else.
func ParseEmail(s string) (email string, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	a, err := mail.ParseAddress(s)
	return s, err == nil && a.Address == s && len(s) <= 254 && storable(s) && !strings.ContainsAny(s, "\r\n\"")
}
