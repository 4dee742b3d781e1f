package views

import "github.com/secondlight/secondlight/models"

// Card is a listing as lists show it, finished: every string a face needs is in it.
type Card struct {
	ID          string            `json:"id" jsonschema:"UUID of the listing"`
	URL         string            `json:"url" jsonschema:"absolute address of the listing's page"`
	Title       string            `json:"title"`
	Gear        string            `json:"gear,omitempty" jsonschema:"catalogue slug brand/model, such as canon/eos-r6; absent when not in the catalogue"`
	GearName    string            `json:"gear_name,omitempty"`
	Category    models.Category   `json:"category"`
	Mount       string            `json:"mount,omitempty"`
	Condition   models.Condition  `json:"condition"`
	Functional  models.Functional `json:"functional"`
	Price       models.Money      `json:"price" jsonschema:"asking price"`
	Deal        *Deal             `json:"deal,omitempty" jsonschema:"asking price against the sold median of this gear in this condition; absent with fewer than 5 sales"`
	Region      models.Region     `json:"region"`
	Seller      string            `json:"seller" jsonschema:"handle of the seller"`
	Status      models.Status     `json:"status"`
	PublishedAt string            `json:"published_at"`
	Photo       *Photo            `json:"photo,omitempty"`
	Demo        bool              `json:"demo,omitempty" jsonschema:"true when the item is invented for demonstration"`
}

// Deal says what a price is worth.
type Deal struct {
	Percent int          `json:"percent" jsonschema:"asking price against the sold median, rounded: -12 is 12 % under"`
	Typical models.Money `json:"typical" jsonschema:"sold median of this gear in this condition over 12 months"`
	Sales   int          `json:"sales" jsonschema:"number of sales the median is made of"`
	Text    string       `json:"text" jsonschema:"the same in words: 12 % under typical (34 sales)"`
}

// Photo is a picture with its sizes.
type Photo struct {
	Src    string `json:"src" jsonschema:"absolute address of a middle size"`
	SrcSet string `json:"srcset" jsonschema:"every size, as HTML's srcset writes it"`
	Alt    string `json:"alt"`
	Width  int    `json:"width" jsonschema:"pixels of src"`
	Height int    `json:"height" jsonschema:"pixels of src"`
}

// Listing is the page of one listing.
type Listing struct {
	Card
	Brand       string        `json:"brand,omitempty"`
	Model       string        `json:"model,omitempty"`
	Description string        `json:"description"`
	Grade       Grade         `json:"grade"`
	Defects     []Named       `json:"defects"`
	Included    []string      `json:"included"`
	Shutter     int           `json:"shutter_count,omitempty"`
	Specs       []Spec        `json:"specifications"`
	Photos      []Photo       `json:"photos"`
	SellerCard  SellerCard    `json:"seller_profile"`
	Trend       *TrendBrief   `json:"trend,omitempty" jsonschema:"what this gear sells for; absent when the gear is not in the catalogue"`
	UpdatedAt   string        `json:"updated_at"`
	ClosedAt    string        `json:"closed_at,omitempty" jsonschema:"when it was sold, ended or expired"`
	SoldPrice   *models.Money `json:"sold_price,omitempty"`
	Similar     []Card        `json:"similar" jsonschema:"other listings for sale of the same or similar gear"`
	FromSeller  []Card        `json:"from_seller" jsonschema:"other listings for sale of the same seller"`
	Links       []Link        `json:"links"`
	Notice      string        `json:"notice,omitempty"`
	site        *Site
}

// Grade is a condition with its meaning.
type Grade struct {
	Code      models.Condition `json:"code"`
	Label     string           `json:"label"`
	Meaning   string           `json:"meaning"`
	SchemaOrg string           `json:"schema_org"`
}

// Named is a code with its label.
type Named struct {
	Code  string `json:"code"`
	Label string `json:"label"`
}

// Spec is one row of a specification table.
type Spec struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
