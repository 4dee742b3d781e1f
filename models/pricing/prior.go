package pricing

import (
	"hash/fnv"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// kernel holds the hyperparameters of a Gaussian process over the levels of gear:
// the standard deviations of its parts, and the lengths over which they change, in
// the units of a feature.
type kernel [kernelSize]float64

const (
	kindPart   = iota // each kind's own
	formatPart        // each format's own in a kind
	yearPart          // smooth in the year and the launch price
	opticsPart        // smooth in the optics
	jointPart         // smooth in all of these
	brandPart         // each brand's own
	agingPart         // a brand's, smooth in the year and the launch price
	namePart          // of words in the name
	linePart          // of words in a brand's names, smooth in all
	luckPart          // of each gear alone
	meanPart          // of all gear alike
	focalSpan         // lengths, see features
	apertureSpan
	pupilSpan
	formatSpan
	yearSpan
	launchSpan
	otherKind // correlation of the smooth parts of different kinds
	kernelSize
)

// startKernel and startRelative are where the search for the best kernel starts, the
// latter for levels relative to launch prices.
var (
	startKernel = kernel{
		kindPart: 0.1, formatPart: 0.05, yearPart: 1, opticsPart: 0.4, jointPart: 0.7, brandPart: 0.4, agingPart: 0.3, namePart: 0.15, linePart: 0.4, luckPart: 0.4, meanPart: 1,
		focalSpan: 1, apertureSpan: 0.6, pupilSpan: 3, formatSpan: 2, yearSpan: 15, launchSpan: 3, otherKind: 0.9,
	}
	startRelative = kernel{
		kindPart: 0.2, formatPart: 0.1, yearPart: 0.3, opticsPart: 0.1, jointPart: 0.15, brandPart: 0.05, agingPart: 0.05, namePart: 0.1, linePart: 0.15, luckPart: 0.15, meanPart: 0.4,
		focalSpan: 5, apertureSpan: 2, pupilSpan: 4, formatSpan: 0.5, yearSpan: 8, launchSpan: 3, otherKind: 0.8,
	}
)

// features describe a gear to the kernel.
type features struct {
	kind, brand, format string
	x                   [6]float64 // log focal length, log aperture, log pupil, log format, year, log launch price
	known               [6]bool
	words               []uint32  // hashes of the words of its name, in order
	weights             []float64 // of words; their squares sum to 1
	base                float64   // log launch price, of which a level is a fraction; 0 if unknown
}

func featuresOf(g *Gear, rarity map[uint32]float64) features {
	f := features{kind: kindOf(g), brand: strings.ToLower(g.Brand), format: g.Format}
	f.x = [...]float64{math.Log(50), math.Log(2.8), math.Log(20), math.Log(43), 2000, 6} // in the middle, if unknown
	set := func(i int, known bool, x float64) {
		if known && !math.IsNaN(x) && !math.IsInf(x, 0) {
			f.x[i], f.known[i] = x, true
		}
	}
	set(0, g.FocalMin > 0, math.Log(max(g.FocalMin, 1)))
	long, size := longAperture(g), diagonal(g.Format)
	set(1, long > 0, math.Log(max(long, 0.5)))
	set(2, long > 0 && g.FocalMax > 0, math.Log(max(g.FocalMax/max(long, 0.5), 0.1)))
	set(3, size > 0, math.Log(max(size, 1)))
	set(4, g.Year >= 1800 && g.Year < 2500, float64(g.Year))
	set(5, g.LaunchPrice > 0, math.Log(max(g.LaunchPrice, 1e-9)))
	if f.known[5] {
		f.base = f.x[5]
	}
	f.words = hashes(g)
	var sum float64
	for _, w := range f.words {
		r := 1.0
		if known, ok := rarity[w]; ok {
			r = known
		}
		f.weights = append(f.weights, r)
		sum += r * r
	}
	for i := range f.weights {
		f.weights[i] /= math.Sqrt(sum)
	}
	return f
}

// forFilm ends the kinds of film gear.
const forFilm = " for film"

// kindOf returns the kind, apart for film, because compacts are for either.
func kindOf(g *Gear) string {
	if isFilm(g.Format) {
		return g.Kind + forFilm
	}
	return g.Kind
}

// diagonals of formats in millimetres that don't say it themselves.
var diagonals = map[string]float64{
	"1-inch": 15.9, "Four Thirds": 21.6, "Micro Four Thirds": 21.6, "APS-C": 28.3, "APS-H": 33.5, "Super 35": 28.3, "Full frame": 43.3, "35mm film": 43.3, "35mm half frame": 30,
}

var (
	inches  = regexp.MustCompile(`^([\d.]+)(?:/([\d.]+))?-inch`)
	frames  = regexp.MustCompile(`^([\d.]+)x([\d.]+)( medium format)?`)
	closing = regexp.MustCompile(`f/[\d.]+-([\d.]+)`)
)

// diagonal returns the diagonal of a format in millimetres, or 0 if it is unknown.
// "6x6" is in centimetres and "4x5" in inches.
func diagonal(format string) float64 {
	if d := diagonals[format]; d > 0 {
		return d
	}
	if m := inches.FindStringSubmatch(format); m != nil {
		return 16 * number(m[1]) / max(number(m[2]), 1)
	}
	if m := frames.FindStringSubmatch(format); m != nil {
		d := math.Hypot(number(m[1]), number(m[2]))
		switch {
		case m[3] != "":
			return d
		case format == "4x5" || format == "5x7" || format == "8x10":
			return 25.4 * d
		default:
			return 10 * d
		}
	}
	return 0
}

// isFilm reports whether a format is of film.
func isFilm(format string) bool {
	return strings.Contains(format, "film") || strings.Contains(format, "half frame") || strings.HasPrefix(format, "Instax") ||
		frames.MatchString(format) && !strings.Contains(format, "medium format")
}

// longAperture returns the aperture at the long end: "f/3.5-5.6" has 5.6.
func longAperture(g *Gear) float64 {
	if m := closing.FindStringSubmatch(g.Name); m != nil {
		return max(number(m[1]), g.Aperture)
	}
	return g.Aperture
}

func number(text string) float64 {
	n, _ := strconv.ParseFloat(text, 64)
	return n
}

// hashes returns the distinct words of a name in order of their hashes. Letters and
// digits are separate words, so that "XT30" shares "XT" with "XT5".
func hashes(g *Gear) []uint32 {
	brand := strings.ToLower(g.Brand)
	var list []uint32
	add := func(word string) {
		h := fnv.New32a()
		h.Write([]byte(word))
		if sum := h.Sum32(); word != "" && !slices.Contains(list, sum) {
			list = append(list, sum)
		}
	}
	words := strings.FieldsFunc(strings.ToLower(g.Name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		add(brand + " " + word)
		add(word)
		if i == 0 {
			add(brand + " first " + strings.TrimRightFunc(word, unicode.IsDigit))
		}
		if cut := strings.IndexFunc(word, unicode.IsDigit); cut > 0 {
			add(brand + " " + word[:cut])
			add(brand + " " + word[cut:])
		}
	}
	for _, mount := range strings.Split(g.Mount, ",") {
		add("for " + strings.TrimSpace(mount))
	}
	slices.Sort(list)
	return list
}

// pair is how two gears differ, which is the same for all hyperparameters.
type pair struct {
	kind, brand, format bool       // whether theirs are the same
	words               float64    // similarity of their names, from 0 to 1
	squares             [6]float64 // of the differences of their features
	// Being known is a feature too, so that the covariance stays positive definite: these are
	// the numbers of those that are known of one of them only.
	opticsKnown, yearKnown float64
}

// The features from focal length to format are of optics.
const opticsFeatures = 4

func newPair(a, b *features) pair {
	p := pair{kind: a.kind == b.kind, brand: a.brand == b.brand, format: a.format == b.format, words: cosine(a, b)}
	for i := range p.squares {
		d := a.x[i] - b.x[i]
		p.squares[i] = d * d
		if a.known[i] == b.known[i] {
			continue
		}
		if i < opticsFeatures {
			p.opticsKnown++
		} else {
			p.yearKnown++
		}
	}
	return p
}

// covariance returns the covariance of the levels of a pair, without luckPart.
func (k *kernel) covariance(p *pair) float64 {
	near := 1.0
	if !p.kind {
		near = k[otherKind]
	}
	optics, year := p.opticsKnown, p.yearKnown // squared distances
	for i, square := range p.squares {
		if span := k[focalSpan+i]; i < opticsFeatures {
			optics += square / (span * span)
		} else {
			year += square / (span * span)
		}
	}
	optics, year = near*math.Exp(-optics/2), math.Exp(-year/2)
	both := optics * year
	c := k.part(yearPart)*near*year + k.part(opticsPart)*optics + k.part(jointPart)*both + k.part(namePart)*p.words + k.part(meanPart)
	if p.kind {
		c += k.part(kindPart)
		if p.format {
			c += k.part(formatPart)
		}
	}
	if p.brand {
		c += k.part(brandPart) + k.part(agingPart)*near*year + k.part(linePart)*p.words*both
	}
	return c
}

// part returns the variance of a part.
func (k *kernel) part(i int) float64 { return k[i] * k[i] }

// cosine returns the similarity of two names from 0 to 1.
func cosine(a, b *features) float64 {
	var sum float64
	for i, j := 0, 0; i < len(a.words) && j < len(b.words); {
		switch {
		case a.words[i] < b.words[j]:
			i++
		case a.words[i] > b.words[j]:
			j++
		default:
			sum += a.weights[i] * b.weights[j]
			i++
			j++
		}
	}
	return sum
}

// example is the level of a gear with sales and its variance.
type example struct {
	slug string
	features
	y, noise float64
}

// belief is what similar gear says about a level.
type belief struct{ mean, variance float64 }

// prior is a Gaussian process over the levels of gear on a day.
type prior struct {
	kernel
	day      int
	mean     float64
	examples []example
	rarity   map[uint32]float64
	relative bool // whether levels are relative to the launch price and its course since
	pool     *pool
	factor   triangle           // of the covariance
	alpha    []float64          // inverse of the covariance times the levels
	spread   map[string]float64 // by kind, what the errors of the examples are times what they should be
	others   map[string]belief  // of each example, from the others, and of gear that was asked for
}

// maxExamples bounds the gear of a family in a prior, because the time of its fit
// grows with the cube.
const maxExamples = 1200

// minExamples is the gear of a family from which others are estimated.
const minExamples = 3

// fitPrior returns the prior of the levels, or nil if there is too little gear.
func fitPrior(k kernel, examples []example, rarity map[uint32]float64, day int, pool *pool) *prior {
	if len(examples) < minExamples {
		return nil
	}
	p := &prior{kernel: k, day: day, mean: meanLevel(examples), examples: examples, rarity: rarity, pool: pool, relative: examples[0].base != 0, others: make(map[string]belief, len(examples))}
	var pairs []pair
	p.factor = k.matrix(examples, func(i int) []pair {
		pairs = pairsBefore(pairs[:0], examples, i)
		return pairs
	})
	if !p.factor.factorize() {
		return nil
	}
	p.alpha = p.factor.solve(deviations(examples, p.mean))
	inverse := p.factor.inverseDiagonal()
	errors := map[string][]float64{}
	for i := range examples {
		e := &examples[i]
		errors[e.kind] = append(errors[e.kind], math.Abs(p.alpha[i])/math.Sqrt(inverse[i]))
	}
	p.spread = spreads(errors)
	for i := range examples {
		e := &examples[i]
		v := 1 / inverse[i]
		p.others[e.slug] = belief{e.base + e.y - p.alpha[i]*v, p.spread[e.kind] * max(v-e.noise, 1e-6)}
	}
	return p
}

// spreads returns by which factor the variance of each kind is greater than it should be,
// from errors in standard deviations: 8 of 10 should be within 1.28. That of few errors
// is shrunk to that of usualSpread.
func spreads(errors map[string][]float64) map[string]float64 {
	const strength = 20
	spread := make(map[string]float64, len(errors))
	for kind, z := range errors {
		slices.Sort(z)
		n := float64(len(z))
		s := z[len(z)*8/10] / 1.2816
		spread[kind] = (n*s*s + strength*usualSpread(kind)) / (n + strength)
	}
	return spread
}

// usualSpread returns the factor of a kind of which no gear has sold: what is known of film gear
// says less about its price.
func usualSpread(kind string) float64 {
	if strings.HasSuffix(kind, forFilm) {
		return 2
	}
	return 1
}

// pairsBefore appends the pairs of example i with those up to itself to a list.
func pairsBefore(list []pair, examples []example, i int) []pair {
	for j := range i + 1 {
		list = append(list, newPair(&examples[i].features, &examples[j].features))
	}
	return list
}

// matrix returns the covariance of the examples, given the pairs of each with those up to
// itself.
func (k *kernel) matrix(examples []example, pairs func(i int) []pair) triangle {
	m := newTriangle(len(examples))
	for i := range examples {
		row := m.row(i)
		for j, list := 0, pairs(i); j <= i; j++ {
			row[j] = k.covariance(&list[j])
		}
		row[i] += examples[i].noise + k[luckPart]*k[luckPart] + 1e-8
	}
	return m
}

// meanLevel returns the mean of the levels of examples. Levels relative to launch prices are
// expected to be what the usual ageing leaves, in cents.
func meanLevel(examples []example) (mean float64) {
	if examples[0].base != 0 {
		return math.Log(100)
	}
	for i := range examples {
		mean += examples[i].y / float64(len(examples))
	}
	return mean
}

// deviations returns the levels of examples without a mean.
func deviations(examples []example, mean float64) []float64 {
	y := make([]float64, len(examples))
	for i := range examples {
		y[i] = examples[i].y - mean
	}
	return y
}

// likelihood returns the logarithm of the marginal likelihood of the examples, given their
// pairs as matrix does.
func (k *kernel) likelihood(examples []example, pairs func(i int) []pair) float64 {
	factor := k.matrix(examples, pairs)
	if !factor.factorize() {
		return math.Inf(-1)
	}
	x := factor.forward(deviations(examples, meanLevel(examples)))
	return -dot(x, x)/2 - factor.logDeterminant()/2
}

// of returns what similar gear says about the level of a gear on the prior's day.
func (p *prior) of(g *Gear) belief {
	if known, ok := p.others[g.Slug]; ok {
		return known
	}
	f := featuresOf(g, p.rarity)
	c := make([]float64, len(p.examples))
	mean := p.mean
	if p.relative {
		mean += f.base + p.pool.of(g.Kind).aging(g, p.day)
	}
	for i := range p.examples {
		pair := newPair(&f, &p.examples[i].features)
		c[i] = p.covariance(&pair)
		mean += c[i] * p.alpha[i]
	}
	c = p.factor.forward(c)
	itself := newPair(&f, &f)
	variance := p.covariance(&itself) + p.kernel[luckPart]*p.kernel[luckPart] - dot(c, c)
	if s, ok := p.spread[f.kind]; ok {
		variance *= s
	} else {
		variance *= usualSpread(f.kind)
	}
	b := belief{mean, max(variance, 1e-6)}
	p.others[g.Slug] = b
	return b
}
