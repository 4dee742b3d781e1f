package views

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

func TestProduct(t *testing.T) {
	page := func(demo bool, status models.Status) string {
		l := testListing(0)
		l.Title, l.Demo, l.Status = nasty+"</script>", demo, status
		return htmlOf(t, NewListing(testSite(), ListingParts{Listing: l, Gear: testGear, Seller: testMember}))
	}
	if strings.Contains(page(true, models.StatusActive), "ld+json") {
		t.Error("search engines are told of something invented")
	}
	for status, want := range map[models.Status]string{
		models.StatusActive: "InStock", models.StatusReserved: "LimitedAvailability", models.StatusSold: "SoldOut", models.StatusEnded: "Discontinued",
	} {
		_, ld, _ := strings.Cut(page(false, status), `<script type="application/ld+json">`)
		ld, _, _ = strings.Cut(ld, "</script>")
		var got product
		if err := json.Unmarshal([]byte(ld), &got); err != nil {
			t.Fatalf("%v: %s", err, ld)
		}
		o := got.Offers
		if got.Name != nasty+"</script>" || o.Price != "1249.00" || o.PriceCurrency != "EUR" || o.Availability != "https://schema.org/"+want || o.ItemCondition != "https://schema.org/UsedCondition" {
			t.Errorf("described as %+v", got)
		}
		if len(got.Image) != 3 || !strings.HasSuffix(got.Image[0], "-1280.jpg") {
			t.Errorf("pictures are %q", got.Image)
		}
	}
}
