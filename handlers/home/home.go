package home

import (
	"context"
	"slices"
	"time"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	views "github.com/secondlight/secondlight/views/home"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// homeOps holds the operations of the home page.
type homeOps struct{ Deps }

// Numbers of items on the home page.
const (
	homeDeals  = 8
	homeNewest = 8
	homeMovers = 8

	homeProjects = 12
	homePhotos   = 24
	homeEntries  = 3
)

// getHome returns the operation that shows the home page.
func (s homeOps) getHome() web.Operation {
	return web.Op[struct{}, *views.Home]{
		Name:        "get_home",
		Page:        "/",
		Tag:         "Service",
		Shared:      true,
		DependsOn:   cachetag.OnMarket[*views.Home],
		Title:       "Home page",
		Summary:     "Best deals, newest listings and recent price changes.",
		Description: "Returns the number of listings for sale, the listings with the most unlikely low prices for what they are, the newest listings, and the models whose median sold price changed most over 90 days.",
		Do:          s.readHome,
	}.Operation()
}

// readHome handles get_home.
func (s homeOps) readHome(ctx context.Context, _ *struct{}) (*views.Home, error) {
	deals, err := s.Index.Search(search.Query{Sort: search.Deal, Limit: homeDeals, NoFacets: true})
	if err != nil {
		return nil, err
	}
	newest, err := s.Index.Search(search.Query{Sort: search.Newest, Limit: homeNewest})
	if err != nil {
		return nil, err
	}
	parts := views.HomeParts{ForSale: newest.Total, Gear: len(s.Catalog.All()), Categories: newest.Facets.Category}
	if parts.Deals, err = s.Cards.Decode(deals); err != nil {
		return nil, err
	}
	parts.Deals = slices.DeleteFunc(parts.Deals, func(c ui.Card) bool { return c.Deal == nil || c.Deal.Percent >= 0 })
	if parts.Newest, err = s.Cards.Decode(newest); err != nil {
		return nil, err
	}
	if parts.Sales, err = s.Trends.Sales(ctx); err != nil {
		return nil, err
	}
	if parts.Movers, err = s.movers(ctx); err != nil {
		return nil, err
	}
	s.addWork(&parts)
	home := views.NewHome(s.Site, parts)
	if id := caller.Identity(ctx); home.Personal() && id != nil && id.Account.Role == models.RoleOperator {
		if home.Checklist, err = s.Checklist.Of(ctx, id.Member.ID); err != nil {
			return nil, err
		}
	}
	return home, nil
}

// addWork adds the portfolio, of which the cover of the newest project is the first, and the
// journal.
func (s homeOps) addWork(parts *views.HomeParts) {
	all := s.Library.Portfolio()
	for _, p := range all.Projects[:min(len(all.Projects), homeProjects)] {
		if cover := p.Cover(); cover != nil && parts.Photograph == nil {
			card := portfolioviews.NewPhotoCard(s.Site, cover)
			parts.Photograph = &card
		}
		parts.Projects = append(parts.Projects, portfolioviews.NewProjectCard(s.Site, p))
	}
	photos := all.Photos()
	parts.Photographs = portfolioviews.NewPhotoCards(s.Site, photos[:min(len(photos), homePhotos)])
	entries := s.Pages.Journal()
	for _, t := range entries[:min(len(entries), homeEntries)] {
		parts.Journal = append(parts.Journal, views.JournalLine{Title: t.Title, Description: t.Description, Date: t.Date.Format(time.DateOnly), Ref: ui.NewRef(ui.JournalPath(t.Slug, ""))})
	}
}

// movers returns the gear whose median sold price changed most over 90 days.
func (s homeOps) movers(ctx context.Context) ([]views.TrendLine, error) {
	slugs, err := s.Trends.Movers(ctx, homeMovers)
	if err != nil {
		return nil, err
	}
	trends, err := s.Trends.Of(ctx, slugs)
	if err != nil {
		return nil, err
	}
	cards, err := s.Cards.OfGear(ctx, s.Gear.Catalogued(slugs))
	if err != nil {
		return nil, err
	}
	var lines []views.TrendLine
	for _, card := range cards {
		if line, ok := views.NewTrendLine(card, trends[card.Slug]); ok {
			lines = append(lines, line)
		}
	}
	return lines, nil
}
