package views

import "github.com/secondlight/secondlight/models"

// SellerCard is a seller as a listing shows one.
type SellerCard struct {
	Handle  string        `json:"handle"`
	Name    string        `json:"name"`
	URL     string        `json:"url"`
	Region  models.Region `json:"region"`
	Since   string        `json:"member_since" jsonschema:"month, such as 2024-03"`
	ForSale int           `json:"for_sale"`
	Sold    int           `json:"sold" jsonschema:"listings sold here"`
}

// Seller is the page of one seller.
type Seller struct {
	SellerCard
	Bio        string `json:"bio"`
	Listings   []Card `json:"listings" jsonschema:"for sale now, newest first"`
	Sales      []Card `json:"recently_sold"`
	NextCursor string `json:"next_cursor,omitempty"`
	Links      []Link `json:"links"`
	Demo       bool   `json:"demo,omitempty"`
	Notice     string `json:"notice,omitempty"`
	site       *Site
}
