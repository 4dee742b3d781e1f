package gear

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/views/viewstest"
)

func trendOf(months int) *Trend {
	return NewTrend(viewstest.Site(), TrendParts{Gear: viewstest.Gear, Trend: viewstest.Trend(months)})
}

func TestChart(t *testing.T) {
	for _, test := range []struct {
		months, marks, runs int
	}{{0, 0, 0}, {1, 1, 1}, {2, 2, 1}, {6, 6, 1}, {30, 28, 3}, {60, 58, 3}} {
		t.Run(fmt.Sprint(test.months), func(t *testing.T) {
			p := trendOf(test.months)
			var inline, file bytes.Buffer
			if err := p.Chart().Render(context.Background(), &inline); err != nil {
				t.Fatal(err)
			}
			if err := p.SVG(t.Context(), &file); err != nil {
				t.Fatal(err)
			}
			viewstest.WellFormed(t, "<div>"+inline.String()+"</div>")
			viewstest.WellFormed(t, file.String())
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
			if test.marks == 0 && !strings.Contains(inline.String(), "No month has had the 5 sales") {
				t.Error("a chart without sales does not say so")
			}
			if !strings.Contains(svg, "demo data") {
				t.Error("the file does not say that its data is invented")
			}
		})
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
