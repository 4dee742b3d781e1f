package listing

import (
	"bytes"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/viewstest"
)

func TestDeliver(t *testing.T) {
	for _, test := range []struct {
		postage models.Postage
		to      models.Region
		terms   search.ShippingTerms
		says    string
	}{
		{"DE=690 EU=1490", "DE", search.Ships, "€1,265.90 including €6.90 postage to Germany"},
		{"DE=690 EU=1490", "FR", search.Ships, "€1,273.90 including €14.90 postage to France"},
		{"DE=690", "US", search.NotShipped, "Doesn't post to United States"},
		{"", "DE", search.NotStated, ""},
		{models.PickupOnly, "DE", search.Pickup, ""},
	} {
		l := viewstest.Listing(0)
		l.Price, l.Postage = 125900, test.postage
		p := NewListing(viewstest.Site(), ListingParts{Listing: l, Gear: viewstest.Gear, Seller: &models.Member{Handle: "ann", Name: "Ann"}})
		p.Deliver(test.to)
		if p.Delivery == nil || p.Delivery.Terms != test.terms {
			t.Errorf("%q to %s: %+v", test.postage, test.to, p.Delivery)
		}
		var html bytes.Buffer
		if err := p.HTML().Render(t.Context(), &html); err != nil {
			t.Fatal(err)
		}
		if text := strings.ReplaceAll(html.String(), "&#39;", "'"); !strings.Contains(text, test.says) {
			t.Errorf("%q to %s: the page does not say %q", test.postage, test.to, test.says)
		}
	}
}
