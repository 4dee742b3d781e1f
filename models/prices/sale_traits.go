package prices

import (
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/pricing"
)

// DetailsOfSale are what is known of a sale s besides its gear and condition: its region, who sold
// it ("unknown" if the operators vouch for the sale and don't say; members are private sellers unless they say otherwise), and if it was listed here whether it works, its shutter count, defects and accessories.
const DetailsOfSale = `s.region || '|' || CASE WHEN s.seller_kind = '' AND s.source IN ('import', 'shop') THEN 'unknown' ELSE s.seller_kind END || '|' || COALESCE((SELECT l.functional || '|' || l.shutter || '|' || l.defects || '|' || l.included
	FROM listings l WHERE l.id = s.listing_id), '')`

// pricedAccessories are the words for accessories that a price may depend on.
var pricedAccessories = []string{"box", "charger", "battery", "lens", "case", "grip", "caps", "hood"}

// shutterSteps are the shutter counts at which a new class begins.
var shutterSteps = []int{1, 5_000, 20_000, 50_000, 100_000, 200_000}

// sellerTraits are the traits by who sold an item. Estimates are for a private seller, who has none.
var sellerTraits = map[string][]string{string(models.Dealer): {pricing.DealerTrait}, "unknown": {pricing.UnknownSeller}}

// WorksClass is the class of traits of items that don't work fully.
const WorksClass = "works"

// worksTrait returns the trait of an item that does not work fully.
func worksTrait(works models.Functional) string { return WorksClass + " " + string(works) }

// TraitsOf returns the traits of a sale for package pricing from its details: "region DE",
// "seller dealer", "works minor_fault", "defect fungus", "with box", "shutter from 20000".
func TraitsOf(details string) (traits []string) {
	part := strings.SplitN(details, "|", 6)
	if country := models.Region(part[0]).Country(); country != "" {
		traits = append(traits, "region "+string(country))
	}
	if len(part) > 1 {
		traits = append(traits, sellerTraits[part[1]]...)
	}
	if len(part) < 6 {
		return traits
	}
	if works := models.Functional(part[2]); works.Valid() && works != models.FullyWorking {
		traits = append(traits, worksTrait(works))
	}
	if step := shutterStep(part[3]); step > 0 {
		traits = append(traits, "shutter from "+strconv.Itoa(step))
	}
	var defects models.TextList[models.Defect]
	if defects.Scan(part[4]) == nil {
		for _, defect := range defects {
			if defect.Valid() {
				traits = append(traits, "defect "+string(defect))
			}
		}
	}
	included := strings.ToLower(part[5])
	for _, accessory := range pricedAccessories {
		if strings.Contains(included, accessory) {
			traits = append(traits, "with "+accessory)
		}
	}
	return traits
}

// shutterStep returns the step that a shutter count has reached, 0 for an unknown count.
func shutterStep(count string) (step int) {
	n, err := strconv.Atoi(count)
	if err != nil {
		return 0
	}
	for _, from := range shutterSteps {
		if n >= from {
			step = from
		}
	}
	return step
}
