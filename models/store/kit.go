package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const kitColumns = `id, member_id, gear, name, condition, bought_on, paid_price, serial, insured, note, public, alert, told_price, created_at, updated_at, version`

// Kit returns the items of a member, the oldest first.
func (s *Watches) Kit(ctx context.Context, memberID string) (items []models.KitItem, err error) {
	err = s.read.SelectContext(ctx, &items, `SELECT `+kitColumns+` FROM kit_items WHERE member_id = $1 ORDER BY id`, memberID)
	return items, err
}

// PublicKit returns the public items of the operators, the oldest first.
func (s *Watches) PublicKit(ctx context.Context) (items []models.KitItem, err error) {
	err = s.read.SelectContext(ctx, &items, `SELECT `+kitColumns+` FROM kit_items
		WHERE public AND member_id IN (SELECT member_id FROM accounts WHERE role = $1) ORDER BY id`, models.RoleOperator)
	return items, err
}

// KitItem returns an item of a member. If there is none it returns a NotFound error,
// kit_item_not_found.
func (s *Watches) KitItem(ctx context.Context, id, memberID string) (*models.KitItem, error) {
	if !models.Storable(id) {
		return nil, models.KitItemNotFound(id)
	}
	var item models.KitItem
	err := s.read.GetContext(ctx, &item, `SELECT `+kitColumns+` FROM kit_items WHERE id = $1 AND member_id = $2`, id, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, models.KitItemNotFound(id)
	}
	return &item, err
}

// AddKitItem adds an item to the kit of its member, and sets its id, times and version.
// With MaxKitItems there it returns a Conflict error, too_many_kit_items.
func (s *Watches) AddKitItem(ctx context.Context, item *models.KitItem) error {
	now := s.now()
	if err := item.Check(now); err != nil {
		return err
	}
	item.ID, item.CreatedAt, item.UpdatedAt, item.Version = s.newID(), now, now, 1
	return s.update(ctx, func(t *tx) error {
		if _, err := lockMember(ctx, t, item.MemberID); err != nil {
			return err
		}
		var n int
		if err := t.GetContext(ctx, &n, `SELECT COUNT(*) FROM kit_items WHERE member_id = $1`, item.MemberID); err != nil {
			return err
		}
		if n >= models.MaxKitItems {
			return &problem.Error{Kind: problem.Conflict, Code: "too_many_kit_items", Message: problem.Textf("Your kit has reached its limit of %d items.", models.MaxKitItems), Hint: problem.Textf("Remove one first.")}
		}
		kitChanged(t, item.Public)
		return t.insert(ctx, `kit_items (`+kitColumns+`)`, "", 1, func(int) []any {
			return []any{item.ID, item.MemberID, item.Gear, item.Name, item.Condition, item.BoughtOn, item.Paid, item.Serial, item.Insured, item.Note,
				item.Public, item.Alert, item.Told, item.CreatedAt, item.UpdatedAt, item.Version}
		})
	})
}

// EditKitItem calls edit to change an item of a member and stores the result. If version
// is not 0, the item must still be at that version. A concurrent change is a Changed
// error, kit_item_changed.
func (s *Watches) EditKitItem(ctx context.Context, id, memberID string, version int64, edit func(*models.KitItem) error) (*models.KitItem, error) {
	item, err := s.KitItem(ctx, id, memberID)
	if err != nil {
		return nil, err
	}
	if version != 0 && version != item.Version {
		return nil, models.ErrKitItemChanged
	}
	public := item.Public
	if err := edit(item); err != nil {
		return nil, err
	}
	now := s.now()
	if err := item.Check(now); err != nil {
		return nil, err
	}
	item.UpdatedAt, item.Version = now, item.Version+1
	return item, s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE kit_items SET gear = $3, name = $4, condition = $5, bought_on = $6, paid_price = $7, serial = $8, insured = $9, note = $10,
			public = $11, alert = $12, told_price = $13, updated_at = $14, version = $15 WHERE id = $1 AND member_id = $2 AND version = $15 - 1`,
			id, memberID, item.Gear, item.Name, item.Condition, item.BoughtOn, item.Paid, item.Serial, item.Insured, item.Note,
			item.Public, item.Alert, item.Told, item.UpdatedAt, item.Version)
		if err == nil && n == 0 {
			err = models.ErrKitItemChanged
		}
		kitChanged(t, public || item.Public)
		return err
	})
}

// RemoveKitItem deletes an item from the kit of a member.
func (s *Watches) RemoveKitItem(ctx context.Context, id, memberID string) error {
	if !models.Storable(id) {
		return models.KitItemNotFound(id)
	}
	return s.update(ctx, func(t *tx) error {
		var public []bool
		err := t.SelectContext(ctx, &public, `DELETE FROM kit_items WHERE id = $1 AND member_id = $2 RETURNING public`, id, memberID)
		if err == nil && len(public) == 0 {
			return models.KitItemNotFound(id)
		}
		if err == nil {
			kitChanged(t, public[0])
		}
		return err
	})
}

// kitChanged records a change of the public kit.
func kitChanged(t *tx, public bool) {
	if public {
		t.changed(models.SiteChanged, siteSubject)
	}
}

// KitToAlert returns the items of any of gear whose members get an email when the value
// moves, by member.
func (s *Watches) KitToAlert(ctx context.Context, gear []string) (byMember map[string][]models.KitItem, err error) {
	items, err := selectIn[models.KitItem](ctx, s.read, `SELECT `+kitColumns+` FROM kit_items WHERE alert AND gear IN (%s) ORDER BY id`, gear)
	return groupBy(items, func(i *models.KitItem) string { return i.MemberID }), err
}

// KitsToAlert returns the items whose members get an email when the value moves, by member, of
// the first members after an id. It returns the last of them, "" if there are none.
func (s *Watches) KitsToAlert(ctx context.Context, after string, limit int) (byMember map[string][]models.KitItem, last string, err error) {
	var items []models.KitItem
	err = s.read.SelectContext(ctx, &items, `SELECT `+kitColumns+` FROM kit_items WHERE alert AND gear <> '' AND member_id IN
		(SELECT DISTINCT member_id FROM kit_items WHERE alert AND gear <> '' AND member_id > $1 ORDER BY member_id LIMIT $2) ORDER BY member_id, id`, after, limit)
	byMember = map[string][]models.KitItem{}
	for _, item := range items {
		byMember[item.MemberID] = append(byMember[item.MemberID], item)
		last = item.MemberID
	}
	return byMember, last, err
}

// RecordKitValues stores the values that a member is notified of, and queues the message
// that render returns for those that moved. Items that were edited meanwhile, or whose
// value another server recorded, are left out. An item without an earlier value gets one silently.
func (s *Watches) RecordKitValues(ctx context.Context, memberID string, changes []models.KitChange, render func(language string, moved []models.KitChange) models.Delivery) error {
	return s.update(ctx, func(t *tx) error {
		var told []models.KitChange
		for _, c := range changes {
			moved := c.Item.Moved(c.Value)
			if !moved && c.Item.Told > 0 {
				continue
			}
			n, err := t.affected(ctx, `UPDATE kit_items SET told_price = $3 WHERE id = $1 AND version = $2 AND told_price = $4`, c.Item.ID, c.Item.Version, c.Value, c.Item.Told)
			if err != nil {
				return err
			}
			if n == 1 && moved {
				told = append(told, c)
			}
		}
		if len(told) == 0 {
			return nil
		}
		language, err := languageOf(ctx, t, memberID)
		if err != nil {
			return err
		}
		return queue(ctx, t, []models.Delivery{render(language, told)})
	})
}
