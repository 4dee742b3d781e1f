package importer

import (
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// A price is a typo if it is typoFactor times the median of the sales of its gear and condition
// nearest to it in the file, at least typoFrom and at most 2 × typoNear, up to a year earlier or
// later, or if the median is typoFactor times the price. Decimal points move by a factor of 10.
const (
	typoFactor = 5
	typoFrom   = 5
	typoNear   = 50
	year       = 365 * models.DayMillis
)

// importedPrice is the price of a sale of the file.
type importedPrice struct {
	soldAt models.Time
	price  models.Cents
	index  int // in the batch, -1 if it is of an earlier one
}

// typos returns why sales of a batch are refused, by index, and remembers their prices.
func (im *Importer) typos(batch []models.Sale) map[int]*reject {
	if im.prices == nil {
		im.prices = map[string][]importedPrice{}
	}
	fresh := map[string]bool{}
	for i, s := range batch {
		key := s.Gear + " " + string(s.Condition)
		im.prices[key] = append(im.prices[key], importedPrice{s.SoldAt, s.Price, i})
		fresh[key] = true
	}
	refused := map[int]*reject{}
	for key := range fresh {
		list := im.prices[key]
		for i := range list {
			if list[i].index < 0 {
				continue
			}
			if why := typo(list, i); why != nil {
				refused[list[i].index] = why
			}
		}
		list = slices.Clone(list[max(0, len(list)-typoNear):])
		for i := range list {
			list[i].index = -1
		}
		im.prices[key] = list
	}
	return refused
}

// typo returns why the price of the i-th sale of a list is a typo, nil if it isn't.
func typo(list []importedPrice, i int) *reject {
	s := list[i]
	var near []models.Cents
	for j := max(0, i-typoNear); j < min(len(list), i+typoNear+1); j++ {
		if o := list[j]; j != i && max(o.soldAt-s.soldAt, s.soldAt-o.soldAt) < year {
			near = append(near, o.price)
		}
	}
	if len(near) < typoFrom {
		return nil
	}
	slices.Sort(near)
	median := (near[(len(near)-1)/2] + near[len(near)/2]) / 2
	if s.price < typoFactor*median && median < typoFactor*s.price {
		return nil
	}
	return rejectf("unusual_price", problem.Textf("Correct the price, the currency or the condition. A sale of another model needs its name."),
		"The price is %.1f times the median of %d sales in the file.", float64(s.price)/float64(median), len(near))
}
