package listing

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/viewstest"
)

func TestPriceBar(t *testing.T) {
	draw := func(trend *prices.Trend, price models.Cents) string {
		l := viewstest.Listing(0)
		l.Price = price
		var b bytes.Buffer
		if err := NewListing(viewstest.Site(), ListingParts{Listing: l, Gear: viewstest.Gear, Trend: trend, Seller: viewstest.Member}).priceBar().Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := draw(nil, 100); got != "" {
		t.Errorf("without sales the bar is %s", got)
	}
	for _, price := range []models.Cents{100, 125900, 900000} {
		svg := draw(viewstest.Trend(30), price)
		viewstest.WellFormed(t, svg)
		if !strings.Contains(svg, "in this condition") || strings.Contains(svg, "NaN") {
			t.Errorf("the bar is %s", svg)
		}
	}
	few := viewstest.Trend(30)
	few.ByCondition = nil
	if svg := draw(few, 125900); !strings.Contains(svg, "all conditions") {
		t.Errorf("with too few sales in the condition the bar is %s", svg)
	}
}
