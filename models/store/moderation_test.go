package store_test

import (
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestModeration(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		m, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		id := inStatus(t, s, jane, models.StatusReserved)
		wantError(t, s.Moderation.AddReport(ctx, &models.Report{ListingID: id, ReporterID: john, Reason: "dislike"}), problem.Invalid, "invalid_parameter")
		wantError(t, s.Moderation.AddReport(ctx, &models.Report{ListingID: "nothing", ReporterID: john, Reason: "spam"}), problem.NotFound, "listing_not_found")
		must(t, s.Moderation.AddReport(ctx, &models.Report{ListingID: id, ReporterID: john, Reason: "stolen", Text: "It is mine"}))
		wantError(t, s.Moderation.AddReport(ctx, &models.Report{ListingID: id, ReporterID: john, Reason: "spam"}), problem.Conflict, "reported_already")
		open1, err := s.Moderation.OpenReports(ctx, store.ReportFilter{}, store.ReportKey{}, 10)
		must(t, err)
		if len(open1) != 1 || open1[0].Reason != "stolen" {
			t.Errorf("got %+v", open1)
		}
		_, err = s.Moderation.Moderate(ctx, m.ID, id, "burn", "")
		wantError(t, err, problem.Invalid, "invalid_parameter")
		_, err = s.Moderation.Moderate(ctx, m.ID, id, models.RemoveListing, "looks stolen")
		must(t, err)
		_, err = s.Listings.Listing(ctx, id)
		wantError(t, err, problem.NotFound, "listing_not_found")
		_, err = s.Moderation.Moderate(ctx, m.ID, id, models.RestoreListing, "was hers")
		must(t, err)
		l, err := s.Listings.Listing(ctx, id)
		must(t, err)
		if l.Status != models.StatusReserved {
			t.Errorf("restored as %s", l.Status)
		}
		if list, _ := s.Moderation.OpenReports(ctx, store.ReportFilter{}, store.ReportKey{}, 10); len(list) != 0 {
			t.Errorf("still open: %+v", list)
		}
		trail, err := s.Moderation.Audit(ctx, store.AuditFilter{}, store.AuditKey{}, 10)
		must(t, err)
		if len(trail) != 2 || trail[0].Action != models.RestoreListing || trail[1].Note != "looks stolen" || trail[1].OperatorID != m.ID {
			t.Errorf("got %+v", trail)
		}
		_, err = s.Moderation.ModerateMember(ctx, m.ID, jane, true, "three of them")
		must(t, err)
		if a, err := s.Accounts.Account(ctx, jane); err != nil || !a.Suspended() {
			t.Errorf("not suspended: %+v %v", a, err)
		}
		_, err = s.Moderation.ModerateMember(ctx, m.ID, m.ID, true, "")
		wantError(t, err, problem.Conflict, "wrong_status")
		_, err = s.Moderation.ModerateMember(ctx, m.ID, jane, false, "she explained")
		must(t, err)
		if a, err := s.Accounts.Account(ctx, jane); err != nil || a.Suspended() {
			t.Errorf("still suspended: %+v %v", a, err)
		}
		if trail, err = s.Moderation.Audit(ctx, store.AuditFilter{}, store.AuditKey{}, 10); err != nil || len(trail) != 4 {
			t.Errorf("got %+v %v", trail, err)
		}
	})
}

// TestModerateReports tests actions for several reports at once, and the selection of
// reports.
func TestModerateReports(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		bill := account(t, s, "bill").ID
		report := func(seller, reason, text string, reporters ...string) (listing string, reports []string) {
			listing = inStatus(t, s, seller, models.StatusActive)
			for _, reporter := range reporters {
				r := &models.Report{ListingID: listing, ReporterID: reporter, Reason: reason, Text: text}
				must(t, s.Moderation.AddReport(ctx, r))
				reports = append(reports, r.ID)
			}
			return listing, reports
		}
		first, twice := report(jane, "spam", "Buy 100% LEICA pills", john, bill)
		second, other := report(jane, "stolen", "", john)
		kept, wrong := report(bill, "misleading", "Not a leica_m6", john)

		ids := func(f store.ReportFilter) (list []string) {
			t.Helper()
			found, err := s.Moderation.OpenReports(ctx, f, store.ReportKey{}, 10)
			must(t, err)
			for _, r := range found {
				list = append(list, r.ID)
			}
			return list
		}
		for _, c := range []struct {
			filter store.ReportFilter
			want   []string
		}{
			{store.ReportFilter{}, slices.Concat(twice, other, wrong)},
			{store.ReportFilter{Reason: "spam"}, twice},
			{store.ReportFilter{SellerID: jane}, slices.Concat(twice, other)},
			{store.ReportFilter{SellerID: jane, Reason: "stolen"}, other},
			{store.ReportFilter{Text: "Leica"}, slices.Concat(twice, wrong)},
			{store.ReportFilter{Text: "100%"}, twice},
			{store.ReportFilter{Text: "a_m"}, wrong},
			{store.ReportFilter{Text: "\x00"}, nil},
		} {
			if got := ids(c.filter); !slices.Equal(got, c.want) {
				t.Errorf("%+v selects %q, want %q", c.filter, got, c.want)
			}
		}

		status := func(listing string) models.Status {
			l, err := s.Moderation.ListingInAnyStatus(ctx, listing)
			must(t, err)
			return l.Status
		}
		_, err = s.Moderation.ModerateReports(ctx, olga.ID, []string{wrong[0], "nothing"}, models.RemoveListing, "")
		wantError(t, err, problem.NotFound, "report_not_found")
		if status(kept) != models.StatusActive || len(ids(store.ReportFilter{})) != 4 {
			t.Error("something was done although a report does not exist")
		}
		// Both reports of one listing: one entry, and again: it stays hidden.
		for range 2 {
			done, err := s.Moderation.ModerateReports(ctx, olga.ID, twice, models.RemoveListing, "spam")
			must(t, err)
			if len(done) != 1 || done[0].Subject != first || done[0].Note != "spam" || status(first) != models.StatusRemoved {
				t.Errorf("got %+v, the listing is %s", done, status(first))
			}
		}
		// A seller is suspended once, and every report on their listings is closed.
		done, err := s.Moderation.ModerateReports(ctx, olga.ID, []string{other[0], twice[0]}, models.SuspendSeller, "")
		must(t, err)
		if len(done) != 1 || done[0].Subject != jane || status(second) != models.StatusRemoved {
			t.Errorf("got %+v, the listing is %s", done, status(second))
		}
		if got := ids(store.ReportFilter{}); !slices.Equal(got, wrong) {
			t.Errorf("%q are open, want %q", got, wrong)
		}
		_, err = s.Moderation.ModerateReports(ctx, olga.ID, wrong, models.DismissReports, "")
		must(t, err)
		if status(kept) != models.StatusActive || len(ids(store.ReportFilter{})) != 0 {
			t.Errorf("the listing is %s", status(kept))
		}
	})
}
