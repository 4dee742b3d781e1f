package models_test

import (
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestModeration(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		m, err := s.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		id := inStatus(t, s, jane, models.StatusReserved)
		wantError(t, s.AddReport(ctx, &models.Report{ListingID: id, ReporterID: john, Reason: "dislike"}), problem.Invalid, "invalid_parameter")
		wantError(t, s.AddReport(ctx, &models.Report{ListingID: "nothing", ReporterID: john, Reason: "spam"}), problem.NotFound, "listing_not_found")
		must(t, s.AddReport(ctx, &models.Report{ListingID: id, ReporterID: john, Reason: "stolen", Text: "It is mine"}))
		wantError(t, s.AddReport(ctx, &models.Report{ListingID: id, ReporterID: john, Reason: "spam"}), problem.Conflict, "reported_already")
		open1, err := s.OpenReports(ctx, models.ReportKey{}, 10)
		must(t, err)
		if len(open1) != 1 || open1[0].Reason != "stolen" {
			t.Errorf("got %+v", open1)
		}
		_, err = s.Moderate(ctx, m.ID, id, "burn", "")
		wantError(t, err, problem.Invalid, "invalid_parameter")
		_, err = s.Moderate(ctx, m.ID, id, models.RemoveListing, "looks stolen")
		must(t, err)
		_, err = s.Listing(ctx, id)
		wantError(t, err, problem.NotFound, "listing_not_found")
		_, err = s.Moderate(ctx, m.ID, id, models.RestoreListing, "was hers")
		must(t, err)
		l, err := s.Listing(ctx, id)
		must(t, err)
		if l.Status != models.StatusReserved {
			t.Errorf("restored as %s", l.Status)
		}
		if list, _ := s.OpenReports(ctx, models.ReportKey{}, 10); len(list) != 0 {
			t.Errorf("still open: %+v", list)
		}
		trail, err := s.Audit(ctx, models.AuditFilter{}, models.AuditKey{}, 10)
		must(t, err)
		if len(trail) != 2 || trail[0].Action != models.RestoreListing || trail[1].Note != "looks stolen" || trail[1].OperatorID != m.ID {
			t.Errorf("got %+v", trail)
		}
		_, err = s.ModerateMember(ctx, m.ID, jane, true, "three of them")
		must(t, err)
		if a, err := s.Account(ctx, jane); err != nil || !a.Suspended() {
			t.Errorf("not suspended: %+v %v", a, err)
		}
		_, err = s.ModerateMember(ctx, m.ID, m.ID, true, "")
		wantError(t, err, problem.Conflict, "wrong_status")
		_, err = s.ModerateMember(ctx, m.ID, jane, false, "she explained")
		must(t, err)
		if a, err := s.Account(ctx, jane); err != nil || a.Suspended() {
			t.Errorf("still suspended: %+v %v", a, err)
		}
		if trail, err = s.Audit(ctx, models.AuditFilter{}, models.AuditKey{}, 10); err != nil || len(trail) != 4 {
			t.Errorf("got %+v %v", trail, err)
		}
	})
}
