package handlers

import (
	"context"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

// trade is a confirmed sale between a seller and a buyer.
func (s *testServer) trade(t testing.TB, seller, buyer *testMember) (offerID string) {
	t.Helper()
	ctx := context.Background()
	o, err := s.store.Trades.MakeOffer(ctx, seller.sellOne(t, "Canon EOS R6"), buyer.ID, 80000, "", models.DeliveryRequest{})
	must(err)
	for _, a := range []store.Answer{{Step: models.Accept, By: seller.ID}, {Step: models.Complete, By: seller.ID}, {Step: models.Confirm, By: buyer.ID}} {
		_, err := s.store.Trades.AnswerOffer(ctx, o.ID, a)
		must(err)
	}
	return o.ID
}

// TestRatings tests that both sides of a completed offer rate each other, once,
// and nobody else does.
func TestRatings(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben, eve := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember), s.join(t, "eve", models.RoleMember)
	id := s.trade(t, ann, ben)
	at := "/api/offers/" + id + "/rating"
	for _, c := range []struct {
		who    *testMember
		body   string
		status int
		code   string
	}{
		{eve, `{"stars":1}`, 404, "offer_not_found"},
		{ben, `{"stars":0}`, 400, "invalid_parameter"},
		{ben, `{"stars":6}`, 400, "invalid_parameter"},
		{ben, `{"text":"no stars"}`, 400, "missing_parameter"},
		{ben, `{"stars":4,"text":"Quick & kind"}`, 201, ""},
		{ben, `{"stars":1}`, 409, "rated_already"},
		{ann, `{"stars":5}`, 201, ""},
	} {
		answer := c.who.ask(t, "POST", at, c.body, c.status)
		if c.code != "" && answer["code"] != c.code {
			t.Errorf("%s as %s is %v", c.body, c.who.Handle, answer)
		}
	}
	open, err := s.store.Trades.MakeOffer(context.Background(), ann.sellOne(t, "Another"), ben.ID, 1000, "", models.DeliveryRequest{})
	must(err)
	ben.ask(t, "POST", "/api/offers/"+open.ID+"/rating", `{"stars":5}`, 409)
	for path, want := range map[string][]string{
		"/sellers/ann":                {"4 of 5 stars from 1 rating", "Quick &amp; kind", "★★★★☆", "/sellers/ben"},
		"/sellers/ann.md":             {"4 of 5 stars from 1 rating", "Quick & kind", "★★★★☆"},
		"/sellers/ben":                {"5 of 5 stars from 1 rating"},
		"/sellers/eve":                {"New seller, no ratings yet", "ember since"},
		"/api/sellers/ann":            {`"stars":4,"ratings":1`, `"text":"Quick & kind"`},
		"/api/sellers/eve":            {`"ratings":0`},
		"/listings/" + open.ListingID: {"4 of 5 stars from 1 rating"},
	} {
		_, body := s.do(t, "GET", path)
		for _, w := range want {
			if !strings.Contains(body, w) {
				t.Errorf("%s does not say %q", path, w)
			}
		}
		if strings.Contains(body, "@example.org") {
			t.Errorf("%s tells an e-mail address", path)
		}
	}
	second := s.trade(t, ann, eve)
	resp, _ := eve.post(t, "/account/offers/"+second+"/rating", "stars=5&text=Packed+well")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/offers/"+second {
		t.Errorf("the form is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
}
