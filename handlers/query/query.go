// Package query reads searches.
package query

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/number"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/sentence"
	"github.com/secondlight/secondlight/models/store"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
	watchviews "github.com/secondlight/secondlight/views/watch"
)

// Reader reads searches.
type Reader struct {
	Accounts *store.Accounts
	Site     *ui.Site
	Index    *search.Index
	Words    *searchviews.Vocabulary
	Gear     *market.Names
	Binder   *bind.Binder[Input]
	// Sentences reads keywords that are sentences.
	Sentences *sentence.Reader
}

// Card returns the card of a saved search. If the search is no longer valid, because
// the catalogue changed, the card shows the query as it is stored.
func (s *Reader) Card(saved *models.SavedSearch) watchviews.SearchCard {
	q, err := s.Parse(saved.Query)
	if err != nil {
		q = search.Query{Filter: search.Filter{Keyword: saved.Query}}
	}
	return watchviews.NewSearchCard(s.Words, saved, Understood(q))
}

// Parse parses the query string of a search, or a URL that has one.
func (s *Reader) Parse(query string) (search.Query, error) {
	if before, after, whole := strings.Cut(query, "?"); whole && !strings.Contains(before, "=") {
		query = after
	}
	given, err := s.Binder.Bind(query)
	if err != nil {
		return search.Query{}, InField("query", err)
	}
	given.Cursor = ""
	q, err := s.Read(given)
	return q, InField("query", err)
}

// InField converts an error in the content of a field to an error of that field.
func InField(field string, err error) error {
	var inner *problem.Error
	if !errors.As(err, &inner) {
		return err
	}
	e := *inner
	e.Hint = inner.Advice()
	e.Code, e.Fields = "invalid_parameter", []problem.FieldError{{Field: field, Code: "invalid_value", Message: inner.Message}}
	return &e
}

// Input are the parameters of a search.
type Input struct {
	Corrections bind.Corrections
	FilterInput
	// Currency is that of the reader.
	Currency string `json:"currency,omitempty" jsonschema:"ISO 4217; of budget and approximate prices" maxlength:"3" example:"EUR"`

	ShipTo []models.Region `json:"ship_to,omitempty" jsonschema:"country to deliver to, or several, of which the cheapest counts; adds postage and total" maxvalues:"10" example:"DE"`
	Sort   search.Sort     `json:"sort,omitempty" jsonschema:"default: relevance with a keyword, else newest; total: with postage; deal: best first" enum:"relevance,newest,price,-price,total,deal" example:"deal"`
	Limit  int             `json:"limit,omitempty" jsonschema:"listings, up to 100" min:"1" default:"24" example:"24"`
	Cursor string          `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
	View   string          `json:"view,omitempty" jsonschema:"compact: the main fields of listings, without facets" enum:"full,compact" example:"compact" tool:"-"`
	Fields []string        `json:"fields,omitempty" jsonschema:"only these fields of listings, without facets" enum:"id,href,page,title,gear,gear_name,category,mount,condition,functional,price,approx,earlier_price,deal,region,seller,status,published_at,verified_at,photo,demo,shutter_count,fit,delivery" example:"id" tool:"-"`
	Facets bool            `json:"facets,omitempty" jsonschema:"whether to return facets" default:"true" example:"false" tool:"-"`
}

// FilterInput are the filters of a search.
type FilterInput struct {
	search.Filter
	Budget    string `json:"budget,omitempty" jsonschema:"asking price: 800 (at most), 500-800 or 500-" example:"500-1500"`
	BudgetMin string `json:"budget_min,omitempty" jsonschema:"minimum price; instead of budget" example:"500"`
	BudgetMax string `json:"budget_max,omitempty" jsonschema:"maximum price; instead of budget" example:"1500"`
}

// Read converts the parameters to a query of the index, with the filters that the keyword says.
// Its error lists every invalid parameter.
func (s *Reader) Read(in *Input) (search.Query, error) {
	q, _, err := s.Understand(in)
	return q, err
}

// Understand is Read, and says which words of the keyword became which filters: nothing for a
// keyword that is no sentence. Words that would set a parameter that is given stay in the keyword.
func (s *Reader) Understand(in *Input) (search.Query, searchviews.Reading, error) {
	q, err := s.readParams(in)
	if err != nil || q.Keyword == "" {
		return q, searchviews.Reading{}, err
	}
	read := s.Sentences.Read(q.Keyword)
	if read == nil {
		return q, searchviews.Reading{}, nil
	}
	u := searchviews.Reading{Text: q.Keyword, Ignored: read.Ignored}
	given, added := q, []byte(nil)
	given.Keyword, given.Sort = "", cmp.Or(in.Sort, search.Newest)
	rest := read.Keyword
	for _, part := range read.Parts {
		if slices.ContainsFunc(part.Terms, func(t sentence.Term) bool { return isGiven(&given, t.Param) }) {
			rest = strings.TrimSpace(rest + " " + part.Words)
			continue
		}
		for _, t := range part.Terms {
			added = ui.AppendPair(added, t.Param, t.Value)
			u.Parts = append(u.Parts, searchviews.Understood{Words: part.Words, Parameter: t.Param, Value: t.Value})
		}
	}
	if len(u.Parts)+len(u.Ignored) == 0 {
		return q, searchviews.Reading{}, nil
	}
	given.Keyword = rest
	given.Sort = cmp.Or(in.Sort, given.DefaultSort())
	encoded := (*ui.Query)(&given).Write(nil).Text
	all, err := s.Binder.Bind(strings.TrimSuffix(string(append(encoded[len(ui.SearchPath)+1:], added...)), "&"))
	if err != nil {
		return q, searchviews.Reading{}, nil // such as a price out of range
	}
	all.Cursor = in.Cursor
	understood, err := s.readParams(all)
	if err != nil {
		return q, searchviews.Reading{}, nil
	}
	for i := range u.Parts {
		if p := &search.Params[search.ParamIndex(u.Parts[i].Parameter)]; !p.Many() && p.Len(&understood) > 0 {
			u.Parts[i].Value = p.At(&understood, 0)
		}
	}
	return understood, u, nil
}

// isGiven reports whether a query has a parameter.
func isGiven(q *search.Query, param string) bool {
	return search.Params[search.ParamIndex(param)].Len(q) > 0
}

// readParams converts the parameters, with the keyword as it is.
func (s *Reader) readParams(in *Input) (search.Query, error) {
	var fieldErrors web.FieldErrors
	q := search.Query{Filter: in.Filter, Sort: in.Sort, Limit: in.Limit, Cursor: in.Cursor}
	q.Keyword = strings.Join(strings.Fields(in.Keyword), " ")
	q.Brands = s.Gear.ReadBrands(in.Brands, &fieldErrors)
	q.Model = s.Gear.ReadModel(in.Model, q.Brands, &fieldErrors)
	q.Mount = s.Gear.ReadMount(in.Mount, &fieldErrors)
	q.Fits = s.Gear.ReadFits(in.Fits, &fieldErrors)
	q.Regions, q.Conditions, q.Functional = narrowest(sorted(in.Regions)), sorted(in.Conditions), sorted(in.Functional)
	q.Defects, q.WithoutDefects = sorted(in.Defects), sorted(in.WithoutDefects)
	q.ShipTo = readCountries(in.ShipTo, &fieldErrors)
	q.Seller = input.ReadHandle(in.Seller)
	reader := s.readCurrency(in.Currency, &fieldErrors)
	q.Min, q.Max = s.readBudget(in, &reader, &fieldErrors)
	q.Currency = s.Site.Rates().Stored(reader)
	q.Sensor = readSensor(in.Sensor, &fieldErrors)
	checkFocal("focal", q.FocalMin, q.FocalMax, &fieldErrors)
	checkFocal("equivalent", q.EquivalentMin, q.EquivalentMax, &fieldErrors)
	if q.Sort == "" {
		q.Sort = q.DefaultSort()
	}
	return q, fieldErrors.Err()
}

// readCurrency returns the currency of the reader, that of the site by default.
func (s *Reader) readCurrency(code string, fieldErrors *web.FieldErrors) models.Currency {
	reader, err := s.Site.Rates().Currency(code)
	if err != nil {
		fieldErrors.Add("currency", problem.TextOf(err), nil)
		return s.Site.Currency()
	}
	return reader
}

// sorted returns values in order, each once.
func sorted[T ~string](values []T) []T {
	if len(values) < 2 {
		return values
	}
	return slices.Compact(slices.Sorted(slices.Values(values)))
}

// narrowest leaves out countries of which subdivisions are named, too.
func narrowest(regions []models.Region) []models.Region {
	return slices.DeleteFunc(regions, func(r models.Region) bool {
		return slices.ContainsFunc(regions, func(of models.Region) bool { return of != r && of.Country() == r })
	})
}

// readCountries returns the countries of regions to deliver to, or adds a field error.
func readCountries(regions []models.Region, fieldErrors *web.FieldErrors) (countries []models.Region) {
	for _, r := range regions {
		if r == models.RegionEU {
			fieldErrors.Add("ship_to", problem.Textf("Postage depends on the country. Choose a country, not the EU."), problem.Textf("Name the country, such as DE."))
			return nil
		}
		countries = append(countries, r.Country())
	}
	return sorted(countries)
}

// readSensor returns the code of a sensor or film format, or adds a field error.
func readSensor(sensor catalog.Sensor, fieldErrors *web.FieldErrors) catalog.Sensor {
	if sensor == "" {
		return ""
	}
	known, ok := catalog.ParseSensor(string(sensor))
	if !ok {
		names := make([]string, len(catalog.Sensors))
		for i, s := range catalog.Sensors {
			names[i] = string(s)
		}
		hint := problem.Textf("Use %s or another format in the catalogue, such as %s or 6x6.", problem.Codes(names[:6]), problem.Codes{"35mm_film"})
		if near := fuzzy.NearestName(strings.ReplaceAll(models.Slug(string(sensor)), "-", "_"), names); near != "" {
			hint = problem.Textf("Did you mean %s?", problem.Codes{near})
		}
		fieldErrors.Add("sensor", problem.Textf("There's no sensor or film format %q.", sensor), hint)
	}
	return known
}

// checkFocal adds a field error if the parameters name_min and name_max are no range.
func checkFocal(name string, low, high catalog.Focal, fieldErrors *web.FieldErrors) {
	if high > 0 && low > high {
		fieldErrors.Add(name+"_max", problem.Textf("The maximum focal length, %v mm, is below the minimum.", high),
			problem.Programf("Swap them: %s_min=%v and %s_max=%v.", name, high, name, low))
	}
}

// CheckSeller returns an error if no member has the handle of a search.
func (s *Reader) CheckSeller(ctx context.Context, handle string) error {
	if handle == "" || s.Index.CountSeller(handle) > 0 {
		return nil
	}
	_, err := s.Accounts.Member(ctx, handle)
	if input.IsNotFound(err) {
		var fieldErrors web.FieldErrors
		fieldErrors.AddErr("seller", &problem.Unresolved{Kind: "seller", Text: handle, Candidates: s.Index.NearSellers(handle), Known: problem.Programf("The handle is in the seller field of a listing.")})
		return fieldErrors.Err()
	}
	return err
}

// budgetHint says how to write a budget.
var budgetHint = problem.Textf("Enter a budget such as 800, 500-800 or 500-.")

// readings returns how to write the two meanings of a budget.
func readings(err error) problem.Text {
	var both *number.Ambiguous
	if !errors.As(err, &both) {
		return budgetHint
	}
	return problem.Textf("Write %s for the range, or %s for the amount.", problem.Codes{both.Low + "-" + both.High}, problem.Codes{both.Low + both.High})
}

// readBudget returns the bounds of the price range, given in one parameter or two; a
// bound that is not given is nil. Amounts are in the currency of the reader, which is that
// of the amounts if the request names none.
func (s *Reader) readBudget(in *Input, reader *models.Currency, fieldErrors *web.FieldErrors) (low, high *models.Amount) {
	from, to, ambiguous := number.Range(in.Budget)
	if ambiguous != nil {
		fieldErrors.Add("budget", problem.Textf("%q can be a range or one amount.", in.Budget), readings(ambiguous))
		return nil, nil
	}
	for _, text := range []string{from, to, in.BudgetMin, in.BudgetMax} {
		if named, err := s.Site.Rates().CurrencyIn(text, *reader); err == nil && in.Currency == "" {
			*reader = named
		}
	}
	amount := func(field, text string) *models.Amount {
		text = strings.TrimSpace(text)
		if text == "" {
			return nil
		}
		a, err := s.Site.Rates().ParseAmount(text, *reader)
		switch {
		case err != nil:
			fieldErrors.Add(field, problem.TextOf(err), budgetHint)
			return nil
		case a.Currency != *reader:
			fieldErrors.Add(field, problem.Textf("The budget is in %s, and the search in %s.", a.Currency.Code, reader.Code), problem.Programf("Set currency=%s.", a.Currency.Code))
			return nil
		}
		return &a
	}
	low, high = amount("budget_min", in.BudgetMin), amount("budget_max", in.BudgetMax)
	if in.Budget != "" {
		if low != nil || high != nil {
			fieldErrors.Add("budget", problem.Programf("budget can't be combined with budget_min or budget_max."), problem.Programf("Use budget, or budget_min and budget_max."))
			return nil, nil
		}
		low, high = amount("budget", from), amount("budget", to)
	}
	if low != nil && high != nil && low.Cents > high.Cents {
		fieldErrors.Add("budget_max", problem.Textf("The maximum price, %s, is below the minimum.", high.Plain()),
			problem.Textf("Swap them: %s-%s.", high.Plain(), low.Plain()))
	}
	return low, high
}

// Understood converts a query of the index for pages.
func Understood(q search.Query) ui.Query {
	q.Limit = min(q.Limit, search.MaxLimit)
	return ui.Query(q)
}
