package catalog

import (
	"fmt"
	"slices"
)

// Move says that what was stored under the slug From may be of the gear with the slug Gear:
// all of it if the catalogue has no gear From, which was then renamed or joined, and
// otherwise that whose title says so, because Gear was part of From.
type Move struct{ From, Gear string }

// Moves returns the moves of the catalogue, in the order of moves.csv.
func (c *Catalog) Moves() []Move { return c.now().moves }

// addMove adds a row of moves.csv.
func (c *catalog) addMove(row []string) error {
	to := c.bySlug[row[1]]
	switch from := c.bySlug[row[0]]; {
	case to == nil || from == to:
		return fmt.Errorf("can't move %q to %q", row[0], row[1])
	case from == nil && c.renamed[row[0]] != nil:
		return fmt.Errorf("%s is moved twice", row[0])
	case from == nil:
		c.renamed[row[0]] = to
	}
	c.moves = append(c.moves, Move{row[0], row[1]})
	return nil
}

// Moved returns the slug of the gear that something of a slug is by now, and whether its title
// leaves no doubt about that. The title is only read if From was split.
func (c *Catalog) Moved(slug, title string) (gear string, certain bool) {
	now := c.now()
	if g := now.renamed[slug]; g != nil {
		return g.Slug(), true
	}
	found := now.resolver().Resolve(title)
	if !found.Confident() {
		return slug, false
	}
	gear = found.Gear.Slug()
	if gear != slug && !slices.Contains(now.moves, Move{slug, gear}) {
		return slug, false
	}
	return gear, true
}
