package views

import (
	"encoding/json"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/models"
)

// product is a listing as schema.org describes it, for search engines.
type product struct {
	Context     string    `json:"@context"`
	Type        string    `json:"@type"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	SKU         string    `json:"sku"`
	Category    string    `json:"category"`
	Brand       *schemaID `json:"brand,omitempty"`
	Model       string    `json:"model,omitempty"`
	Image       []string  `json:"image,omitempty"`
	Offers      offer     `json:"offers"`
}

// offer is schema.org's word for the terms of sale; an offer of this site is
// something else, a buyer's proposal.
type offer struct {
	Type          string   `json:"@type"`
	URL           string   `json:"url"`
	Price         string   `json:"price"`
	PriceCurrency string   `json:"priceCurrency"`
	Availability  string   `json:"availability"`
	ItemCondition string   `json:"itemCondition"`
	Seller        schemaID `json:"seller"`
}

type schemaID struct {
	Type string `json:"@type"`
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

// product describes the listing to search engines. What is invented for
// demonstration is not described: nobody can buy it.
func (p *Listing) product() templ.Component {
	if p.Demo {
		return templ.NopComponent
	}
	ld := product{
		Context: "https://schema.org", Type: "Product", Name: p.Title, Description: p.Description, SKU: p.ID, Category: p.Category.Label(), Model: p.Model,
		Offers: offer{
			Type: "Offer", URL: p.URL, Price: p.Price.Amount, PriceCurrency: p.Price.Currency, ItemCondition: p.Grade.SchemaOrg,
			Availability: availability(p.Status), Seller: schemaID{"Person", p.SellerCard.Name, p.SellerCard.URL},
		},
	}
	if p.Brand != "" {
		ld.Brand = &schemaID{Type: "Brand", Name: p.Brand}
	}
	for i := range p.Photos {
		ld.Image = append(ld.Image, p.Photos[i].largest())
	}
	b, err := json.Marshal(ld) // which escapes what would end the element
	if err != nil {
		panic("views: " + err.Error())
	}
	return templ.Raw(`<script type="application/ld+json">` + string(b) + `</script>`)
}

func availability(s models.Status) string {
	switch s {
	case models.StatusActive:
		return "https://schema.org/InStock"
	case models.StatusReserved:
		return "https://schema.org/LimitedAvailability"
	case models.StatusSold:
		return "https://schema.org/SoldOut"
	}
	return "https://schema.org/Discontinued"
}
