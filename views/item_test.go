package views

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// Every field of an item stands in the results and on the pages about it, if it is not
// private, and in the form of its seller.
func TestItemIsShown(t *testing.T) {
	site, ctx := testSite(), context.Background()
	l := testListing(1)
	l.Item = storetest.FullItem(t)
	parts := ListingParts{Listing: l, Gear: testGear, Seller: testMember}
	page := NewListing(site, parts)
	compared := NewListingComparison(site, []ListingParts{parts, parts}, "DE", nil, 0)
	agreement := NewAgreement(site, &models.Agreement{Listing: *l, Amount: 40000, AgreedAt: l.PublishedAt}, testGear)

	for where, value := range map[string]any{
		"a listing": page, "a record of a listing": NewListingRecord(site, page.Card, l, nil), "an agreement": agreement, "a comparison": compared.Listings[0],
		"the tool of a listing": page.Result(&ListingOptions{}), "the tool of a comparison": compared.Result(nil).Listings[0],
	} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		for _, f := range models.ItemFields {
			name := f.Name
			if value == agreement {
				name = map[string]string{"condition": "grade", "functional": "working_state"}[f.Name]
			}
			if _, has := got[cmp.Or(name, f.Name)]; has == f.Private {
				t.Errorf("the JSON of %s has %s: %v", where, f.Name, has)
			}
		}
	}

	form := NewListingForm(site, l, func(string) string { return "" })
	for where, text := range map[string]string{
		"the Markdown of a listing": markdownOf(t, page), "the Markdown of a comparison": markdownOf(t, compared),
		"the page of a listing": htmlOf(t, page), "the page of a comparison": htmlOf(t, compared),
		"the Markdown of an agreement": factsText(agreement.facts(ctx, untrusted)),
	} {
		for _, f := range models.ItemFields {
			if has := strings.Contains(text, itemText(ctx, f, &l.Item, asWritten)); has == f.Private {
				t.Errorf("%s has the %s: %v", where, f.Name, has)
			}
		}
	}
	editor := htmlOf(t, NewListingEditor(site, page, form))
	for _, f := range models.ItemFields {
		if !strings.Contains(editor, `name="`+f.Name+`"`) {
			t.Errorf("the form has no %s", f.Name)
		}
		for _, value := range f.Values(&l.Item) {
			if f.Kind == models.NumberField {
				value = numberIn(ctx, f.Number(&l.Item))
			}
			if !strings.Contains(editor, value) {
				t.Errorf("the form does not show the %s %s", f.Name, value)
			}
		}
	}
}

func factsText(facts []fact) string {
	var b strings.Builder
	for _, f := range facts {
		b.WriteString(f.Name + ": " + f.Value + "\n")
	}
	return b.String()
}
