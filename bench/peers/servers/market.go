//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// listing is one line of the file of listings.
type listing struct {
	ID        string          `json:"id"`
	Words     string          `json:"words"` // of title and gear, lower case, letters and digits separated by spaces
	Brand     string          `json:"brand"`
	Category  string          `json:"category"`
	Family    string          `json:"family"`
	Condition string          `json:"condition"`
	Country   string          `json:"country"`
	Price     int64           `json:"price"`     // minor units
	Published int64           `json:"published"` // microseconds
	Card      json.RawMessage `json:"card"`      // what a search returns of it
}

func readListings(name string) ([]listing, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var listings []listing
	for lines := json.NewDecoder(bufio.NewReader(file)); ; {
		var l listing
		if err := lines.Decode(&l); errors.Is(err, io.EOF) {
			return listings, nil
		} else if err != nil {
			return nil, err
		}
		listings = append(listings, l)
	}
}

// query is a search. Empty fields don't restrict it.
type query struct {
	keyword, category, family     string
	brands, conditions, countries []string
	min, max                      int64 // minor units, inclusive
	sort                          string
}

// pageSize is the number of listings of a page.
const pageSize = 24

func parseQuery(values url.Values) (*query, error) {
	q := &query{
		keyword: values.Get("keyword"), category: values.Get("category"), family: values.Get("family"),
		brands: values["brand"], conditions: values["condition"], countries: values["country"],
		sort: values.Get("sort"),
	}
	var err error
	for name, to := range map[string]*int64{"min": &q.min, "max": &q.max} {
		if text := values.Get(name); text != "" {
			if *to, err = strconv.ParseInt(text, 10, 64); err != nil {
				return nil, err
			}
		}
	}
	return q, nil
}

// condition restricts a column to one of some values.
type condition struct {
	column string
	values []string
}

// equal returns the restrictions of the query to values.
func (q *query) equal() []condition {
	var conditions []condition
	for _, c := range []condition{
		{"category", nonEmpty(q.category)}, {"family", nonEmpty(q.family)}, {"brand", q.brands}, {"condition", q.conditions}, {"country", q.countries},
	} {
		if len(c.values) > 0 {
			conditions = append(conditions, c)
		}
	}
	return conditions
}

func nonEmpty(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// order returns the SQL of the order, by price and published, or by rank.
func (q *query) order(rank string) string {
	switch {
	case q.sort == "price":
		return "price"
	case q.sort == "price_desc":
		return "-price"
	case q.sort == "relevance" && q.keyword != "":
		return rank
	}
	return "-published"
}

// facetNames are the columns that are counted.
var facetNames = []string{"brand", "category", "condition", "country"}

// answer is what a search found.
type answer struct {
	total  int
	cards  [][]byte // JSON
	facets map[string]map[string]int
}

func newAnswer() *answer {
	a := &answer{facets: map[string]map[string]int{}}
	for _, name := range facetNames {
		a.facets[name] = map[string]int{}
	}
	return a
}

func (a *answer) json() ([]byte, error) {
	facets, err := json.Marshal(a.facets)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(`{"total":` + strconv.Itoa(a.total) + `,"listings":[`)
	b.Write(bytes.Join(a.cards, []byte(",")))
	b.WriteString(`],"facets":`)
	b.Write(facets)
	b.WriteString("}\n")
	return b.Bytes(), nil
}

// serveSearches answers GET /search until the context ends.
func serveSearches(ctx context.Context, address string, search func(context.Context, *query) (*answer, error)) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/health", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /search", func(w http.ResponseWriter, r *http.Request) {
		q, err := parseQuery(r.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body, err := respond(r.Context(), q, search)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	})
	return listen(ctx, &http.Server{Addr: address, Handler: mux})
}

func respond(ctx context.Context, q *query, search func(context.Context, *query) (*answer, error)) ([]byte, error) {
	found, err := search(ctx, q)
	if err != nil {
		return nil, err
	}
	return found.json()
}

// listen serves until the context ends.
func listen(ctx context.Context, server *http.Server) error {
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// where is the conditions of a statement and their arguments.
type where struct {
	conditions []string
	arguments  []any
}

func (w *where) add(condition string, arguments ...any) {
	w.conditions = append(w.conditions, condition)
	w.arguments = append(w.arguments, arguments...)
}

// String returns the WHERE clause.
func (w *where) String() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conditions, " AND ")
}
