package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

func TestMoneyText(t *testing.T) {
	for _, test := range []struct{ amount, currency, want string }{
		{"1249.00", "EUR", "€1,249"}, {"1249.50", "EUR", "€1,249.50"}, {"0.05", "EUR", "€0.05"}, {"0.00", "EUR", "€0"},
		{"999.00", "USD", "$999"}, {"1234567.00", "GBP", "£1,234,567"}, {"120000", "JPY", "¥120,000"}, {"90.00", "CHF", "CHF\u00a090"}, {"-1249.00", "EUR", "−€1,249"},
	} {
		if got := MoneyText(models.Money{Amount: test.amount, Currency: test.currency}); got != test.want {
			t.Errorf("%s %s is written %q, want %q", test.amount, test.currency, got, test.want)
		}
	}
}

func TestBudgetText(t *testing.T) {
	for budget, want := range map[string]string{
		"500-1000": "€500 – €1,000", "500-999.99": "€500 – €1,000", "0-99.99": "Up to €100", "2000-": "€2,000 and up", "800": "Up to €800", "12.50-20": "€12.50 – €20", "-80": "Up to €80",
	} {
		if got := budgetText(languages.English, "EUR", budget); got != want {
			t.Errorf("%s is written %q, want %q", budget, got, want)
		}
	}
}

func TestDealText(t *testing.T) {
	for percent, want := range map[int]string{-12: "12% below market (34 sales)", 8: "8% above market (34 sales)", 0: "at the market price (34 sales)"} {
		if got := (&Deal{Percent: percent, Sales: 34}).TextIn(context.Background()); got != want {
			t.Errorf("%d %% is told as %q, want %q", percent, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	for got, want := range map[string]string{
		NumberText(7): "7", NumberText(1000): "1,000", NumberText(1234567): "1,234,567",
		CountText(1, "sale", "sales"): "1 sale", CountText(0, "sale", "sales"): "0 sales",
		localDay(languages.English, "2026-11-04T23:59:59Z"): "4 Nov 2026", localDay(languages.English, "soon"): "soon", localDay(languages.English, "not a day at all"): "not a day at all",
		LocalMonth(languages.English, "2026-03"): "Mar 2026", LocalMonth(languages.English, "spring"): "spring",
		RegionName("DE"): "Germany", RegionName("US-CA"): "California, United States", RegionName("GB"): "United Kingdom", RegionName("DE-XX"): "DE-XX, Germany", RegionName("XQ"): "XQ", RegionName(""): "",
		focalText(24, 105): "24–105 mm", focalText(50, 50): "50 mm", focalText(0, 0): "", focalText(12.5, 0): "12.5 mm",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAgoText(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for at, want := range map[string]string{
		"2026-11-21T08:59:00Z": "Today New", "2026-11-21T23:00:00Z": "Today New", "2026-11-20T23:59:00Z": "Yesterday New", "2026-11-20T08:59:00Z": "Yesterday",
		"2026-11-08T00:00:00Z": "13 days ago", "2026-11-07T23:00:00Z": "2 weeks ago", "2026-09-21T00:00:00Z": "2 months ago", "2025-11-21T00:00:00Z": "1 year ago", "2023-01-01T00:00:00Z": "3 years ago",
	} {
		published, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		got := agoIn(t.Context(), published, now)
		if isNew(published, now) {
			got += " New"
		}
		if got != want {
			t.Errorf("%s was %q, want %q", at, got, want)
		}
		if in, _, _ := strings.Cut(strings.ToLower(want), " new"); AgoOf(t.Context(), at, now) != in {
			t.Errorf("%s in a sentence was %q, want %q", at, AgoOf(t.Context(), at, now), in)
		}
	}
}

func TestPriceDrop(t *testing.T) {
	site := &Site{Defaults: SiteSettings{Currency: models.Currency{Code: "EUR", Digits: 2}}}
	for _, c := range []struct {
		earlier, price models.Cents
		status         models.Status
		want           string
	}{
		{0, 99900, "active", ""}, {113500, 99900, "active", "−12%"}, {99900, 99900, "active", ""}, {90000, 99900, "active", ""},
		{100000, 99900, "active", ""}, {100000, 50000, "sold", ""}, {100, 1, "active", "−99%"},
	} {
		card := NewCard(site, &models.Listing{Price: c.price, EarlierPrice: c.earlier, Status: c.status}, nil, "anna-k", nil)
		if got := card.dropText(languages.English); got != c.want {
			t.Errorf("%d after %d, %s: %q, want %q", c.price, c.earlier, c.status, got, c.want)
		}
	}
}
