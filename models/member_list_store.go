package models

import (
	"context"
	"strings"
)

// MemberFilter selects members by all fields that are set.
type MemberFilter struct {
	Text      string // part of a handle, a name or an email address, whatever the case of ASCII letters
	Suspended bool   // only suspended members
	Operators bool   // only operators
	After     string // only handles after this one
}

// MemberRow is a member as operators list them. Members who were imported or who deleted
// their account have none, and so no email address or role.
type MemberRow struct {
	Handle      string
	Name        string
	Region      Region
	Email       string // "" without an account
	Role        Role   // "" without an account
	JoinedAt    Time
	SuspendedAt Time // 0 if not suspended
	Demo        bool
}

// memberPage is how many members are read at a time.
const memberPage = 500

// EachMemberRow calls each for the members that a filter selects, in order of handle. It
// reads them in pages, so that a slow caller holds no connection.
func (s *Store) EachMemberRow(ctx context.Context, f MemberFilter, each func(*MemberRow) error) error {
	for {
		var page []MemberRow
		err := s.read.SelectContext(ctx, &page, `SELECT m.handle, m.name, m.region, COALESCE(a.email, '') AS email, COALESCE(a.role, '') AS role,
				m.joined_at, COALESCE(a.suspended_at, 0) AS suspended_at, m.demo
			FROM members m LEFT JOIN accounts a ON a.member_id = m.id
			WHERE m.handle > $1 AND (LOWER(m.handle) LIKE $2 ESCAPE '\' OR LOWER(m.name) LIKE $2 ESCAPE '\' OR LOWER(a.email) LIKE $2 ESCAPE '\')
				AND (NOT $3 OR a.suspended_at <> 0) AND (NOT $4 OR a.role = 'operator')
			ORDER BY m.handle LIMIT $5`, f.After, containing(lowerASCII(f.Text)), f.Suspended, f.Operators, memberPage)
		if err != nil {
			return err
		}
		for i := range page {
			if err := each(&page[i]); err != nil {
				return err
			}
		}
		if len(page) < memberPage {
			return nil
		}
		f.After = page[len(page)-1].Handle
	}
}

// containing returns the pattern of LIKE, with the escape character \, for texts that
// contain a text.
func containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}

// lowerASCII lowers ASCII letters only, as LOWER does with the columns of both engines.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}
