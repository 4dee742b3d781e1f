package pricing

import "time"

const (
	newsDays   = 90   // after a successor came out in which the price of gear falls
	newsSpread = 0.06 // how far its level may be from what is usual then, as a logarithm
	minSiteAge = 60   // days of sales before a successor whose first sales show when it came out
)

// setReplaced sets since when the successors of gear sell: the day of the second sale, which no mistake
// in one title moves, if that is in the year of its launch or in the next. Sales are in order of gear and day.
func setReplaced(catalog map[string]*Gear, sales []Sale) {
	start, second := maxDay, map[string]int{}
	for same := range runs(sales, sameGear) {
		start = min(start, same[0].Day)
		if len(same) > 1 {
			second[same[0].Gear] = same[1].Day
		}
	}
	for _, g := range catalog {
		next, day := catalog[g.Successor], second[g.Successor]
		if next == nil || day < start+minSiteAge {
			continue
		}
		if year := time.Unix(int64(day)*86400, 0).UTC().Year(); year == next.Year || year == next.Year+1 {
			g.replaced = day
		}
	}
}

// news returns which share of the time in which a successor moves the price is between two days.
func (g *Gear) news(from, to int) float64 {
	if g.replaced == 0 {
		return 0
	}
	return float64(max(0, min(to, g.replaced+newsDays)-max(from, g.replaced))) / newsDays
}
