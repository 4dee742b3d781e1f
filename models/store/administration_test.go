package store_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestSetRole tests who can have a role, that the last operator stays one, and the audit log.
func TestSetRole(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		anna, ben := account(t, s, "anna"), account(t, s, "ben")
		imported := []models.Member{{Handle: "imported", Name: "Imported shop"}}
		must(t, s.Accounts.InsertMembers(ctx, imported))
		_, err = s.Moderation.ModerateMember(ctx, olga.ID, ben.ID, true, "fraud")
		must(t, err)
		for _, c := range []struct {
			member string
			role   models.Role
			code   string // "" if it succeeds
		}{
			{anna.ID, "king", "invalid_parameter"},
			{ben.ID, models.RoleEditor, "wrong_status"},
			{imported[0].ID, models.RoleEditor, "wrong_status"},
			{olga.ID, models.RoleMember, "last_operator"},
			{olga.ID, models.RoleOperator, ""},
			{anna.ID, models.RoleEditor, ""},
			{anna.ID, models.RoleOperator, ""},
			{olga.ID, models.RoleModerator, ""},
			{anna.ID, models.RoleMember, "last_operator"},
		} {
			_, err := s.Moderation.SetRole(ctx, olga.ID, c.member, c.role)
			var e *problem.Error
			if c.code == "" && err != nil || c.code != "" && (!errors.As(err, &e) || e.Code != c.code) {
				t.Errorf("%s for %s: got %v, want %q", c.role, c.member, err, c.code)
			}
		}
		trail, err := s.Moderation.Audit(ctx, store.AuditFilter{Action: models.SetRole}, store.AuditKey{}, 10)
		must(t, err)
		if len(trail) != 3 || trail[0].Note != "operator → moderator" || trail[2].Subject != anna.ID {
			t.Errorf("got %+v", trail)
		}
	})
}

// TestOperatorsStepDownAtOnce tests that one of two operators who demote each other stays.
func TestOperatorsStepDownAtOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		stores, ctx := []*store.Store{open(), open()}, t.Context()
		var ids []string
		for i := range stores {
			m, err := stores[0].Accounts.CreateAccount(ctx, registration(fmt.Sprint("operator-", i)), models.RoleOperator)
			must(t, err)
			ids = append(ids, m.ID)
		}
		errs := make([]error, len(ids))
		var group sync.WaitGroup
		for i, id := range ids {
			group.Go(func() { _, errs[i] = stores[i].Moderation.SetRole(ctx, id, ids[1-i], models.RoleMember) })
		}
		group.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Errorf("got %v and %v", errs[0], errs[1])
		}
	})
}

// TestAuditPages tests the pages and the filter of the audit log.
func TestAuditPages(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		anna, ben := account(t, s, "anna"), account(t, s, "ben")
		for i := range 6 {
			_, err := s.Moderation.ModerateMember(ctx, olga.ID, []string{anna.ID, ben.ID}[i%2], i < 4, fmt.Sprint(i))
			must(t, err)
		}
		for _, c := range []struct {
			filter store.AuditFilter
			want   string
		}{
			{store.AuditFilter{}, "5 4 3 2 1 0"},
			{store.AuditFilter{MemberID: anna.ID}, "4 2 0"},
			{store.AuditFilter{MemberID: olga.ID, Action: models.UnsuspendSeller}, "5 4"},
			{store.AuditFilter{MemberID: ben.ID, Action: models.EditSite}, ""},
		} {
			var notes []string
			for after := (store.AuditKey{}); ; {
				page, err := s.Moderation.Audit(ctx, c.filter, after, 2)
				must(t, err)
				for _, e := range page {
					notes, after = append(notes, e.Note), store.AuditKey{At: e.At, ID: e.ID}
				}
				if len(page) < 2 {
					break
				}
			}
			if got := strings.Join(notes, " "); got != c.want {
				t.Errorf("%+v selects %q, want %q", c.filter, got, c.want)
			}
		}
	})
}

// TestJobRuns tests that the last run of a job is stored, and when it failed last.
func TestJobRuns(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		at := time.UnixMilli(1_790_000_000_000)
		must(t, s.Site.RecordJob(ctx, "cleanup", at, 20*time.Millisecond, errors.New(strings.Repeat("é", 900))))
		must(t, s.Site.RecordJob(ctx, "cleanup", at.Add(time.Hour), time.Second, nil))
		must(t, s.Site.RecordJob(ctx, "pages", at, time.Second, errors.New("a\x00b")))
		runs, err := s.Site.JobRuns(ctx)
		must(t, err)
		want := models.JobRun{Job: "cleanup", StartedAt: models.TimeOf(at.Add(time.Hour)), Took: 1000, FailedAt: models.TimeOf(at)}
		if len(runs) != 2 || runs["cleanup"] != want || runs["pages"].Error != "unprintable error" {
			t.Errorf("got %+v", runs)
		}
	})
}

// TestActivity tests the figures of the dashboard.
func TestActivity(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		anna := account(t, s, "anna")
		var sales []models.Sale
		for _, days := range []int{0, 3, 3, 20, 200} {
			sales = append(sales, models.Sale{Gear: "canon/eos-r6", Condition: models.ConditionGood, Price: 90000, SoldAt: s.Now().Add(-time.Duration(days)*24*time.Hour - time.Minute)})
		}
		_, _, err := s.Trades.ImportSales(ctx, sales)
		must(t, err)
		got, err := s.Moderation.SalesActivity(ctx)
		must(t, err)
		if got != (models.Activity{Day: 1, Week: 3, Month: 4}) {
			t.Errorf("sales are %+v", got)
		}
		if got, err := s.Moderation.SignUpActivity(ctx); err != nil || got != (models.Activity{Day: 1, Week: 1, Month: 1}) {
			t.Errorf("sign-ups are %+v, %v", got, err)
		}
		inStatus(t, s, anna.ID, models.StatusActive)
		if got, err := s.Moderation.ListingActivity(ctx); err != nil || got.Month > 1 {
			t.Errorf("listings are %+v, %v", got, err)
		}
		if trades, err := s.Accounts.MemberTrades(ctx, []string{anna.ID}); err != nil || trades[anna.ID] != (models.MemberTrade{ForSale: 1}) {
			t.Errorf("trades are %+v, %v", trades, err)
		}
		must(t, s.Deliveries.Queue(ctx, models.Delivery{Kind: models.Mail, Recipient: "anna@example.org", Subject: "Hello"}))
		queues, err := s.Moderation.Queues(ctx)
		must(t, err)
		if len(queues) != 2 || queues[0].Kind != models.Mail || queues[0].Waiting != 1 || queues[0].OldestAt == 0 || queues[1].Waiting != 0 {
			t.Errorf("queues are %+v", queues)
		}
		if d, err := s.Moderation.Schema(ctx); err != nil || d.Size == 0 || d.Version < 28 || d.Engine == "" {
			t.Errorf("the schema is %+v, %v", d, err)
		}
	})
}

// TestLastOperatorStays tests that the only operator can't delete their account.
func TestLastOperatorStays(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		anna := account(t, s, "anna")
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		var e *problem.Error
		if err := s.Accounts.DeleteAccount(ctx, olga.ID); !errors.As(err, &e) || e.Code != "last_operator" || e.Kind != problem.Conflict {
			t.Errorf("got %v", err)
		}
		if a, err := s.Accounts.Account(ctx, olga.ID); err != nil || a == nil || a.Role != models.RoleOperator {
			t.Errorf("the account is %+v, %v", a, err)
		}
		_, err = s.Moderation.SetRole(ctx, olga.ID, anna.ID, models.RoleOperator)
		must(t, err)
		must(t, s.Accounts.DeleteAccount(ctx, olga.ID))
		if err := s.Accounts.DeleteAccount(ctx, anna.ID); !errors.As(err, &e) || e.Code != "last_operator" {
			t.Errorf("got %v", err)
		}
	})
}
