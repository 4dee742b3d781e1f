//go:build linux

package main

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
	"github.com/blevesearch/bleve/v2/mapping"
	blevequery "github.com/blevesearch/bleve/v2/search/query"
)

// bleveFacetSize is how many values of a facet are counted: more than there are brands.
const bleveFacetSize = 500

// bleveMapping indexes words that spaces separate, values as they are, and numbers. Nothing but
// the id is stored.
func bleveMapping() (*mapping.IndexMappingImpl, error) {
	m := bleve.NewIndexMapping()
	err := m.AddCustomAnalyzer("words", map[string]any{"type": custom.Name, "tokenizer": whitespace.Name, "token_filters": []string{lowercase.Name}})
	if err != nil {
		return nil, err
	}
	words := bleve.NewTextFieldMapping()
	words.Analyzer, words.DocValues, words.IncludeTermVectors = "words", false, false
	document := bleve.NewDocumentStaticMapping()
	fields := map[string]*mapping.FieldMapping{"words": words, "price": bleve.NewNumericFieldMapping(), "published": bleve.NewNumericFieldMapping()}
	for _, name := range []string{"brand", "category", "family", "condition", "country"} {
		fields[name] = bleve.NewKeywordFieldMapping()
	}
	for name, field := range fields {
		field.Store, field.IncludeInAll = false, false
		document.AddFieldMappingsAt(name, field)
	}
	m.DefaultMapping = document
	return m, nil
}

// loadBleve builds the index offline, which makes one segment: the fastest to search.
func loadBleve(folder string, listings []listing) error {
	m, err := bleveMapping()
	if err != nil {
		return err
	}
	builder, err := bleve.NewBuilder(filepath.Join(folder, "market.bleve"), m, map[string]any{"batchSize": 10_000, "buildPathPrefix": folder})
	if err != nil {
		return err
	}
	for i := range listings {
		l := &listings[i]
		err := builder.Index(strconv.Itoa(i), map[string]any{"words": l.Words, "brand": l.Brand, "category": l.Category, "family": l.Family,
			"condition": l.Condition, "country": l.Country, "price": float64(l.Price), "published": float64(l.Published)})
		if err != nil {
			return err
		}
	}
	return builder.Close()
}

// serveBleve keeps the cards in memory: Bleve decompresses what it stores for each result.
func serveBleve(ctx context.Context, folder, file, address string) error {
	listings, err := readListings(file)
	if err != nil {
		return err
	}
	cards := make([][]byte, len(listings))
	for i := range listings {
		cards[i] = listings[i].Card
	}
	index, err := bleve.OpenUsing(filepath.Join(folder, "market.bleve"), map[string]any{"read_only": true})
	if err != nil {
		return err
	}
	defer index.Close()
	return serveSearches(ctx, address, func(ctx context.Context, q *query) (*answer, error) {
		result, err := index.SearchInContext(ctx, bleveRequest(q))
		if err != nil {
			return nil, err
		}
		found := newAnswer()
		found.total = int(result.Total)
		for _, hit := range result.Hits {
			i, err := strconv.Atoi(hit.ID)
			if err != nil {
				return nil, err
			}
			found.cards = append(found.cards, cards[i])
		}
		for name, facet := range result.Facets {
			for _, term := range facet.Terms.Terms() {
				found.facets[name][term.Term] = term.Count
			}
		}
		return found, nil
	})
}

func bleveRequest(q *query) *bleve.SearchRequest {
	all := bleve.NewConjunctionQuery()
	if q.keyword != "" {
		match := bleve.NewMatchQuery(q.keyword)
		match.SetField("words")
		match.SetOperator(blevequery.MatchQueryOperatorAnd)
		all.AddQuery(match)
	}
	for _, c := range q.equal() {
		any := bleve.NewDisjunctionQuery()
		for _, value := range c.values {
			term := bleve.NewTermQuery(value)
			term.SetField(c.column)
			any.AddQuery(term)
		}
		all.AddQuery(any)
	}
	if q.min > 0 || q.max > 0 {
		all.AddQuery(bleveRange(q))
	}
	var restriction blevequery.Query = all
	if len(all.Conjuncts) == 0 {
		restriction = bleve.NewMatchAllQuery()
	}
	request := bleve.NewSearchRequestOptions(restriction, pageSize, 0, false)
	for _, name := range facetNames {
		request.AddFacet(name, bleve.NewFacetRequest(name, bleveFacetSize))
	}
	switch order := q.order("rank"); order {
	case "rank":
	default:
		request.Score = "none"
		request.SortBy([]string{order})
	}
	return request
}

func bleveRange(q *query) blevequery.Query {
	yes := true
	var min, max *float64
	if q.min > 0 {
		value := float64(q.min)
		min = &value
	}
	if q.max > 0 {
		value := float64(q.max)
		max = &value
	}
	price := bleve.NewNumericRangeInclusiveQuery(min, max, &yes, &yes)
	price.SetField("price")
	return price
}
