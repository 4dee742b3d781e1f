package handlers

import (
	"context"
	"slices"
	"time"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/models/search"
)

// settleTime is how long a write waits until responses reflect it.
const settleTime = 250 * time.Millisecond

// settle waits until responses reflect the writes that are complete. If that takes
// longer than settleTime, it drops all cached responses.
func (s *Server) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	if !s.cfg.Feed.Settle(ctx) {
		s.Changed()
	}
}

// updated drops the cached responses that an update of the index makes outdated, and
// then tells the streams of events.
func (s *Server) updated(u *search.Update) {
	defer s.hub.Publish(u)
	if u.All || u.Trends {
		s.trends.Forget()
	}
	everything := u.All || u.Site || u.Catalog
	if everything {
		s.settings.Reload()
		if s.cfg.Mirror != nil {
			s.cfg.Mirror.Wake()
		}
		s.completer.Update()
	}
	if everything || u.Left {
		s.Changed()
		return
	}
	var tags []string
	if u.Trends { // of gear that need not be in the catalogue
		tags = append(tags, cachetag.Market)
	}
	for _, id := range u.Listings {
		tags = append(tags, cachetag.Listing(id))
	}
	for _, handle := range u.Members {
		tags = append(tags, cachetag.Member(handle))
	}
	for _, g := range u.Gear {
		tags = append(tags, cachetag.Market, cachetag.Gear(g.Slug()), cachetag.Brand(g.BrandSlug), cachetag.Category(string(g.Category)), cachetag.Category(g.Category.Family()))
	}
	slices.Sort(tags)
	if tags = slices.Compact(tags); len(tags) > 0 {
		s.Changed(tags...)
	}
}
