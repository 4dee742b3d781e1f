package gear

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/secondlight/secondlight/models"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

func TestRangeMarksCoverNoOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 30 {
		cards, prices := make([]ui.Card, n), make([]*models.Money, n)
		for i := range cards {
			cards[i].Price = models.Money{Amount: strconv.Itoa(900 + random.IntN(50+20*n)), Currency: "EUR"}
			prices[i] = cards[i].Comparable()
		}
		marks := rangeMarks(cards, priceviews.NewScale(prices...))
		if len(marks) == 0 != (n == 0) || n <= rangeRows && len(marks) != n {
			t.Errorf("%d of %d listings have a mark", len(marks), n)
		}
		for i, a := range marks {
			for _, b := range marks[i+1:] {
				if a.narrow == b.narrow && b.x-a.x < narrowMark-1e-9 || a.wide == b.wide && b.x-a.x < wideMark-1e-9 {
					t.Errorf("of %d, the marks at %g and %g meet", n, a.x, b.x)
				}
			}
		}
	}
}

func TestChangeText(t *testing.T) {
	percent := func(f float64) *float64 { return &f }
	for _, test := range []struct {
		year, quarter *float64
		want          string
	}{
		{nil, nil, ""},
		{percent(-23.3), percent(-3), "Down 23% in a year"},
		{percent(4.6), nil, "Up 5% in a year"},
		{percent(-0.4), percent(9), "About the same as a year ago"},
		{nil, percent(-4.4), "Down 4% in 90 days"},
		{nil, percent(0.1), "About the same as 90 days ago"},
	} {
		p := &Trend{Change: priceviews.Change{Months12: test.year, Days90: test.quarter}}
		if got := p.changeText(context.Background()); got != test.want {
			t.Errorf("the change is %q, want %q", got, test.want)
		}
	}
}
