package handlers

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// TestNewModel sells models that the catalogue lacks: the owner accepts one and rejects another, and the
// listings of each follow.
func TestNewModel(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	s.feed.Correct(s.catalog)
	ann, ben, op := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	listing := func(title, model string) string {
		return encode(map[string]any{"title": title, "new_model": model, "category": "mirrorless", "price": map[string]string{"amount": "2500.00", "currency": "EUR"}, "condition": "good", "functional": "fully_working", "region": "DE"})
	}
	of := func(id, field string) any { return ann.ask(t, "GET", "/api/listings/"+id, "", 200)[field] }
	accepted := []string{ann.list(t, listing("Canon EOS R6 Mark IX body", "Canon EOS R6 Mark IX")), ben.list(t, listing("R6 IX, boxed", "canon EOS R6 Mark IX"))}
	rejected := ann.list(t, listing("Prototype camera", "Leica Prototype Nine"))
	known := ann.list(t, listing("One more camera", "canon R6 mk2"))
	if of(known, "gear") != "canon/eos-r6-mark-ii" || of(known, "new_model") != nil {
		t.Errorf("a model of the catalogue is %v, %v", of(known, "gear"), of(known, "new_model"))
	}
	for _, id := range accepted {
		s.awaitIndex(t, id, true)
		if of(id, "new_model") != "canon/eos-r6-mark-ix" {
			t.Errorf("the new model is %v", of(id, "new_model"))
		}
		if _, page := s.do(t, "GET", "/listings/"+id, "Accept", "text/html"); !strings.Contains(page, "canon eos-r6-mark-ix (not yet in the catalogue)") {
			t.Error("the page does not say that the model is not yet in the catalogue")
		}
	}
	for _, wrong := range []string{"Canon", "|", "…"} {
		answer := ann.ask(t, "POST", "/api/listings", listing("A camera", wrong), 400)
		if !strings.Contains(fmt.Sprint(answer["errors"]), "field:new_model") {
			t.Errorf("the model %q is %v", wrong, answer)
		}
	}

	ann.ask(t, "GET", "/api/admin/catalog-proposals", "", 403)
	ann.ask(t, "POST", "/api/admin/catalog-proposals/"+models.NewID(testNow), `{"decision":"accept"}`, 403)
	op.ask(t, "POST", "/api/admin/catalog-proposals/"+models.NewID(testNow), `{"decision":"accept"}`, 404)
	open := op.ask(t, "GET", "/api/admin/catalog-proposals", "", 200)["proposals"].([]any)
	if len(open) != 2 {
		t.Fatalf("the proposals are %v", open)
	}
	canon, leica := open[0].(map[string]any), open[1].(map[string]any)
	if canon["gear"] != "canon/eos-r6-mark-ix" || canon["members"] != 2.0 || canon["in_catalogue"] != false || leica["gear"] != "leica/prototype-nine" || leica["members"] != 1.0 {
		t.Errorf("the proposals are %v", open)
	}
	if sources := fmt.Sprint(canon["sources"]); !strings.Contains(sources, "/listings/"+accepted[0]) || !strings.Contains(sources, "/listings/"+accepted[1]) {
		t.Errorf("the proposal does not lead to its listings: %s", sources)
	}
	if page := op.read(t, "/admin/catalog-proposals"); !strings.Contains(page, "eos-r6-mark-ix") || !strings.Contains(page, `value="accept"`) {
		t.Error("the page of proposals lacks the model or its buttons")
	}
	op.ask(t, "POST", "/api/admin/catalog-proposals/"+canon["id"].(string), `{"decision":"maybe"}`, 400)
	op.ask(t, "POST", "/api/admin/catalog-proposals/"+canon["id"].(string), `{"decision":"accept"}`, 200)
	if resp, _ := op.post(t, "/admin/catalog-proposals/"+leica["id"].(string), url.Values{"decision": {"reject"}}.Encode()); resp.StatusCode != 303 {
		t.Errorf("rejecting with the form is %d", resp.StatusCode)
	}
	if left := op.ask(t, "GET", "/api/admin/catalog-proposals", "", 200)["proposals"].([]any); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
	if g := s.catalog.Gear("canon/eos-r6-mark-ix"); g == nil || g.Category != "mirrorless" || g.Model != "EOS R6 Mark IX" {
		t.Errorf("the accepted gear is %+v", g)
	}
	for _, id := range accepted {
		if of(id, "gear") != "canon/eos-r6-mark-ix" || of(id, "new_model") != nil {
			t.Errorf("after the acceptance the listing is of %v, %v", of(id, "gear"), of(id, "new_model"))
		}
	}
	eventually(t, "in the search for the accepted gear", func() bool {
		_, page := s.do(t, "GET", "/listings?model=canon/eos-r6-mark-ix")
		return strings.Contains(page, "R6 IX, boxed")
	})
	if of(rejected, "gear") != nil || of(rejected, "new_model") != nil || s.catalog.Gear("leica/prototype-nine") != nil {
		t.Errorf("after the rejection the listing is of %v, %v", of(rejected, "gear"), of(rejected, "new_model"))
	}
}
