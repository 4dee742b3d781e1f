package listing

import (
	"strconv"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
)

// ListingFields holds the fields of a listing to set; nil fields keep their value. What the
// operations with this input say about a field in other words are their overrides.
type ListingFields struct {
	Gear        *string            `json:"gear,omitempty" jsonschema:"camera or lens by any common name, or its slug; empty if the item is not in the catalogue" example:"canon/eos-r6"`
	NewModel    *string            `json:"new_model,omitempty" jsonschema:"brand and model of an item missing from the catalogue: the listing uses it immediately, and the owner checks it" maxlength:"120" example:"Canon EOS R6 Mark IV"`
	Title       *string            `json:"title,omitempty" jsonschema:"title" maxlength:"200" example:"Canon EOS R6, boxed"`
	Price       *models.Money      `json:"price,omitempty" jsonschema:"asking price; the price history shows the previous one" example:"1199.00 EUR"`
	Condition   *models.Condition  `json:"condition,omitempty" jsonschema:"condition grade" example:"good"`
	Functional  *models.Functional `json:"functional,omitempty" jsonschema:"working state" example:"fully_working"`
	Defects     *[]models.Defect   `json:"defects,omitempty" jsonschema:"all known defects" example:"dust"`
	Included    *[]string          `json:"included,omitempty" jsonschema:"included items, one per entry" sep:"lines" maxlength:"80" example:"battery"`
	Shutter     *int               `json:"shutter_count,omitempty" jsonschema:"shutter count, if known" min:"0" max:"10000000" example:"18204"`
	Description *string            `json:"description,omitempty" jsonschema:"plain text; blank lines separate paragraphs" maxlength:"10000" example:"Bought new in 2021 and used at weekends."`
	Region      *models.Region     `json:"region,omitempty" jsonschema:"location of the item, a country or subdivision" example:"DE"`
	Postage     *string            `json:"postage,omitempty" jsonschema:"pickup, free, or prices by country, EU and world; empty: that of your settings" maxlength:"300" example:"DE 6.90, EU 14.90, world 29"`
	BuyNow      *models.BuyNow     `json:"buy_now,omitempty" jsonschema:"whether it can be bought at its price: off, confirm (within 48 hours, by you) or instant" example:"confirm"`
	Category    *models.Category   `json:"category,omitempty" jsonschema:"category; used only if the item is not in the catalogue" example:"mirrorless"`
	Serial      *string            `json:"serial,omitempty" jsonschema:"serial number; private: compared with reports of stolen gear, and shown to operators if they check the listing" maxlength:"60" example:"012345678"`
}

// newListingFields are the overrides of the input of a new listing.
var newListingFields = map[string]bind.Override{
	"gear":       {Description: "camera or lens by any common name, or its slug; default: detected from the title; empty if the item is not in the catalogue"},
	"title":      {Description: "title, at most 200 characters; default: the name of the gear", Example: "Canon EOS R6, boxed, 18,000 exposures"},
	"price":      {Required: true, Description: "asking price", Example: "1249.00 EUR"},
	"condition":  {Required: true, Description: "condition grade, explained at /guides/condition-grades", Example: "excellent"},
	"functional": {Default: string(models.Untested)},
	"region":     {Required: true, Description: "location of the item: a country or subdivision by name or ISO 3166 code, such as DE or US-CA"},
	"postage":    {Description: "pickup, free, or prices by country, EU and world; default: that of your settings"},
	"buy_now":    {Description: "whether it can be bought at its price: off, confirm (within 48 hours, by you) or instant; default: off; shop: confirm"},
	"category":   {Description: "category; set by the gear, required if the item is not in the catalogue"},
}

// typedFields are the overrides of an input that a person types. Listing.Check rejects
// what is too long for a listing.
var typedFields = map[string]bind.Override{
	"title":         {MaxLength: 1000},
	"included":      {MaxLength: 1000},
	"serial":        {MaxLength: 1000},
	"postage":       {MaxLength: 1000},
	"description":   {MaxLength: 40_000},
	"shutter_count": {Read: readCount},
}

// readCount returns the digits of a number that a person typed, such as 12,400.
func readCount(text string) (string, error) {
	n, err := models.ParseCount(text)
	return strconv.Itoa(n), err
}

// SetItem sets the fields of the item and where it is.
func (in *ListingFields) SetItem(l *models.Listing) {
	input.SetIf(&l.Condition, in.Condition)
	input.SetIf(&l.Functional, in.Functional)
	input.SetIf(&l.Defects, in.Defects)
	input.SetIf(&l.Shutter, in.Shutter)
	input.SetIf(&l.Category, in.Category)
	input.SetIf(&l.BuyNow, in.BuyNow)
	input.SetIf(&l.Region, in.Region)
	if in.Included != nil {
		l.Included = input.OneLines(*in.Included)
	}
	if in.Serial != nil {
		l.Serial = input.OneLine(*in.Serial)
	}
	if in.Title != nil {
		l.Title = input.OneLine(*in.Title)
	}
	if in.Description != nil {
		l.Text = input.TrimText(*in.Description)
	}
}
