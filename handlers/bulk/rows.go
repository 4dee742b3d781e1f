package bulk

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// kinds returns the bulk files that there are.
func (b *Bulk) kinds() []bulkFile {
	table := func(name, contents string, columns []string, write func(context.Context, io.Writer) (int, error)) bulkFile {
		return bulkFile{BulkFile{Name: name, MediaType: "text/csv", Contents: contents, Schema: strings.Join(columns, ",")}, write}
	}
	return []bulkFile{
		{BulkFile{Name: "gear.jsonl.gz", MediaType: "application/jsonl", Contents: "the catalogue of cameras and lenses, one JSON object a line", Schema: gearSchema}, b.writeGear},
		{BulkFile{Name: "listings.jsonl.gz", MediaType: "application/jsonl", Contents: "every listing for sale with the slug of its brand, one JSON object a line",
			Schema: b.Site.URL("/openapi.json#/components/schemas/Card")}, b.writeListings},
		table("trends.csv.gz", "sold prices of the 12 months from window_from to window_to, by gear and condition; a row without a condition is of all, and figures are empty with fewer than 5 sales", trendColumns, b.writeTrends),
		table("history.csv.gz", "sold prices by gear and month; figures are empty with fewer than 5 sales", historyColumns, b.writeHistory),
		table("estimates.csv.gz", "what gear sells for today by condition: 8 of 10 sales are from low to high, half from half_low to half_high", estimateColumns, b.writeEstimates),
		table("sales.csv.gz", "the prices that the figures of trends.csv count, by gear and condition, lowest first, with the month of the sale; a row without a condition is of all", saleColumns, b.writeSales),
	}
}

// writeListings writes the cards of all listings for sale, with their postage.
func (b *Bulk) writeListings(ctx context.Context, w io.Writer) (rows int, err error) {
	for card := range b.Index.Cards() {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		rows++
		line := b.appendBrand(ui.AppendPostage(b.Site, card.JSON, card.Price, card.Currency, card.Postage))
		if _, err := w.Write(append(line, '\n')); err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// appendBrand returns a copy of the JSON of a card with the slug of the brand of its gear, if it
// has any.
func (b *Bulk) appendBrand(card []byte) []byte {
	var of struct{ Gear string }
	card = slices.Clone(card)
	if json.Unmarshal(card, &of) != nil || of.Gear == "" {
		return card
	}
	brand, _, _ := strings.Cut(of.Gear, "/")
	return append(card[:len(card)-1], `,"brand":"`+brand+`"}`...)
}

// gearRow is a line of the file of gear.
type gearRow struct {
	Gear        string             `json:"gear"`
	Name        string             `json:"gear_name"`
	Brand       string             `json:"brand"`
	BrandName   string             `json:"brand_name"`
	Model       string             `json:"model"`
	Category    models.Category    `json:"category"`
	Mounts      []string           `json:"mounts,omitempty"`
	Format      string             `json:"format,omitempty"`
	FocalMin    float64            `json:"focal_min,omitempty"`
	FocalMax    float64            `json:"focal_max,omitempty"`
	Aperture    float64            `json:"aperture,omitempty"`
	Year        int                `json:"released,omitempty"`
	LaunchPrice *models.Money      `json:"launch_price,omitempty"`
	Aliases     []string           `json:"aliases,omitempty"`
	EXIF        []catalog.EXIFName `json:"exif,omitempty"`
}

// gearSchema describes a gearRow.
const gearSchema = "gear: slug; gear_name; brand, brand_name; model; category; mounts, the most common first; format of the sensor or film; focal_min, focal_max in mm; aperture wide open; released: year; launch_price; aliases; exif: Make and Model in photographs"

// writeGear writes the catalogue.
func (b *Bulk) writeGear(ctx context.Context, w io.Writer) (rows int, err error) {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for _, g := range b.Catalog.All() {
		row := gearRow{Gear: g.Slug(), Name: g.Name(), Brand: g.BrandSlug, BrandName: g.Brand, Model: g.Model, Category: g.Category, Mounts: g.Mounts(), Format: g.Format,
			FocalMin: g.FocalMin, FocalMax: g.FocalMax, Aperture: g.Aperture, Year: g.Year, Aliases: g.Aliases, EXIF: g.EXIF}
		if amount, currency := models.CutCurrency(g.LaunchPrice); amount != "" {
			row.LaunchPrice = &models.Money{Amount: amount, Currency: currency}
		}
		if err := cmp.Or(ctx.Err(), lines.Encode(row)); err != nil {
			return 0, err
		}
		rows++
	}
	return rows, nil
}

// writeCSV writes a file with the rows that all passes to write.
func writeCSV(w io.Writer, columns []string, all func(write func(row ...string) error) error) (rows int, err error) {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return 0, err
	}
	err = all(func(row ...string) error {
		rows++
		return out.Write(row)
	})
	out.Flush()
	return rows, cmp.Or(err, out.Error())
}

// historyColumns are the columns of the file of monthly prices.
var historyColumns = []string{"gear", "month", "sales", "average", "median", "low", "high", "p25", "p75", "currency"}

// writeHistory writes the statistics of all gear by month.
func (b *Bulk) writeHistory(ctx context.Context, w io.Writer) (rows int, err error) {
	return writeCSV(w, historyColumns, func(write func(...string) error) error {
		return b.Prices.EachTrendMonth(ctx, func(gear string, m *prices.TrendMonth) error {
			return write(append(append([]string{gear, m.Month.String(), strconv.Itoa(m.Count)}, b.figures(&m.Stats)...), b.Site.Currency().Code)...)
		})
	})
}

// estimateColumns are the columns of the file of estimates.
var estimateColumns = []string{"gear", "condition", "day", "estimate", "low", "high", "half_low", "half_high", "sales", "sales_in_condition", "basis", "currency"}

// writeEstimates writes what gear sells for today by condition.
func (b *Bulk) writeEstimates(ctx context.Context, w io.Writer) (rows int, err error) {
	currency := b.Site.Currency()
	return writeCSV(w, estimateColumns, func(write func(...string) error) error {
		for _, g := range b.Catalog.All() {
			for _, e := range b.Estimates.ByGrade(g.Slug()) {
				err := write(e.Gear, string(e.Condition), string(e.Day), currency.Decimal(e.Median), currency.Decimal(e.Low), currency.Decimal(e.High), currency.Decimal(e.HalfLow), currency.Decimal(e.HalfHigh),
					strconv.Itoa(e.Sales), strconv.Itoa(e.SameGrade), string(e.Basis()), currency.Code)
				if err := cmp.Or(err, ctx.Err()); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// trendColumns are the columns of the trends file. A row without a condition is of all
// conditions.
var trendColumns = []string{"gear", "condition", "window_from", "window_to", "sales", "average", "median", "low", "high", "p25", "p75", "currency", "last_sold_at", "change_90d", "demo"}

// writeTrends writes the statistics of all gear.
func (b *Bulk) writeTrends(ctx context.Context, w io.Writer) (rows int, err error) {
	return writeCSV(w, trendColumns, func(write func(...string) error) error {
		return b.Prices.EachTrend(ctx, func(t *prices.Trend) error {
			if t.Summary.Count == 0 {
				return nil
			}
			if err := write(b.trendRow(t, "", &t.Summary)...); err != nil {
				return err
			}
			for _, condition := range models.Conditions {
				if stats := t.ByCondition[condition]; stats.Count > 0 {
					if err := write(b.trendRow(t, condition, &stats)...); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
}

// saleColumns are the columns of the file of counted prices. A row without a condition is of
// all conditions.
var saleColumns = []string{"gear", "condition", "price", "currency", "month"}

// writeSales writes the counted prices of all figures that are public. They have neither
// day nor region, so that nobody is recognized by them.
func (b *Bulk) writeSales(ctx context.Context, w io.Writer) (rows int, err error) {
	currency := b.Site.Currency()
	return writeCSV(w, saleColumns, func(write func(...string) error) error {
		return b.Prices.EachCountedPrice(ctx, func(gear string, condition models.Condition, price models.Cents, month models.MonthKey) error {
			return write(gear, string(condition), currency.Decimal(price), currency.Code, month.String())
		})
	})
}

// figures returns the average, the median, the lowest and highest price and the quartiles of
// sales, "" if there are too few.
func (b *Bulk) figures(stats *prices.Stats) (texts []string) {
	for _, amount := range []models.Cents{stats.Average, stats.Median, stats.Low, stats.High, stats.P25, stats.P75} {
		text := ""
		if stats.Enough() {
			text = b.Site.Currency().Decimal(amount)
		}
		texts = append(texts, text)
	}
	return texts
}

// trendRow returns the row of a gear in a condition, "" for all.
func (b *Bulk) trendRow(t *prices.Trend, condition models.Condition, stats *prices.Stats) []string {
	change := ""
	if condition == "" && t.Change90d != nil {
		change = strconv.FormatFloat(float64(*t.Change90d)/100, 'f', -1, 64) // percent
	}
	row := append([]string{t.Gear, string(condition), t.WindowFrom.RFC3339(), t.AsOf.RFC3339(), strconv.Itoa(stats.Count)}, b.figures(stats)...)
	return append(row, b.Site.Currency().Code, stats.LastSoldAt.RFC3339(), change, strconv.FormatBool(b.Site.Demo()))
}
