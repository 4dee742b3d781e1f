package watch

import (
	"bytes"
	"context"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
	views "github.com/secondlight/secondlight/views/watch"
)

// mountFeeds serves the feeds of saved searches at secret URLs and the unsubscribe links
// in their emails. They are not operations: the URL is the credential.
func (s savedSearchOps) mountFeeds(server Server) {
	server.Get("/feeds/:secret", s.searchFeed)
	server.Get("/unsubscribe/:id/:key", s.unsubscribe(server, s.Watches.SearchByKey))
	server.Post("/unsubscribe/:id/:key", s.unsubscribe(server, s.Watches.Unsubscribe))
}

// feedShown is the number of listings in the feed of a saved search.
const feedShown = 50

// searchFeed sends the feed of a saved search, newest listings first.
func (s savedSearchOps) searchFeed(c *fiber.Ctx) error {
	format, ok := web.SuffixFormat(c)
	if !ok || format != web.Atom && format != web.JSONFeed {
		return web.NewError("page_not_found")
	}
	work, end := web.RequestContext(c)
	defer end()
	saved, err := s.Watches.SearchByFeed(work, strings.Clone(c.Params("secret")))
	if err != nil {
		if input.IsNotFound(err) {
			err = web.NewError("page_not_found")
		}
		return err
	}
	card := s.Queries.Card(saved)
	var cards []ui.Card
	if q, err := s.Queries.Parse(saved.Query); err == nil {
		q.Sort, q.Limit, q.NoFacets = search.Newest, feedShown, true
		found, err := s.Index.Search(q)
		if err != nil {
			return err
		}
		if cards, err = s.Cards.Decode(found); err != nil {
			return err
		}
	}
	feed := views.SavedSearchFeed(s.Site, saved, card.Text, cards)
	var body bytes.Buffer
	if format == web.Atom {
		err = feed.Atom(&body)
	} else {
		err = feed.JSON(&body)
	}
	if err != nil {
		return err
	}
	web.SendPrivate(c, format.ContentType(), body.Bytes())
	return nil
}

// unsubscribe returns a handler that finds a saved search by its unsubscribe link with do
// and shows its unsubscribe page (RFC 8058).
func (s savedSearchOps) unsubscribe(server Server, do func(ctx context.Context, id, key string) (*models.SavedSearch, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		key, err := url.PathUnescape(c.Params("key"))
		if err != nil {
			return web.NewError("page_not_found")
		}
		work, end := web.RequestContext(c)
		defer end()
		saved, err := do(work, strings.Clone(c.Params("id")), strings.Clone(key))
		if err != nil {
			if input.IsNotFound(err) {
				err = web.NewError("page_not_found")
			}
			return err
		}
		c.Set("Referrer-Policy", "no-referrer")
		return server.SendPrivatePage(c, views.NewUnsubscribe(s.Site, saved))
	}
}
