package search

import (
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/models/catalog"
)

// Search returns the result of a query. It returns a *problem.Error of kind Invalid
// for an unknown sort and for a cursor that is invalid or belongs to another search.
func (x *core) Search(q Query) (*Result, error) {
	result := &Result{}
	if err := x.SearchInto(result, q); err != nil {
		return nil, err
	}
	return result, nil
}

// SearchInto is like Search but overwrites result and reuses the capacity of its
// slices. Callers that pool results avoid most allocations.
func (x *core) SearchInto(result *Result, q Query) error {
	result.reset()
	c := x.scratch.Get().(*scratch)
	defer x.release(c)
	c.query = q // a local copy would be allocated for each search
	return x.search(result, &c.query, c)
}

// search computes the result of q in result, using the buffers of c.
func (x *core) search(result *Result, q *Query, c *scratch) error {
	if err := q.normal(result); err != nil {
		return err
	}
	m := x.match(q.Keyword)
	after, err := q.parseCursor(m)
	if err != nil {
		return err
	}
	if m.cut {
		result.Warnings = append(result.Warnings, Warning{"shortened", "keyword", fmt.Sprintf("only the first %d words were looked for", catalog.KeywordLimit)})
	}

	x.mu.RLock()
	defer x.mu.RUnlock()
	original := m
	if fixed, warnings := x.correct(m); fixed != nil && !q.verbatim() {
		m = x.matchWords(fixed)
		result.Keyword = strings.Join(fixed, " ")
		result.DidYouMean = result.Keyword
		result.Warnings = append(result.Warnings, warnings...)
	}
	result.Named = m.slugs
	if rest, unmatched := x.leaveOut(q, m); unmatched != nil {
		m = x.matchWords(rest)
		result.Keyword, result.Unmatched = strings.Join(rest, " "), unmatched
	}
	if x.divided(q) {
		x.searchParts(result, q, m, original, after)
		return nil
	}
	s := x.state
	f := x.filter(s, c, q, m)
	c.reset(s)
	c.count(s, f)
	if !q.NoFacets {
		c.countDefects(s)
		c.facets(&result.Facets, s, q)
	}
	result.Total = c.total
	if c.total == 0 {
		if len(m.slugs) > 0 {
			return nil // the gear is known but not for sale; fewer words would mean other gear
		}
		better := x.instead(m.words, func(words []string) int {
			c.reset(s)
			c.count(s, x.filter(s, c, q, x.matchWords(words)))
			return c.total
		})
		if better != "" {
			result.DidYouMean = better
		}
		return nil
	}
	before := c.collectPage(s, f, q, after)
	c.page(s, result, before, q, original)
	if len(q.ShipTo) > 0 {
		result.Shipping = s.shipping(result.Shipping, c.hits.list[before:], len(result.Cards), q.ShipTo)
	}
	if before > 0 {
		result.HasPrevious = true
	}
	if start := before - q.Limit; start > 0 {
		result.PreviousCursor = q.cursor(s.position(q.Sort, &c.hits.list[start-1]), original)
	}
	return nil
}
