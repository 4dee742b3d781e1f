package pricing_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/secondlight/secondlight/models/pricing"
)

// market is a second market with laws that the demonstration doesn't have: prices
// that fall as the inverse of age or rise, saw-toothed seasons, shocks to a kind,
// cuts on the day that a successor is launched, grades that differ between gear,
// and noise with fat tails.
type market struct {
	gear  []pricing.Gear
	sales []pricing.Sale
	day   int
}

const (
	marketNoise   = 0.055 // scale of the noise
	marketFreedom = 3     // its degrees of freedom
	marketYears   = 4
)

func newMarket(seed uint64, gear, sales int) *market {
	random := rand.New(rand.NewPCG(seed, 7))
	m := &market{day: 20_000}
	kinds := []struct {
		kind, family string
		price        float64
		law          func(age float64) float64
	}{
		{"body", "camera", 1500, func(age float64) float64 { return -math.Log(1 + 0.22*age) }},
		{"compact", "camera", 500, func(age float64) float64 { return -0.16 * math.Min(age, 6) }},
		{"classic", "camera", 250, func(age float64) float64 { return 0.03 * age }},
		{"prime", "lens", 600, func(age float64) float64 { return -0.25*math.Min(age, 1) - 0.03*age }},
		{"zoom", "lens", 900, func(age float64) float64 { return -math.Log(1 + 0.09*age) }},
	}
	shocks := make([][]float64, len(kinds))
	for i := range shocks {
		level := 0.0
		for range marketYears*12 + 2 {
			shocks[i] = append(shocks[i], level)
			level += 0.008 * random.NormFloat64()
		}
	}
	brands := []float64{0.5, 0.3, 0.1, 0, -0.1, -0.2, -0.4}
	type good struct {
		share, base, cut float64
		kind             int
		launch, replaced int
		grades           [pricing.Grades]float64
	}
	var goods []good
	var total float64
	for i := range gear {
		k, b := random.IntN(len(kinds)), random.IntN(len(brands))
		launch := m.day - int(365*float64(marketYears+3)*random.Float64())
		if kinds[k].kind == "classic" {
			launch -= 30 * 365
		}
		g := good{kind: k, launch: launch, replaced: launch + 365*2 + random.IntN(365*4), cut: 0.05 + 0.12*random.Float64(), share: 1 / math.Pow(float64(i+2), 0.9)}
		x := random.NormFloat64()
		g.base = math.Log(kinds[k].price) + brands[b] + 0.45*x + 0.06*random.NormFloat64()
		for grade, effect := range [pricing.Grades]float64{0.12, 0.06, 0, -0.08, -0.2, -0.4, -0.9} {
			g.grades[grade] = effect * (1 + 0.15*random.NormFloat64())
		}
		total += g.share
		goods = append(goods, g)
		row := pricing.Gear{
			Slug: fmt.Sprintf("gear-%03d", i), Name: fmt.Sprintf("Series%d %d", b, i), Brand: fmt.Sprint("brand", b), Kind: kinds[k].kind, Family: kinds[k].family,
			Format: "Full frame", Year: int(1970 + float64(launch)/365.25),
		}
		if kinds[k].family == "lens" {
			row.FocalMin, row.Aperture = 50*math.Exp(0.8*x), 2.8
			row.FocalMax = row.FocalMin
		} else if i%4 > 0 {
			row.LaunchPrice = math.Round(math.Exp(g.base + 0.1))
		}
		m.gear = append(m.gear, row)
	}
	for i, g := range goods {
		n := int(g.share/total*float64(sales)) + 1
		for range n {
			day := m.day - 1 - random.IntN(365*marketYears)
			if day < g.launch {
				continue
			}
			grade := []int{0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6}[random.IntN(13)]
			log := g.base + kinds[g.kind].law(float64(day-g.launch)/365) + g.grades[grade] + shocks[g.kind][(day-m.day+365*marketYears)/31]
			log += 0.03 * (math.Mod(float64(day)/365, 1) - 0.5)
			if day >= g.replaced {
				log -= g.cut
			}
			m.sales = append(m.sales, pricing.Sale{Gear: m.gear[i].Slug, Grade: grade, Day: day, Price: pricing.Cents(math.Log(100) + log + marketNoise*student(random))})
		}
	}
	return m
}

// student returns a number from Student's t-distribution.
func student(random *rand.Rand) float64 {
	var sum float64
	for range marketFreedom {
		z := random.NormFloat64()
		sum += z * z
	}
	return random.NormFloat64() / math.Sqrt(sum/marketFreedom)
}
