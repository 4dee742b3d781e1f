package handlers

import (
	"context"

	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

// showPrimitives is the page of everything pages are made of; see Config.Dev.
func (s *Server) showPrimitives() Operation {
	return Op[struct{}, *views.Primitives]{
		Name:        "show_primitives",
		Page:        "/ui",
		Tag:         "Service",
		Title:       "Primitives",
		Summary:     "Everything the pages are made of, for development.",
		Description: "Shows every primitive of the site's look on one page. It is there in development alone.",
		Do: func(ctx context.Context, _ *struct{}) (*views.Primitives, error) {
			found, err := s.index.Search(search.Query{Sort: search.Deal, Limit: 4})
			if err != nil {
				return nil, err
			}
			cards, err := decodeCards(found)
			if err != nil || len(cards) == 0 {
				return views.NewPrimitives(&s.site, cards, nil), err
			}
			gear := s.catalog.Gear(cards[0].Gear)
			if gear == nil {
				return views.NewPrimitives(&s.site, cards, nil), nil
			}
			trend, err := s.readTrend(ctx, &trendInput{Brand: gear.BrandSlug, Model: gear.ModelSlug})
			return views.NewPrimitives(&s.site, cards, trend), err
		},
	}.Operation()
}
