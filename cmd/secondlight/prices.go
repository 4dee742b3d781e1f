package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/store"
)

type pricesCommand struct {
	Fit   pricesFitCommand   `cmd:"" help:"Estimate what gear sells for and check how accurate that was, as the server does every night."`
	Check pricesCheckCommand `cmd:"" help:"Predict the sales of the last months from those before each month, and print how accurate the price estimates are."`
}

type pricesFitCommand struct {
	Months int `default:"12" help:"Number of months that are predicted for the check."`
}

func (p pricesFitCommand) Run(c *console) error {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	return withStore(c, func(store *store.Store) error {
		if err := store.Site.CorrectCatalog(c.ctx, catalog); err != nil {
			return err
		}
		if err := store.Prices.FitPrices(c.ctx, catalog.All()); err != nil {
			return err
		}
		if err := store.Prices.IndexPrices(c.ctx, catalog); err != nil {
			return err
		}
		if err := store.Prices.CheckPrices(c.ctx, catalog, p.Months); err != nil {
			return err
		}
		fit, err := store.Prices.PriceFit(c.ctx)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "%d sales, %d gear with estimates\n", fit.Sales, fit.Gear)
		return err
	})
}

type pricesCheckCommand struct {
	Months int `default:"12" help:"Number of months."`
}

func (p pricesCheckCommand) Run(c *console) error {
	gears, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	return withStore(c, func(store *store.Store) error {
		if err := store.Site.CorrectCatalog(c.ctx, gears); err != nil {
			return err
		}
		sample, err := store.Prices.PricedSales(c.ctx)
		if err != nil {
			return err
		}
		checks := pricing.Backtest(catalog.PricedGear(gears.All()), sample.Sales, models.DayNumber(time.Now()), p.Months)
		return writeAccuracy(c.out, checks)
	})
}

// writeAccuracy writes a table for each way to classify the checks.
func writeAccuracy(out io.Writer, checks []pricing.Check) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, by := range []struct {
		title string
		class func(*pricing.Check) pricing.Class
	}{
		{"", pricing.All}, {"by category", pricing.ByKind}, {"by grade", pricing.ByGrade}, {"by estimate", pricing.ByPrice},
		{"by sales of the gear", pricing.ByCrowd}, {"by sales in the condition in a year", pricing.BySameGrade},
	} {
		fmt.Fprintf(w, "%s\tsales\testimates\tmedian error\twithin 10 %%\tin 50 %% range\tin 80 %% range\tcompared\tmedian error\tof medians\tof last sales\t\n", by.title)
		for _, a := range pricing.Summarize(checks, by.class) {
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t\n", a.Class.Name, a.Sales, a.Stated,
				percent(a.Stated, a.Error), percent(a.Stated, a.Within10), percent(a.Stated, a.InHalf), percent(a.Stated, a.InMost),
				a.Compared, percent(a.Compared, a.Ours), percent(a.Compared, a.MedianError), percent(a.Compared, a.LastError))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// percent formats a figure of n sales.
func percent(n int, share float64) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}
