package models

import (
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/problem"
)

// Member is the public profile of a member.
type Member struct {
	ID       string // UUIDv7
	Handle   string // in URLs: lower-case letters, digits and hyphens
	Name     string // display name
	Region   Region
	Bio      string  // plain text, at most 2,000 characters
	Postage  Postage // of listings that have none of their own
	JoinedAt Time
	Demo     bool // part of the demonstration data

	SellerKind SellerKind
}

// SellerKind tells whether somebody sells as a dealer, "" if it is not known. Dealers usually get more.
type SellerKind string

// The kinds of sellers.
const (
	Dealer        SellerKind = "dealer"
	PrivateSeller SellerKind = "private"
)

// SellerKinds lists the kinds of sellers.
var SellerKinds = []SellerKind{Dealer, PrivateSeller}

// Limits of the profile, in characters.
const (
	MaxName = 60
	MaxBio  = 2000
)

// Check normalises the profile and returns its invalid fields.
func (m *Member) Check() (fields []problem.FieldError) {
	refuse := func(field string, format problem.Format, args ...any) {
		fields = append(fields, problem.FieldError{Field: field, Code: "invalid_value", Message: problem.Textf(format, args...)})
	}
	if m.Name = strings.Join(strings.Fields(m.Name), " "); m.Name == "" {
		refuse("name", "Enter a name.")
	} else if !Storable(m.Name) || utf8.RuneCountInString(m.Name) > MaxName {
		refuse("name", "Use at most 60 characters.")
	}
	if m.Region = Region(strings.ToUpper(string(m.Region))); m.Region != "" && !m.Region.Valid() {
		refuse("region", "%q isn't a region. Use an ISO 3166 code such as DE or US-CA.", m.Region)
	}
	m.Bio = strings.TrimSpace(strings.ReplaceAll(m.Bio, "\r\n", "\n"))
	if !Storable(m.Bio) || utf8.RuneCountInString(m.Bio) > MaxBio {
		refuse("bio", "Use at most 2,000 characters.")
	}
	return fields
}

// MemberRow is a member as operators list them. Members who were imported or who deleted
// their account have none, and so no email address or role.
type MemberRow struct {
	ID          string
	Handle      string
	Name        string
	Region      Region
	Email       string // "" without an account
	Role        Role   // "" without an account
	JoinedAt    Time
	SuspendedAt Time // 0 if not suspended
	Demo        bool
}

// MemberTrade counts what a member has for sale and has sold here.
type MemberTrade struct {
	ForSale, Sold int
}
