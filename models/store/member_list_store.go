package store

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// MemberFilter selects members by all fields that are set.
type MemberFilter struct {
	Text      string      // part of a handle, a name or an email address, whatever the case of ASCII letters
	Suspended bool        // only suspended members
	Role      models.Role // only members with the role; "" for any
	After     string      // only handles after this one
}

// memberPage is how many members are read at a time.
const memberPage = 500

// EachMemberRow calls each for the members that a filter selects, in order of handle. It
// reads them in pages, so that a slow caller holds no connection.
func (s *Accounts) EachMemberRow(ctx context.Context, f MemberFilter, each func(*models.MemberRow) error) error {
	for {
		page, err := s.MemberRows(ctx, f, memberPage)
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

// MemberRows returns up to limit members that a filter selects, in order of handle.
func (s *Accounts) MemberRows(ctx context.Context, f MemberFilter, limit int) (rows []models.MemberRow, err error) {
	if !models.Storable(f.Text) || !models.Storable(f.After) {
		return nil, nil
	}
	err = s.read.SelectContext(ctx, &rows, `SELECT m.id, m.handle, m.name, m.region, COALESCE(a.email, '') AS email, COALESCE(a.role, '') AS role,
			m.joined_at, COALESCE(a.suspended_at, 0) AS suspended_at, m.demo
		FROM members m LEFT JOIN accounts a ON a.member_id = m.id
		WHERE m.handle > $1 AND (LOWER(m.handle) LIKE $2 ESCAPE '\' OR LOWER(m.name) LIKE $2 ESCAPE '\' OR LOWER(a.email) LIKE $2 ESCAPE '\')
			AND (NOT $3 OR a.suspended_at <> 0) AND ($4 = '' OR a.role = $4)
		ORDER BY m.handle LIMIT $5`, f.After, containing(lowerASCII(f.Text)), f.Suspended, f.Role, limit)
	return rows, err
}

// MemberTrades counts what members have for sale and have sold, by id.
func (s *Accounts) MemberTrades(ctx context.Context, ids []string) (map[string]models.MemberTrade, error) {
	trades := make(map[string]models.MemberTrade, len(ids))
	if len(ids) == 0 {
		return trades, nil
	}
	in := ` IN (` + parameters(1, len(ids)) + `) `
	var counts []struct {
		ID            string
		ForSale, Sold int
	}
	err := s.read.SelectContext(ctx, &counts, `SELECT id, SUM(for_sale) AS for_sale, SUM(sold) AS sold FROM (
			SELECT seller_id AS id, COUNT(*) AS for_sale, 0 AS sold FROM listings WHERE seller_id`+in+`AND status IN ('active', 'reserved') GROUP BY seller_id
			UNION ALL SELECT seller_id, 0, COUNT(*) FROM sales WHERE seller_id`+in+`AND voided_at = 0 GROUP BY seller_id) AS trades GROUP BY id`, toAny(ids)...)
	for _, c := range counts {
		trades[c.ID] = models.MemberTrade{ForSale: c.ForSale, Sold: c.Sold}
	}
	return trades, err
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
