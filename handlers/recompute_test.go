package handlers

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models"
)

// TestRecomputedMedians runs the published script against a server: all medians that it
// publishes follow from the prices that it publishes, to the cent.
func TestRecomputedMedians(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: python3 is not installed, so docs/recompute_medians.py is not tested")
	}
	now := testNow
	s := bulkServer(t, &now)
	out, err := exec.CommandContext(t.Context(), python, "../docs/recompute_medians.py", "http://"+webtest.ServeTCP(t, s.Server)).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// TestRecomputedEstimates runs the published script against a server: all estimates follow
// to the cent from the figures that the page of each gear has, in all formats.
func TestRecomputedEstimates(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: python3 is not installed, so docs/recompute_estimates.py is not tested")
	}
	s := newMarketServer(t)
	var sales []models.Sale
	for i := range 600 {
		slug := []string{"canon/eos-r6", "canon/eos-r5", "sony/alpha-7-iii"}[i%3]
		sales = append(sales, models.Sale{Gear: slug, Condition: models.Conditions[i*5%7], Price: models.Cents(80_000 + 20_000*(i%3) - 5_000*(i*5%7) + 997*(i*7%13)),
			SoldAt: s.store.Now() - models.Time(600-i)*24*3600*1000, Region: "DE"})
	}
	_, _, err = s.store.Trades.ImportSales(t.Context(), sales)
	must(err)
	must(s.store.Prices.FitPrices(t.Context(), s.catalog.All()))
	must(s.estimates.Reload(t.Context()))
	gear := slices.Sorted(maps.Keys(s.estimates.Current.Load().Gear))
	if len(gear) == 0 {
		t.Fatal("no estimates")
	}
	args := append([]string{"../docs/recompute_estimates.py", "http://" + webtest.ServeTCP(t, s.Server)}, gear...)
	out, err := exec.CommandContext(t.Context(), python, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%d gear: %s", len(gear), out)
	e := s.estimates.Of(gear[0], "")
	median := s.site.Currency().Money(e.Median).Amount
	for accept, want := range map[string]string{"application/json": `"median":{"amount":"` + median + `"`, "text/csv": median, "text/html": "<table", "text/markdown": "| "} {
		if code, body := s.do(t, "GET", "/prices/"+gear[0], "Accept", accept); code.StatusCode != 200 || !strings.Contains(body, want) {
			t.Errorf("%s as %s: %d, want %s in %s", gear[0], accept, code.StatusCode, want, body)
		}
	}
}
