package watch

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// updates reports to MCP clients when the pages change that they subscribe to.
type updates struct{ Deps }

// check returns an error unless the caller may read the page at a path, and it is one
// whose changes are events.
func (s updates) check(ctx context.Context, path string) error {
	section, id := splitPage(path)
	var err error
	switch member := caller.ID(ctx); {
	case section == "/listings":
		if _, err = s.Listings.Listing(ctx, id); input.IsNotFound(err) && member != "" {
			_, err = s.Listings.OwnListing(ctx, id, member)
		}
	case section == "/gear" && s.Catalog.Gear(id) != nil:
	case section == "/sellers":
		_, err = s.Accounts.Member(ctx, id)
	case !memberPages[section]:
		return web.NewError("page_not_found")
	case member == "":
		return web.NewError("unauthenticated")
	case !slices.Contains(web.CallerOf(ctx).Scopes, string(models.AccountRead)):
		return web.NewError("insufficient_scope")
	case id == "": // a list of the member's own
	case section == searchesPage:
		_, err = s.Watches.Search(ctx, id, member)
	case section == offersPage:
		_, err = s.Trades.Offer(ctx, id, member)
	default:
		_, err = s.Trades.Conversation(ctx, id, member)
	}
	return err
}

// Subscribe follows the changes of pages that the caller may read. It implements
// web.Updates.
func (s updates) Subscribe(ctx context.Context, paths []string) (follow func(context.Context, func(string) error) error, err error) {
	wanted := map[string]string{} // by section and id, as written
	searches := false
	for _, path := range paths {
		if err := s.check(ctx, path); err != nil {
			return nil, err
		}
		section, id := splitPage(path)
		wanted[section+"/"+id] = path
		searches = searches || section == searchesPage
	}
	_, at, err := s.Store.ChangeLog(ctx)
	if err != nil {
		return nil, err
	}
	member := caller.ID(ctx)
	return func(ctx context.Context, updated func(string) error) error {
		return s.Hub.follow(ctx, at, func(after models.Position, b *eventBatch) error {
			if b == nil {
				return nil
			}
			changed, err := s.changedPages(ctx, member, b.after(after), searches)
			if err != nil {
				return err
			}
			for _, page := range changed {
				if path, ok := wanted[page]; ok {
					if err := updated(path); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}, nil
}

// changedPages returns the sections and ids of the pages that entries change, as a
// member sees them, each once. Those of saved searches are left out unless searches is
// set.
func (s updates) changedPages(ctx context.Context, member string, entries []models.Entry, searches bool) (pages []string, err error) {
	add := func(section, id string) {
		if page := section + "/" + id; !slices.Contains(pages, page) {
			pages = append(pages, page)
		}
	}
	shown, err := s.changesOf(ctx, "", entries)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		switch e := &entries[i]; {
		case e.Event == "":
		case e.Kind == models.ListingChanged:
			add("/listings", e.Subject)
		case e.Kind == models.GearChanged:
			add("/gear", e.Subject)
		case e.Kind == models.MemberChanged:
			add("/sellers", shown[i].Seller)
		case e.MemberID != member:
		case e.Kind == models.OfferChanged:
			add(offersPage, e.Subject)
			add(offersPage, "")
		case e.Kind == models.ConversationChanged:
			add(messagesPage, e.Subject)
			add(messagesPage, "")
		}
	}
	if !searches {
		return pages, nil
	}
	matches, err := s.newMatches(ctx, member, entries)
	for _, ids := range matches {
		for _, id := range ids {
			add(searchesPage, id)
			add(searchesPage, "")
		}
	}
	return pages, err
}

// Pages of members that clients can subscribe to, and the pages of one offer, message
// or search below them.
const (
	searchesPage = "/account/searches"
	offersPage   = "/account/offers"
	messagesPage = "/account/messages"
)

var memberPages = map[string]bool{searchesPage: true, offersPage: true, messagesPage: true}

// splitPage returns the section of a page's path and the rest: "/gear" and
// "canon/eos-r6".
func splitPage(path string) (section, id string) {
	if memberPages[path] {
		return path, ""
	}
	for _, section := range []string{"/listings", "/gear", "/sellers", searchesPage, offersPage, messagesPage} {
		if id, ok := strings.CutPrefix(path, section+"/"); ok {
			if unescaped, err := url.PathUnescape(id); err == nil {
				id = unescaped
			}
			return section, strings.ToLower(id)
		}
	}
	return path, ""
}
