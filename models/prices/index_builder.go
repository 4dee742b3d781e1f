package prices

import (
	"math"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// IndexBuilder aggregates sales by gear, condition and month. Its memory depends on their
// number, not on that of the sales.
type IndexBuilder struct {
	catalog map[string]*catalog.Gear
	first   models.MonthKey
	last    models.MonthKey // the last whole month
	items   []indexItem
	cells   []indexCell // by item
	open    map[openCell]int
	gear    string
	members map[memberYear]int
	recent  [7]recentLevel // of the gear, by condition

	sold        map[string]soldItem // of the gear, by item
	repeats     []repeatSale        // in order of gear
	firstRepeat int                 // of the gear
	repeated    int                 // number of repeat sales of the gear
}

// NewIndexBuilder returns a builder of the index of a day.
func NewIndexBuilder(gears []*catalog.Gear, day models.Time) *IndexBuilder {
	b := &IndexBuilder{catalog: make(map[string]*catalog.Gear, len(gears)), last: models.MonthOf(day) - 1}
	b.first = b.last - indexMonths + 1
	for _, g := range gears {
		b.catalog[g.Slug()] = g
	}
	return b
}

// Add adds a sale. Sales must be in order of gear and time. item identifies what was sold
// among the sales of the gear, "" if it isn't known to have sold twice. The n-th sale of one
// member with one gear in a year weighs 1/n², as in package pricing.
func (b *IndexBuilder) Add(sale *models.Sale, item string) {
	month := models.MonthOf(sale.SoldAt)
	if b.catalog[sale.Gear] == nil || month < b.first || month > b.last || sale.Price <= 0 {
		return
	}
	if sale.Gear != b.gear {
		b.gear, b.open, b.members, b.sold = sale.Gear, map[openCell]int{}, map[memberYear]int{}, map[string]soldItem{}
		b.recent, b.firstRepeat, b.repeated = [7]recentLevel{}, len(b.repeats), 0
	}
	weight, seller := 1.0, ""
	if !sale.VouchedFor() && sale.SellerID != "" {
		seller = sale.SellerID
		by := memberYear{seller, month / 12}
		b.members[by]++
		weight /= float64(b.members[by] * b.members[by])
	}
	condition := slices.Index(models.Conditions, sale.Condition)
	key := openCell{condition, int16(month - b.first)}
	i, known := b.open[key]
	if !known {
		i = len(b.cells)
		b.open[key] = i
		b.cells = append(b.cells, indexCell{item: b.item(sale.Gear, condition), month: key.month})
	}
	price := math.Log(float64(sale.Price))
	c, y := &b.cells[i], b.recent[condition].limited(price, key.month)
	c.sales, c.weight, c.sum, c.squares = c.sales+1, c.weight+weight, c.sum+weight*y, c.squares+weight*y*y
	if item != "" {
		b.addItem(item, soldItem{seller, price, y, weight, key.month, int8(condition)})
	}
}

// item returns the number of the gear that is being added, in a condition.
func (b *IndexBuilder) item(gear string, condition int) int32 {
	number := int32(len(b.items))
	for i := len(b.items) - 1; i >= 0 && b.items[i].gear.Slug() == gear; i-- {
		if b.items[i].condition == condition {
			return int32(i)
		}
		number = int32(i)
	}
	b.items = append(b.items, indexItem{b.catalog[gear], condition, number})
	return int32(len(b.items) - 1)
}

// addItem adds the sale of an item of the gear that is being added. It makes a pair with the
// sale before, unless that has the same seller, who got the item back.
func (b *IndexBuilder) addItem(item string, s soldItem) {
	last, known := b.sold[item]
	b.sold[item] = s
	if !known || s.month-last.month < repeatMonths || s.seller != "" && s.seller == last.seller {
		return
	}
	pair := repeatSale{b.catalog[b.gear], last.limited, s.limited, s.price - last.price, min(last.weight, s.weight), last.month, s.month, [2]int8{last.condition, s.condition}}
	if n := len(b.repeats) - b.firstRepeat; n >= gearRepeats { // the latest of a gear
		b.repeats[b.firstRepeat+b.repeated%gearRepeats] = pair
	} else {
		b.repeats = append(b.repeats, pair)
	}
	b.repeated++
}

// indexCell holds the sales of a gear in one condition in one month. Prices are logarithms.
type indexCell struct {
	item                 int32 // gear and condition
	month                int16 // from the first
	sales                int32
	weight, sum, squares float64
}

func (c *indexCell) mean() float64 { return c.sum / c.weight }

// indexItem is gear in one condition.
type indexItem struct {
	gear      *catalog.Gear
	condition int
	number    int32 // of the gear: its first item
}

// recentLevel is the moving average of the last log prices of gear in a condition.
type recentLevel struct {
	sales int
	month int16 // of the last one
	level float64
}

// limited returns the log price of a month, limited to a factor of 1.65 from the last ones,
// so that no single price moves a mean far. It counts the price. The longer the last one is
// ago, the more it counts: gear that sells seldom loses much from one sale to the next.
func (r *recentLevel) limited(y float64, month int16) float64 {
	const far, settled, rate = 0.5, 5, 0.1
	if r.sales++; r.sales > settled {
		y = min(max(y, r.level-far), r.level+far)
	}
	r.level += max(rate, 1/float64(r.sales), min(1, float64(month-r.month)/12)) * (y - r.level)
	r.month = month
	return y
}

type openCell struct {
	condition int
	month     int16
}

type memberYear struct {
	member string
	year   models.MonthKey
}

// soldItem is the last sale of an item that may sell again.
type soldItem struct {
	seller         string
	price, limited float64 // logarithms
	weight         float64
	month          int16
	condition      int8
}

// repeatSale is a pair of sales of the same item, known by its serial number.
type repeatSale struct {
	gear          *catalog.Gear
	before, after float64 // log prices, limited
	change        float64 // of the log price as paid
	weight        float64 // the smaller one of the two
	from, to      int16   // months
	grades        [2]int8 // conditions, the best first
}

// sameGrade reports whether both sales were in the same condition: only then the pair says
// how a price changed.
func (r *repeatSale) sameGrade() bool { return r.grades[0] == r.grades[1] }

// months returns the months between both sales.
func (r *repeatSale) months() float64 { return float64(r.to - r.from) }

// indexPeriod sums up the sales of gear in one condition in some months.
type indexPeriod struct{ sales, weight, sum float64 }

func (p *indexPeriod) add(c *indexCell) {
	p.sales, p.weight, p.sum = p.sales+float64(c.sales), p.weight+c.weight, p.sum+c.sum
}

// clipped is how far from the fit, in log price, the weight of an observation is halved.
const clipped = 0.3

// Limits of the depreciation.
const (
	MinRepeatSales = 5 // of a kind, to sum them up
	minKindGear    = 5 // of a kind, to state its depreciation
	repeatMonths   = 6 // between two sales of an item: sooner, it was a bargain or went back
	gearRepeats    = 1000
	blockMonths    = 6
	indexBlocks    = indexMonths / blockMonths
)

// Limits of the index.
const (
	MinIndexSales  = 20 // in a month of a series, and of a gear in both periods of a change
	indexMonths    = 10 * 12
	indexBrands    = 12
	indexMovers    = 8
	indexHolders   = 10
	minPeriodSales = 5 // of a gear in each of the periods
)
