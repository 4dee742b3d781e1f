package search

import (
	"cmp"
	"encoding/binary"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
)

var oracleQueries = flag.Int("oracle", 1000, "random queries the index is compared with the oracle on")

// The catalogue of the repository, read once.
var realCatalog = sync.OnceValue(func() *catalog.Catalog {
	catalog, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		panic(err)
	}
	return catalog
})

func realLookup() *catalog.Lookup { return realCatalog().Lookup() }

// oracle answers queries by looking at every document, as the documentation of
// Query, Facets, Sort and match says, and knows nothing of the index.
type oracle struct {
	named  map[string]catalog.GearSet // by keyword
	lookup *catalog.Lookup
	docs   []*oracleDoc // nil where one was removed
	slots  map[string]int
	terms  map[string]*oracleTerm // what was asked for already

	rates map[string]string // for a euro, by currency; nil if all prices are in that of the site
	shown map[shownPrice]models.Cents
}

// shownPrice is a price that a reader sees in a currency.
type shownPrice struct {
	price    models.Cents
	currency string
	reader   string
}

// value returns a price in euros, exactly.
func (o *oracle) value(price models.Cents, currency string) *big.Rat {
	exact, _ := new(big.Rat).SetString(digitsOf(currency).Decimal(price))
	if currency != "" {
		rate, _ := new(big.Rat).SetString(o.rates[currency])
		exact.Quo(exact, rate)
	}
	return exact
}

// priceFor returns what a reader sees of a price: the exact value, rounded once.
func (o *oracle) priceFor(reader string, d *oracleDoc) models.Cents {
	if reader == d.Currency {
		return d.Price
	}
	key := shownPrice{d.Price, d.Currency, reader}
	price, known := o.shown[key]
	if !known {
		exact := o.value(d.Price, d.Currency)
		if reader != "" {
			rate, _ := new(big.Rat).SetString(o.rates[reader])
			exact.Mul(exact, rate)
		}
		text := exact.FloatString(digitsOf(reader).Digits) // rounds half away from zero
		n, err := strconv.ParseInt(strings.Replace(text, ".", "", 1), 10, 64)
		if err != nil {
			panic(err)
		}
		price = models.Cents(n)
		o.shown[key] = price
	}
	return price
}

// compare compares amounts of two documents, each times a number.
func (o *oracle) compare(a, b *oracleDoc, x, y, timesX, timesY models.Cents) int {
	if a.Currency == b.Currency {
		return cmp.Compare(x*timesX, y*timesY)
	}
	v, w := o.value(x, a.Currency), o.value(y, b.Currency)
	return v.Mul(v, new(big.Rat).SetInt64(int64(timesX))).Cmp(w.Mul(w, new(big.Rat).SetInt64(int64(timesY))))
}

// digitsOf returns a currency, "" for that of the site.
func digitsOf(code string) models.Currency {
	return models.Currency{Code: "EUR", Digits: 2}.Or(code)
}

type oracleDoc struct {
	Doc
	oracle *oracle
	number int
	gear   *catalog.Gear
	titles map[string]bool
}

// oracleTerm says what has a term.
type oracleTerm struct {
	gear []bool // by number: of itself
	docs []bool // by slot: of its gear or title
}

func newOracle(l *catalog.Lookup) *oracle {
	return &oracle{lookup: l, slots: map[string]int{}, terms: map[string]*oracleTerm{}, shown: map[shownPrice]models.Cents{}, named: map[string]catalog.GearSet{}}
}

func (o *oracle) put(d Doc) {
	n := o.lookup.Number(d.Gear, d.Category)
	doc := &oracleDoc{Doc: d, oracle: o, number: n, gear: o.lookup.At(n), titles: map[string]bool{}}
	for _, t := range TitleTerms(d.Title) {
		if !catalog.IsStopWord(t) && !slices.Contains(o.lookup.Implied(t), uint16(n)) {
			doc.titles[t] = true
		}
	}
	slot, ok := o.slots[d.ID]
	if !ok {
		slot = len(o.docs)
		o.slots[d.ID] = slot
		o.docs = append(o.docs, nil)
	}
	o.docs[slot] = doc
	o.setTypical(n, d.Condition, d.Functional, d.Typical)
	o.changed(slot)
}

// setTypical sets the typical price, which belongs to gear, condition and functional state.
func (o *oracle) setTypical(gear int, condition models.Condition, works models.Functional, typical prices.Typical) {
	for _, d := range o.docs {
		if d != nil && d.number == gear && d.Condition == condition && d.Functional == works {
			d.Typical = typical
			if d.gear.ModelSlug == "" {
				d.Typical = prices.Typical{}
			}
		}
	}
}

func (o *oracle) remove(id string) {
	if slot, ok := o.slots[id]; ok {
		delete(o.slots, id)
		o.docs[slot] = nil
		o.changed(slot)
	}
}

func (o *oracle) changed(slot int) {
	if len(o.terms) > 4000 {
		clear(o.terms)
	}
	for term, t := range o.terms {
		for len(t.docs) <= slot {
			t.docs = append(t.docs, false)
		}
		t.docs[slot] = o.has(o.docs[slot], t, term)
	}
}

func (o *oracle) has(d *oracleDoc, t *oracleTerm, term string) bool {
	return d != nil && (t.gear[d.number] || d.titles[term])
}

// with is what has a term.
func (o *oracle) with(term string) *oracleTerm {
	t := o.terms[term]
	if t == nil {
		t = &oracleTerm{gear: make([]bool, o.lookup.Size()), docs: make([]bool, len(o.docs))}
		for n := range t.gear {
			t.gear[n] = o.lookup.Has(term, n)
		}
		for slot, d := range o.docs {
			t.docs[slot] = o.has(d, t, term)
		}
		o.terms[term] = t
	}
	return t
}

func (o *oracle) count(term string) (n int) {
	for _, has := range o.with(term).docs {
		if has {
			n++
		}
	}
	return n
}

// cuts is every way to cut words into runs of one to three.
func cuts(words []string) [][]string {
	if len(words) == 0 {
		return [][]string{nil}
	}
	var all [][]string
	for n := 1; n <= min(3, len(words)); n++ {
		for _, rest := range cuts(words[n:]) {
			all = append(all, append([]string{strings.Join(words[:n], "")}, rest...))
		}
	}
	return all
}

func (o *oracle) correct(words []string) []string {
	fixed := slices.Clone(words)
	for i, w := range words {
		known := catalog.KnownWord(words, i, func(t string) bool { return o.lookup.HasTerm(t) || o.count(t) > 0 })
		if known || !models.Correctable(w) {
			continue
		}
		better := o.lookup.Correct(w, o.count)
		if better == "" {
			better = models.NearestWord(w, func(yield func(string) bool) {
				for _, d := range o.docs {
					if d == nil {
						continue
					}
					for t := range d.titles {
						if models.Correctable(t) && !yield(t) {
							return
						}
					}
				}
			}, o.count)
		}
		if better != "" {
			fixed[i] = better
		}
	}
	return fixed
}

// leaveOut returns the words without those that neither gear nor a title has.
func (o *oracle) leaveOut(q *Query, words []string) []string {
	if q.verbatim() {
		return words
	}
	var rest []string
	for i, w := range words {
		if strings.ContainsAny(w, "0123456789") || catalog.KnownWord(words, i, func(t string) bool { return o.lookup.HasTerm(t) || o.count(t) > 0 }) {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 && !q.Restricted() {
		return words
	}
	return rest
}

// enum is a parameter whose values are those of a field of Doc: one that takes
// several of the fixed values of its type. They are found by reflection, so that
// new ones are compared, too.
type enum struct {
	param       *Param
	order       []string
	doc, filter int // indexes of the fields of Doc and Filter
}

var enums = func() (all []enum) {
	doc, filter := reflect.TypeFor[Doc](), reflect.TypeFor[Filter]()
	for i := range Params {
		list := reflect.ValueOf(Params[i].field)
		order := list.FieldByName("order")
		if !order.IsValid() || order.Len() == 0 || order.Type().Elem() == reflect.TypeFor[models.Defect]() {
			continue
		}
		e := enum{param: &Params[i]}
		for i := range order.Len() {
			e.order = append(e.order, order.Index(i).String())
		}
		for i := range doc.NumField() {
			if doc.Field(i).Type == order.Type().Elem() {
				e.doc = i
			}
		}
		for i := range filter.NumField() {
			if filter.Field(i).Type == order.Type() {
				e.filter = i
			}
		}
		all = append(all, e)
	}
	return all
}()

func (e *enum) of(d *Doc) reflect.Value { return reflect.ValueOf(d).Elem().Field(e.doc) }

// want adds a value to those a query asks for.
func (e *enum) want(q *Query, value string) {
	list := reflect.ValueOf(&q.Filter).Elem().Field(e.filter)
	list.Set(reflect.Append(list, reflect.ValueOf(value).Convert(list.Type().Elem())))
}

// admits reports whether a query admits the value of a document.
func (e *enum) admits(q *Query, d *Doc) bool {
	list, value := reflect.ValueOf(q.Filter).Field(e.filter), e.of(d).String()
	for i := range list.Len() {
		if list.Index(i).String() == value {
			return true
		}
	}
	return list.Len() == 0
}

// plain is a parameter without a facet that compares a property of the listing or of
// its gear. It may be absent in a query.
type plain struct {
	want   func(m *market, q *Query)
	admits func(q *Query, d *oracleDoc) bool // of a query that has it
}

// plains has every parameter of that kind, by name: see TestOracleKnowsEveryParam.
var plains = map[string]plain{
	"focal_min": {
		func(m *market, q *Query) { q.FocalMin = catalog.Focal(m.pickInt(10, 35, 50, 85, 200)) },
		func(q *Query, d *oracleDoc) bool { return d.gear.FocalMax >= float64(q.FocalMin) },
	},
	"focal_max": {
		func(m *market, q *Query) { q.FocalMax = catalog.Focal(m.pickInt(16, 35, 50, 85, 200)) },
		func(q *Query, d *oracleDoc) bool {
			return d.gear.FocalMin > 0 && d.gear.FocalMin <= float64(q.FocalMax)
		},
	},
	"equivalent_min": {
		func(m *market, q *Query) { q.EquivalentMin = catalog.Focal(m.pickInt(24, 50, 135)) },
		func(q *Query, d *oracleDoc) bool {
			_, high := d.gear.Equivalent()
			return high >= float64(q.EquivalentMin)
		},
	},
	"equivalent_max": {
		func(m *market, q *Query) { q.EquivalentMax = catalog.Focal(m.pickInt(24, 50, 135)) },
		func(q *Query, d *oracleDoc) bool {
			low, _ := d.gear.Equivalent()
			return low > 0 && low <= float64(q.EquivalentMax)
		},
	},
	"aperture_max": {
		func(m *market, q *Query) { q.ApertureMax = catalog.FNumber(m.pickInt(14, 28, 40)) / 10 },
		func(q *Query, d *oracleDoc) bool {
			return d.gear.Aperture > 0 && d.gear.Aperture <= float64(q.ApertureMax)
		},
	},
	"sensor": {
		func(m *market, q *Query) {
			q.Sensor = catalog.Sensor(m.pick("full_frame", "aps_c", "medium_format", "35mm_film", "none"))
		},
		func(q *Query, d *oracleDoc) bool {
			switch q.Sensor {
			case "full_frame":
				return d.gear.Format == "Full frame"
			case "aps_c":
				return d.gear.Format == "APS-C"
			case "35mm_film":
				return d.gear.Format == "35mm film"
			case "medium_format":
				return strings.HasSuffix(d.gear.Format, "medium format")
			}
			return false
		},
	},
	"fits": {
		func(m *market, q *Query) {
			q.Fits = m.pick("canon/eos-r6", "sony/alpha-7-iii", "canon/ef-50mm-f1-4-usm", "leica/q2", "nobody/nothing")
		},
		func(q *Query, d *oracleDoc) bool {
			g := realCatalog().Gear(q.Fits)
			if g == nil {
				return false
			}
			fit, ok := realCatalog().Fits(g, d.gear)
			return ok && !fit.Manual
		},
	},
	"released_min": {
		func(m *market, q *Query) { q.ReleasedMin = m.pickInt(1980, 2005, 2015) },
		func(q *Query, d *oracleDoc) bool { return d.gear.Year >= q.ReleasedMin },
	},
	"shutter_max": {
		func(m *market, q *Query) { q.ShutterMax = m.pickInt(1, 999, 1000, 50_000, models.MaxShutter) },
		func(q *Query, d *oracleDoc) bool { return d.Rare[0] > 0 && int(d.Rare[0]) <= q.ShutterMax },
	},
	"deal": {
		func(m *market, q *Query) {
			q.Deal = prices.Verdict(m.pick("below", "below", "below", "below", "within"))
		},
		func(q *Query, d *oracleDoc) bool {
			return q.Deal == "below" && d.Typical.Low > 0 && d.oracle.priceFor("", d) < d.Typical.Low
		},
	},
	"demo": {
		func(m *market, q *Query) { demo := m.r.IntN(2) == 0; q.Demo = &demo },
		func(q *Query, d *oracleDoc) bool { return d.Demo == *q.Demo },
	},
}

func TestOracleKnowsEveryParam(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"keyword": true, "category": true, "brand": true, "model": true, "mount": true, "region": true, "seller": true, "defects": true, "without_defects": true, Budget: true}
	for _, e := range enums {
		known[e.param.Name] = true
	}
	for i := range Params {
		if p := &Params[i]; p.Label != "" && !known[p.Name] && plains[p.Name].want == nil {
			t.Errorf("no query of TestOracle has the parameter %s", p.Name)
		}
	}
}

// admitsPlain reports whether a document meets all plain restrictions of a query.
func admitsPlain(q *Query, d *oracleDoc) bool {
	for i := range Params {
		if p := &Params[i]; plains[p.Name].admits != nil && p.Len(q) > 0 && !plains[p.Name].admits(q, d) {
			return false
		}
	}
	return true
}

// answer is a result in full.
type answer struct {
	total  int
	facets Facets
	ids    []string
	ship   []Shipping
	approx []models.Cents // prices for the reader
}

type oracleHit struct {
	*oracleDoc
	tier int
}

func (o *oracle) search(q Query) answer {
	words, _ := catalog.KeywordWords(q.Keyword)
	words = o.leaveOut(&q, o.correct(words))
	var ways [][]*oracleTerm
	for _, way := range cuts(words) {
		var terms []*oracleTerm
		for _, term := range way {
			terms = append(terms, o.with(term))
		}
		ways = append(ways, terms)
	}
	keyword := strings.Join(words, " ")
	named, read := o.named[keyword]
	if !read {
		named = o.lookup.Named(words, o.lookup.Match(words))
		o.named[keyword] = named
	}
	var hits []oracleHit
	category, brand, mount, region := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	counted := make([]map[string]int, len(enums))
	for i := range enums {
		counted[i] = map[string]int{}
	}
	okEnums := make([]bool, len(enums))
	var bands [bandCount]int
	with, without, base := map[string]int{}, map[string]int{}, 0
	among := func(of []models.Defect) func(models.Defect) bool {
		return func(d models.Defect) bool { return slices.Contains(of, d) }
	}
	for slot, d := range o.docs {
		if d == nil {
			continue
		}
		byGear, byAny := false, false
		for _, way := range ways {
			gear, any := true, true
			for _, term := range way {
				gear = gear && term.gear[d.number]
				any = any && term.docs[slot]
			}
			byGear, byAny = byGear || gear, byAny || any
		}
		if !byAny || q.Model != "" && q.Model != d.gear.ModelSlug && q.Model != d.gear.Slug() || q.Seller != "" && q.Seller != d.Seller || !admitsPlain(&q, d) {
			continue
		}
		okCategory := q.Category == "" || q.Category == models.Kind(d.gear.Category) || string(q.Category) == d.gear.Category.Family()
		okBrand := len(q.Brands) == 0 || d.gear.BrandSlug != "" && slices.Contains(q.Brands, d.gear.BrandSlug)
		okMount := q.Mount == "" || slices.Contains(d.gear.Mounts(), q.Mount)
		okEnum, denied := true, 0
		for i := range enums {
			okEnums[i] = enums[i].admits(&q, &d.Doc)
			if !okEnums[i] {
				okEnum, denied = false, denied+1
			}
		}
		okRegion := len(q.Regions) == 0 || slices.ContainsFunc(q.Regions, func(r models.Region) bool { return r.Covers(d.Region) })
		price := o.priceFor(q.Currency, d)
		okPrice := (q.Min == nil || price >= q.Min.Cents) && (q.Max == nil || price <= q.Max.Cents)
		okDefects := len(q.Defects) == 0 || slices.ContainsFunc(d.Defects, among(q.Defects))
		okWithout := !slices.ContainsFunc(d.Defects, among(q.WithoutDefects))
		okFlaws := okDefects && okWithout
		if okCategory && okBrand && okMount && okEnum && okRegion && okPrice {
			if okDefects {
				base++
			}
			for _, defect := range d.Defects {
				if okWithout {
					with[string(defect)]++
				}
				if okDefects {
					without[string(defect)]++
				}
			}
		}
		okPrice = okPrice && okFlaws
		count := func(into map[string]int, value string, ok ...bool) {
			if value != "" && !slices.Contains(ok, false) {
				into[value]++
			}
		}
		count(category, string(d.gear.Category), okBrand, okMount, okEnum, okRegion, okPrice)
		count(brand, d.gear.BrandSlug, okCategory, okMount, okEnum, okRegion, okPrice)
		for _, m := range d.gear.Mounts() {
			count(mount, m, okCategory, okBrand, okEnum, okRegion, okPrice)
		}
		for i := range enums {
			others := denied == 0 || denied == 1 && !okEnums[i]
			count(counted[i], enums[i].of(&d.Doc).String(), others, okCategory, okBrand, okMount, okRegion, okPrice)
		}
		count(region, string(d.Region.Country()), okCategory, okBrand, okMount, okEnum, okPrice)
		if d.Region != d.Region.Country() && slices.ContainsFunc(q.Regions, func(r models.Region) bool { return r.Country() == d.Region.Country() }) {
			count(region, string(d.Region), okCategory, okBrand, okMount, okEnum, okPrice)
		}
		if okFlaws && okCategory && okBrand && okMount && okEnum && okRegion {
			for b := bandCount - 1; ; b-- {
				if price >= models.Cents(bandEdges[b]) {
					bands[b]++
					break
				}
			}
			if okPrice {
				tier := 2
				if byGear {
					tier = 1
				}
				if byGear && (named.Has(d.number) || len(words) == 0) {
					tier = 0
				}
				hits = append(hits, oracleHit{d, tier})
			}
		}
	}
	slices.SortFunc(hits, func(a, b oracleHit) int {
		by := 0
		switch q.Sort {
		case Relevance, "":
			by = cmp.Compare(a.tier, b.tier)
		case Price:
			by = o.compare(a.oracleDoc, b.oracleDoc, a.Price, b.Price, 1, 1)
		case PriceDesc:
			by = o.compare(b.oracleDoc, a.oracleDoc, b.Price, a.Price, 1, 1)
		case Total:
			one, other := a.oracleDoc, b.oracleDoc
			a, b := shippingOf(&a.Doc, q.ShipTo), shippingOf(&b.Doc, q.ShipTo)
			shipped := func(s Shipping) bool { return s.Terms == Ships || s.Terms == NotStated }
			switch {
			case shipped(a) && !shipped(b):
				by = -1
			case shipped(b) && !shipped(a):
				by = 1
			default:
				by = o.compare(one, other, a.Price+a.Postage, b.Price+b.Postage, 1, 1)
			}
		case Deal:
			switch {
			case a.Typical.Price == 0 && b.Typical.Price == 0:
			case a.Typical.Price == 0:
				by = 1
			case b.Typical.Price == 0:
				by = -1
			default:
				by = o.compare(a.oracleDoc, b.oracleDoc, a.Price, b.Price, b.Typical.Improbable(), a.Typical.Improbable())
			}
		}
		return cmp.Or(by, cmp.Compare(b.Published, a.Published), cmp.Compare(b.ID, a.ID))
	})
	all := answer{total: len(hits)}
	for _, h := range hits {
		all.ids, all.ship = append(all.ids, h.ID), append(all.ship, shippingOf(&h.Doc, q.ShipTo))
		all.approx = append(all.approx, o.priceFor(q.Currency, h.oracleDoc))
	}
	list := func(counted map[string]int, less func(a, b Count) int) []Count {
		var list []Count
		for v, n := range counted {
			list = append(list, Count{v, n})
		}
		slices.SortFunc(list, less)
		return list
	}
	frequent := func(a, b Count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value)) }
	all.facets.Category = list(category, func(a, b Count) int {
		return cmp.Compare(slices.Index(models.Categories, models.Category(a.Value)), slices.Index(models.Categories, models.Category(b.Value)))
	})
	all.facets.Brand, all.facets.Mount = list(brand, frequent), list(mount, frequent)
	for i, e := range enums {
		*e.param.Facet(&all.facets) = list(counted[i], func(a, b Count) int {
			return cmp.Compare(slices.Index(e.order, a.Value), slices.Index(e.order, b.Value))
		})
	}
	for _, d := range models.Defects {
		if n := with[string(d)]; n > 0 {
			all.facets.Defects = append(all.facets.Defects, Count{string(d), n})
		}
		if n := without[string(d)]; n > 0 && n < base {
			all.facets.WithoutDefects = append(all.facets.WithoutDefects, Count{string(d), base - n})
		}
	}
	all.facets.Region = list(region, func(a, b Count) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Value, "-"), strings.Count(b.Value, "-")), frequent(a, b))
	})
	for b, n := range bands {
		if n > 0 {
			band := Band{Min: models.Cents(bandEdges[b]), Count: n, Currency: q.Currency}
			if b+1 < bandCount {
				band.Max = models.Cents(bandEdges[b+1]) - 1
			}
			all.facets.Price = append(all.facets.Price, band)
		}
	}
	return all
}

// shippingOf says what a document costs delivered to the cheapest of countries.
func shippingOf(d *Doc, to []models.Region) (s Shipping) {
	for _, country := range to {
		this := Shipping{To: country, Price: d.Price, Currency: d.Currency}
		var ok bool
		switch {
		case d.Postage == "":
			this.Terms = NotStated
		case d.Postage == "pickup":
			this.Terms = Pickup
		default:
			if this.Postage, ok = d.Postage.To(country); ok {
				this.Terms = Ships
			} else {
				this.Terms = NotShipped
			}
		}
		if s.Terms == "" || this.Terms == Ships && (s.Terms != Ships || this.Postage < s.Postage) {
			s = this
		}
	}
	return s
}

// market makes random listings of the catalogue's gear.
type market struct {
	r      *rand.Rand
	lookup *catalog.Lookup
	next   uint64

	currencies []string // of listings and readers; nil for that of the site alone
}

var (
	someRegions = []models.Region{"DE", "FR", "IT", "ES", "NL", "GB", "US-CA", "US-NY", "US-TX", "US", "JP", "CA-QC", ""}
	someExtras  = strings.Fields("boxed mint body only kit with 18-55mm lens tested working strap battery charger low shutter count black silver chrome serviced CLA'd rare bundle for nikon canon leica x-pro9 fungus haze Zustand gut très bon état 50mm f/2.0 mark ii")
)

func (m *market) id() string {
	m.next++
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:], m.next/7<<16|7<<12)
	binary.BigEndian.PutUint64(id[8:], 1<<63|m.r.Uint64()>>2)
	return id.String()
}

func (m *market) gear() *catalog.Gear {
	if m.r.IntN(3) == 0 { // some gear has many listings
		return m.lookup.At(m.r.IntN(40) * 37 % m.lookup.Size())
	}
	return m.lookup.At(m.r.IntN(m.lookup.Size()))
}

func (m *market) doc() Doc {
	g := m.gear()
	d := Doc{
		ID: m.id(), Category: g.Category, Region: someRegions[m.r.IntN(len(someRegions))],
		Seller: fmt.Sprint("seller-", m.r.IntN(60)), Price: m.price(), Published: models.Time(1_700_000_000_000 + m.r.IntN(3000)*60_000),
	}
	for i := range enums {
		enums[i].of(&d).SetString(m.pick(enums[i].order...))
	}
	if m.r.IntN(3) == 0 {
		d.Rare = RareOf(&models.Listing{Item: models.Item{ItemDetails: models.ItemDetails{Shutter: m.pickInt(1, 999, 1000, 1001, 50_000, m.r.IntN(200_000))}}})
	}
	for m.r.IntN(3) == 0 {
		if defect := models.Defects[m.r.IntN(6)]; !slices.Contains(d.Defects, defect) {
			d.Defects = append(d.Defects, defect)
		}
	}
	d.Demo = m.r.IntN(4) == 0
	d.Currency = m.currency()
	d.Postage = models.Postage(m.pick("", "", "WORLD=0", "pickup", "DE=690", "DE=690 EU=1490 WORLD=2900", "GB=1 US=45000", fmt.Sprint("EU=", m.r.IntN(40)*100)))
	d.Card = []byte(d.ID)
	words := []string{"old camera"}
	if g.ModelSlug != "" {
		d.Gear = g.Slug()
		words[0] = g.Name()
		if h := uint32(len(g.Model)*7 + int(g.Category[0]) + slices.Index(models.Conditions, d.Condition)*3 + slices.Index(models.Functionals, d.Functional)*5); h%3 > 0 {
			d.Typical = typicalAt(h)
		}
	}
	for range m.r.IntN(5) {
		words = append(words, someExtras[m.r.IntN(len(someExtras))])
	}
	d.Title = strings.Join(words, " ")
	return d
}

// typicalAt returns a typical price by a number: some of a median, others of an estimate,
// whose low end is the asking price of some listings.
func typicalAt(h uint32) prices.Typical {
	t := prices.Typical{Price: models.Cents(5000 * (h%19 + 1)), Sales: 9}
	if h%4 > 0 {
		t.Low, t.High = t.Price*models.Cents(h%5+1)/5, t.Price*2
	}
	return t
}

// currency returns that of a listing or a reader, "" for that of the site.
func (m *market) currency() string {
	if m.currencies == nil || m.r.IntN(3) == 0 {
		return ""
	}
	return m.pick(m.currencies...)
}

func (m *market) price() models.Cents {
	switch m.r.IntN(4) {
	case 0:
		return models.Cents(m.r.IntN(30)) * 5000
	case 1:
		return models.Cents(bandEdges[m.r.IntN(bandCount)]) + models.Cents(m.r.IntN(3)) - models.Cents(m.r.IntN(2)*m.r.IntN(2))*0
	default:
		return models.Cents(m.r.IntN(500_000))
	}
}

func (m *market) keyword() string {
	g := m.gear()
	for g.ModelSlug == "" {
		g = m.gear()
	}
	words := strings.Fields(g.Name())
	switch m.r.IntN(9) {
	case 0:
		return g.Name()
	case 1:
		return g.Model
	case 2:
		return strings.Join(words[m.r.IntN(len(words)):], m.pick("", " ", "-"))
	case 3:
		return m.slip(words[m.r.IntN(len(words))]) + " " + m.pick("", words[len(words)-1])
	case 4:
		return someExtras[m.r.IntN(len(someExtras))] + m.pick("", " "+g.Brand, " "+someExtras[m.r.IntN(len(someExtras))])
	case 5:
		return m.pick("camera", "lens", "dslr canon", "50mm", "macro lens", "nikon", "film slr", "lens for canon", "1.8", "mark ii", "x t 3", "a7 iii", "pro", "digital camera boxed")
	case 6:
		if len(g.Aliases) > 0 {
			return g.Aliases[m.r.IntN(len(g.Aliases))]
		}
		return g.Brand
	case 7:
		return g.Brand + " " + m.slip(m.pick("boxed", "serviced", "working", "charger"))
	default:
		return g.Brand + m.pick("", " lens", " camera", " "+g.Mount)
	}
}

func (m *market) pickInt(of ...int) int { return of[m.r.IntN(len(of))] }

func (m *market) pick(of ...string) string { return of[m.r.IntN(len(of))] }

// slip misspells a word.
func (m *market) slip(w string) string {
	if len(w) < 3 {
		return w
	}
	i := 1 + m.r.IntN(len(w)-2)
	switch m.r.IntN(3) {
	case 0:
		return w[:i] + w[i+1:]
	case 1:
		return w[:i] + w[i:i+1] + w[i:]
	default:
		return w[:i] + w[i+1:i+2] + w[i:i+1] + w[min(i+2, len(w)):]
	}
}

func (m *market) query() Query {
	var q Query
	if m.r.IntN(3) > 0 {
		q.Keyword = m.keyword()
	}
	maybe := func(n int) bool { return m.r.IntN(n) == 0 }
	if maybe(4) {
		q.Category = models.Kind(m.pick("camera", "lens", "dslr", "mirrorless", "lens_prime", "compact", "accessory", "nothing"))
	}
	for maybe(5) {
		q.Brands = append(q.Brands, m.gear().BrandSlug)
	}
	if maybe(15) {
		g := m.gear()
		q.Model = m.pick(g.ModelSlug, g.Slug())
	}
	if maybe(8) {
		if mounts := m.gear().Mounts(); len(mounts) > 0 {
			q.Mount = mounts[m.r.IntN(len(mounts))]
		}
	}
	for i := range enums {
		for maybe(4) {
			enums[i].want(&q, m.pick(enums[i].order...))
		}
	}
	for maybe(4) {
		q.Regions = append(q.Regions, models.Region(m.pick("DE", "US", "US-CA", "CA", "CA-QC", "XX", "GB", "EU")))
	}
	for i := range Params {
		if p := plains[Params[i].Name]; p.want != nil && maybe(14) {
			p.want(m, &q)
		}
	}
	for maybe(8) {
		q.Defects = append(q.Defects, models.Defects[m.r.IntN(7)])
	}
	for maybe(8) {
		q.WithoutDefects = append(q.WithoutDefects, models.Defects[m.r.IntN(7)])
	}
	if maybe(12) {
		q.Seller = fmt.Sprint("seller-", m.r.IntN(61))
	}
	q.Currency = m.currency()
	if maybe(3) {
		low := m.price()
		q.Min = &models.Amount{Cents: low, Currency: models.Currency{Code: q.Currency}}
	}
	if maybe(3) {
		high := m.price()
		q.Max = &models.Amount{Cents: high, Currency: models.Currency{Code: q.Currency}}
	}
	q.Sort = append(Sorts, "")[m.r.IntN(len(Sorts)+1)]
	for q.Sort == Total && len(q.ShipTo) == 0 || maybe(8) {
		q.ShipTo = append(q.ShipTo, models.Region(m.pick("DE", "FR", "GB", "US", "JP", "XX")))
	}
	q.Limit = 1 + m.r.IntN(MaxLimit)
	return q
}

func init() { frontLeast = 500 }

// The index answers as the oracle does: totals, facets, order and every page,
// while listings are added, changed and removed.
func TestOracle(t *testing.T) {
	t.Parallel()
	const markets = 4
	queries := *oracleQueries / markets
	for seed := range uint64(markets) {
		t.Run(fmt.Sprint("market ", seed), func(t *testing.T) {
			t.Parallel()
			compareWithOracle(t, &market{r: rand.New(rand.NewPCG(2, seed)), lookup: realLookup()}, queries)
		})
	}
}

func compareWithOracle(t *testing.T, m *market, queries int) {
	o, x := newOracle(m.lookup), New(m.lookup)
	var docs []Doc
	for range 5500 {
		docs = append(docs, m.doc())
	}
	load(t, x, docs)
	for _, d := range docs {
		o.put(d)
	}
	withHits, pages := 0, 0
	for i := range queries {
		if i%50 == 49 {
			m.change(t, x, o)
		}
		q := m.query()
		want := o.search(q)
		if why := allPages(x, q, want, &pages); why != "" {
			t.Fatalf("query %d %+v: %s", i, q, why)
		}
		if want.total > 0 {
			withHits++
		}
	}
	if withHits < queries/3 {
		t.Errorf("only %d of %d queries found anything: the test tests little", withHits, queries)
	}
	t.Logf("%d queries, %d with hits, %d pages", queries, withHits, pages)
}

// Numbers of removed listings are used again, and nothing remembers whose they were.
func TestOracleAfterChurn(t *testing.T) {
	t.Parallel()
	m := &market{r: rand.New(rand.NewPCG(6, 6)), lookup: realLookup()}
	o, x := newOracle(m.lookup), New(m.lookup)
	var docs []Doc
	for range 300 {
		docs = append(docs, m.doc())
	}
	load(t, x, docs)
	for range 30 {
		var removes []string
		for i := range docs {
			switch m.r.IntN(3) {
			case 0: // changed
				id := docs[i].ID
				docs[i] = m.doc()
				docs[i].ID, docs[i].Card = id, []byte(id)
			case 1: // replaced
				removes = append(removes, docs[i].ID)
				docs[i] = m.doc()
			}
		}
		if err := x.Apply(docs, removes); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(x.current.Load().state.ids); n > 300+2*1024 {
		t.Errorf("%d numbers are taken up by 300 listings", n)
	}
	for _, d := range docs {
		o.put(d)
	}
	pages := 0
	for range 500 {
		q := m.query()
		if why := allPages(x, q, o.search(q), &pages); why != "" {
			t.Fatalf("%+v: %s", q, why)
		}
	}
}

// change puts and removes some listings, new ones and old ones.
func (m *market) change(t *testing.T, x *Index, o *oracle) {
	t.Helper()
	var puts []Doc
	var removes []string
	var old []*oracleDoc
	for _, d := range o.docs {
		if d != nil {
			old = append(old, d)
		}
	}
	for range m.r.IntN(12) {
		d := m.doc()
		if m.r.IntN(3) == 0 {
			d.ID = old[m.r.IntN(len(old))].ID
			d.Card = []byte(d.ID)
		}
		puts = append(puts, d)
	}
	for range m.r.IntN(12) {
		removes = append(removes, old[m.r.IntN(len(old))].ID)
	}
	before := x.Version()
	if err := x.Apply(puts, removes); err != nil {
		t.Fatal(err)
	}
	if x.Version() == before {
		t.Fatal("the version did not move")
	}
	for _, id := range removes {
		o.remove(id)
	}
	for _, d := range puts {
		o.put(d)
	}
	m.refit(x, o, old)
	if x.Len() != len(o.slots) {
		t.Fatalf("%d listings, want %d", x.Len(), len(o.slots))
	}
}

// refit changes the typical prices of the gear of some listings, as a fit does. Asking prices
// are often at the low end of the range, or just below.
func (m *market) refit(x *Index, o *oracle, docs []*oracleDoc) {
	for range m.r.IntN(8) {
		d, figures := docs[m.r.IntN(len(docs))], TypicalPrices{}
		for _, c := range models.Conditions {
			for _, works := range models.Functionals {
				price := figures.Of(c, works)
				if m.r.IntN(4) > 0 {
					*price = typicalAt(m.r.Uint32())
				}
				if low := o.priceFor("", d) + models.Cents(m.r.IntN(2)); c == d.Condition && works == d.Functional && low > 0 {
					*price = prices.Typical{Price: low + models.Cents(m.r.IntN(5000)), Low: low, High: low * 2, Sales: 9}
				}
				o.setTypical(d.number, c, works, *price)
			}
		}
		x.Refresh(d.gear.Slug(), &figures, nil)
	}
}

// allPages reads a query to its end and says what differs from the answer.
func allPages(x *Index, q Query, want answer, pages *int) (why string) {
	q.Limit = max(q.Limit, min(MaxLimit, want.total/15))
	var r Result
	for at := 0; ; {
		*pages++
		q.NoFacets = *pages%3 == 0
		if err := x.SearchInto(&r, q); err != nil {
			return err.Error()
		}
		if r.Total != want.total {
			return fmt.Sprint("total ", r.Total, ", want ", want.total)
		}
		facets := want.facets
		if q.NoFacets {
			facets = Facets{}
		}
		if !r.Facets.equal(facets) {
			return fmt.Sprintf("facets\n%v\nwant\n%v", r.Facets, facets)
		}
		if n := min(q.Limit, len(want.ids)-at); len(r.Cards) != n {
			return fmt.Sprintf("%d cards behind the first %d, want %d", len(r.Cards), at, n)
		}
		for i, card := range r.Cards { // each is the listing's id
			if string(card) != want.ids[at] {
				return fmt.Sprintf("card %d is %s, want %s", at, card, want.ids[at])
			}
			if len(q.ShipTo) > 0 && r.Shipping[i] != want.ship[at] {
				return fmt.Sprintf("shipping %d is %+v, want %+v", at, r.Shipping[i], want.ship[at])
			}
			if len(r.Approx) > 0 && r.Approx[i].Day != "" && r.Approx[i].Cents != want.approx[at] {
				return fmt.Sprintf("card %d costs about %+v, want %d", at, r.Approx[i], want.approx[at])
			}
			at++
		}
		if len(q.ShipTo) == 0 && len(r.Shipping) > 0 {
			return fmt.Sprintf("shipping %v to nowhere", r.Shipping)
		}
		if (r.NextCursor == "") != (at == len(want.ids)) {
			return fmt.Sprintf("cursor %q behind card %d of %d", r.NextCursor, at, len(want.ids))
		}
		if q.Cursor = r.NextCursor; q.Cursor == "" {
			return ""
		}
	}
}

func (f Facets) equal(g Facets) bool {
	for i := range Params {
		if of := Params[i].Facet; of != nil && !slices.Equal(*of(&f), *of(&g)) {
			return false
		}
	}
	return slices.Equal(f.Price, g.Price)
}

func load(t testing.TB, x *Index, docs []Doc) {
	t.Helper()
	err := x.Load(func(yield func(Doc, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
