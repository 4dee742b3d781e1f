package handlers

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// TestModeration tests moderation from the report to the audit log.
func TestModeration(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben, op := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	id := ann.sellOne(t, "Canon EOS R6 not mine")
	found := func(want float64) func() bool {
		return func() bool { return ben.ask(t, "GET", "/api/listings/search?keyword=r6", "", 200)["total"] == want }
	}
	eventually(t, "for sale", found(1))
	if body := ben.read(t, "/listings/"+id); !strings.Contains(body, `action="/listings/`+id+`/report"`) || !strings.Contains(body, "Counterfeit") {
		t.Error("the listing has no form for a report")
	}
	ben.ask(t, "POST", "/api/listings/"+id+"/report", `{"reason":"dislike"}`, 400)
	resp, body := ben.post(t, "/listings/"+id+"/report", "text=hm")
	if resp.StatusCode != 400 || !strings.Contains(body, `<details class="fold" id="report-listing" open>`) || !strings.Contains(body, ">hm</textarea>") {
		t.Errorf("a report without a reason is %d", resp.StatusCode)
	}
	report := ben.ask(t, "POST", "/api/listings/"+id+"/report", `{"reason":"stolen","text":"It is mine"}`, 201)
	ben.ask(t, "POST", "/api/listings/"+id+"/report", `{"reason":"spam"}`, 409)
	for _, path := range []string{"/api/reports", "/api/audit"} {
		ben.ask(t, "GET", path, "", 403)
		if resp, _ := s.do(t, "GET", path); resp.StatusCode != 401 {
			t.Errorf("%s for nobody is %d", path, resp.StatusCode)
		}
	}
	ben.ask(t, "POST", "/api/listings/"+id+"/hide", `{}`, 403)
	queue := op.ask(t, "GET", "/api/reports", "", 200)
	if queue["waiting"] != 1. || get(t, queue, "reports.0.id") != report["id"] || get(t, queue, "reports.0.reporter.handle") != "ben" || get(t, queue, "reports.0.sold_by.handle") != "ann" {
		t.Errorf("the queue is %v", queue)
	}
	page := op.read(t, "/account/moderation")
	for _, want := range []string{"It is mine", "/account/moderation/listings/" + id + "/hide", "/account/moderation/members/ann/suspend", "/account/moderation/reports/" + report["id"].(string) + "/close"} {
		if !strings.Contains(page, want) {
			t.Errorf("the queue has no %q", want)
		}
	}

	resp, _ = op.post(t, "/account/moderation/listings/"+id+"/hide", "note=looks+stolen")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/moderation" {
		t.Errorf("hiding is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	eventually(t, "hidden", found(0))
	for _, path := range []string{"/listings/" + id, "/listings/" + id + ".json", "/listings/" + id + ".md", "/api/listings/" + id} {
		for _, cookie := range []string{"", ben.cookie, op.cookie} { // its seller still sees that it was removed
			if resp, body := s.do(t, "GET", path, "Cookie", cookie); resp.StatusCode != 404 || !strings.Contains(body, "listing_not_found") {
				t.Errorf("%s is %d when it is hidden", path, resp.StatusCode)
			}
		}
	}
	ben.ask(t, "POST", "/api/listings/"+id+"/messages", `{"text":"hello"}`, 404)
	if queue := op.ask(t, "GET", "/api/reports", "", 200); queue["waiting"] != 0. || get(t, queue, "recent.0.action") != "hide_listing" || get(t, queue, "recent.0.note") != "looks stolen" {
		t.Errorf("the queue is %v", queue)
	}
	if page := op.read(t, "/admin/audit"); !strings.Contains(page, "/account/moderation/listings/"+id+"/restore") {
		t.Errorf("the trail does not offer to restore: %s", page)
	}
	op.ask(t, "POST", "/api/listings/"+id+"/hide", `{}`, 409)
	if e := op.ask(t, "POST", "/api/listings/"+id+"/restore", `{"note":"it was hers"}`, 200); e["action"] != "restore_listing" || get(t, e, "operator.handle") != "the-operator" {
		t.Errorf("restoring is %v", e)
	}
	eventually(t, "for sale again", found(1))

	op.ask(t, "POST", "/api/members/ann/suspend", `{"note":"third time"}`, 200)
	if answer := ann.ask(t, "POST", "/api/listings/"+id+"/report", `{"reason":"spam"}`, 403); answer["code"] != "account_suspended" {
		t.Errorf("a suspended member gets %v", answer)
	}
	if resp, _ := s.do(t, "GET", "/account/messages", "Cookie", ann.cookie, "Accept", "text/html"); resp.StatusCode != 303 {
		t.Errorf("who is suspended is signed in still: %d", resp.StatusCode)
	}
	eventually(t, "off the market", found(0))
	op.ask(t, "POST", "/api/members/the-operator/suspend", `{}`, 409)
	op.ask(t, "POST", "/api/members/nobody-here/suspend", `{}`, 404)
	op.ask(t, "POST", "/api/members/ann/reinstate", `{"note":"she explained"}`, 200)
	ann.ask(t, "GET", "/api/conversations", "", 200)
	eventually(t, "back on the market", found(1))

	again := ann.sellOne(t, "Fine")
	wrong := ben.ask(t, "POST", "/api/listings/"+again+"/report", `{"reason":"other"}`, 201)
	op.ask(t, "POST", "/api/reports/nothing/close", `{}`, 404)
	op.ask(t, "POST", "/api/reports/"+wrong["id"].(string)+"/close", `{"note":"nothing wrong"}`, 200)
	audit := op.ask(t, "GET", "/api/audit", "", 200)
	var did []string
	for _, e := range audit["entries"].([]any) {
		did = append(did, e.(map[string]any)["action"].(string))
	}
	if len(did) != 5 {
		t.Errorf("the trail is %q", did)
	}
}
