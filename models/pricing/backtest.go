package pricing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// Check compares one sale with what was predicted before its month.
type Check struct {
	Gear      string // slug
	Kind      string
	Grade     int
	Estimate  int64 // of the price, 0 if there was none
	Sales     int   // of the gear before the month
	SameGrade int   // of the gear in the grade in the year before the month
	Stated    bool  // whether there was an estimate; the rest is zero otherwise

	Error       float64 // relative to the price, absolute
	InHalf      bool
	InMost      bool
	Width       float64 // of the range of 80 %, as a logarithm
	MedianError float64 // of the median of the grade's sales of a year, from 5 up; otherwise NaN
	LastError   float64 // of the grade's last sale, otherwise NaN
}

// minMedian is the number of sales that a median requires, see models.MinSales.
const minMedian = 5

// Backtest predicts the sales of each of the last months before a day from those
// before the month, and returns a check of each.
func Backtest(gear []Gear, sales []Sale, day, months int) []Check {
	checks, _ := backtest(context.Background(), gear, sales, day, months)
	return checks
}

func backtest(ctx context.Context, gear []Gear, sales []Sale, day, months int) ([]Check, error) {
	var checks []Check
	var model *Model
	for i := months; i > 0; i-- {
		from, to := monthsBefore(day, i), monthsBefore(day, i-1)
		if past := (months - i) % fitMonths; past == 0 {
			options := Options{}
			if model != nil {
				options.Tuning = model.Tuning()
			}
			model = Fit(gear, sales, from, options)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		checks = append(checks, model.checks(sales, from, to)...)
		for _, s := range ordered(model.catalog, sales) {
			if s.Day >= from && s.Day < to {
				model.Update(s)
			}
		}
	}
	return checks, nil
}

// fitMonths is the number of months after which the model is fitted again. In between it is updated
// by the sales of each month, and what it has learned from all gear is a little older than on a site.
const fitMonths = 4

// monthsBefore returns the day some months before another.
func monthsBefore(day, months int) int {
	t := time.Unix(int64(day)*86400, 0).UTC()
	first := time.Date(t.Year(), t.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return int(first.AddDate(0, 0, min(t.Day(), last)-1).Unix() / 86400)
}

// checks predicts the sales from one day to another.
func (m *Model) checks(sales []Sale, from, to int) []Check {
	type graded struct {
		gear  string
		grade int
	}
	year, last := map[graded][]int64{}, map[graded]*Sale{}
	for i := range sales {
		s := &sales[i]
		if !s.valid() || s.Day >= from {
			continue
		}
		id := graded{s.Gear, s.Grade}
		if s.Day >= from-365 {
			year[id] = append(year[id], s.Price)
		}
		if l := last[id]; l == nil || l.Day <= s.Day {
			last[id] = s
		}
	}
	var checks []Check
	for i := range sales {
		s := &sales[i]
		g := m.catalog[s.Gear]
		if g == nil || !s.valid() || s.Day < from || s.Day >= to {
			continue
		}
		id := graded{s.Gear, s.Grade}
		c := Check{Gear: s.Gear, Kind: g.Kind, Grade: s.Grade, SameGrade: len(year[id]), MedianError: math.NaN(), LastError: math.NaN()}
		if prices := year[id]; len(prices) >= minMedian {
			c.MedianError = relative(medianPrice(prices), s.Price)
		}
		if l := last[id]; l != nil {
			c.LastError = relative(float64(l.Price), s.Price)
		}
		if state := m.states[s.Gear]; state != nil {
			c.Sales = state.Sales
		}
		if e, ok := m.Estimate(s.Gear, s.Grade, s.Day); ok {
			c.Stated, c.Estimate, c.Error = true, e.Price, relative(float64(e.Price), s.Price)
			c.InHalf, c.InMost = e.Half.holds(s.Price), e.Most.holds(s.Price)
			c.Width = math.Log(float64(e.Most.High) / float64(max(e.Most.Low, 1)))
		}
		checks = append(checks, c)
	}
	return checks
}

func (r Range) holds(price int64) bool { return price >= r.Low && price <= r.High }

func relative(estimate float64, price int64) float64 {
	return math.Abs(estimate/float64(price) - 1)
}

func medianPrice(prices []int64) float64 {
	slices.Sort(prices)
	return float64(prices[(len(prices)-1)/2]+prices[len(prices)/2]) / 2
}

// Class is a class of checks. Classes are ordered by rank and then by name.
type Class struct {
	Rank int
	Name string
}

// Accuracy sums up checks.
type Accuracy struct {
	Class    Class // of the checks
	Sales    int
	Stated   int     // sales with an estimate; the next five are of these
	Error    float64 // median
	Within10 float64 // share of estimates within 10 % of the price
	InHalf   float64 // share of prices in the range of 50 %
	InMost   float64 // share of prices in the range of 80 %
	Width    float64 // median width of the range of 80 %, as a logarithm

	Compared    int     // sales with an estimate and a median of the grade; the rest is of these
	Ours        float64 // median error of the estimates
	MedianError float64 // median error of the medians
	LastError   float64 // median error of the last sales
}

// Summarize returns the accuracy of each class of checks, in order.
func Summarize(checks []Check, class func(*Check) Class) []Accuracy {
	classes := map[Class][]*Check{}
	for i := range checks {
		c := class(&checks[i])
		classes[c] = append(classes[c], &checks[i])
	}
	var table []Accuracy
	for c, list := range classes {
		table = append(table, accuracy(c, list))
	}
	slices.SortFunc(table, func(a, b Accuracy) int {
		return cmp.Or(cmp.Compare(a.Class.Rank, b.Class.Rank), cmp.Compare(a.Class.Name, b.Class.Name))
	})
	return table
}

func accuracy(class Class, checks []*Check) Accuracy {
	a := Accuracy{Class: class, Sales: len(checks)}
	var errors, widths, ours, medians, lasts []float64
	for _, c := range checks {
		if !c.Stated {
			continue
		}
		a.Stated++
		errors, widths = append(errors, c.Error), append(widths, c.Width)
		a.Within10 += one(c.Error <= 0.1)
		a.InHalf += one(c.InHalf)
		a.InMost += one(c.InMost)
		if !math.IsNaN(c.MedianError) {
			a.Compared++
			ours, medians, lasts = append(ours, c.Error), append(medians, c.MedianError), append(lasts, c.LastError)
		}
	}
	n := max(1, float64(a.Stated))
	a.Within10, a.InHalf, a.InMost = a.Within10/n, a.InHalf/n, a.InMost/n
	a.Error, a.Width = medianOf(errors), medianOf(widths)
	a.Ours, a.MedianError, a.LastError = medianOf(ours), medianOf(medians), medianOf(lasts)
	return a
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// medianOf returns the median, or 0 of nothing.
func medianOf(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// All puts all checks into one class.
func All(*Check) Class { return Class{Name: "all"} }

// ByCrowd classifies checks by the number of the gear's own sales.
func ByCrowd(c *Check) Class { return Class{crowd(c.Sales), crowdName(crowd(c.Sales))} }

// ByKind classifies checks by the kind.
func ByKind(c *Check) Class { return Class{Name: c.Kind} }

// BySameGrade classifies checks by the number of sales in the grade in the year
// before.
func BySameGrade(c *Check) Class {
	switch n := c.SameGrade; {
	case c.Sales == 0:
		return Class{0, "0 of the gear"}
	case n == 0:
		return Class{1, "0"}
	case n < 3:
		return Class{2, "1–2"}
	case n <= 10:
		return Class{3, "3–10"}
	case n < 20:
		return Class{4, "11–19"}
	default:
		return Class{5, "20+"}
	}
}

// ByGrade classifies checks by the grade, which is the rank of the class.
func ByGrade(c *Check) Class { return Class{c.Grade, fmt.Sprint(c.Grade)} }

// ByPrice classifies checks by the estimate, those without one apart. By the price itself, errors
// would decide on the class.
func ByPrice(c *Check) Class {
	if !c.Stated {
		return Class{-1, "not stated"}
	}
	limits := []int64{50, 100, 250, 500, 1000, 2500}
	for i, limit := range limits {
		if c.Estimate < 100*limit {
			return Class{i, fmt.Sprintf("under %d", limit)}
		}
	}
	return Class{len(limits), "2500 and more"}
}

// byCell classifies checks by their cell.
func byCell(c *Check) Class {
	return Class{Name: cell{kind: c.Kind, crowd: crowd(c.Sales), grade: c.Grade}.name()}
}

// byKindAndCrowd classifies checks by the kind and the number of the gear's own sales.
func byKindAndCrowd(c *Check) Class {
	return Class{Name: cell{kind: c.Kind, crowd: crowd(c.Sales), grade: anyGrade}.name()}
}

// gradeGroups names the groups of grades whose errors are alike.
var gradeGroups = [Grades]string{"excellent or better", "excellent or better", "excellent or better", "good or well used", "good or well used", "heavily used", "faulty"}

// oncePerGear returns the last check of each gear: otherwise what sells most decides.
func oncePerGear(checks []Check) []Check {
	last := map[string]int{}
	for i := range checks {
		last[checks[i].Gear] = i
	}
	var once []Check
	for i := range checks {
		if last[checks[i].Gear] == i {
			once = append(once, checks[i])
		}
	}
	return once
}

func crowdName(i int) string {
	switch {
	case i == len(crowds)-1:
		return fmt.Sprintf("%d+", crowds[i])
	case crowds[i+1] == crowds[i]+1:
		return fmt.Sprint(crowds[i])
	default:
		return fmt.Sprintf("%d–%d", crowds[i], crowds[i+1]-1)
	}
}
