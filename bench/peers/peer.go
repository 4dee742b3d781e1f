//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/bench/program"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// peer is another program.
type peer struct {
	key, name string // in bench/peers/servers, and for readers
	address   func(*search.Query) string
	total     string
	partial   func(*search.Query) string // the same without the total; nil if the program always counts
	installed string                     // a file that must exist; "" if nothing must
}

var peers = []peer{
	{key: "postgres", name: "PostgreSQL full text", address: plainAddress, total: "total", installed: "/usr/lib/postgresql/*/bin/initdb"},
	{key: "sqlite", name: "SQLite FTS5", address: plainAddress, total: "total"},
	{key: "bleve", name: "Bleve", address: plainAddress, total: "total"},
	{key: "pocketbase", name: "PocketBase", address: pocketBaseAddress, total: "totalItems", partial: withoutTotal},
}

// missing says what must be installed, or "".
func (p *peer) missing() string {
	if found, _ := filepath.Glob(p.installed); p.installed != "" && len(found) == 0 {
		return "no file " + p.installed
	}
	return ""
}

// start loads the listings into a folder, unless it has them, and starts the program.
func (p *peer) start(ctx context.Context, file, folder, listings string) (*side, error) {
	s := &side{name: p.name, address: p.address, total: p.total}
	loaded := folder + ".loaded"
	if _, err := os.Stat(loaded); errors.Is(err, os.ErrNotExist) {
		if err := errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o700)); err != nil {
			return nil, err
		}
		began := time.Now()
		if out, err := exec.CommandContext(ctx, file, "load", p.key, folder, listings).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("load: %w\n%s", err, out)
		}
		s.load = time.Since(began)
		if err := os.WriteFile(loaded, nil, 0o600); err != nil {
			return nil, err
		}
	}
	address, began := program.FreeAddress(), time.Now()
	serve := exec.Command(file, "serve", p.key, folder, listings, address)
	serve.Env = append(os.Environ(), "GOGC=400") // collects garbage more seldom, for some memory
	server, err := program.Start(ctx, address, "/api/health", serve)
	s.server, s.startTime = server, time.Since(began)
	return s, err
}

// plainAddress returns the address of a search in the servers of bench/peers/servers.
func plainAddress(q *search.Query) string {
	values := url.Values{}
	add := func(name, value string) {
		if value != "" {
			values.Add(name, value)
		}
	}
	add("keyword", words(q.Keyword))
	add(kindColumn(q.Category), string(q.Category))
	for _, brand := range q.Brands {
		add("brand", brand)
	}
	for _, condition := range q.Conditions {
		add("condition", string(condition))
	}
	for _, region := range q.Regions {
		add("country", string(region))
	}
	if q.Min != nil {
		add("min", strconv.Itoa(int(q.Min.Cents)))
	}
	if q.Max != nil {
		add("max", strconv.Itoa(int(q.Max.Cents)))
	}
	add("sort", string(q.Sort))
	return "/search?" + values.Encode()
}

// kindColumn returns the column of a category or a family of them.
func kindColumn(kind models.Kind) string {
	if models.Category(kind).Family() == "" && (kind == models.FamilyCamera || kind == models.FamilyLens) {
		return "family"
	}
	return "category"
}

// pocketBaseAddress returns the address of a search in PocketBase's API. It has no facets and
// no order by relevance.
func pocketBaseAddress(q *search.Query) string {
	var filters []string
	for _, word := range strings.Fields(words(q.Keyword)) {
		filters = append(filters, "words ~ '"+word+"'")
	}
	if q.Category != "" {
		filters = append(filters, kindColumn(q.Category)+" = '"+string(q.Category)+"'")
	}
	filters = append(filters, oneOf("brand", q.Brands), oneOf("condition", q.Conditions), oneOf("country", q.Regions))
	if q.Min != nil {
		filters = append(filters, "price >= "+strconv.Itoa(int(q.Min.Cents)))
	}
	if q.Max != nil {
		filters = append(filters, "price <= "+strconv.Itoa(int(q.Max.Cents)))
	}
	sort := "-published"
	switch q.Sort {
	case search.Price:
		sort = "price"
	case search.PriceDesc:
		sort = "-price"
	}
	values := url.Values{"filter": {joinNonEmpty(filters, " && ")}, "sort": {sort}, "perPage": {strconv.Itoa(search.DefaultLimit)}, "fields": {"card"}}
	return "/api/collections/listings/records?" + values.Encode()
}

// withoutTotal is pocketBaseAddress without the number of listings found: PocketBase's guide
// recommends to leave it out where nobody needs it.
func withoutTotal(q *search.Query) string { return pocketBaseAddress(q) + "&skipTotal=true" }

func oneOf[T ~string](column string, values []T) string {
	alternatives := make([]string, len(values))
	for i, value := range values {
		alternatives[i] = column + " = '" + string(value) + "'"
	}
	if len(values) == 0 {
		return ""
	}
	return "(" + strings.Join(alternatives, " || ") + ")"
}

func joinNonEmpty(parts []string, separator string) string {
	var out []string
	for _, part := range parts {
		if part != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, separator)
}
