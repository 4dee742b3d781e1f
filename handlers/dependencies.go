package handlers

import (
	"context"
	"slices"
	"time"

	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

// Tags of the public data that pages are made of; see web.Op.DependsOn. A listing for
// sale, and the trend of its gear, belong to the gear, its brand, its category, its
// seller and the market.
const marketTag = "market"

func listingTag(id string) string        { return "listing:" + id }
func memberTag(handle string) string     { return "member:" + handle }
func gearTag(slug string) string         { return "gear:" + slug }
func brandTag(slug string) string        { return "brand:" + slug }
func categoryTag(category string) string { return "category:" + category } // a category or a family

// onMarket is the Op.DependsOn of pages about all listings and trends.
func onMarket[Out any](Out) []string { return []string{marketTag} }

// settleTime is how long a write waits until responses reflect it.
const settleTime = 250 * time.Millisecond

// settle waits until responses reflect the writes that are complete. If that takes
// longer than settleTime, it drops all cached responses.
func (s *app) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	if !s.feed.Settle(ctx) {
		s.server.Changed()
	}
}

// updated drops the cached responses that an update of the index makes outdated, and
// then tells the streams of events.
func (s *app) updated(u *search.Update) {
	defer s.hub.publish(u)
	if u.All || u.Site || u.Catalog {
		s.settings.reloadSite()
		if s.mirror != nil {
			s.mirror.Wake()
		}
		s.completer.update()
		s.server.Changed()
		return
	}
	var tags []string
	for _, id := range u.Listings {
		tags = append(tags, listingTag(id))
	}
	for _, handle := range u.Members {
		tags = append(tags, memberTag(handle))
	}
	for _, g := range u.Gear {
		tags = append(tags, marketTag, gearTag(g.Slug()), brandTag(g.BrandSlug), categoryTag(string(g.Category)), categoryTag(g.Category.Family()))
	}
	slices.Sort(tags)
	if tags = slices.Compact(tags); len(tags) > 0 {
		s.server.Changed(tags...)
	}
}

// searchSources returns what the results of a search are made of. Facets count the
// listings that meet all restrictions but one, so that a brand and a category together
// restrict what they depend on, but neither does alone.
func searchSources(p *views.Listings) []string {
	q := &p.Query
	switch {
	case q.Keyword != "", p.Total == 0:
		return []string{marketTag} // matches titles; without results it counts those of other searches
	case q.Model != "":
		return []string{gearTag(q.Model)}
	case q.Seller != "":
		return []string{memberTag(q.Seller)}
	case q.Category != "" && len(q.Brands) > 0:
		tags := []string{categoryTag(string(q.Category))}
		for _, brand := range q.Brands {
			tags = append(tags, brandTag(brand))
		}
		return tags
	}
	return []string{marketTag}
}

// listingSources returns what the page of a listing is made of. Its similar listings
// are of the same category if there are too few of the same gear.
func listingSources(p *views.Listing) []string {
	tags := []string{listingTag(p.ID), memberTag(p.Seller), gearTag(p.Gear)}
	other := func(c views.Card) bool { return c.Gear != p.Gear || c.Gear == "" }
	if len(p.Similar) < similarShown || slices.ContainsFunc(p.Similar, other) {
		tags = append(tags, categoryTag(string(p.Category)))
	}
	return tags
}

// sellerSources returns what the page of a seller is made of. It names those who rated
// the seller.
func sellerSources(p *views.Seller) []string {
	tags := []string{memberTag(p.Handle)}
	for i := range p.RecentRatings {
		tags = append(tags, memberTag(p.RecentRatings[i].By.Handle))
	}
	return tags
}

// catalogSources returns what a page of the catalogue is made of.
func catalogSources(p *views.GearIndex) []string {
	switch {
	case p.BrandSlug != "":
		return []string{brandTag(p.BrandSlug)}
	case p.Keyword == "":
		return []string{marketTag}
	}
	var tags []string
	for i := range p.Gear {
		tags = append(tags, gearTag(p.Gear[i].Slug))
	}
	return tags
}

// trendSources returns what the page of gear is made of.
func trendSources(p *views.Trend) []string { return []string{gearTag(p.Gear)} }

// photoSources returns what the page of a portfolio photo is made of: the prices of the
// gear it was taken with.
func photoSources(p *views.ProjectPhoto) []string {
	var tags []string
	for _, g := range []*views.GearCard{p.Camera, p.Lens} {
		if g != nil {
			tags = append(tags, gearTag(g.Slug))
		}
	}
	return tags
}
