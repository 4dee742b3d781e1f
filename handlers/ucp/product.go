package ucp

import (
	"cmp"
	"slices"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// product is a listing: one item, so that it has one variant, with the same id.
type product struct {
	ID          string     `json:"id"`
	Title       string     `json:"title"`
	Description plain      `json:"description"`
	URL         string     `json:"url"`
	Categories  []category `json:"categories"`
	Prices      prices     `json:"price_range"`
	Media       []media    `json:"media,omitempty"`
	Variants    []*variant `json:"variants"`
	Metadata    web.Object `json:"metadata"`
}

type variant struct {
	ID           string       `json:"id"`
	Title        string       `json:"title"`
	Description  plain        `json:"description"`
	URL          string       `json:"url"`
	Price        price        `json:"price"`
	Availability availability `json:"availability"`
	Tags         []string     `json:"tags"`
	Seller       seller       `json:"seller"`
	Inputs       []input      `json:"inputs,omitempty"`
}

type (
	plain struct {
		Plain string `json:"plain"`
	}
	category struct {
		Value    string `json:"value"`
		Taxonomy string `json:"taxonomy"`
	}
	price struct {
		Amount   models.Cents `json:"amount"` // in minor units
		Currency string       `json:"currency"`
	}
	prices struct {
		Min price `json:"min"`
		Max price `json:"max"`
	}
	media struct {
		Type   string `json:"type"`
		URL    string `json:"url"`
		Alt    string `json:"alt_text"`
		Width  int    `json:"width"`
		Height int    `json:"height"`
	}
	availability struct {
		Available bool   `json:"available"`
		Status    string `json:"status"`
	}
	seller struct {
		Name  string `json:"name"`
		Links []link `json:"links"`
	}
	link struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	}
	// input is an id of a request that means a variant.
	input struct {
		ID    string `json:"id"`
		Match string `json:"match"`
	}
	message struct {
		Type     string `json:"type"`
		Code     string `json:"code,omitempty"`
		Content  string `json:"content"`
		Severity string `json:"severity,omitempty"`
	}
)

// newProduct returns the product of a card.
func (s Deps) newProduct(c *ui.Card) *product {
	cents, err := s.Site.Rates().Of(c.Price.Currency).ParseDecimal(c.Price.Amount)
	if err != nil {
		panic("ucp: " + err.Error()) // the site wrote it
	}
	asking := price{cents, c.Price.Currency}
	state := plain{c.ConditionText()}
	available := availability{true, "in_stock"}
	if !c.ForSale() {
		available = availability{false, "out_of_stock"}
	}
	p := &product{
		ID: c.ID, Title: c.Title, Description: state, URL: s.Site.URL(c.Page), Categories: []category{{string(c.Category), "merchant"}}, Prices: prices{asking, asking},
		Variants: []*variant{{
			ID: c.ID, Title: cmp.Or(c.GearName, c.Title), Description: state, URL: s.Site.URL(c.Page), Price: asking, Availability: available,
			Tags: []string{string(c.Condition), string(c.Functional)}, Seller: seller{c.Seller, []link{{"profile", s.Site.URL(ui.SellerPath(c.Seller))}}},
		}},
		Metadata: web.NewObject("condition", c.Condition, "functional", c.Functional, "region", c.Region),
	}
	if c.Gear != "" {
		p.Metadata = p.Metadata.With("gear", c.Gear)
	}
	if c.Deal != nil {
		p.Metadata = p.Metadata.With("deal", c.Deal.Text)
	}
	if c.Photo != nil {
		p.Media = []media{newMedia(c.Photo)}
	}
	return p
}

func newMedia(p *ui.Photo) media { return media{"image", p.Src, p.Alt, p.Width, p.Height} }

// describe adds what only the page of the listing shows.
func (p *product) describe(site *ui.Site, l *models.Listing) {
	p.Description.Plain = cmp.Or(l.Text, p.Description.Plain)
	p.Media = nil
	for i := range l.Photos {
		photo := ui.NewPhoto(site, l, i)
		p.Media = append(p.Media, newMedia(&photo))
	}
}

// searchIn, lookupIn and productIn are what the tools are asked.
type searchIn struct {
	Query      string
	Context    buyer
	Filters    filters
	Pagination struct {
		Cursor string
		Limit  int
	}
}

type lookupIn struct {
	IDs     []string
	Context buyer
	Filters filters
}

type productIn struct {
	ID      string
	Context buyer
	Filters filters
}

// buyer is what a platform says about the buyer. The price filter is in their currency.
type buyer struct{ Currency string }

// filters restrict products. A product has one of the categories.
type filters struct {
	Categories []string
	Price      struct{ Min, Max *models.Cents } // in minor units
}

func (f *filters) empty() bool {
	return len(f.Categories) == 0 && f.Price.Min == nil && f.Price.Max == nil
}

// hasCategory reports whether a card is of one of the categories.
func (f *filters) hasCategory(c *ui.Card) bool {
	return len(f.Categories) == 0 || slices.ContainsFunc(f.Categories, func(name string) bool { return name == string(c.Category) || name == c.Category.Family() })
}

// inPrice reports whether the price of a listing is in the range of filters. It is if its
// currency has no exchange rate.
func (s Deps) inPrice(f *filters, b *buyer, l *models.Listing) bool {
	rates := s.Site.Rates()
	to, err := rates.Currency(b.Currency)
	if err != nil {
		to = s.Site.Currency()
	}
	asking, ok := rates.Convert(models.Amount{Cents: l.Price, Currency: s.Site.Currency().Or(l.Currency)}, to)
	return !ok || (f.Price.Min == nil || asking.Cents >= *f.Price.Min) && (f.Price.Max == nil || asking.Cents <= *f.Price.Max)
}
