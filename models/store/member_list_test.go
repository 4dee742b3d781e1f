package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestEachMemberRow(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		anna, ben := account(t, s, "anna"), account(t, s, "ben")
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		_, err = s.Moderation.ModerateMember(ctx, olga.ID, ben.ID, true, "fraud")
		must(t, err)
		must(t, s.Accounts.EditMember(ctx, anna.ID, "Émile 100%_\\", "DE", ""))
		must(t, s.Accounts.InsertMembers(ctx, []models.Member{{Handle: "imported", Name: "Imported shop"}}))
		for _, c := range []struct {
			filter store.MemberFilter
			want   string
		}{
			{store.MemberFilter{}, "anna ben imported olga"},
			{store.MemberFilter{After: "ben"}, "imported olga"},
			{store.MemberFilter{Text: "NN"}, "anna"},
			{store.MemberFilter{Text: "BEN@"}, "ben"},
			{store.MemberFilter{Text: "shop"}, "imported"},
			{store.MemberFilter{Text: "Émile"}, "anna"},
			{store.MemberFilter{Text: "100%_\\"}, "anna"},
			{store.MemberFilter{Text: "a_n"}, ""},
			{store.MemberFilter{Text: "%"}, "anna"},
			{store.MemberFilter{Suspended: true}, "ben"},
			{store.MemberFilter{Role: models.RoleOperator}, "olga"},
			{store.MemberFilter{Role: models.RoleOperator, Suspended: true}, ""},
		} {
			var handles []string
			must(t, s.Accounts.EachMemberRow(ctx, c.filter, func(m *models.MemberRow) error {
				handles = append(handles, m.Handle)
				return nil
			}))
			if got := strings.Join(handles, " "); got != c.want {
				t.Errorf("%+v selects %q, want %q", c.filter, got, c.want)
			}
		}
		must(t, s.Accounts.EachMemberRow(ctx, store.MemberFilter{Text: "ben"}, func(m *models.MemberRow) error {
			if m.Email == "" || m.Role != models.RoleMember || m.SuspendedAt == 0 || m.JoinedAt == 0 {
				t.Errorf("%+v", m)
			}
			return nil
		}))
	})
}

// TestEachMemberRowPages reads more members than a page has, and stops at an error.
func TestEachMemberRowPages(t *testing.T) {
	t.Parallel()
	s, ctx := storetest.Open(t, storetest.SQLite(t), nil), t.Context()
	members := make([]models.Member, 1100)
	for i := range members {
		members[i] = models.Member{Handle: fmt.Sprintf("m%04d", i), Name: "M"}
	}
	must(t, s.Accounts.InsertMembers(ctx, members))
	n, stop := 0, errors.New("stop")
	must(t, s.Accounts.EachMemberRow(ctx, store.MemberFilter{}, func(m *models.MemberRow) error {
		if m.Handle != members[n].Handle {
			t.Fatalf("member %d is %s", n, m.Handle)
		}
		n++
		return nil
	}))
	if n != len(members) {
		t.Errorf("read %d of %d members", n, len(members))
	}
	if err := s.Accounts.EachMemberRow(ctx, store.MemberFilter{}, func(*models.MemberRow) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}
