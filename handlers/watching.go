package handlers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

// watchingOperations are what members keep an eye on.
func (s *Server) watchingOperations() []Operation {
	return []Operation{
		s.getWatchlist(), s.watchListing(), s.unwatchListing(),
		s.listSearches(), s.newSearch(), s.saveSearch(), s.getSearch(), s.editSearch(), s.deleteSearch(), s.rotateSearch(), s.testSearch(),
	}
}

func (s *Server) getWatchlist() Operation {
	return Op[struct{}, *views.Watchlist]{
		Name:    "get_watchlist",
		Path:    "/api/watchlist",
		Page:    "/account/watchlist",
		Tag:     "Watching",
		Access:  Members,
		Scope:   models.AccountRead,
		Title:   "Get the watchlist",
		Summary: "The listings you watch, and what became of their prices.",
		Description: "Answers with every listing you watch as it is now, the price it had when you put it on the list, and how much cheaper it is since. " +
			"Put listings on with watch_listing, take them off with unwatch_listing.",
		Sample: func() *views.Watchlist { return views.NewWatchlist(&s.site, []views.Watch{*s.sampleWatch()}) },
		Do:     func(ctx context.Context, _ *struct{}) (*views.Watchlist, error) { return s.watchlist(ctx) },
	}.Operation()
}

func (s *Server) watchlist(ctx context.Context) (*views.Watchlist, error) {
	watches, err := s.watches(ctx, "")
	if err != nil {
		return nil, err
	}
	return views.NewWatchlist(&s.site, watches), nil
}

// watches are what the caller watches, or of it one listing.
func (s *Server) watches(ctx context.Context, only string) ([]views.Watch, error) {
	kept, err := s.store.Watches(ctx, memberID(ctx))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, w := range kept {
		if only == "" || w.ListingID == only {
			ids = append(ids, w.ListingID)
		}
	}
	listings, err := s.store.ListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	cards, err := s.cards(ctx, listings)
	if err != nil {
		return nil, err
	}
	byID := map[string]int{}
	for i, l := range listings {
		byID[l.ID] = i
	}
	var watches []views.Watch
	for i := range kept {
		if k, ok := byID[kept[i].ListingID]; ok {
			watches = append(watches, views.NewWatch(&s.site, cards[k], &kept[i], listings[k].Price))
		}
	}
	return watches, nil
}

// cards are listings of several sellers as lists show them, with their deals.
func (s *Server) cards(ctx context.Context, listings []*models.Listing) ([]views.Card, error) {
	cards := make([]views.Card, len(listings))
	var gear, sellers []string
	for _, l := range listings {
		sellers = append(sellers, l.SellerID)
		if l.Gear != "" {
			gear = append(gear, l.Gear)
		}
	}
	trends, err := s.store.Trends(ctx, gear)
	if err != nil {
		return nil, err
	}
	members, err := s.store.MembersByID(ctx, sellers)
	if err != nil {
		return nil, err
	}
	for i, l := range listings {
		var deal *models.Deal
		if trend := trends[l.Gear]; trend != nil && l.Status == models.StatusActive {
			if d, ok := trend.DealOf(l.Price, l.Condition); ok {
				deal = &d
			}
		}
		cards[i] = views.NewCard(&s.site, l, s.catalog.Gear(l.Gear), members[l.SellerID].Handle, deal)
	}
	return cards, nil
}

type watchInput struct {
	Listing string `json:"listing" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

func (s *Server) watchListing() Operation {
	return Op[watchInput, *views.Watch]{
		Name:    "watch_listing",
		Method:  http.MethodPut,
		Path:    "/api/watchlist/{listing}",
		Page:    "/account/watchlist/{listing}",
		Form:    "/account/watchlist",
		Tag:     "Watching",
		Access:  Members,
		Scope:   models.ListingsWrite,
		Done:    "You watch this listing. You get mail when its price falls.",
		Title:   "Watch a listing",
		Summary: "Puts a listing on your watchlist.",
		Description: "From now on you get mail when its price falls by 3 % or more below the lowest you were told. Once is enough: watching again changes nothing. " +
			"At most 500 listings.",
		Errors: []string{"listing_not_found", "too_many_watches"},
		Sample: s.sampleWatch,
		Do: func(ctx context.Context, in *watchInput) (*views.Watch, error) {
			id := strings.ToLower(in.Listing)
			if err := s.store.PutWatch(ctx, memberID(ctx), id); err != nil {
				return nil, err
			}
			watches, err := s.watches(ctx, id)
			if err != nil {
				return nil, err
			}
			if len(watches) == 0 { // it went the moment it was put there
				_, err := s.store.Listing(ctx, id)
				return nil, errors.Join(err, ctx.Err())
			}
			return &watches[0], nil
		},
	}.Operation()
}

func (s *Server) unwatchListing() Operation {
	return Op[watchInput, *views.Watchlist]{
		Name:        "unwatch_listing",
		Method:      http.MethodDelete,
		Path:        "/api/watchlist/{listing}",
		Page:        "/account/watchlist/{listing}/remove",
		Form:        "/account/watchlist",
		Tag:         "Watching",
		Access:      Members,
		Scope:       models.ListingsWrite,
		Done:        "The listing is off your watchlist.",
		Title:       "Stop watching a listing",
		Summary:     "Takes a listing off your watchlist.",
		Description: "It need not be there. Answers with the watchlist that is left.",
		Sample:      func() *views.Watchlist { return views.NewWatchlist(&s.site, nil) },
		Do: func(ctx context.Context, in *watchInput) (*views.Watchlist, error) {
			if err := s.store.DeleteWatch(ctx, memberID(ctx), strings.ToLower(in.Listing)); err != nil {
				return nil, err
			}
			return s.watchlist(ctx)
		},
	}.Operation()
}

func (s *Server) listSearches() Operation {
	return Op[struct{}, *views.SavedSearches]{
		Name:    "list_searches",
		Path:    "/api/searches",
		Page:    "/account/searches",
		Tag:     "Watching",
		Access:  Members,
		Scope:   models.AccountRead,
		Title:   "List saved searches",
		Summary: "The searches you keep.",
		Description: "Answers with every search you keep, the newest first: what it looks for, how often alerts go out and by what. " +
			"get_search has the addresses of its feed and what you were told of; save_search keeps another.",
		Sample: func() *views.SavedSearches {
			return views.NewSavedSearches(&s.site, []views.SearchCard{s.sampleSearch().SearchCard})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.SavedSearches, error) { return s.savedSearches(ctx) },
	}.Operation()
}

func (s *Server) savedSearches(ctx context.Context) (*views.SavedSearches, error) {
	kept, err := s.store.Searches(ctx, memberID(ctx))
	if err != nil {
		return nil, err
	}
	cards := make([]views.SearchCard, len(kept))
	for i := range kept {
		cards[i] = s.searchCard(&kept[i])
	}
	return views.NewSavedSearches(&s.site, cards), nil
}

// searchCard is a saved search as it is shown. One that is understood no more,
// because what it names left the catalogue, is shown as it was kept.
func (s *Server) searchCard(kept *models.SavedSearch) views.SearchCard {
	q, err := s.parseSearch(kept.Query)
	if err != nil {
		q = search.Query{Filter: search.Filter{Keyword: kept.Query}}
	}
	return views.NewSearchCard(s.words, kept, understood(q))
}

// searchPlan binds a search that was kept.
var searchPlan = func() *bindPlan {
	plan, err := planFor(reflect.TypeFor[searchInput]())
	if err != nil {
		panic(err)
	}
	return plan
}()

// parseSearch reads a search as an address has it: its parameters, or the whole.
func (s *Server) parseSearch(query string) (search.Query, error) {
	if before, after, whole := strings.Cut(query, "?"); whole && !strings.Contains(before, "=") {
		query = after
	}
	in, err := searchPlan.bind(nil, query, true)
	if err != nil {
		return search.Query{}, inField("query", err)
	}
	given := in.in.(*searchInput)
	given.Cursor = ""
	q, err := s.readSearch(given)
	return q, inField("query", err)
}

// inField tells what is wrong with what stands inside one field as that field's.
func inField(field string, err error) error {
	var told *models.Error
	if !errors.As(err, &told) {
		return err
	}
	e := *told
	e.Code, e.Fields = "invalid_parameter", []models.FieldError{{Field: field, Code: "invalid_value", Message: told.Message}}
	return &e
}

type newSearchInput struct {
	Query string `json:"query,omitempty" jsonschema:"parameters of the search, as they stand in its address"`
}

func (s *Server) newSearch() Operation {
	return Op[newSearchInput, *views.NewSearch]{
		Name:        "new_search",
		Page:        "/account/searches/new",
		Tag:         "Watching",
		Access:      SignedIn,
		Title:       "Save a search",
		Summary:     "The form that saves a search.",
		Description: "Shows what a search looks for, and asks how you want to be told.",
		Sample: func() *views.NewSearch {
			return views.NewNewSearch(s.words, views.Query{Filter: search.Filter{Keyword: "canon r6"}, Sort: "relevance"})
		},
		Do: func(_ context.Context, in *newSearchInput) (*views.NewSearch, error) {
			q, err := s.parseSearch(in.Query)
			if err != nil {
				return nil, err
			}
			return views.NewNewSearch(s.words, understood(q)), nil
		},
	}.Operation()
}

type saveSearchInput struct {
	Query string `json:"query,omitempty" jsonschema:"parameters of the search as they stand in its address, such as keyword=canon+r6&budget=-900; instead of the parameters one by one" example:"keyword=canon+r6&budget=-900"`
	filterInput
	Name    string           `json:"name,omitempty" jsonschema:"what you call it, at most 100 characters; left out, a name is made of the search" example:"R6 under 900"`
	Every   models.Frequency `json:"every,omitempty" jsonschema:"how often alerts go out: within seconds of publication, or in one digest a day or week" enum:"instant,daily,weekly" default:"daily" example:"instant"`
	Email   *bool            `json:"email,omitempty" jsonschema:"whether alerts go out by mail; yes when left out" example:"true"`
	Webhook string           `json:"webhook,omitempty" jsonschema:"public address alerts are posted to as JSON, signed in the field Secondlight-Signature" example:"https://example.org/hook"`
}

func (s *Server) saveSearch() Operation {
	return Op[saveSearchInput, *views.SavedSearch]{
		Name:    "save_search",
		Method:  http.MethodPost,
		Path:    "/api/searches",
		Page:    "/account/searches",
		Form:    "/account/searches/new",
		Tag:     "Watching",
		Access:  Members,
		Scope:   models.ListingsWrite,
		Creates: true,
		Done:    "The search is saved.",
		Title:   "Save a search",
		Summary: "Keeps a search, and tells you of what is published.",
		Description: "Give a search as query, or by the parameters search_listings takes. From now on you are told of each listing it finds once, when it is first published: " +
			"by mail, by a feed at a secret address, and by webhook if you give one. Answers with the feed's addresses and the secret that signs webhooks. At most 100 searches.",
		Errors: []string{"too_many_searches"},
		Sample: s.sampleSearch,
		Do:     s.keepSearch,
	}.Operation()
}

func (s *Server) keepSearch(ctx context.Context, in *saveSearchInput) (*views.SavedSearch, error) {
	var q search.Query
	var err error
	single := !reflect.ValueOf(in.filterInput).IsZero()
	switch {
	case in.Query != "" && single:
		return nil, inField("query", &models.Error{Kind: models.Invalid, Message: "The search is given in query and by its parameters too.", Hint: "Give one of the two."})
	case single:
		q, err = s.readSearch(&searchInput{filterInput: in.filterInput})
	default:
		q, err = s.parseSearch(in.Query)
	}
	if err != nil {
		return nil, err
	}
	if err := s.checkWebhook(ctx, in.Webhook); err != nil {
		return nil, err
	}
	shown := understood(q)
	kept := &models.SavedSearch{MemberID: memberID(ctx), Name: cmp.Or(strings.TrimSpace(in.Name), clipped(strings.Trim(s.words.SearchTitle(shown), "“”"), 100)), Query: views.SearchQuery(shown),
		Every: in.Every, Email: in.Email == nil || *in.Email, Webhook: in.Webhook}
	if _, err := s.store.AddSearch(ctx, kept); err != nil {
		return nil, err
	}
	return s.savedSearch(ctx, kept)
}

// clipped cuts a text to at most n characters.
func clipped(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// checkWebhook refuses webhooks that are not at a public address.
func (s *Server) checkWebhook(ctx context.Context, address string) error {
	if address == "" {
		return nil
	}
	if err := s.guard.Check(ctx, address); err != nil {
		message := sentence(err.Error())
		return &models.Error{Kind: models.Invalid, Code: "invalid_parameter", Message: message, Hint: "Give an address on the public internet, or none.",
			Fields: []models.FieldError{{Field: "webhook", Code: "invalid_value", Message: message}}}
	}
	return nil
}

// alertsShown is how many listings a saved search shows that it told of.
const alertsShown = 24

func (s *Server) savedSearch(ctx context.Context, kept *models.SavedSearch) (*views.SavedSearch, error) {
	ids, err := s.store.Alerts(ctx, kept.ID, alertsShown)
	if err != nil {
		return nil, err
	}
	listings, err := s.store.ListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	cards, err := s.cards(ctx, listings)
	if err != nil {
		return nil, err
	}
	return views.NewSavedSearch(&s.site, s.searchCard(kept), kept, cards), nil
}

type savedSearchInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the saved search, as list_searches gives it" example:"019aa7d2-7c00-7000-8000-00000000000c"`
}

func (s *Server) getSearch() Operation {
	return Op[savedSearchInput, *views.SavedSearch]{
		Name:        "get_search",
		Path:        "/api/searches/{id}",
		Page:        "/account/searches/{id}",
		Tag:         "Watching",
		Access:      Members,
		Scope:       models.AccountRead,
		Title:       "Get a saved search",
		Summary:     "A search you keep, its feeds and what you were told of.",
		Description: "Answers with what the search looks for, how you are told, the secret addresses of its feeds, the secret that signs its webhooks, and the listings you were told of last.",
		Errors:      []string{"search_not_found"},
		Sample:      s.sampleSearch,
		Do: func(ctx context.Context, in *savedSearchInput) (*views.SavedSearch, error) {
			kept, err := s.store.Search(ctx, in.ID, memberID(ctx))
			if err != nil {
				return nil, err
			}
			return s.savedSearch(ctx, kept)
		},
	}.Operation()
}

type editSearchInput struct {
	savedSearchInput
	IfMatch string            `json:"if_match,omitempty" in:"If-Match" jsonschema:"what the change is a change of: the ETag that GET answered with; left out, whatever is there is changed"`
	Query   *string           `json:"query,omitempty" jsonschema:"parameters of the search as they stand in its address" example:"keyword=canon+r6"`
	Name    *string           `json:"name,omitempty" jsonschema:"what you call it" example:"R6 under 900"`
	Every   *models.Frequency `json:"every,omitempty" jsonschema:"how often alerts go out" enum:"instant,daily,weekly" example:"weekly"`
	Email   *bool             `json:"email,omitempty" jsonschema:"whether alerts go out by mail" example:"false"`
	Webhook *string           `json:"webhook,omitempty" jsonschema:"public address alerts are posted to; empty for none any more" example:"https://example.org/hook"`
}

func (s *Server) editSearch() Operation {
	return Op[editSearchInput, *views.SavedSearch]{
		Name:        "edit_search",
		Method:      http.MethodPatch,
		Path:        "/api/searches/{id}",
		Page:        "/account/searches/{id}",
		Tag:         "Watching",
		Access:      Members,
		Scope:       models.ListingsWrite,
		Done:        "The changes are kept.",
		Title:       "Change a saved search",
		Summary:     "Changes what a saved search looks for, or how you are told.",
		Description: "What is left out stays. What you were told of already is not told again.",
		Errors:      []string{"search_not_found", "search_changed"},
		Sample:      s.sampleSearch,
		Do: func(ctx context.Context, in *editSearchInput) (*views.SavedSearch, error) {
			if in.Webhook != nil {
				if err := s.checkWebhook(ctx, *in.Webhook); err != nil {
					return nil, err
				}
			}
			version := int64(0)
			if in.IfMatch != "" {
				version = versionIn(in.IfMatch)
			}
			kept, err := s.store.EditSearch(ctx, in.ID, memberID(ctx), version, func(kept *models.SavedSearch) error {
				if in.Query != nil {
					q, err := s.parseSearch(*in.Query)
					if err != nil {
						return err
					}
					kept.Query = views.SearchQuery(understood(q))
				}
				change(&kept.Name, in.Name)
				change(&kept.Every, in.Every)
				change(&kept.Email, in.Email)
				change(&kept.Webhook, in.Webhook)
				return nil
			})
			if err != nil {
				return nil, err
			}
			return s.savedSearch(ctx, kept)
		},
	}.Operation()
}

// change sets what an edit gives.
func change[T any](to, value *T) {
	if value != nil {
		*to = *value
	}
}

func (s *Server) deleteSearch() Operation {
	return Op[savedSearchInput, *views.SavedSearches]{
		Name:        "delete_search",
		Method:      http.MethodDelete,
		Path:        "/api/searches/{id}",
		Page:        "/account/searches/{id}/delete",
		Form:        "/account/searches",
		Tag:         "Watching",
		Access:      Members,
		Scope:       models.ListingsWrite,
		Destructive: true,
		Done:        "The search is deleted.",
		Title:       "Delete a saved search",
		Summary:     "Deletes a saved search, its feeds and what it told.",
		Description: "No alerts come any more, and the addresses of its feeds are good no more. Answers with the searches that are left.",
		Errors:      []string{"search_not_found"},
		Sample:      func() *views.SavedSearches { return views.NewSavedSearches(&s.site, nil) },
		Do: func(ctx context.Context, in *savedSearchInput) (*views.SavedSearches, error) {
			if err := s.store.DeleteSearch(ctx, in.ID, memberID(ctx)); err != nil {
				return nil, err
			}
			return s.savedSearches(ctx)
		},
	}.Operation()
}

func (s *Server) rotateSearch() Operation {
	return Op[savedSearchInput, *views.SavedSearch]{
		Name:        "rotate_search_secrets",
		Method:      http.MethodPost,
		Path:        "/api/searches/{id}/rotate",
		Page:        "/account/searches/{id}/rotate",
		Form:        "/account/searches/{id}",
		Tag:         "Watching",
		Access:      Members,
		Scope:       models.ListingsWrite,
		Destructive: true,
		Done:        "The secret and the addresses of the feeds are new. The old ones are good no more.",
		Title:       "Change a search's secrets",
		Summary:     "Gives a saved search new feed addresses and a new webhook secret.",
		Description: "For when somebody has an address or the secret who should not. The old ones stop at once.",
		Errors:      []string{"search_not_found"},
		Sample:      s.sampleSearch,
		Do: func(ctx context.Context, in *savedSearchInput) (*views.SavedSearch, error) {
			kept, err := s.store.NewSecrets(ctx, in.ID, memberID(ctx))
			if err != nil {
				return nil, err
			}
			return s.savedSearch(ctx, kept)
		},
	}.Operation()
}

func (s *Server) testSearch() Operation {
	return Op[savedSearchInput, *views.SavedSearch]{
		Name:        "test_search_webhook",
		Method:      http.MethodPost,
		Path:        "/api/searches/{id}/test",
		Page:        "/account/searches/{id}/test",
		Form:        "/account/searches/{id}",
		Tag:         "Watching",
		Access:      Members,
		Scope:       models.ListingsWrite,
		Done:        "A test is on its way to the webhook.",
		Title:       "Test a webhook",
		Summary:     "Posts a signed test to the webhook of a saved search.",
		Description: "The body is as an alert's, with the event test and no listings. It goes out within seconds, and again with growing pauses until it is taken.",
		Errors:      []string{"search_not_found"},
		Sample:      s.sampleSearch,
		Do: func(ctx context.Context, in *savedSearchInput) (*views.SavedSearch, error) {
			kept, err := s.store.Search(ctx, in.ID, memberID(ctx))
			if err != nil {
				return nil, err
			}
			if kept.Webhook == "" {
				return nil, &models.Error{Kind: models.Invalid, Code: "invalid_parameter", Message: "The search has no webhook.", Hint: "Give it one first with PATCH /api/searches/" + kept.ID + ".",
					Fields: []models.FieldError{{Field: "webhook", Code: "missing_parameter", Message: "The search has no webhook."}}}
			}
			page, err := s.savedSearch(ctx, kept)
			if err != nil {
				return nil, err
			}
			return page, s.store.Queue(ctx, models.Delivery{Kind: models.Webhook, Recipient: kept.Webhook, Body: page.AlertHook(nil), Secret: kept.WebhookSecret})
		},
	}.Operation()
}

// sampleDay is when samples were made.
var sampleDay = models.TimeOf(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

func (s *Server) sampleCard() views.Card {
	l := &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Canon EOS R6, barely used", Gear: "canon/eos-r6", Category: "mirrorless", Condition: "excellent",
		Functional: "fully_working", Price: 99900, Region: "DE", Status: models.StatusActive, PublishedAt: sampleDay}
	return views.NewCard(&s.site, l, s.catalog.Gear(l.Gear), "kleine-blende", nil)
}

func (s *Server) sampleWatch() *views.Watch {
	w := views.NewWatch(&s.site, s.sampleCard(), &models.Watch{ListingID: "019aa7d2-7c00-7000-8000-000000000000", Price: 109900, CreatedAt: sampleDay}, 99900)
	return &w
}

func (s *Server) sampleSearch() *views.SavedSearch {
	kept := &models.SavedSearch{ID: "019aa7d2-7c00-7000-8000-00000000000c", Name: "R6 under 1200", Query: "keyword=canon+r6&budget=-1200", Every: models.Daily, Email: true,
		Webhook: "https://example.org/hook", WebhookSecret: "whsec_EXAMPLE-example-EXAMPLE-example-EXAMPLE-exam", CreatedAt: sampleDay, DueAt: sampleDay + 24*60*60*1000}
	return views.NewSavedSearch(&s.site, s.searchCard(kept), kept, []views.Card{s.sampleCard()})
}

// mountWatching serves the feeds of saved searches at their secret addresses, and
// ends their mail at the addresses mail names. Neither is an operation: who has
// the address may, and nobody else knows that there is one.
func (s *Server) mountWatching() {
	s.app.Get("/feeds/:secret", s.searchFeed)
	s.app.Get("/unsubscribe/:id/:key", s.stopMail(s.store.SearchByKey))
	s.app.Post("/unsubscribe/:id/:key", s.stopMail(s.store.StopMail))
}

// feedShown is how many listings the feed of a saved search has.
const feedShown = 50

// searchFeed answers with what a saved search finds, the newest first.
func (s *Server) searchFeed(c *fiber.Ctx) error {
	ctx := c.Context()
	x := exchangeOf(ctx)
	if !x.suffixed || !x.face.feed() {
		return fromCode("page_not_found")
	}
	work := x.caller.work()
	defer work.end()
	kept, err := s.store.SearchByFeed(work, strings.Clone(c.Params("secret")))
	if err != nil {
		if isNotFound(err) {
			err = fromCode("page_not_found")
		}
		return err
	}
	card := s.searchCard(kept)
	var cards []views.Card
	if q, err := s.parseSearch(kept.Query); err == nil {
		q.Sort, q.Limit = search.Newest, feedShown
		found, err := s.index.Search(q)
		if err != nil {
			return err
		}
		if cards, err = decodeCards(found); err != nil {
			return err
		}
	}
	feed := views.SavedSearchFeed(&s.site, kept, card.Text, cards)
	var body bytes.Buffer
	if x.face == Atom {
		err = feed.Atom(&body)
	} else {
		err = feed.JSON(&body)
	}
	if err != nil {
		return err
	}
	h := &ctx.Response.Header
	h.SetContentType(x.face.ContentType())
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Vary", varyByCaller)
	ctx.Response.SetBody(body.Bytes())
	return nil
}

// stopMail shows, or ends, the mail of a saved search (RFC 8058).
func (s *Server) stopMail(do func(ctx context.Context, id, key string) (*models.SavedSearch, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx := c.Context()
		key, err := url.PathUnescape(c.Params("key"))
		if err != nil {
			return fromCode("page_not_found")
		}
		work := exchangeOf(ctx).caller.work()
		defer work.end()
		kept, err := do(work, strings.Clone(c.Params("id")), strings.Clone(key))
		if err != nil {
			if isNotFound(err) {
				err = fromCode("page_not_found")
			}
			return err
		}
		body, err := s.renderTo(takeBody(ctx), views.NewStopMail(&s.site, kept), HTML, s.viewer(ctx, work, HTML))
		if err != nil {
			return err
		}
		h := &ctx.Response.Header
		h.SetContentType(HTML.ContentType())
		h.Set("Cache-Control", "private, no-store")
		h.Set("X-Robots-Tag", "noindex")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Vary", varyByCaller)
		ctx.Response.SetBody(body)
		return nil
	}
}
