package demo

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
)

// anchors.csv has prices of well-known gear. Its columns are the gear's slug, the month
// of its launch, a price in euros, its popularity (1 to 100), its course (falls, holds
// or rises; empty means falls), and the slug of its successor. The price is that at
// launch or, if the course is rises, the used price in November 2021.
//
//go:embed anchors.csv
var anchorsCSV string

// filmBase is the month of the prices of rising gear in anchors.csv.
var filmBase = time.Date(2021, 11, 1, 0, 0, 0, 0, time.UTC)

type anchor struct {
	slug       string
	launch     time.Time
	price      float64 // euros
	popularity float64
	course     string
	successor  string
}

// readAnchors parses anchors.csv. It panics on errors, because the file is embedded.
func readAnchors() []anchor {
	rows, err := csv.NewReader(strings.NewReader(anchorsCSV)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("anchors.csv: %v", err))
	}
	anchors := make([]anchor, 0, len(rows)-1)
	for _, row := range rows[1:] {
		launch, err := time.Parse("2006-01", row[1])
		price, err2 := strconv.ParseFloat(row[2], 64)
		popularity, err3 := strconv.ParseFloat(row[3], 64)
		if err != nil || err2 != nil || err3 != nil {
			panic(fmt.Sprintf("anchors.csv: bad row %q", row))
		}
		anchors = append(anchors, anchor{row[0], launch, price, popularity, row[4], row[5]})
	}
	return anchors
}

// market models the prices and the demand of gear.
type market struct {
	goods []*good // most popular first
}

// good is gear with its market data.
type good struct {
	anchor
	gear     *models.Gear
	replaced time.Time // launch of the successor; zero if there is none
}

func newMarket(cat *models.Catalog, now time.Time) *market {
	anchors := map[string]anchor{}
	for _, a := range readAnchors() {
		anchors[a.slug] = a
	}
	m := &market{}
	for _, g := range cat.All() {
		a, known := anchors[g.Slug()]
		if !known {
			a = estimate(g)
		}
		if g.Category.Family() != "" && a.launch.Before(now) {
			m.goods = append(m.goods, &good{anchor: a, gear: g, replaced: anchors[a.successor].launch})
		}
	}
	slices.SortStableFunc(m.goods, func(a, b *good) int {
		switch {
		case a.popularity > b.popularity:
			return -1
		case a.popularity < b.popularity:
			return 1
		default:
			return strings.Compare(a.gear.Slug(), b.gear.Slug())
		}
	})
	return m
}

// estimate returns an anchor for gear that is not in anchors.csv: a modest price by
// kind, and low popularity.
func estimate(g *models.Gear) anchor {
	h := fnv.New64a()
	h.Write([]byte(g.Slug()))
	sum := h.Sum64()
	luck, year := float64(sum&0xffff)/0xffff, g.Year
	film := isFilm(g)
	if year == 0 && film {
		year = 1965 + int(sum>>16%30)
	} else if year == 0 {
		year = 2005 + int(sum>>16%14)
	}
	a := anchor{
		slug:       g.Slug(),
		launch:     time.Date(year, time.Month(sum>>32%12+1), 1, 0, 0, 0, 0, time.UTC),
		price:      estimatePrice(g) * (0.75 + 0.6*luck),
		popularity: luck,
	}
	if film || year < 1990 {
		a.course = "rises"
	}
	return a
}

// brandFactors are price factors of brands; the default is 1.
var brandFactors = map[string]float64{
	"leica": 4, "hasselblad": 2.2, "alpa": 4, "phase-one": 3, "arri": 4, "zeiss": 1.8, "contax": 1.8, "rollei": 1.5, "linhof": 2.5, "angenieux": 3, "schneider": 1.6,
	"voigtlander": 1.2, "mamiya": 1.3, "samyang": 0.5, "rokinon": 0.5, "yongnuo": 0.3, "7artisans": 0.3, "ttartisan": 0.3, "meike": 0.3, "viltrox": 0.5, "zenit": 0.5,
	"praktica": 0.5, "fed": 0.5, "zorki": 0.6, "kodak": 0.6, "vivitar": 0.4, "soligor": 0.4, "casio": 0.6, "samsung": 0.7, "gopro": 0.9, "aee": 0.3,
}

func estimatePrice(g *models.Gear) float64 {
	price := basePrice(g)
	if factor, ok := brandFactors[g.BrandSlug]; ok {
		price *= factor
	}
	return price
}

func basePrice(g *models.Gear) float64 {
	pupil := g.FocalMax / max(g.Aperture, 1.2) // entrance pupil in millimetres, which prices follow
	old := g.Year != 0 && g.Year < 1990
	switch {
	case g.Category.Family() == models.FamilyLens && old:
		return 60 + 2.5*pupil
	case g.Category == "lens_zoom":
		return 120 + 1.1*math.Pow(pupil, 1.5)
	case g.Category.Family() == models.FamilyLens:
		return 90 + 1.2*math.Pow(pupil, 1.75)
	case isFilm(g) && (g.Category == "medium_format" || g.Category == "large_format"):
		return 480
	case isFilm(g):
		return 95
	case g.Category == "medium_format":
		return 5200
	case g.Category == "mirrorless" || g.Category == "dslr":
		return 950
	case g.Category == "rangefinder":
		return 1400
	default:
		return 380
	}
}

// isFilm reports whether g is a camera for film, sheet film or instant pictures.
func isFilm(g *models.Gear) bool {
	switch {
	case g.Category.Family() != models.FamilyCamera:
		return false
	case g.Category == "film_slr" || g.Category == "large_format" || g.Category == "instant":
		return true
	default:
		return strings.Contains(strings.ToLower(g.Format), "film") || g.Year != 0 && g.Year < 1996
	}
}

// age returns the years since launch.
func (g *good) age(at time.Time) float64 { return max(0, at.Sub(g.launch).Hours()/24/365.25) }

// demand returns weights for how many of each good are sold in a month: about 140 goods
// sell several times a month, some occasionally, and the long tail rarely. Gear that is
// not launched has weight 0.
func (m *market) demand(month time.Time) []float64 {
	const busy, floor = 140, 4.55
	type ranked struct {
		index int
		score float64
	}
	order := make([]ranked, 0, len(m.goods))
	for i, g := range m.goods {
		if g.launch.Before(month) {
			order = append(order, ranked{i, g.popularity * g.attention(month)})
		}
	}
	slices.SortStableFunc(order, func(a, b ranked) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		default:
			return a.index - b.index
		}
	})
	demand := make([]float64, len(m.goods))
	for rank, o := range order {
		r := float64(rank)
		if rank < busy {
			demand[o.index] = floor + 7*(1/(1+r/12)-1/(1.0+busy/12))
		} else {
			demand[o.index] = 4.4*math.Exp(-(r-busy)/43) + 50/float64(len(m.goods))
		}
	}
	return demand
}

// attention returns the factor of a good's popularity in a month: it grows over the
// first year, and rises when a successor is launched.
func (g *good) attention(month time.Time) float64 {
	a := min(1, 0.35+g.age(month)*0.65)
	if since := month.Sub(g.replaced).Hours() / 24 / 30; !g.replaced.IsZero() && since > 0 {
		a *= 1 + 0.4*math.Exp(-since/6)
	}
	return a
}

// value returns the price of a good in excellent condition on a day, in euros.
func (g *good) value(at time.Time) float64 {
	v := g.price * g.retained(at) * season(at, 0.02)
	if since := at.Sub(g.replaced).Hours() / 24 / 30; !g.replaced.IsZero() {
		v *= 1 - 0.11*smoothstep((since+1)/4)
	}
	return v
}

// retained returns the fraction of its original price that a good is still worth.
func (g *good) retained(at time.Time) float64 {
	age, lens := g.age(at), g.gear.Category.Family() == models.FamilyLens
	years := at.Sub(filmBase).Hours() / 24 / 365.25
	switch {
	case g.course == "rises" && (isFilm(g.gear) || g.launch.Year() < 2001):
		return 1 + 0.085*min(years, 2.5) + 0.02*max(0, years-2.5)
	case g.course == "rises":
		return 0.72 + 0.3*smoothstep((age-0.5)/3) - 0.015*max(0, age-5)
	case g.course == "holds":
		return 0.62 + 0.22*math.Exp(-0.3*age)
	case lens:
		return 0.33 + 0.45*math.Exp(-0.12*age)
	default:
		return 0.12 + 0.74*math.Exp(-0.18*age)
	}
}

func smoothstep(x float64) float64 {
	x = min(max(x, 0), 1)
	return x * x * (3 - 2*x)
}

// premium is the price factor of each condition.
var premium = map[models.Condition]float64{
	models.ConditionNew: 1.17, models.ConditionLikeNew: 1.08, models.ConditionExcellent: 1,
	models.ConditionGood: 0.90, models.ConditionWellUsed: 0.78, models.ConditionHeavilyUsed: 0.61,
	models.ConditionFaulty: 0.36,
}

// sold returns a random sale price: most are near the value, a few far off.
func (m *market) sold(d dice, g *good, c models.Condition, at time.Time) models.Cents {
	price := g.value(at) * premium[c] * d.lognormal(0.07)
	switch {
	case d.chance(0.006):
		price *= d.between(0.5, 0.7)
	case d.chance(0.004):
		price *= d.between(1.4, 1.8)
	}
	return whole(price)
}

// asked returns a random asking price, from a bargain to an optimistic one.
func (m *market) asked(d dice, g *good, c models.Condition, at time.Time) models.Cents {
	price := g.value(at) * premium[c] * (1 + d.triangle(-0.15, 0.25))
	if d.chance(0.03) {
		price *= d.between(0.75, 0.9)
	}
	return askable(d, price)
}

// whole rounds an amount as buyers and sellers do.
func whole(euros float64) models.Cents {
	step := 1.0
	if euros >= 300 {
		step = 5
	}
	return models.Cents(max(5, math.Round(euros/step)*step) * 100)
}

// askable rounds an amount to a typical asking price, such as 449, 450 or 445.
func askable(d dice, euros float64) models.Cents {
	step := 5.0
	if euros >= 200 {
		step = 10
	}
	if euros >= 2000 {
		step = 50
	}
	price := max(step, math.Round(euros/step)*step)
	if d.chance(0.45) && price > 20 {
		price--
	}
	return models.Cents(price * 100)
}
