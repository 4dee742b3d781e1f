package handlers

import (
	"regexp"
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

// TestManyReports tests the search of the moderation queue and actions for several reports.
func TestManyReports(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben, op := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	var listings, reports []string
	for _, title := range []string{"Canon EOS R6 for free", "Canon EOS R6 for nothing", "Leica M6"} {
		id := ann.sellOne(t, title)
		listings = append(listings, id)
		reports = append(reports, ben.ask(t, "POST", "/api/listings/"+id+"/report", `{"reason":"spam"}`, 201)["id"].(string))
	}
	for query, want := range map[string]int{"": 3, "keyword=canon": 2, "keyword=canon&reason=stolen": 0, "seller=ann&reason=spam": 3, "seller=ben": 0, "keyword=leica&limit=1": 1} {
		if got := op.ask(t, "GET", "/api/reports?"+query, "", 200)["reports"].([]any); len(got) != want {
			t.Errorf("%q finds %d reports, want %d", query, len(got), want)
		}
	}
	op.ask(t, "GET", "/api/reports?seller=nobody-here", "", 404)
	op.ask(t, "GET", "/api/reports?reason=dislike", "", 400)
	first := op.read(t, "/account/moderation?keyword=canon&limit=1")
	if !strings.Contains(first, `href="/account/moderation?keyword=canon&amp;limit=1&amp;cursor=`) {
		t.Errorf("the next page is not of the same search: %q", regexp.MustCompile(`href="[^"]*cursor[^"]*"`).FindAllString(first, -1))
	}
	page := op.read(t, "/account/moderation?keyword=canon")
	for _, want := range []string{`name="reports" value="` + reports[0] + `" form="reports"`, `action="/account/moderation/reports/moderate"`, `value="canon"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the queue has no %s", want)
		}
	}
	if body := op.read(t, "/account/moderation?keyword=hasselblad"); !strings.Contains(body, "No open reports match.") {
		t.Error("a search without results does not say so")
	}

	ben.ask(t, "POST", "/api/reports/moderate", `{"reports":["`+reports[0]+`"],"action":"hide_listing"}`, 403)
	for _, body := range []string{`{}`, `{"reports":[],"action":"hide_listing"}`, `{"reports":["` + reports[0] + `"],"action":"burn"}`} {
		op.ask(t, "POST", "/api/reports/moderate", body, 400)
	}
	op.ask(t, "POST", "/api/reports/moderate", `{"reports":["`+reports[0]+`","nothing"],"action":"hide_listing"}`, 404)
	resp, _ := op.post(t, "/account/moderation/reports/moderate", "reports="+reports[0]+"&reports="+reports[1]+"&action=hide_listing&note=spam")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/moderation" {
		t.Errorf("hiding is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	for i, want := range []int{404, 404, 200} {
		op.ask(t, "GET", "/api/listings/"+listings[i], "", want)
	}
	done := op.ask(t, "POST", "/api/reports/moderate", `{"reports":["`+reports[2]+`"],"action":"suspend_member"}`, 200)
	if len(done["entries"].([]any)) != 1 || get(t, done, "entries.0.member.handle") != "ann" || op.ask(t, "GET", "/api/reports", "", 200)["waiting"] != 0. {
		t.Errorf("suspending is %v", done)
	}
}
