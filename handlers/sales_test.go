package handlers

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// TestSalesMoveTrends tests which sales move the public price trend, in the JSON that
// everybody reads: not one that the seller declares alone, or that the buyer has not
// confirmed; and that voiding a sale restores the trend byte for byte.
func TestSalesMoveTrends(t *testing.T) {
	t.Parallel()
	clock := &testClock{now: testNow}
	s := newMarketServer(t, clock.drive(t))
	ann, bob, eve, op := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "eve", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	_, _, err := s.store.Trades.ImportSales(t.Context(), []models.Sale{{Gear: "canon/eos-r6", Condition: "excellent", Price: 100000, SoldAt: models.TimeOf(testNow) - 1000, Region: "DE"}})
	must(err)
	trend := func() string {
		_, body := s.do(t, "GET", "/api/trends/canon/eos-r6")
		return body
	}
	count := func() int {
		t.Helper()
		trend, err := s.store.Prices.Trend(context.Background(), "canon/eos-r6")
		must(err)
		return trend.AllTime
	}
	sold := func(seller, buyer *testMember) (listing, offer string) {
		t.Helper()
		listing = seller.listed(t, "Canon EOS R6")
		offer = buyer.offers(t, listing, "1000.00")
		seller.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
		seller.ask(t, "POST", "/api/offers/"+offer+"/complete", "", 200)
		return listing, offer
	}
	saleOf := func(handle, listing string) string {
		t.Helper()
		for _, sale := range op.ask(t, "GET", "/api/sales?member="+handle, "", 200)["sales"].([]any) {
			if get(t, sale.(map[string]any), "listing.id") == listing {
				return sale.(map[string]any)["id"].(string)
			}
		}
		t.Fatalf("%s has not sold %s", handle, listing)
		return ""
	}

	declared := ann.listed(t, "Canon EOS R6")
	ann.ask(t, "POST", "/api/listings/"+declared+"/sold", `{"price":"99999"}`, 200)
	eventually(t, "nothing is for sale", func() bool { return strings.Contains(trend(), `"active":{"count":0`) })
	before := trend()
	listing, offer := sold(ann, bob)
	if count() != 1 {
		t.Errorf("what nobody has confirmed makes %d sales", count())
	}
	bob.ask(t, "POST", "/api/offers/"+offer+"/rating", `{"stars":5}`, 201)
	if _, body := s.do(t, "GET", "/api/sellers/ann"); !strings.Contains(body, `"ratings":0`) || !strings.Contains(body, `"sold":0`) {
		t.Errorf("an unconfirmed sale counts for the seller: %s", body)
	}
	bob.ask(t, "POST", "/api/offers/"+offer+"/confirm", "", 200)
	if count() != 2 {
		t.Errorf("a confirmed sale makes %d sales", count())
	}
	if _, body := s.do(t, "GET", "/api/sellers/ann"); !strings.Contains(body, `"ratings":1`) || !strings.Contains(body, `"sold":1`) {
		t.Errorf("a confirmed sale does not count for the seller: %s", body)
	}

	e := op.ask(t, "POST", "/api/sales/"+saleOf("ann", listing)+"/void", `{"note":"One person"}`, 200)
	if e["action"] != "void_sale" || get(t, e, "sale.state") != "voided" || e["note"] != "One person" {
		t.Errorf("voiding is %v", e)
	}
	eventually(t, "the trend is what it was", func() bool { return trend() == before })
	if _, body := s.do(t, "GET", "/api/sellers/ann"); !strings.Contains(body, `"ratings":0`) || !strings.Contains(body, `"sold":0`) {
		t.Errorf("a voided sale counts for the seller: %s", body)
	}
	for _, member := range []*testMember{ann, bob} {
		if got := member.ask(t, "GET", "/api/offers/"+offer, "", 200); got["status"] != "voided" {
			t.Errorf("%s reads %v", member.Handle, got["status"])
		}
	}
	if page := ann.read(t, "/account/listings"); !strings.Contains(page, "cancelled this sale.") {
		t.Error("the seller's listings do not say that the sale is voided")
	}

	_, silent := sold(ann, eve)
	disputed, disputedOffer := sold(ann, eve)
	eve.ask(t, "POST", "/api/offers/"+disputedOffer+"/dispute", `{"text":" "}`, 400)
	got := eve.ask(t, "POST", "/api/offers/"+disputedOffer+"/dispute", `{"text":"The meter is dead."}`, 200)
	if got["status"] != "disputed" || steps(got) != "confirm" || got["dispute"] != "The meter is dead." {
		t.Errorf("disputed: %v", got)
	}
	clock.add(models.ConfirmationPeriod)
	must(s.DoDue(t.Context()))
	if got := ann.ask(t, "GET", "/api/offers/"+silent, "", 200); got["status"] != "confirmed" || count() != 2 {
		t.Errorf("after 7 days the offer is %v, with %d sales", got["status"], count())
	}
	queue := op.ask(t, "GET", "/api/sales", "", 200)
	if queue["waiting"] != 1. || get(t, queue, "sales.0.state") != "disputed" || get(t, queue, "sales.0.dispute") != "The meter is dead." || get(t, queue, "sales.0.bought_by.handle") != "eve" {
		t.Errorf("the queue is %v", queue)
	}
	page := op.read(t, "/account/moderation/sales")
	id := saleOf("ann", disputed)
	for _, want := range []string{"The meter is dead.", "/account/moderation/sales/" + id + "/approve", "/account/moderation/sales/" + id + "/void", "Confirm sale"} {
		if !strings.Contains(page, want) {
			t.Errorf("the queue has no %q", want)
		}
	}
	if resp, _ := op.post(t, "/account/moderation/sales/"+id+"/approve", "note=the+meter+works"); resp.StatusCode != 303 {
		t.Errorf("approving is %d", resp.StatusCode)
	}
	if got := ann.ask(t, "GET", "/api/offers/"+disputedOffer, "", 200); got["status"] != "confirmed" || count() != 3 {
		t.Errorf("approved, the offer is %v, with %d sales", got["status"], count())
	}
	op.ask(t, "POST", "/api/members/ann/suspend", `{"void_sales":true,"note":"fraud"}`, 200)
	if count() != 1 {
		t.Errorf("after a suspension for fraud there are %d sales", count())
	}
	if page := op.read(t, "/admin/audit"); strings.Count(page, "Cancelled the sale of") != 4 {
		t.Errorf("the audit trail is %s", page)
	}
}

// TestAgreement tests that both sides see what was agreed on, in every format, and that
// the listing can't be edited meanwhile.
func TestAgreement(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	listing := ann.ask(t, "POST", "/api/listings", `{"gear":"canon/eos-r6","price":"1249","condition":"excellent","description":"Used at weekends.","region":"DE"}`, 201)["id"].(string)
	ann.ask(t, "POST", "/api/listings/"+listing+"/publish", "", 200)
	offer := bob.offers(t, listing, "1000.00")
	if got := bob.ask(t, "GET", "/api/offers/"+offer, "", 200); got["agreement"] != nil {
		t.Errorf("before it is accepted: %v", got["agreement"])
	}
	ann.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
	e := ann.ask(t, "PATCH", "/api/listings/"+listing, `{"condition":"faulty"}`, 409, "If-Match", "*")
	if e["code"] != "offer_accepted" || !strings.Contains(fmt.Sprint(e["hint"]), "/api/offers/"+offer) {
		t.Errorf("editing is %v", e)
	}
	resp, body := ann.post(t, "/sell/"+listing, fmt.Sprintf("if_match=%v&", ann.ask(t, "GET", "/api/listings/"+listing, "", 200)["version"])+"title=Another&condition=faulty&price=1&region=DE&gear=canon%2Feos-r6&functional=untested")
	if resp.StatusCode != 409 || !strings.Contains(body, "Decline or withdraw first. That relists it.") {
		t.Errorf("the form is %d", resp.StatusCode)
	}
	report := ann.importFile(t, "external_id,title,condition,price,region,gear\n"+listing+",Another,faulty,1,DE,canon/eos-r6\n", 200)
	if report["rejected_total"] != 1. || !strings.Contains(fmt.Sprint(report["rejected"]), "Decline or withdraw first") {
		t.Errorf("importing is %v", report)
	}
	for _, member := range []*testMember{ann, bob} {
		got := member.ask(t, "GET", "/api/offers/"+offer, "", 200)
		if get(t, got, "agreement.amount.amount") != "1000.00" || get(t, got, "agreement.grade.code") != "excellent" || get(t, got, "agreement.description") != "Used at weekends." {
			t.Errorf("%s reads %v", member.Handle, got["agreement"])
		}
		for _, path := range []string{"/account/offers/" + offer, "/account/offers/" + offer + ".md"} {
			if body := member.read(t, path); !strings.Contains(body, "What you agreed") || !strings.Contains(body, "Used at weekends.") {
				t.Errorf("%s does not say what was agreed on", path)
			}
		}
	}
	ann.ask(t, "POST", "/api/offers/"+offer+"/withdraw", "", 200)
	ann.ask(t, "PATCH", "/api/listings/"+listing, `{"condition":"faulty"}`, 200, "If-Match", "*")
}

// TestBlockedCounterOffer tests that a blocked member can leave an offer, and no more.
func TestBlockedCounterOffer(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	offer := bob.offers(t, ann.listed(t, "Canon EOS R6"), "1000.00")
	ann.ask(t, "POST", "/api/offers/"+offer+"/counter", `{"amount":"1100","message":"Or so"}`, 200)
	ann.ask(t, "PUT", "/api/blocks/bob", "", 200)
	for step, body := range map[string]string{"counter": `{"amount":"1050","message":"Read this"}`, "accept": ""} {
		if e := bob.ask(t, "POST", "/api/offers/"+offer+"/"+step, body, 403); e["code"] != "blocked" {
			t.Errorf("%s of a blocked member: %v", step, e)
		}
	}
	bob.ask(t, "POST", "/api/offers/"+offer+"/decline", "", 200)
}
