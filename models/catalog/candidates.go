package catalog

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Candidates returns up to n gear that a title may mean, the likeliest first: what it names,
// lenses with its focal length and aperture, gear with all its words, or with its first three.
func (c *Catalog) Candidates(title string, n int, popularity Popularity) []*Gear {
	return c.now().candidates(title, n, popularity)
}

// candidates is Catalog.Candidates.
func (c *catalog) candidates(title string, n int, popularity Popularity) (all []*Gear) {
	add := func(gear []*Gear) {
		for _, g := range gear {
			if g.ModelSlug != "" && len(all) < n && !slices.Contains(all, g) {
				all = append(all, g)
			}
		}
	}
	add(c.resolver().near(title, popularity))
	found, _ := c.lookup().RankedGear(title, popularity)
	add(found)
	if words := strings.Fields(title); len(all) == 0 && len(words) > 3 { // the name usually comes first in a title
		found, _ = c.lookup().RankedGear(strings.Join(words[:3], " "), popularity)
		add(found)
	}
	return all
}

// near returns the gear that a title names, surely or not, and the lenses with its focal length and
// aperture, those first that have most of its other words.
func (r *Resolver) near(text string, popularity Popularity) (all []*Gear) {
	t := r.parseTitle(text)
	if found := r.resolve(t); found.Gear != nil {
		all = append(all, found.Gear)
	}
	for _, m := range r.bodies(t) {
		all = append(all, m.gear)
	}
	if t.focalEnd < 0 || len(all) > 0 && t.camera() {
		return all
	}
	mentioned, generation := t.lensLetters()
	apertures := t.apertures(t.focalEnd)
	type ranked struct {
		gear    *Gear
		matches int
	}
	var list []ranked
	for _, e := range r.lenses.byFocal[t.focal] {
		opens := func(n float64) bool { return math.Abs(e.gear.Aperture-n) < 0.06 }
		if !t.allowsLensBrand(e.gear) || len(apertures) > 0 && !slices.ContainsFunc(apertures, opens) {
			continue
		}
		matches := 0
		for _, w := range mentioned {
			if e.has(w) {
				matches++
			}
		}
		if e.generation == generation {
			matches++
		}
		if t.fitsMounts(e.gear) {
			matches++
		}
		list = append(list, ranked{e.gear, matches})
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.matches, a.matches), cmp.Compare(popularity(b.gear.Slug()), popularity(a.gear.Slug())), bySlug(a.gear, b.gear))
	})
	for _, l := range list {
		all = append(all, l.gear)
	}
	return all
}
