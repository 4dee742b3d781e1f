package store_test

import (
	"fmt"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// kitItem returns an item for a member's kit.
func kitItem(member, gear, name string) *models.KitItem {
	return &models.KitItem{MemberID: member, Gear: gear, Name: name, Condition: models.ConditionExcellent, BoughtOn: "2024-05-17", Paid: 189000, Serial: "0123 4567", Insured: true, Note: "Boxed."}
}

func TestKit(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		item := kitItem(jane, "canon/eos-r6", "  Canon  EOS R6 ")
		must(t, s.Watches.AddKitItem(ctx, item))
		must(t, s.Watches.AddKitItem(ctx, kitItem(jane, "", "Grandfather's folder")))
		items, err := s.Watches.Kit(ctx, jane)
		must(t, err)
		if len(items) != 2 || items[0] != *item || item.Name != "Canon EOS R6" || item.Version != 1 || items[1].Gear != "" {
			t.Errorf("got %+v", items)
		}
		if items, _ := s.Watches.Kit(ctx, john); len(items) != 0 {
			t.Errorf("somebody else's: %+v", items)
		}

		rename := func(i *models.KitItem) error { i.Name, i.Serial = "R6", ""; return nil }
		_, err = s.Watches.EditKitItem(ctx, item.ID, john, 0, rename)
		wantError(t, err, problem.NotFound, "kit_item_not_found")
		edited, err := s.Watches.EditKitItem(ctx, item.ID, jane, 1, rename)
		must(t, err)
		if stored, err := s.Watches.KitItem(ctx, item.ID, jane); err != nil || *stored != *edited || stored.Version != 2 || stored.Serial != "" {
			t.Errorf("got %+v, %v", stored, err)
		}
		_, err = s.Watches.EditKitItem(ctx, item.ID, jane, 1, rename)
		wantError(t, err, problem.Changed, "kit_item_changed")
		_, err = s.Watches.EditKitItem(ctx, item.ID, jane, 2, func(*models.KitItem) error {
			_, err := s.Watches.EditKitItem(ctx, item.ID, jane, 2, rename) // meanwhile
			return err
		})
		wantError(t, err, problem.Changed, "kit_item_changed")

		wantError(t, s.Watches.RemoveKitItem(ctx, item.ID, john), problem.NotFound, "kit_item_not_found")
		wantError(t, s.Watches.RemoveKitItem(ctx, "\x00", jane), problem.NotFound, "kit_item_not_found")
		must(t, s.Watches.RemoveKitItem(ctx, item.ID, jane))
		wantError(t, s.Watches.RemoveKitItem(ctx, item.ID, jane), problem.NotFound, "kit_item_not_found")

		for _, wrong := range []models.KitItem{
			{MemberID: jane}, {MemberID: jane, Name: "X", BoughtOn: "17.5.2024"}, {MemberID: jane, Name: "X", BoughtOn: "2999-01-01"},
			{MemberID: jane, Name: "X", Condition: "mint"}, {MemberID: jane, Name: "X", Paid: models.MaxAmount + 1}, {MemberID: jane, Name: "\x00"},
		} {
			wantError(t, s.Watches.AddKitItem(ctx, &wrong), problem.Invalid, "invalid_parameter")
		}
		for i := range models.MaxKitItems - 1 {
			must(t, s.Watches.AddKitItem(ctx, kitItem(jane, "", fmt.Sprint("Filter ", i))))
		}
		wantError(t, s.Watches.AddKitItem(ctx, kitItem(jane, "", "One too many")), problem.Conflict, "too_many_kit_items")
		must(t, s.Watches.AddKitItem(ctx, kitItem(john, "", "Mine")))
	})
}

// TestPublicKit checks that only operators show their items.
func TestPublicKit(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		owner, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		for _, member := range []string{owner.ID, account(t, s, "john").ID} {
			item := kitItem(member, "canon/eos-r6", "Canon EOS R6")
			item.Public = true
			must(t, s.Watches.AddKitItem(ctx, item))
			must(t, s.Watches.AddKitItem(ctx, kitItem(member, "canon/eos-r5", "Canon EOS R5")))
		}
		items, err := s.Watches.PublicKit(ctx)
		must(t, err)
		if len(items) != 1 || items[0].MemberID != owner.ID || items[0].Gear != "canon/eos-r6" {
			t.Errorf("got %+v", items)
		}
	})
}

// TestKitAlerts checks which members are notified of which values, each once.
func TestKitAlerts(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		jane := account(t, s, "jane").ID
		add := func(gear string, alert bool, told models.Cents) {
			item := kitItem(jane, gear, gear)
			item.Alert, item.Told = alert, told
			must(t, s.Watches.AddKitItem(ctx, item))
		}
		add("canon/eos-r6", true, 100000)
		add("canon/eos-r6", false, 100000)
		add("canon/eos-r5", true, 0)
		add("nikon/z6", true, 50000)
		tell := func(values map[string]models.Cents, want ...string) {
			t.Helper()
			byMember, err := s.Watches.KitToAlert(ctx, []string{"canon/eos-r6", "canon/eos-r5"})
			must(t, err)
			all, last, err := s.Watches.KitsToAlert(ctx, "", 10)
			must(t, err)
			if none, end, err := s.Watches.KitsToAlert(ctx, last, 10); len(all) != len(byMember) || len(all[jane]) != len(byMember[jane])+1 || last != jane || len(none) != 0 || end != "" || err != nil {
				t.Errorf("all kits are %v until %q, then %v until %q, %v; want those and the Nikon of %v", all, last, none, end, err, byMember)
			}
			var changes []models.KitChange
			for _, item := range byMember[jane] {
				changes = append(changes, models.KitChange{Item: item, Value: values[item.Gear]})
			}
			var told []string
			for range 2 { // replicas may both look
				must(t, s.Watches.RecordKitValues(ctx, jane, changes, func(_ string, moved []models.KitChange) models.Delivery {
					for _, c := range moved {
						told = append(told, c.Item.Gear)
					}
					return models.Delivery{Kind: models.Mail, MemberID: jane, Subject: "Moved", Body: "text"}
				}))
			}
			if fmt.Sprint(told) != fmt.Sprint(want) {
				t.Errorf("at %v: told %v, want %v", values, told, want)
			}
		}
		tell(map[string]models.Cents{"canon/eos-r6": 95000, "canon/eos-r5": 200000}, "canon/eos-r6")
		tell(map[string]models.Cents{"canon/eos-r6": 90250, "canon/eos-r5": 220000}, "canon/eos-r6", "canon/eos-r5")
	})
}

func TestKitItemMoved(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		told, value models.Cents
		want        bool
	}{{0, 100, false}, {10000, 10499, false}, {10000, 10500, true}, {10000, 9501, false}, {10000, 9500, true}} {
		item := models.KitItem{Told: test.told}
		if got := item.Moved(test.value); got != test.want {
			t.Errorf("from %d to %d: %t", test.told, test.value, got)
		}
	}
}
