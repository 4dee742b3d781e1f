package views

// Home is the front page.
type Home struct {
	Name       string      `json:"name"`
	Summary    string      `json:"summary"`
	ForSale    int         `json:"for_sale"`
	Sales      int         `json:"sales" jsonschema:"completed sales the trends are made of"`
	Gear       int         `json:"gear" jsonschema:"models in the catalogue"`
	Categories []Facet     `json:"categories"`
	Deals      []Card      `json:"deals" jsonschema:"furthest under their typical sold price"`
	Newest     []Card      `json:"newest"`
	Movers     []TrendLine `json:"movers" jsonschema:"gear whose sold median moved most over 90 days"`
	Links      []Link      `json:"links"`
	Demo       bool        `json:"demo,omitempty"`
	Notice     string      `json:"notice,omitempty"`
	site       *Site
}

// TrendLine is one gear's trend in a list.
type TrendLine struct {
	GearCard
	Change90 float64 `json:"change_90d" jsonschema:"percent"`
}
