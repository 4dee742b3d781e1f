package views

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
	listingviews "github.com/secondlight/secondlight/views/listing"
	searchviews "github.com/secondlight/secondlight/views/search"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

// Every field of an item stands in the results and on the pages about it, if it is not
// private, and in the form of its seller.
func TestItemIsShown(t *testing.T) {
	site, ctx := viewstest.Site(), context.Background()
	l := viewstest.Listing(1)
	l.Item = storetest.FullItem(t)
	parts := listingviews.ListingParts{Listing: l, Gear: viewstest.Gear, Seller: viewstest.Member}
	page := listingviews.NewListing(site, parts)
	compared := searchviews.NewListingComparison(site, []listingviews.ListingParts{parts, parts}, "DE", nil, 0)
	agreement := tradeviews.NewAgreement(site, &models.Agreement{Listing: *l, Amount: 40000, AgreedAt: l.PublishedAt}, viewstest.Gear)

	for where, value := range map[string]any{
		"a listing": page, "a record of a listing": listingviews.NewListingRecord(site, page.Card, l, nil), "an agreement": agreement, "a comparison": compared.Listings[0],
		"the tool of a listing": page.Result(&listingviews.ListingOptions{}), "the tool of a comparison": compared.Result(nil).Listings[0],
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

	form := listingviews.NewListingForm(site, l, func(string) string { return "" })
	for where, text := range map[string]string{
		"the Markdown of a listing": viewstest.Markdown(t, page), "the Markdown of a comparison": viewstest.Markdown(t, compared),
		"the page of a listing": viewstest.HTML(t, page), "the page of a comparison": viewstest.HTML(t, compared),
		"the Markdown of an agreement": factsText(agreement.Facts(ctx, ui.Untrusted)),
	} {
		for _, f := range models.ItemFields {
			if has := strings.Contains(text, ui.ItemText(ctx, f, &l.Item, ui.AsWritten)); has == f.Private {
				t.Errorf("%s has the %s: %v", where, f.Name, has)
			}
		}
	}
	editor := viewstest.HTML(t, listingviews.NewListingEditor(site, page, form))
	for _, f := range models.ItemFields {
		if !strings.Contains(editor, `name="`+f.Name+`"`) {
			t.Errorf("the form has no %s", f.Name)
		}
		for _, value := range f.Values(&l.Item) {
			if f.Kind == models.NumberField {
				value = ui.NumberIn(ctx, f.Number(&l.Item))
			}
			if !strings.Contains(editor, value) {
				t.Errorf("the form does not show the %s %s", f.Name, value)
			}
		}
	}
}

func factsText(facts []ui.Fact) string {
	var b strings.Builder
	for _, f := range facts {
		b.WriteString(f.Name + ": " + f.Value + "\n")
	}
	return b.String()
}
