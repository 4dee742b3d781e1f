package pricing

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Report states how accurate estimates were.
type Report struct {
	Version int // of the method
	Day     int // before which the sales are
	Months  int // that were predicted
	All     Accuracy
	PerGear Accuracy   // of the last sale of each gear, so that each counts once
	BySales []Accuracy // by the number of the gear's own sales
	ByKind  []Accuracy
	ByGrade []Accuracy // Class.Rank is the grade
	ByPrice []Accuracy // by the estimate
	Cells   []Accuracy // of at least cellChecks estimates, see Like
	Forgery Forgery
}

// cellChecks is the number of estimates whose errors say how accurate others like them are.
const cellChecks = 100

// Like returns how accurate estimates like one were: those of gear of its kind with about as many
// sales in similar grades, of all grades, or of all kinds, whichever is the first with enough
// checks. It returns nil if none has. The report may be nil.
func (r *Report) Like(kind string, sales, grade int) *Accuracy {
	if r == nil {
		return nil
	}
	for _, name := range []string{cell{kind: kind, crowd: crowd(sales), grade: grade}.name(), cell{kind: kind, crowd: crowd(sales), grade: anyGrade}.name(), crowdName(crowd(sales))} {
		for _, list := range [][]Accuracy{r.Cells, r.BySales} {
			if i := slices.IndexFunc(list, func(a Accuracy) bool { return a.Class.Name == name && a.Stated >= cellChecks }); i >= 0 {
				return &list[i]
			}
		}
	}
	return nil
}

// Forgery states by how much estimates move if a tenth of the sales is forged.
type Forgery struct {
	Gear   int     // that sold often enough
	Forged int     // sales
	Mean   float64 // relative change of the estimates
	Most   float64 // the greatest
}

// NewReport predicts the sales of each of the last months before a day, and forges
// sales. It takes about as long as a fit for each month.
func NewReport(ctx context.Context, gear []Gear, sales []Sale, day, months int, tuning *Tuning) (*Report, error) {
	checks, err := backtest(ctx, gear, sales, day, months)
	if err != nil {
		return nil, err
	}
	r := &Report{Version: Version, Day: day, Months: months,
		BySales: Summarize(checks, ByCrowd), ByKind: Summarize(checks, ByKind), ByGrade: Summarize(checks, ByGrade), ByPrice: Summarize(checks, ByPrice),
		Cells: slices.Concat(Summarize(checks, byCell), Summarize(checks, byKindAndCrowd))}
	r.Cells = slices.DeleteFunc(r.Cells, func(a Accuracy) bool { return a.Stated < cellChecks })
	for _, a := range Summarize(checks, All) {
		r.All = a
	}
	for _, a := range Summarize(oncePerGear(checks), All) {
		r.PerGear = a
	}
	r.Forgery, err = forge(ctx, gear, sales, day, tuning)
	return r, err
}

// The forged sales are made by rings of the size that the rules of counting require,
// at a price far below that of the others.
const (
	forgedFrom   = 20 // sales of a gear in a year
	forgedShare  = 9  // honest sales for a forged one
	forgedFactor = 0.5
	ring         = 6 // members
)

// forge adds forged sales over the last year to those of each gear that sells often,
// and returns by how much its estimates move.
func forge(ctx context.Context, gear []Gear, sales []Sale, day int, tuning *Tuning) (f Forgery, err error) {
	options := Options{Tuning: tuning, uncalibrated: true}
	honest := Fit(gear, sales, day, options)
	if err := ctx.Err(); err != nil {
		return f, err
	}
	count := map[string]int{}
	for i := range sales {
		if s := &sales[i]; s.Day >= day-365 && s.Day < day && s.valid() && honest.catalog[s.Gear] != nil {
			count[s.Gear]++
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return n < forgedFrom })
	random := rand.New(rand.NewPCG(1, 1))
	poisoned := slices.Clone(sales)
	slugs := slices.Sorted(maps.Keys(count))
	for _, slug := range slugs {
		poisoned = append(poisoned, honest.forged(random, slug, count[slug]/forgedShare)...)
	}
	f.Forged = len(poisoned) - len(sales)
	after := Fit(gear, poisoned, day, options)
	for _, slug := range slugs {
		was, ok := honest.Estimate(slug, reference, day)
		is, still := after.Estimate(slug, reference, day)
		if ok && still && was.Price > 0 {
			change := math.Abs(float64(is.Price)/float64(was.Price) - 1)
			f.Gear, f.Mean, f.Most = f.Gear+1, f.Mean+change, max(f.Most, change)
		}
	}
	f.Mean /= float64(max(1, f.Gear))
	return f, ctx.Err()
}

// forged returns up to n sales of the last year, at most two of a pair in a grade.
func (m *Model) forged(random *rand.Rand, slug string, n int) (sales []Sale) {
	const pairs = ring * (ring - 1) / 2 * Grades
	for _, i := range random.Perm(2 * pairs)[:min(n, 2*pairs)] {
		grade, pair := i%Grades, i/Grades%(ring*(ring-1)/2)
		seller, buyer := pairOf(pair)
		day := m.Day - 1 - random.IntN(365)
		if e, ok := m.Estimate(slug, grade, day); ok {
			sales = append(sales, Sale{Gear: slug, Grade: grade, Day: day, Price: int64(forgedFactor * float64(e.Price)),
				Seller: fmt.Sprint("ring ", seller), Buyer: fmt.Sprint("ring ", buyer)})
		}
	}
	return sales
}

// pairOf returns the members of the n-th pair.
func pairOf(n int) (a, b int) {
	for b = 1; n >= b; b++ {
		n -= b
	}
	return n, b
}
