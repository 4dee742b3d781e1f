package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const memberColumns = `id, handle, name, region, bio, postage, joined_at, demo, seller_kind`

// InsertMembers inserts members in one transaction and sets ID and JoinedAt if
// they are zero. If a handle is taken it returns a Conflict error,
// handle_taken, and inserts nothing.
func (s *Accounts) InsertMembers(ctx context.Context, members []models.Member) error {
	for i := range members {
		m := &members[i]
		if m.ID == "" {
			m.ID = s.newID()
		}
		if m.JoinedAt == 0 {
			m.JoinedAt = s.now()
		}
	}
	return s.update(ctx, func(t *tx) error { return insertMembers(ctx, t, members) })
}

func insertMembers(ctx context.Context, t *tx, members []models.Member) error {
	var added int
	row := func(i int) []any {
		m := &members[i]
		t.sellerUpdated(m.ID)
		return []any{m.ID, m.Handle, m.Name, m.Region, m.Bio, m.Postage, m.JoinedAt, m.Demo, m.SellerKind}
	}
	err := t.insertReturning(ctx, `members (`+memberColumns+`)`, `ON CONFLICT (handle) DO NOTHING RETURNING id`, len(members), row,
		func(*sqlx.Rows) error { added++; return nil })
	if err == nil && added < len(members) {
		return errHandleTaken
	}
	return err
}

var errHandleTaken = &problem.Error{Kind: problem.Conflict, Code: "handle_taken",
	Message: problem.Textf("This username is taken."), Hint: problem.Textf("Choose another username.")}

// Member returns the member with a handle. If there is none it returns a
// NotFound error, member_not_found.
func (s *Accounts) Member(ctx context.Context, handle string) (*models.Member, error) {
	return memberBy(ctx, s.read, "handle", handle)
}

// MemberByID returns the member with an id. If there is none it returns a
// NotFound error, member_not_found.
func (s *Accounts) MemberByID(ctx context.Context, id string) (*models.Member, error) {
	return memberBy(ctx, s.read, "id", id)
}

func memberBy(ctx context.Context, db sqlx.QueryerContext, column, value string) (*models.Member, error) {
	if !models.Storable(value) {
		return nil, memberNotFound(column, value)
	}
	var m models.Member
	err := sqlx.GetContext(ctx, db, &m, `SELECT `+memberColumns+` FROM members WHERE `+column+` = $1`, value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, memberNotFound(column, value)
	}
	return &m, err
}

func memberNotFound(what, value string) *problem.Error {
	return &problem.Error{Kind: problem.NotFound, Code: "member_not_found",
		Message: problem.Textf("There's no member with the %s %q.", what, value),
		Hint:    problem.Programf("Handles are in the seller field of listings. Search with GET /api/listings/search?keyword=…")}
}

// EditMember updates a member's profile.
func (s *Accounts) EditMember(ctx context.Context, id, name string, region models.Region, bio string) error {
	m := models.Member{Name: name, Region: region, Bio: bio}
	if err := models.InvalidFields(m.Check()); err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE members SET name = $2, region = $3, bio = $4 WHERE id = $1`, id, m.Name, m.Region, m.Bio)
		if err == nil && n == 0 {
			return memberNotFound("id", id)
		}
		t.sellerUpdated(id)
		return err
	})
}

// SetPostage sets what a member charges for shipping, unless a listing says otherwise.
func (s *Accounts) SetPostage(ctx context.Context, memberID string, p models.Postage) error {
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE members SET postage = $2 WHERE id = $1`, memberID, p)
		if err == nil && n == 0 {
			return memberNotFound("id", memberID)
		}
		t.sellerUpdated(memberID)
		return err
	})
}

// MembersByID returns members by id. Unknown ids are omitted.
func (s *Accounts) MembersByID(ctx context.Context, ids []string) (map[string]*models.Member, error) {
	members, err := selectIn[models.Member](ctx, s.read, `SELECT `+memberColumns+` FROM members WHERE id IN (%s)`, ids)
	return byKey(members, func(m *models.Member) string { return m.ID }), err
}

// MemberIDs returns the ids of members by handle. Unknown handles are omitted.
func (s *Accounts) MemberIDs(ctx context.Context, handles []string) (map[string]string, error) {
	ids := make(map[string]string, len(handles))
	handles = models.KeepStorable(handles)
	for part := range chunks(handles) {
		rows, err := s.read.QueryxContext(ctx, `SELECT handle, id FROM members WHERE handle IN (`+parameters(1, len(part))+`)`, toAny(part)...)
		if err != nil {
			return nil, err
		}
		err = eachRow(rows, func(r *sqlx.Rows) error {
			var handle, id string
			err := r.Scan(&handle, &id)
			ids[handle] = id
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// EachSeller calls each for every member with a listing for sale, in order of id.
func (s *Accounts) EachSeller(ctx context.Context, each func(*models.Member) error) error {
	rows, err := s.scan.QueryxContext(ctx, `SELECT `+memberColumns+` FROM members WHERE id IN (SELECT seller_id FROM listings WHERE status = 'active') ORDER BY id`)
	if err != nil {
		return err
	}
	return eachRow(rows, func(r *sqlx.Rows) error {
		var m models.Member
		if err := r.StructScan(&m); err != nil {
			return err
		}
		return each(&m)
	})
}

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
		WHERE m.handle > $1 AND (m.id = $6 OR LOWER(m.handle) LIKE $2 ESCAPE '\' OR LOWER(m.name) LIKE $2 ESCAPE '\' OR LOWER(a.email) LIKE $2 ESCAPE '\')
			AND (NOT $3 OR a.suspended_at <> 0) AND ($4 = '' OR a.role = $4)
		ORDER BY m.handle LIMIT $5`, f.After, containing(lowerASCII(f.Text)), f.Suspended, f.Role, limit, f.Text)
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
