package search

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/problem"
)

// shop indexes a listing of each slug or title, the first the newest; the card
// says which.
func shop(t testing.TB, listings ...string) *Index {
	t.Helper()
	x := New(realLookup())
	for i, name := range listings {
		d := Doc{
			ID: uuid.Must(uuid.NewV7()).String(), Category: "other", Title: name, Condition: models.ConditionGood, Functional: models.FullyWorking, Region: "DE", Seller: "anna",
			Price: models.Cents(10000 + i), Published: models.Time(1_700_000_000_000 - i), Card: []byte(name),
		}
		if number, ok := realLookup().Catalogued(name); ok {
			g := realLookup().At(number)
			d.Gear, d.Category, d.Title = name, g.Category, g.Name()
		} else if strings.Contains(name, "/") {
			t.Fatalf("%s is not in the catalogue", name)
		}
		if err := x.Put(d); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func cards(r *Result) string {
	var list []string
	for _, card := range r.Cards {
		list = append(list, string(card))
	}
	return strings.Join(list, ", ")
}

func TestKeywords(t *testing.T) {
	t.Parallel()
	x := shop(t,
		"nikon/d800", "nikon/d80", "canon/eos-5d-mark-iii", "canon/eos-5d-mark-ii", "canon/eos-5d", "canon/eos-r6-mark-ii", "canon/eos-r6",
		"fujifilm/x-t30", "fujifilm/x-t3", "sony/alpha-7-iii", "sony/alpha-7r-iii", "nikon/z-6", "canon/ef-50mm-f1-8-stm", "canon/ef-24-70mm-f2-8l-ii-usm",
		"sigma/24-70mm-f2-8-dg-os-hsm-art", "canon/eos-700d", "Fuji X-T9 prototype, boxed", "Battery for Nikon D80", "Zorki boxed with strap",
	)
	for _, test := range []struct{ keyword, want string }{
		{"d80", "nikon/d80, Battery for Nikon D80"},
		{"D800", "nikon/d800"},
		{"5d", "canon/eos-5d, canon/eos-5d-mark-iii, canon/eos-5d-mark-ii"},
		{"canon eos 5d", "canon/eos-5d, canon/eos-5d-mark-iii, canon/eos-5d-mark-ii"},
		{"5D3", "canon/eos-5d-mark-iii"},
		{"5diii", "canon/eos-5d-mark-iii"},
		{"5d mark 2", "canon/eos-5d-mark-ii"},
		{"r6 mk2", "canon/eos-r6-mark-ii"},
		{"r6 mk ii", "canon/eos-r6-mark-ii"},
		{"r6ii", "canon/eos-r6-mark-ii"},
		{"r6", "canon/eos-r6, canon/eos-r6-mark-ii"},
		{"xt3", "fujifilm/x-t3"},
		{"x t3", "fujifilm/x-t3"},
		{"x t 3", "fujifilm/x-t3"},
		{"X-T3", "fujifilm/x-t3"},
		{"fuji xt3", "fujifilm/x-t3"},
		{"xt9", "Fuji X-T9 prototype, boxed"},
		{"x-t9", "Fuji X-T9 prototype, boxed"},
		{"a7iii", "sony/alpha-7-iii"},
		{"a7 III", "sony/alpha-7-iii"},
		{"α7 III", "sony/alpha-7-iii"},
		{"a7r iii", "sony/alpha-7r-iii"},
		{"rebel t5i", "canon/eos-700d"},
		{"nifty fifty", "canon/ef-50mm-f1-8-stm"},
		{"50mm", "canon/ef-50mm-f1-8-stm"},
		{"50 1.8", "canon/ef-50mm-f1-8-stm"},
		{"50/1.8", "canon/ef-50mm-f1-8-stm"},
		{"70mm", ""},
		{"24-70 2.8", "canon/ef-24-70mm-f2-8l-ii-usm, sigma/24-70mm-f2-8-dg-os-hsm-art"},
		{"sigma 24-70 canon ef", "sigma/24-70mm-f2-8-dg-os-hsm-art"},
		{"nikkon z6", "nikon/z-6"},
		{"nikno d80", "nikon/d80, Battery for Nikon D80"},
		{"nikon d81", ""},
		{"boxed", "Fuji X-T9 prototype, boxed, Zorki boxed with strap"},
		{"zorky boxed", "Zorki boxed with strap"},
		{"strap zorki", "Zorki boxed with strap"},
		{"the zorki", "Zorki boxed with strap"},
	} {
		r, err := x.Search(Query{Filter: Filter{Keyword: test.keyword}})
		if err != nil {
			t.Fatal(err)
		}
		if got := cards(r); got != test.want {
			t.Errorf("%q finds\n %s, want\n %s", test.keyword, got, test.want)
		}
	}
}

// A keyword may stand in a buffer that is used again after the search.
func TestKeywordIsNotKept(t *testing.T) {
	t.Parallel()
	x := shop(t, "nikon/z-6", "canon/eos-5d")
	buffer := []byte("nikon z6")
	for range 2 {
		r, err := x.Search(Query{Filter: Filter{Keyword: unsafe.String(&buffer[0], len(buffer))}, Limit: 1})
		if err != nil || r.Total != 1 {
			t.Fatal(r, err)
		}
		copy(buffer, "canon 5d")
	}
	if m := x.current.Load().match("nikon z6"); strings.Join(m.words, " ") != "nikon z6" {
		t.Errorf("the words of %q became %q", "nikon z6", m.words)
	}
}

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	x := shop(t, "nikon/z-6", "nikon/z-6", "nikon/d80", "canon/eos-5d", "Zorki boxed")
	for _, test := range []struct{ keyword, instead, meant, warnings string }{
		{"nikon z6", "", "", ""},
		{"nikkon z6", "nikon z6", "nikon z6", "nikkon → nikon"},
		{"cannon 5dd", "canon 5dd", "canon", "cannon → canon"},                    // a number is never corrected
		{"zorkiy", "zorki", "zorki", "zorkiy → zorki"},                            // of a title
		{"nikon 5d z6", "", "nikon z6", ""},                                       // the word is dropped that leaves most
		{"nikon z6 body only, great condition", "nikon z6 body", "nikon z 6", ""}, // without words that nothing has, what a title of the others offers
		{"zzz", "", "", ""},
		{strings.Repeat("nikon ", 20), "", "", "only the first 12 words were looked for"},
	} {
		r, err := x.Search(Query{Filter: Filter{Keyword: test.keyword}})
		if err != nil {
			t.Fatal(err)
		}
		var warnings []string
		for _, w := range r.Warnings {
			warnings = append(warnings, w.Message)
		}
		if got := strings.Join(warnings, ", "); r.Keyword != test.instead || r.DidYouMean != test.meant || got != test.warnings {
			t.Errorf("%q: %q was looked for, did you mean %q, warnings %q; want %q, %q, %q", test.keyword, r.Keyword, r.DidYouMean, got, test.instead, test.meant, test.warnings)
		}
	}
}

func TestStopWordsCorrectNothing(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"thea", "witha", "fora", "anda"} {
		if better := realLookup().Correct(word, func(string) int { return 1 }); catalog.IsStopWord(better) {
			t.Errorf("%q is corrected to the stop word %q", word, better)
		}
	}
}

// Gear that is named in full is recognized, whether or not it is for sale, and no word
// of its name is taken for the one too many.
func TestNamed(t *testing.T) {
	t.Parallel()
	x := shop(t, "canon/eos-r6", "nikon/z-6", "canon/ef-50mm-f1-8-stm", "Zorki mk2")
	for _, test := range []struct{ keyword, named, meant string }{
		{"r6 mk ii", "canon/eos-r6-mark-ii", ""},
		{"nikon d80", "nikon/d80", ""},
		{"nikkon d80", "nikon/d80", "nikon d80"},
		{"nikon z6", "nikon/z-6", ""},
		{"nikon boxed", "", ""},
		{"nikon", "", ""},
		{"", "", ""},
	} {
		r, err := x.Search(Query{Filter: Filter{Keyword: test.keyword}})
		if err != nil {
			t.Fatal(err)
		}
		if named := strings.Join(r.Named, ", "); named != test.named || r.DidYouMean != test.meant {
			t.Errorf("%q names %q, did you mean %q; want %q, %q", test.keyword, named, r.DidYouMean, test.named, test.meant)
		}
	}
	r, err := x.Search(Query{Filter: Filter{Keyword: "50mm"}})
	if err != nil || len(r.Named) > NamedLimit {
		t.Errorf("50mm names %v, %v; at most %d are promised", r.Named, err, NamedLimit)
	}
}

// Choosing a value of a facet finds as many listings as the facet counted.
func TestFacetsPromise(t *testing.T) {
	t.Parallel()
	m := &market{r: rand.New(rand.NewPCG(9, 9)), lookup: realLookup()}
	x := New(realLookup())
	var docs []Doc
	for range 4000 {
		docs = append(docs, m.doc())
	}
	load(t, x, docs)
	promise := func(q Query, what string, n int) {
		t.Helper()
		r, err := x.Search(q)
		if err != nil {
			t.Fatal(err)
		}
		if r.Total != n {
			t.Fatalf("%+v: %s counts %d but finds %d", q, what, n, r.Total)
		}
	}
	for range 60 {
		q := m.query()
		r, err := x.Search(q)
		if err != nil {
			t.Fatal(err)
		}
		if r.Total == 0 {
			continue // the keyword may be corrected otherwise then
		}
		q.Limit = 1
		for _, c := range r.Facets.Category {
			q := q
			q.Category = models.Kind(c.Value)
			promise(q, c.Value, c.Count)
		}
		for _, c := range r.Facets.Brand {
			q := q
			q.Brands = []string{c.Value}
			promise(q, c.Value, c.Count)
		}
		for _, c := range r.Facets.Condition {
			q := q
			q.Conditions = []models.Condition{models.Condition(c.Value)}
			promise(q, c.Value, c.Count)
		}
		for _, c := range r.Facets.Region {
			q := q
			q.Regions = []models.Region{models.Region(c.Value)}
			promise(q, c.Value, c.Count)
		}
		for _, c := range r.Facets.Mount {
			q := q
			q.Mount = models.Slug(c.Value)
			promise(q, c.Value, c.Count)
		}
		for _, b := range r.Facets.Price {
			q := q
			q.Min, q.Max = &models.Amount{Cents: b.Min}, &models.Amount{Cents: b.Max}
			if b.Max == 0 {
				q.Max = nil
			}
			promise(q, fmt.Sprint(b), b.Count)
		}
	}
}

// Paging shows every listing that stays exactly once, whatever is added and
// removed meanwhile.
func TestPagesAreStable(t *testing.T) {
	t.Parallel()
	for _, sort := range Sorts {
		m := &market{r: rand.New(rand.NewPCG(4, 4)), lookup: realLookup()}
		x := New(realLookup())
		stay := map[string]bool{}
		var docs []Doc
		for range 700 {
			d := m.doc()
			d.Typical = prices.Typical{}
			docs = append(docs, d)
			stay[d.ID] = true
		}
		load(t, x, docs)
		seen := map[string]bool{}
		q := Query{Sort: sort, ShipTo: []models.Region{"DE"}, Limit: 13}
		for {
			r, err := x.Search(q)
			if err != nil {
				t.Fatal(err)
			}
			for _, card := range r.Cards { // each is the listing's id
				if seen[string(card)] {
					t.Fatalf("%s: %s twice", sort, card)
				}
				seen[string(card)] = true
			}
			if q.Cursor = r.NextCursor; q.Cursor == "" {
				break
			}
			added := m.doc()
			added.Typical = prices.Typical{}
			gone := docs[m.r.IntN(len(docs))].ID
			delete(stay, gone)
			if err := x.Apply([]Doc{added}, []string{gone}); err != nil {
				t.Fatal(err)
			}
		}
		for id := range stay {
			if !seen[id] {
				t.Errorf("%s: %s was skipped", sort, id)
			}
		}
	}
}

// TestPreviousPages turns pages forward, and compares the previous page of each with the
// one before it.
func TestPreviousPages(t *testing.T) {
	t.Parallel()
	m := &market{r: rand.New(rand.NewPCG(4, 4)), lookup: realLookup()}
	var docs []Doc
	for range 900 {
		docs = append(docs, m.doc())
	}
	x := New(realLookup())
	load(t, x, docs)
	for _, sort := range Sorts {
		for _, filter := range []Filter{{}, {Keyword: "canon"}, {Category: "camera"}} {
			q := Query{Filter: filter, Sort: sort, ShipTo: []models.Region{"DE"}, Limit: 13}
			for page, cursors := 0, []string{""}; ; page++ {
				q.Cursor = cursors[page]
				r, err := x.Search(q)
				if err != nil {
					t.Fatal(err)
				}
				known := page > 0 && page <= maxBack
				if r.HasPrevious != known || known && r.PreviousCursor != cursors[page-1] {
					t.Fatalf("%s %+v: page %d: previous %v %q, want %v", sort, filter, page, r.HasPrevious, r.PreviousCursor, known)
				}
				if r.NextCursor == "" {
					break
				}
				cursors = append(cursors, r.NextCursor)
			}
		}
	}
}

func TestQuotedKeywordsAreNotCorrected(t *testing.T) {
	t.Parallel()
	x := shop(t, "canon/eos-r6")
	for keyword, total := range map[string]int{"cannon eos r6": 1, `"cannon eos r6"`: 0, `"canon eos r6"`: 1} {
		r, err := x.Search(Query{Filter: Filter{Keyword: keyword}})
		if err != nil || r.Total != total {
			t.Errorf("%s finds %d, %v; want %d", keyword, r.Total, err, total)
		}
	}
}

// A reused result contains nothing of the previous search.
func TestSearchInto(t *testing.T) {
	t.Parallel()
	m := &market{r: rand.New(rand.NewPCG(5, 5)), lookup: realLookup()}
	x := New(realLookup())
	var docs []Doc
	for range 2000 {
		docs = append(docs, m.doc())
	}
	load(t, x, docs)
	var kept Result
	for range 500 {
		q := m.query()
		fresh, err := x.Search(q)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.SearchInto(&kept, q); err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(kept), fmt.Sprint(*fresh); got != want {
			t.Fatalf("%+v: a kept result becomes\n%s\na fresh one\n%s", q, got, want)
		}
	}
}

// changeField gives a field of a query another value than it has.
func changeField(q *Query, field reflect.StructField) {
	switch v := reflect.ValueOf(q).Elem().FieldByIndex(field.Index); {
	case field.Name == "Sort":
		q.Sort = Newest
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "nikon")
	case v.Kind() == reflect.Slice:
		v.Set(reflect.Append(v.Slice3(0, v.Len(), v.Len()), reflect.New(v.Type().Elem()).Elem()))
		v.Index(v.Len() - 1).SetString("another")
	case v.Kind() == reflect.Float64:
		v.SetFloat(v.Float() + 1.5)
	case v.Kind() == reflect.Int:
		v.SetInt(v.Int() + 1)
	case v.Type() == reflect.TypeFor[*bool]():
		was := v.Interface().(*bool)
		v.Set(reflect.ValueOf(new(bool)))
		v.Elem().SetBool(was == nil || !*was)
	case v.Type() == reflect.TypeFor[*models.Amount]():
		v.Set(reflect.ValueOf(&models.Amount{Cents: 5}))
	default:
		panic("field " + field.Name + " is of an unknown type")
	}
}

func TestCursorBelongsToItsSearch(t *testing.T) {
	t.Parallel()
	x := shop(t, "nikon/z-6", "nikon/d80", "canon/eos-5d", "canon/eos-r6")
	first := Query{Filter: Filter{Category: "camera", Brands: []string{"nikon", "canon"}}, Limit: 1}
	r, err := x.Search(first)
	if err != nil || r.NextCursor == "" {
		t.Fatal(r, err)
	}
	changes := map[string]func(q *Query){
		"version": func(q *Query) { q.Cursor = "B" + q.Cursor[1:] },
		"cut":     func(q *Query) { q.Cursor = q.Cursor[:len(q.Cursor)-2] },
		"longer":  func(q *Query) { q.Cursor += "AA" },
		"padded":  func(q *Query) { q.Cursor += "==" },
		"garbage": func(q *Query) { q.Cursor = "../../etc" },
		"one bit": func(q *Query) {
			b, _ := base64.RawURLEncoding.DecodeString(q.Cursor)
			b[12] ^= 1
			q.Cursor = base64.RawURLEncoding.EncodeToString(b)
		},
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Query]()) {
		if !field.Anonymous && field.Name != "Limit" && field.Name != "Cursor" && field.Name != "NoFacets" {
			changes[field.Name] = func(q *Query) { changeField(q, field) }
		}
	}
	for name, change := range changes {
		q := first
		q.Cursor = r.NextCursor
		change(&q)
		_, err := x.Search(q)
		var refused *problem.Error
		if !errors.As(err, &refused) || refused.Kind != problem.Invalid || refused.Code != "invalid_cursor" || refused.Advice() == nil {
			t.Errorf("another %s: %v", name, err)
		}
	}
	for limit, want := range map[int]int{2: 2, DefaultLimit: 3} {
		again := first
		again.Cursor, again.Limit, again.Brands = r.NextCursor, limit, []string{"canon", "nikon"}
		if r, err := x.Search(again); err != nil || len(r.Cards) != want {
			t.Errorf("the limit and the order of brands may change: %v, %v", r, err)
		}
	}
}

func FuzzCursor(f *testing.F) {
	x := shop(f, "nikon/z-6", "nikon/d80", "canon/eos-5d")
	for _, sort := range Sorts {
		r, err := x.Search(Query{Sort: sort, ShipTo: []models.Region{"DE"}, Limit: 1})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(r.NextCursor, string(sort))
	}
	f.Add("", "relevance")
	f.Add(strings.Repeat("A", 56), "deal")
	f.Fuzz(func(t *testing.T, cursor, sort string) {
		r, err := x.Search(Query{Cursor: cursor, Sort: Sort(sort), Limit: 2})
		var refused *problem.Error
		if err != nil && (!errors.As(err, &refused) || refused.Kind != problem.Invalid) {
			t.Fatal(err)
		}
		if err == nil && r.Total != 3 {
			t.Fatalf("total %d", r.Total)
		}
	})
}

func FuzzKeyword(f *testing.F) {
	x := shop(f, "nikon/z-6", "nikon/d80", "canon/eos-5d", "Zorki boxed")
	for _, s := range []string{"nikkon z6", "f/1.8 50 mm", strings.Repeat("a ", 100), "Ⅲ\xff", "the and with", "zorky"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, keyword string) {
		r, err := x.Search(Query{Filter: Filter{Keyword: keyword}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Total != len(r.Cards) {
			t.Fatalf("%d of %d", len(r.Cards), r.Total)
		}
	})
}

func TestPutRefuses(t *testing.T) {
	t.Parallel()
	x := shop(t, "nikon/z-6")
	good := Doc{ID: uuid.NewString(), Condition: models.ConditionGood, Category: "dslr"}
	for name, spoil := range map[string]func(d *Doc){
		"id":        func(d *Doc) { d.ID = "7" },
		"condition": func(d *Doc) { d.Condition = "mint" },
		"price":     func(d *Doc) { d.Price = -1 },
		"dear":      func(d *Doc) { d.Price = models.MaxAmount + 1 },
		"published": func(d *Doc) { d.Published = -1 },
	} {
		bad, version := good, x.Version()
		spoil(&bad)
		if err := x.Put(good, bad); err == nil || x.Len() != 1 || x.Version() != version {
			t.Errorf("%s: error %v, %d listings", name, err, x.Len())
		}
	}
}

// Refresh moves the listings of a gear in the order of deals, and changes their cards.
func TestRefresh(t *testing.T) {
	t.Parallel()
	x := shop(t, "nikon/d80", "nikon/z-6") // 100.00 and 100.01
	deals := func() string {
		r, err := x.Search(Query{Sort: Deal})
		if err != nil {
			t.Fatal(err)
		}
		return cards(r)
	}
	if got := deals(); got != "nikon/d80, nikon/z-6" {
		t.Fatal("without typical prices the newest comes first, not ", got)
	}
	version := x.Version()
	var good TypicalPrices
	good.Of(models.ConditionGood, models.FullyWorking).Price = 20000
	x.Refresh("nikon/z-6", &good, map[string][]byte{x.Repriced("nikon/z-6", &TypicalPrices{}, &good)[0]: []byte("bargain")})
	x.Refresh("nikon/none", &good, nil)
	if got := deals(); got != "bargain, nikon/d80" {
		t.Fatal(got)
	}
	if x.Version() == version {
		t.Error("the version stays")
	}
	x.Refresh("nikon/d80", &good, nil)
	if got := deals(); got != "nikon/d80, bargain" {
		t.Fatal(got)
	}
	if n, lowest, average := x.Asking("nikon/z-6"); n != 1 || lowest != 10001 || average != 10001 {
		t.Error(n, lowest, average)
	}
	if x.CountBrand("nikon") != 2 || x.CountSeller("anna") != 2 || len(x.OfSeller("anna")) != 2 || x.CountBrand("leica") != 0 || x.CountSeller("ben") != 0 {
		t.Error("counts of brand and seller")
	}
}

// strangeCard says which listing has the card of another, when each card should
// be the id of its listing; "" for none.
func strangeCard(x *Index) string {
	x.current.Load().mu.RLock()
	defer x.current.Load().mu.RUnlock()
	s := x.current.Load().state
	for d, id := range s.ids {
		if card, _ := s.cards.appendJSON(nil, nil, uint32(d), &id); s.price[d] != removed && string(card) != id.String() {
			return fmt.Sprintf("%s has the card %s", id, card)
		}
	}
	return ""
}

// Searches while others write see each change whole: a listing and its rival
// are swapped in one change, so exactly one of them is ever there.
func TestSearchWhileWriting(t *testing.T) {
	t.Parallel()
	m := &market{r: rand.New(rand.NewPCG(3, 3)), lookup: realLookup()}
	x := New(realLookup())
	var docs []Doc
	for range 1500 {
		docs = append(docs, m.doc())
	}
	load(t, x, docs)
	pair := []Doc{m.doc(), m.doc()}
	for i := range pair {
		pair[i].Seller, pair[i].Title = "rival", "Zyxw swap"
	}
	if err := x.Put(pair[0]); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var writing, reading sync.WaitGroup
	writing.Go(func() {
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			moved := docs[m.r.IntN(len(docs))]
			moved.Price, moved.Card = m.price(), []byte(moved.ID)
			if err := x.Apply([]Doc{pair[i%2], moved}, []string{pair[1-i%2].ID}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for reader := range uint64(3) {
		reading.Go(func() {
			m := &market{r: rand.New(rand.NewPCG(reader, 1)), lookup: realLookup()}
			for range 400 {
				for _, q := range []Query{{Filter: Filter{Seller: "rival"}}, {Filter: Filter{Keyword: "zyxw"}}, {Filter: Filter{Keyword: "swap"}, Sort: Newest}} {
					if r, err := x.Search(q); err != nil || r.Total != 1 || len(r.Cards) != 1 {
						t.Errorf("%+v: %+v, %v", q, r, err)
						return
					}
				}
				q := m.query()
				q.Limit = MaxLimit
				r, err := x.Search(q)
				if err != nil || len(r.Cards) != min(r.Total, MaxLimit) || slices.ContainsFunc(r.Cards, func(card json.RawMessage) bool { return uuid.Validate(string(card)) != nil }) {
					t.Errorf("%+v: %+v, %v", q, r, err)
					return
				}
				if d := strangeCard(x); d != "" {
					t.Error(d)
					return
				}
				if all, err := x.Search(Query{}); err != nil || all.Total != 1501 {
					t.Errorf("total %d, %v", all.Total, err)
					return
				}
			}
		})
	}
	reading.Wait()
	close(stop)
	writing.Wait()
}
