package views

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

func trendOf(months int) *Trend {
	return NewTrend(testSite(), TrendParts{Gear: testGear, Trend: testTrend(months)})
}

func TestChart(t *testing.T) {
	for _, test := range []struct {
		months, marks, runs int
	}{{0, 0, 0}, {1, 1, 1}, {2, 2, 1}, {6, 6, 1}, {30, 28, 3}, {60, 58, 3}} {
		t.Run(fmt.Sprint(test.months), func(t *testing.T) {
			p := trendOf(test.months)
			var inline, file bytes.Buffer
			if err := p.chart().Render(context.Background(), &inline); err != nil {
				t.Fatal(err)
			}
			if err := p.SVG(&file); err != nil {
				t.Fatal(err)
			}
			wellFormed(t, "<div>"+inline.String()+"</div>")
			wellFormed(t, file.String())
			svg := file.String()
			if n := strings.Count(svg, "<circle"); n != test.marks {
				t.Errorf("%d months have marks, want %d", n, test.marks)
			}
			if n := strings.Count(svg, `class="median"`) + strings.Count(svg, `class="whisker"`); n != test.runs {
				t.Errorf("%d runs without a gap, want %d", n, test.runs)
			}
			if n := strings.Count(inline.String(), "<circle"); n != 2*test.marks {
				t.Errorf("%d marks in the page's two drawings, want %d", n, 2*test.marks)
			}
			for _, bad := range []string{"NaN", "Inf", "style="} {
				if strings.Contains(svg, bad) || strings.Contains(inline.String(), bad) {
					t.Errorf("the drawing has %s", bad)
				}
			}
			if test.marks == 0 && !strings.Contains(inline.String(), "No month has the 5 sales") {
				t.Error("a chart without sales does not say so")
			}
			if !strings.Contains(svg, "demonstration data") {
				t.Error("the file does not say that its data is invented")
			}
		})
	}
}

// TestChartStaysInside draws extreme series: a constant price, yen, very low prices.
func TestChartStaysInside(t *testing.T) {
	for _, amounts := range [][]string{{"100.00", "100.00"}, {"120000", "98000"}, {"3.00", "4.50", "2.25"}, {"0.00", "0.00"}, {"12000000.00", "1.00"}} {
		var series []Month
		for i, a := range amounts {
			m := models.Money{Amount: a, Currency: "EUR"}
			series = append(series, Month{Period: models.MonthKey(24000 + i).String(), Median: &m, P25: &m, P75: &m, Count: 5})
		}
		for _, width := range []float64{360, 880} {
			c := newChart(languages.English, chartData{months: series}, width, 270)
			for _, run := range c.runs {
				for _, p := range run {
					if x, y := c.x(p.month), c.y(p.median); x < 0 || x > width || y < chartTop-1 || y > 270-chartBottom+1 {
						t.Errorf("%v: %v is drawn at %g, %g", amounts, p.about, x, y)
					}
				}
			}
			if lines := (c.high - c.low) / c.step; lines < 1 || lines > 8 {
				t.Errorf("%v: the price axis has %g steps", amounts, lines)
			}
		}
	}
}

func wellFormed(t *testing.T, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in %s", err, s)
		}
	}
}

func TestCSV(t *testing.T) {
	p := trendOf(30)
	var b bytes.Buffer
	if err := p.CSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], ","); got != "period,status,count,average,median,p25,p75,currency,condition,low,high,demo" {
		t.Errorf("columns are %s", got)
	}
	if len(rows) != len(p.Series)+1 {
		t.Errorf("%d rows for %d months", len(rows), len(p.Series))
	}
	for i, m := range p.Series {
		row := rows[i+1]
		if row[0] != m.Period || (m.Median == nil) != (row[4] == "") || m.Median != nil && row[4] != m.Median.Amount {
			t.Errorf("%+v is written %q", m, row)
		}
	}
}

func TestPriceBar(t *testing.T) {
	draw := func(trend *prices.Trend, price models.Cents) string {
		l := testListing(0)
		l.Price = price
		var b bytes.Buffer
		if err := NewListing(testSite(), ListingParts{Listing: l, Gear: testGear, Trend: trend, Seller: testMember}).priceBar().Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := draw(nil, 100); got != "" {
		t.Errorf("without sales the bar is %s", got)
	}
	for _, price := range []models.Cents{100, 125900, 900000} {
		svg := draw(testTrend(30), price)
		wellFormed(t, svg)
		if !strings.Contains(svg, "in this condition") || strings.Contains(svg, "NaN") {
			t.Errorf("the bar is %s", svg)
		}
	}
	few := testTrend(30)
	few.ByCondition = nil
	if svg := draw(few, 125900); !strings.Contains(svg, "all conditions") {
		t.Errorf("with too few sales in the condition the bar is %s", svg)
	}
}
