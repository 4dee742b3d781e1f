package price

import (
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// TestChartStaysInside draws extreme series: a constant price, yen, very low prices.
func TestChartStaysInside(t *testing.T) {
	for _, amounts := range [][]string{{"100.00", "100.00"}, {"120000", "98000"}, {"3.00", "4.50", "2.25"}, {"0.00", "0.00"}, {"12000000.00", "1.00"}} {
		var series []Month
		for i, a := range amounts {
			m := models.Money{Amount: a, Currency: "EUR"}
			series = append(series, Month{Period: models.MonthKey(24000 + i).String(), Median: &m, P25: &m, P75: &m, Count: 5})
		}
		for _, width := range []float64{360, 880} {
			c := NewChart(languages.English, ChartData{Months: series}, width, 270)
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
