package demo

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// listings returns listings in every status, sorted by publication. It sets the
// listing ids of the sales that the sold ones belong to.
func (g *generator) listings(members []models.Member, sales []models.Sale) []models.Listing {
	d := g.dice("listings")
	sellers := make([]float64, len(members))
	for i := range sellers {
		sellers[i] = 1 / math.Pow(float64(i)+8, 0.8)
	}
	w := writer{g: g, d: d, members: members, sellers: sellers}
	supply := g.market.supply(g.now)
	var listings []models.Listing
	for _, part := range []struct {
		status models.Status
		n      int
	}{
		{models.StatusActive, ActiveListings}, {models.StatusReserved, reservedListings},
		{models.StatusEnded, endedListings}, {models.StatusExpired, expiredListings},
	} {
		for i, n := range d.share(part.n, supply) {
			for range n {
				listings = append(listings, w.forSale(g.market.goods[i], part.status))
			}
		}
	}
	bySlug := map[string]*good{}
	for _, item := range g.market.goods {
		bySlug[item.gear.Slug()] = item
	}
	for i := range soldListings {
		sale := &sales[len(sales)-1-8*i] // the last five months, which every member has been here for
		listings = append(listings, w.sold(bySlug[sale.Gear], sale))
	}
	slices.SortStableFunc(listings, func(a, b models.Listing) int {
		return cmp.Or(cmp.Compare(a.PublishedAt, b.PublishedAt), cmp.Compare(a.ID, b.ID))
	})
	separate(listings)
	return listings
}

// ForSale returns a listing that is not sold.
func (w *writer) forSale(item *good, status models.Status) models.Listing {
	days := math.Min(w.d.ExpFloat64()*28, 118)
	published := w.g.now.Add(-time.Duration(days*24*60) * time.Minute).Add(-time.Minute)
	if published.Before(item.launch) {
		published = item.launch.Add(time.Duration(w.d.Float64() * float64(w.g.now.Sub(item.launch))))
	}
	seller := w.members[w.d.weighted(w.sellers)]
	condition := w.g.condition(w.d, item, published)
	l := w.write(item, seller, condition, published)
	l.Status = status
	l.Price = w.g.market.asked(w.d, item, condition, published)
	changed := w.between(published, w.g.now)
	switch status {
	case models.StatusEnded, models.StatusExpired:
		l.ClosedAt, l.UpdatedAt = changed, changed
	case models.StatusReserved:
		l.UpdatedAt = changed
	}
	return l
}

// sold returns the listing of a sale and links the sale to it.
func (w *writer) sold(item *good, sale *models.Sale) models.Listing {
	seller := w.members[w.d.weighted(w.sellers)]
	published := sale.SoldAt.Std().Add(-time.Duration(w.d.IntN(40*24*60)+90) * time.Minute)
	if published.Before(item.launch) {
		published = sale.SoldAt.Std().Add(-time.Minute)
	}
	l := w.write(item, seller, sale.Condition, published)
	l.Status = models.StatusSold
	l.SoldPrice, l.ClosedAt, l.UpdatedAt = sale.Price, sale.SoldAt, sale.SoldAt
	l.Price = max(sale.Price, askable(w.d, float64(sale.Price)/100*w.d.between(1, 1.12)))
	sale.ListingID, sale.SellerID, sale.Region = l.ID, seller.ID, l.Region
	return l
}

// write returns a listing without status and price.
func (w *writer) write(item *good, seller models.Member, c models.Condition, at time.Time) models.Listing {
	published := models.TimeOf(at)
	l := models.Listing{
		ID: w.d.id(published), SellerID: seller.ID, Gear: item.gear.Slug(), Category: item.gear.Category,
		Item: models.Item{Condition: c}, Region: seller.Region, Demo: true,
		CreatedAt: published, PublishedAt: published, UpdatedAt: published,
	}
	if len(seller.Handle)%3 > 0 { // two sellers of three sell at the asking price, too
		l.BuyNow = models.BuyConfirm
	}
	k := kindOf(item.gear)
	l.Functional = w.functional(k, c)
	l.Defects = w.defects(k, item.gear, c, l.Functional)
	l.Included = w.included(k, item.gear, c)
	l.Shutter = w.shutter(item, c, at)
	l.Title = w.title(item.gear, k, &l)
	l.Text = w.text(item.gear, k, &l)
	l.Photos = w.photos(item.gear, &l)
	return l
}

func (w *writer) between(from, to time.Time) models.Time {
	return models.TimeOf(from.Add(time.Duration(w.d.Float64() * float64(to.Sub(from)))).Truncate(time.Minute))
}

func (w *writer) functional(k kind, c models.Condition) models.Functional {
	switch {
	case c == models.ConditionFaulty:
		return pick(w.d, []models.Functional{models.MinorFault, models.MinorFault, models.NotWorking, models.NotWorking, models.Untested})
	case c == models.ConditionHeavilyUsed && w.d.chance(0.2):
		return models.MinorFault
	case (k == filmBody || k == filmCompact || k == instantCamera) && c.Rank() <= models.ConditionGood.Rank() && w.d.chance(0.16):
		return models.Untested
	default:
		return models.FullyWorking
	}
}

// noFoam reports whether a camera has no light seals of foam.
func noFoam(g *catalog.Gear) bool {
	return g.Category == rangefinder && g.Mount != "" || g.Category == mediumFormat || g.BrandSlug == "leica" || g.Year > 0 && g.Year < 1963
}

// electronic has the mounts whose lenses have an aperture that the camera drives electrically,
// and barrels that show no brass.
var electronic = map[string]bool{"Canon EF": true, "Canon EF-S": true, "Canon EF-M": true, "Canon RF": true, "Sony E": true, "Fujifilm X": true, "Fujifilm G": true, "Nikon Z": true,
	"Micro Four Thirds": true, "Four Thirds": true, "Leica L": true, "Samsung NX": true, "Nikon 1": true, "Hasselblad H": true, "Hasselblad X": true}

// flawsOf returns the defects that a gear can have.
func flawsOf(k kind, g *catalog.Gear) (marks, faults []models.Defect) {
	marks, faults = words().Flaws[k].Marks, words().Flaws[k].Faults
	meter := g.Category == filmSLR && g.Year >= 1968 || k == filmCompact && g.Category == rangefinder && g.Year >= 1963
	if meter {
		faults = append(slices.Clone(faults), "meter_fault")
	}
	if noFoam(g) {
		foam := func(d models.Defect) bool { return d == "light_seals" }
		marks, faults = slices.DeleteFunc(slices.Clone(marks), foam), slices.DeleteFunc(slices.Clone(faults), foam)
	}
	if g.Category.Family() == models.FamilyLens && len(g.Mounts()) > 0 && electronic[g.Mounts()[0]] {
		drop := func(d models.Defect) bool { return d == "slow_aperture" || d == "brassing" }
		marks, faults = slices.DeleteFunc(slices.Clone(marks), drop), slices.DeleteFunc(slices.Clone(faults), drop)
	}
	if plastic := isFilm(g) && g.Year >= 1985; plastic {
		marks = slices.DeleteFunc(slices.Clone(marks), func(d models.Defect) bool { return d == "brassing" })
	}
	return marks, faults
}

func (w *writer) defects(k kind, g *catalog.Gear, c models.Condition, f models.Functional) []models.Defect {
	counts := map[models.Condition][]int{
		models.ConditionExcellent: {0, 0, 0, 0, 0, 1}, models.ConditionGood: {0, 0, 0, 1},
		models.ConditionWellUsed: {0, 1, 1, 2}, models.ConditionHeavilyUsed: {1, 2, 2, 3}, models.ConditionFaulty: {0, 1, 1, 2},
	}[c]
	if counts == nil {
		return nil
	}
	marks, faults := flawsOf(k, g)
	var defects []models.Defect
	add := func(defect models.Defect) {
		if !slices.Contains(defects, defect) {
			defects = append(defects, defect)
		}
	}
	if f == models.MinorFault || f == models.NotWorking {
		add(pick(w.d, faults))
	}
	for range pick(w.d, counts) {
		add(pick(w.d, marks))
	}
	return defects
}

// extrasOf returns what sellers may pack with a gear, most usual first.
func extrasOf(k kind, g *catalog.Gear) []string {
	things := words().Extras[k]
	add := func(more ...string) { things = append(slices.Clone(things), more...) }
	lens := k == autofocusLens || k == manualLens
	if lens && len(g.Mounts()) > 0 && g.Mounts()[0] == "Lens board" {
		return []string{"lens board", "front cap", "rear cap"}
	}
	if lens && g.Category != lensFisheye && g.FocalMin >= 17 && !isTelephoto(g) {
		add("UV filter")
	}
	if lens && isTelephoto(g) {
		add("lens case", "tripod foot")
	}
	leather := g.Category.Family() == models.FamilyCamera && isFilm(g) && (g.Category == filmSLR || g.Category == rangefinder || g.Category == mediumFormat && k == filmCompact)
	if leather && g.Year != 0 && g.Year < 1982 {
		things = slices.DeleteFunc(slices.Clone(things), func(thing string) bool { return thing == "case" })
		add("leather case")
	}
	if takesBattery(g) {
		add("fresh batteries")
	}
	if k == filmBody || k == filmCompact {
		add("roll of film")
	}
	if g.Category == dslr && g.Mount != "" {
		add("battery grip")
	}
	return things
}

// included returns the accessories of an item: more for better conditions.
func (w *writer) included(k kind, g *catalog.Gear, c models.Condition) []string {
	things := extrasOf(k, g)
	if c == models.ConditionNew {
		return append(slices.DeleteFunc(slices.Clone(things[:min(3, len(things))]), isBox), "original box")
	}
	var included []string
	for i, thing := range things {
		if w.d.chance(math.Max(0.08, 0.95-0.14*float64(i)) * (0.45 + 0.1*float64(c.Rank()))) {
			included = append(included, thing)
		}
	}
	return included
}

func isBox(thing string) bool { return thing == "original box" }

// shutter returns the shutter count, or 0 if the seller does not state one.
func (w *writer) shutter(item *good, c models.Condition, at time.Time) int {
	if !countsShutter(item.gear) || c == models.ConditionNew || w.d.chance(0.3) {
		return 0
	}
	wear := map[models.Condition]float64{
		models.ConditionLikeNew: 2_500, models.ConditionExcellent: 12_000, models.ConditionGood: 32_000,
		models.ConditionWellUsed: 75_000, models.ConditionHeavilyUsed: 140_000, models.ConditionFaulty: 90_000,
	}[c]
	return int(wear*w.d.lognormal(0.55)*(0.6+0.06*math.Min(item.age(at), 10))) + 12
}
