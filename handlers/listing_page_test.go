package handlers

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// TestListingPageStates tests what the page of a listing says and offers in each
// state, to a visitor, a buyer and the seller.
func TestListingPageStates(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	listed := func(title string) string { return ann.list(t, strings.Replace(r6, "Canon EOS R6, boxed", title, 1)) }
	active, reserved, ended, sold, declared := listed("Active R6"), listed("Reserved R6"), listed("Ended R6"), listed("Sold R6"), listed("Declared R6")
	ann.ask(t, "PATCH", "/api/listings/"+active, `{"price":"1199"}`, 200, "If-Match", "*")
	ann.ask(t, "POST", "/api/listings/"+reserved+"/reserve", "", 200)
	ann.ask(t, "POST", "/api/listings/"+ended+"/end", `{"reason":"kept"}`, 200)
	ann.ask(t, "POST", "/api/listings/"+declared+"/sold", `{"price":"1000"}`, 200)
	offer := ben.ask(t, "POST", "/api/listings/"+sold+"/offers", `{"amount":"1120"}`, 201)["id"].(string)
	ann.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
	ann.ask(t, "POST", "/api/offers/"+offer+"/complete", "", 200)
	ben.ask(t, "POST", "/api/offers/"+offer+"/confirm", "", 200)
	draft := ann.ask(t, "POST", "/api/listings", r6, 201)["id"].(string)
	s.awaitListing(t, active, true)

	for _, test := range []struct {
		who         *testMember
		id          string
		says, never []string
	}{
		{nil, active, []string{"€1,199", "Reduced from €1,249", "€1,249 until", "€1,199 now", "Excellent", "Condition 5 of 7, where 1 is Faulty and 7 is New", "Fully working", "Internal dust",
			`href="/guides/condition-grades"`, "Make an offer", "Message", ">Watch<", "/sign-in?next=%2Flistings%2F" + active + "%23make-offer-amount", "Report this listing"},
			[]string{"Send offer", "Mark as sold", "Edit<"}},
		{ben, active, []string{`href="#make-offer-amount"`, `href="#write-message-text"`, "Send offer", "Send message", ">Watch<"}, []string{"/sign-in?next", "Mark as sold"}},
		{ann, active, []string{`action="/sell/` + active + `/sold"`, `href="/sell/` + active + `"`, "Reserve for a buyer", "End listing"}, []string{"Send offer", "Report this listing", ">Watch<"}},
		{nil, reserved, []string{"Reserved. It may become available again.", "Message", ">Watch<"}, []string{"Make an offer"}},
		{ann, reserved, []string{"Relist", "Mark as sold"}, nil},
		{nil, ended, []string{"The seller ended this listing on", "the seller kept it", "See similar for sale", `id="similar"`}, []string{"Make an offer", ">Watch<"}},
		{nil, sold, []string{"Sold for €1,120", "Asking price €1,249", "Sold on", "See similar for sale"}, []string{"Make an offer", ">Watch<"}},
		{ann, sold, []string{"Sold for €1,120", "The price counts towards price history"}, []string{"Mark as sold", `class="actions"`}},
		{nil, declared, []string{"<b>Sold</b>", "Asking price €1,249"}, []string{"€1,000"}},
		{ann, declared, []string{"Sold for €1,000"}, nil},
		{ann, draft, []string{"Draft. Only you can see it.", "Publish", "Discard draft"}, []string{"Listed "}},
	} {
		who, page := "a visitor", ""
		if test.who == nil {
			_, page = s.do(t, "GET", "/listings/"+test.id)
		} else {
			who, page = test.who.Handle, test.who.read(t, "/listings/"+test.id)
		}
		page = unescaped(page)
		for _, want := range test.says {
			if !strings.Contains(page, want) {
				t.Errorf("to %s the listing does not say %q: %s", who, want, mainOf(page))
			}
		}
		for _, no := range test.never {
			if strings.Contains(page, no) {
				t.Errorf("to %s the listing says %q", who, no)
			}
		}
		if words := textOf(mainOf(page)); strings.Contains(words, test.id) || regexp.MustCompile(`(?i)\bversion\b`).MatchString(words) {
			t.Errorf("to %s the listing shows its id or version: %s", who, words)
		}
	}
}

// TestListingComparesSales tests the sales beside a listing: those of similar
// condition that anybody may see.
func TestListingComparesSales(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	var sales []models.Sale
	for i, c := range []models.Condition{models.ConditionExcellent, models.ConditionGood, models.ConditionLikeNew, models.ConditionFaulty} {
		sales = append(sales, models.Sale{ExternalID: fmt.Sprint("sale ", i), Gear: "canon/eos-r6", Condition: c, Price: models.Cents(90000 + i*100), SoldAt: s.store.Now() - models.Time(1+i)*86_400_000, Region: "DE"})
	}
	if _, _, err := s.store.Trades.ImportSales(t.Context(), sales); err != nil {
		t.Fatal(err)
	}
	id := ann.list(t, r6)
	recent := ann.ask(t, "GET", "/api/listings/"+id, "", 200)["recent_sales"].([]any)
	var got []string
	for _, sale := range recent {
		of := sale.(map[string]any)
		got = append(got, fmt.Sprint(of["condition"], " ", of["price"].(map[string]any)["amount"]))
	}
	if want := "excellent 900.00, good 901.00, like_new 902.00"; strings.Join(got, ", ") != want {
		t.Errorf("compared with %v, want %s", got, want)
	}
	for _, format := range []string{"", ".md"} {
		_, page := s.do(t, "GET", "/listings/"+id+format)
		for want, there := range map[string]bool{"€900": true, "€901": true, "€902": true, "€903": false} {
			if strings.Contains(page, want) != there {
				t.Errorf("the page%s has %s: %t, want %t", format, want, !there, there)
			}
		}
	}
}

// TestNewSeller tests that a seller without sales and ratings is introduced as new,
// and that a name that is the handle is not repeated.
func TestNewSeller(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	id := ann.list(t, r6)
	_, page := s.do(t, "GET", "/listings/"+id)
	words := textOf(mainOf(page))
	if !strings.Contains(words, "New seller · joined") || strings.Contains(words, "0 ratings") || strings.Contains(words, "ann ann") {
		t.Errorf("the seller is introduced so: %s", words)
	}
}

// TestConversationNamesTheListing tests the sentence above a conversation.
func TestConversationNamesTheListing(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	id := ann.list(t, r6)
	conversation := ben.ask(t, "POST", "/api/listings/"+id+"/messages", `{"text":"Is it boxed?"}`, 201)["id"].(string)
	for _, path := range []string{"/account/messages", "/account/messages/" + conversation} {
		for who, want := range map[*testMember]string{ann: "You are the seller of Canon EOS R6, boxed", ben: "You are the buyer of Canon EOS R6, boxed"} {
			if words := textOf(mainOf(who.read(t, path))); !strings.Contains(words, want) {
				t.Errorf("%s does not say %q: %s", path, want, words)
			}
		}
	}
}

var elements = regexp.MustCompile(`<[^>]*>`)

// Main returns the main element of a page.
func mainOf(page string) string {
	_, page, _ = strings.Cut(page, "<main")
	page, _, _ = strings.Cut(page, "</main>")
	return page
}

// TextOf returns the text of HTML on one line, without its elements.
func textOf(page string) string {
	return strings.Join(strings.Fields(unescaped(elements.ReplaceAllString(page, ""))), " ")
}
