package handlers

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	adminviews "github.com/secondlight/secondlight/views/admin"
)

// TestRoles tests that a role applies at once, only to its operations, and that the last
// operator stays one.
func TestRoles(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, op := s.join(t, "ann", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	reads := map[models.Role]string{models.RoleMember: "", models.RoleModerator: "/api/reports /api/audit", models.RoleEditor: "/api/admin/site", models.RoleOperator: "/api/reports /api/audit /api/admin/site /api/admin /api/admin/members /api/admin/jobs"}
	for _, role := range []models.Role{models.RoleModerator, models.RoleEditor, models.RoleOperator, models.RoleMember} {
		if m := op.ask(t, "PUT", "/api/admin/members/ann/role", `{"role":"`+string(role)+`"}`, 200); m["role"] != string(role) {
			t.Errorf("answered %v", m)
		}
		for path := range strings.FieldsSeq(reads[models.RoleOperator]) {
			want := 403
			if strings.Contains(" "+reads[role]+" ", " "+path+" ") {
				want = 200
			}
			if resp, _ := s.do(t, "GET", path, "Cookie", ann.cookie); resp.StatusCode != want {
				t.Errorf("%s for %s is %d, want %d", path, role, resp.StatusCode, want)
			}
		}
	}
	op.ask(t, "PUT", "/api/admin/members/the-operator/role", `{"role":"member"}`, 409)
	op.ask(t, "PUT", "/api/admin/members/ann/role", `{"role":"king"}`, 400)
	op.ask(t, "PUT", "/api/admin/members/nobody-here/role", `{"role":"editor"}`, 404)
	if to := op.fill(t, "/admin/members/ann/role", "role", "moderator"); to != "/admin/members?keyword=ann" {
		t.Errorf("the form leads to %s", to)
	}
	page := ann.read(t, "/account/moderation")
	if !strings.Contains(page, `href="/admin/audit"`) || strings.Contains(page, `href="/admin/members"`) {
		t.Error("the menu of a moderator is not theirs")
	}
	audit := op.ask(t, "GET", "/api/audit?member=ann&type=set_role&limit=2", "", 200)
	if len(audit["entries"].([]any)) != 2 || audit["next_cursor"] == nil || get(t, audit, "entries.0.note") != "member → moderator" {
		t.Errorf("the audit log is %v", audit)
	}
	older := op.ask(t, "GET", "/api/audit?member=ann&type=set_role&limit=100&cursor="+audit["next_cursor"].(string), "", 200)
	if len(older["entries"].([]any)) != 3 || older["next_cursor"] != nil {
		t.Errorf("the older entries are %v", older)
	}
	op.ask(t, "GET", "/api/audit?type=burn", "", 400)
}

// TestAdminMembers tests searching members, suspending them, and resetting a password.
func TestAdminMembers(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, op := s.join(t, "ann", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	s.join(t, "ben", models.RoleModerator)
	ann.sellOne(t, "Canon EOS R6")
	for query, want := range map[string]string{"keyword=ANN@": "ann", "role=moderator": "ben", "keyword=nobody-has-this": "", "suspended=true": "", "role=operator&limit=1": "the-operator"} {
		var handles []string
		for _, m := range op.ask(t, "GET", "/api/admin/members?"+query, "", 200)["members"].([]any) {
			handles = append(handles, m.(map[string]any)["handle"].(string))
		}
		if got := strings.Join(handles, " "); got != want {
			t.Errorf("%s selects %q, want %q", query, got, want)
		}
	}
	first := op.ask(t, "GET", "/api/admin/members?limit=1", "", 200)
	second := op.ask(t, "GET", "/api/admin/members?limit=1&cursor="+first["next_cursor"].(string), "", 200)
	if get(t, first, "members.0.handle").(string) >= get(t, second, "members.0.handle").(string) {
		t.Errorf("pages are %v and %v", first, second)
	}
	found := op.ask(t, "GET", "/api/admin/members?keyword=ann", "", 200)
	if get(t, found, "members.0.for_sale") != 1. || get(t, found, "members.0.email") != "ann@example.org" {
		t.Errorf("ann is %v", found)
	}
	if to := op.fill(t, "/account/moderation/members/ann/suspend", "note", "spam", "return_to", "members"); to != "/admin/members?keyword=ann" {
		t.Errorf("the form leads to %s", to)
	}
	if page := op.read(t, "/admin/members?suspended=true"); !strings.Contains(page, "Suspended since") || !strings.Contains(page, "/members/ann/reinstate") {
		t.Error("the page does not say that ann is suspended")
	}
	op.ask(t, "PUT", "/api/admin/members/ann/role", `{"role":"editor"}`, 409)
	op.fill(t, "/account/moderation/members/ann/reinstate", "return_to", "members")
	op.ask(t, "POST", "/api/admin/members/ann/reset", "", 200)
	if mails := s.queued(t); len(mails) != 1 || mails[0].Recipient != "ann@example.org" || !strings.Contains(mails[0].Body, "/reset-password/new?code=") {
		t.Errorf("the emails are %v", mails)
	}
	shop := []models.Member{{Handle: "old-shop", Name: "Old shop"}}
	must(s.store.Accounts.InsertMembers(context.Background(), shop))
	op.ask(t, "POST", "/api/admin/members/old-shop/reset", "", 409)
	if _, page := s.do(t, "GET", "/sellers/ann", "Cookie", op.cookie); strings.Contains(page, "ann@example.org") {
		t.Error("the page of a seller shows their email address")
	}
}

// TestAdminDashboard tests the figures of the dashboard and the errors of the log.
func TestAdminDashboard(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben, op := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	id := ann.sellOne(t, "Canon EOS R6")
	ben.ask(t, "POST", "/api/listings/"+id+"/report", `{"reason":"spam"}`, 201)
	s.log.Error("deliver webhook", "err", errors.New("<b>refused</b>"))
	d := op.ask(t, "GET", "/api/admin", "", 200)
	for path, want := range map[string]any{"waiting.reports": 1., "sign_ups.last_day": 3., "error_count": 1., "errors.0.message": "deliver webhook", "errors.0.cause": "<b>refused</b>", "storage.0.name": "Database"} {
		if got := get(t, d, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	page := op.read(t, "/admin")
	for _, want := range []string{"deliver webhook", "&lt;b&gt;refused&lt;/b&gt;", `href="/admin" aria-current="true"`, `href="/admin/jobs"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the dashboard has no %s", want)
		}
	}
}

// TestJobs tests running jobs, their records, and failures.
func TestJobs(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	if ran := op.ask(t, "POST", "/api/admin/jobs/cleanup/run", "", 200); ran["result"] != "done" || ran["started_at"] == nil {
		t.Errorf("answered %v", ran)
	}
	op.ask(t, "POST", "/api/admin/jobs/mail/run", "", 409)
	op.ask(t, "POST", "/api/admin/jobs/dance/run", "", 400)
	failing := s.schedule.Job(adminviews.JobPages)
	work := failing.Run
	failing.Run = func(context.Context, bool) error { return errors.New("no such folder") }
	if ran := op.ask(t, "POST", "/api/admin/jobs/pages/run", "", 200); ran["result"] != "failed" || ran["error"] != "no such folder" {
		t.Errorf("answered %v", ran)
	}
	if d := op.ask(t, "GET", "/api/admin", "", 200); get(t, d, "waiting.failing_jobs") != 1. {
		t.Errorf("the dashboard is %v", d)
	}
	failing.Run = work
	if to := op.fill(t, "/admin/jobs/pages/run"); to != "/admin/jobs" {
		t.Errorf("the form leads to %s", to)
	}
	if page := op.read(t, "/admin/jobs"); !strings.Contains(page, "Last failure") {
		t.Error("the page does not say that the job failed")
	}
	if audit := op.ask(t, "GET", "/api/audit?type=run_job", "", 200); len(audit["entries"].([]any)) != 3 {
		t.Errorf("the audit log is %v", audit)
	}
}

// fill sends a form of names and values, which must redirect, and returns the location.
func (m *testMember) fill(t testing.TB, path string, values ...string) string {
	t.Helper()
	resp, body := m.post(t, path, formBody(values...))
	if resp.StatusCode != 303 {
		t.Fatalf("%s with %q is %d: %s", path, values, resp.StatusCode, body)
	}
	return resp.Header.Get("Location")
}
