package home

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/search"
	views "github.com/secondlight/secondlight/views/home"
)

// primitives returns the operation that shows all UI components; see Config.Dev.
func (s homeOps) primitives() web.Operation {
	return web.Op[struct{}, *views.Primitives]{
		Name:        "show_primitives",
		Unlisted:    true,
		Page:        "/ui",
		Tag:         "Service",
		Title:       "UI components",
		Summary:     "All UI components, for development.",
		Description: "Shows all UI components on one page. Available in development only.",
		Do: func(ctx context.Context, _ *struct{}) (*views.Primitives, error) {
			found, err := s.Index.Search(search.Query{Sort: search.Deal, Limit: 4, NoFacets: true})
			if err != nil {
				return nil, err
			}
			cards, err := s.Cards.Decode(found)
			if err != nil || len(cards) == 0 {
				return views.NewPrimitives(s.Site, cards, nil), err
			}
			gear := s.Catalog.Gear(cards[0].Gear)
			if gear == nil {
				return views.NewPrimitives(s.Site, cards, nil), nil
			}
			trend, err := s.Trend(ctx, gear)
			return views.NewPrimitives(s.Site, cards, trend), err
		},
	}.Operation()
}
