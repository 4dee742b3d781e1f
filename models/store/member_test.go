package store_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestMembers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		members := sellers(1200) // more than one statement carries
		must(t, s.Accounts.InsertMembers(ctx, members))
		for _, want := range []models.Member{members[0], members[1199]} {
			got, err := s.Accounts.Member(ctx, want.Handle)
			must(t, err)
			byID, err := s.Accounts.MemberByID(ctx, want.ID)
			must(t, err)
			if *got != want || *byID != want {
				t.Errorf("got %+v and %+v, want %+v", got, byID, want)
			}
		}
		sellers := []models.Member{members[3], members[700]}
		for _, m := range append(sellers, members[3]) {
			inStatus(t, s, m.ID, models.StatusActive)
		}
		inStatus(t, s, members[4].ID, models.StatusDraft)
		var each []models.Member
		must(t, s.Accounts.EachSeller(ctx, func(m *models.Member) error { each = append(each, *m); return nil }))
		byID := func(a, b models.Member) int { return strings.Compare(a.ID, b.ID) }
		if !slices.Equal(each, slices.SortedFunc(slices.Values(sellers), byID)) {
			t.Errorf("EachSeller: %+v, want %+v", each, sellers)
		}
		ids, err := s.Accounts.MemberIDs(ctx, []string{"seller-7", "nobody", "seller-1100"})
		must(t, err)
		if want := map[string]string{"seller-7": members[7].ID, "seller-1100": members[1100].ID}; !reflect.DeepEqual(ids, want) {
			t.Errorf("MemberIDs: got %v, want %v", ids, want)
		}

		_, err = s.Accounts.Member(ctx, "nobody")
		wantError(t, err, problem.NotFound, "member_not_found")
		_, err = s.Accounts.MemberByID(ctx, "nobody")
		wantError(t, err, problem.NotFound, "member_not_found")
		wantError(t, s.Accounts.InsertMembers(ctx, []models.Member{{Handle: "new"}, {Handle: "seller-3"}}), problem.Conflict, "handle_taken")
		_, err = s.Accounts.Member(ctx, "new")
		wantError(t, err, problem.NotFound, "member_not_found")
	})
}
