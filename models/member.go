package models

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Member is somebody with an account; seen from a listing, the seller.
type Member struct {
	ID       string // UUIDv7
	Handle   string // in addresses: lower case letters, digits and hyphens
	Name     string // display name
	Region   Region
	Bio      string // plain text, at most 2,000 characters
	JoinedAt Time
	Demo     bool // made by the demonstration data
}

// Bounds of what members say of themselves, in characters.
const (
	MaxName = 60
	MaxBio  = 2000
)

// check normalises what a member says of themselves, and is what is wrong with it.
func (m *Member) check() (fields []FieldError) {
	refuse := func(field, message string) {
		fields = append(fields, FieldError{field, "invalid_value", message})
	}
	if m.Name = strings.Join(strings.Fields(m.Name), " "); m.Name == "" {
		refuse("name", "A name is needed.")
	} else if !storable(m.Name) || utf8.RuneCountInString(m.Name) > MaxName {
		refuse("name", "A name is text of at most 60 characters.")
	}
	if m.Region = Region(strings.ToUpper(string(m.Region))); m.Region != "" && !m.Region.Valid() {
		refuse("region", fmt.Sprintf("%q is not an ISO 3166 code such as DE or US-CA.", m.Region))
	}
	m.Bio = strings.TrimSpace(strings.ReplaceAll(m.Bio, "\r\n", "\n"))
	if !storable(m.Bio) || utf8.RuneCountInString(m.Bio) > MaxBio {
		refuse("bio", "What you say of yourself is text of at most 2,000 characters.")
	}
	return fields
}
