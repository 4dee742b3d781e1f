package handlers

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

// Rounds are the pauses between what the site does by itself. Every replica does
// all of it: what must happen once is taken in the database.
type Rounds struct {
	Instant time.Duration // between looks at what instant searches and watches find
	Due     time.Duration // between looks at daily and weekly searches, listings and offers whose time is over
	Clean   time.Duration // between clean-ups
}

// UsualRounds are those of a running site.
var UsualRounds = Rounds{Instant: 2 * time.Second, Due: 30 * time.Second, Clean: time.Hour}

// Bounds of a round.
const (
	roundSize    = 200
	alertPages   = 4 // of the index's largest pages that are read for one search
	reminderTime = 5 * 24 * time.Hour
	// lateness is how long the index may take to show a listing that is published
	// already: so far back an alert looks again.
	lateness = 10 * time.Minute
)

// Background does what the site does by itself until ctx ends.
func (s *Server) Background(ctx context.Context, rounds Rounds) error {
	var group sync.WaitGroup
	every := func(pause time.Duration, name string, do func(context.Context) error) {
		group.Go(func() {
			ticker := time.NewTicker(pause)
			defer ticker.Stop()
			for {
				if err := do(ctx); err != nil && ctx.Err() == nil {
					s.log.Error("a round is not finished", "round", name, "err", err)
				}
				select {
				case <-ctx.Done():
					return
				case <-ticker.C:
				}
			}
		})
	}
	// What is instant is looked at when the index has moved on, and now and then in
	// any case: what another replica was about to tell when it died.
	var seen uint64
	var at time.Time
	every(rounds.Instant, "instant", func(ctx context.Context) error {
		version, now := s.index.Version(), time.Now()
		if version == seen && now.Sub(at) < rounds.Due {
			return nil
		}
		if err := s.AlertNow(ctx); err != nil {
			return err
		}
		seen, at = version, now
		return nil
	})
	every(rounds.Due, "due", s.DoDue)
	every(rounds.Clean, "clean", s.store.Clean)
	group.Wait()
	return nil
}

// AlertNow tells instant searches what was published, and watchers what became
// cheaper.
func (s *Server) AlertNow(ctx context.Context) error {
	var errs []error
	after := ""
	for {
		kept, err := s.store.InstantSearches(ctx, after, roundSize)
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		for i := range kept {
			errs = append(errs, s.alert(ctx, &kept[i]))
		}
		if len(kept) < roundSize {
			break
		}
		after = kept[len(kept)-1].ID
	}
	return errors.Join(append(errs, s.tellDrops(ctx))...)
}

// DoDue does what its time has come for: daily and weekly searches, reminders,
// and the end of listings and offers.
func (s *Server) DoDue(ctx context.Context) error {
	kept, err := s.store.DueSearches(ctx, roundSize)
	errs := []error{err}
	for i := range kept {
		errs = append(errs, s.alert(ctx, &kept[i]))
	}
	return errors.Join(append(errs, s.remind(ctx), s.expire(ctx), s.store.ExpireOffers(ctx))...)
}

// alert looks at a search, and tells of what was first published since the last
// look and not told yet.
func (s *Server) alert(ctx context.Context, kept *models.SavedSearch) error {
	cards, err := s.published(ctx, kept)
	if err != nil {
		return err
	}
	ids := make([]string, len(cards))
	for i := range cards {
		ids[i] = cards[i].ID
	}
	if ids, err = s.store.Untold(ctx, kept.ID, ids); err != nil {
		return err
	}
	if len(ids) == 0 && kept.Every == models.Instant {
		return nil // nothing to write down
	}
	page := views.NewSavedSearch(&s.site, s.searchCard(kept), kept, nil)
	return s.store.TakeAlerts(ctx, kept, ids, func(news []string) (out []models.Delivery) {
		told := slices.DeleteFunc(slices.Clone(cards), func(c views.Card) bool { return !slices.Contains(news, c.ID) })
		if kept.Email {
			stop := s.site.URL(views.StopPath(kept))
			subject, body := page.AlertMail(told, stop)
			out = append(out, models.Delivery{Kind: models.Mail, MemberID: kept.MemberID, Subject: subject, Body: body, Secret: stop})
		}
		if kept.Webhook != "" {
			out = append(out, models.Delivery{Kind: models.Webhook, Recipient: kept.Webhook, Body: page.AlertHook(told), Secret: kept.WebhookSecret})
		}
		return out
	})
}

// published are the listings a search finds that others published since it was
// looked at last, the newest first.
func (s *Server) published(ctx context.Context, kept *models.SavedSearch) (cards []views.Card, err error) {
	q, err := s.parseSearch(kept.Query)
	if err != nil {
		s.log.Warn("a saved search is understood no more", "search", kept.ID)
		return nil, nil
	}
	own, err := s.store.MemberByID(ctx, kept.MemberID)
	if err != nil {
		return nil, err
	}
	since := max(kept.CreatedAt, kept.LookedAt-models.Time(lateness.Milliseconds())).RFC3339()
	q.Sort, q.Limit, q.Cursor = search.Newest, search.MaxLimit, ""
	for range alertPages {
		found, err := s.index.Search(q)
		if err != nil {
			return nil, err
		}
		page, err := decodeCards(found)
		if err != nil {
			return nil, err
		}
		for i := range page {
			if page[i].PublishedAt < since {
				return cards, nil
			}
			if page[i].Seller != own.Handle {
				cards = append(cards, page[i])
			}
		}
		if q.Cursor = found.NextCursor; q.Cursor == "" {
			break
		}
	}
	return cards, nil
}

// tellDrops tells watchers what became cheaper.
func (s *Server) tellDrops(ctx context.Context) error {
	ids, err := s.store.Dropped(ctx, roundSize)
	if err != nil || len(ids) == 0 {
		return err
	}
	listings, err := s.store.ListingsByID(ctx, ids)
	if err != nil {
		return err
	}
	cards, err := s.cards(ctx, listings)
	if err != nil {
		return err
	}
	var errs []error
	for i := range listings {
		_, err := s.store.TakeDrops(ctx, listings[i].ID, func(drops []models.PriceDrop) (out []models.Delivery) {
			for _, d := range drops {
				card := cards[i]
				card.Price = s.site.Currency.Money(d.To)
				subject, body := views.DropMail(&s.site, &card, s.site.Currency.Money(d.From))
				out = append(out, models.Delivery{Kind: models.Mail, MemberID: d.MemberID, Subject: subject, Body: body})
			}
			return out
		})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// remind tells sellers of listings that expire soon.
func (s *Server) remind(ctx context.Context) error {
	return s.store.TakeReminders(ctx, models.TimeOf(s.clock().Add(reminderTime)), roundSize, func(due []*models.Listing) (out []models.Delivery) {
		for _, l := range due {
			card := views.NewCard(&s.site, l, s.catalog.Gear(l.Gear), "", nil)
			subject, body := views.ReminderMail(&s.site, &card, l.ExpiresAt)
			out = append(out, models.Delivery{Kind: models.Mail, MemberID: l.SellerID, Subject: subject, Body: body})
		}
		return out
	})
}

// expire ends listings whose time is over.
func (s *Server) expire(ctx context.Context) error {
	now := models.TimeOf(s.clock())
	ids, err := s.store.DueListings(ctx, now, roundSize)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		_, err := s.store.Advance(ctx, id, models.Move{Step: models.Expire, At: now})
		var told *models.Error
		if !errors.As(err, &told) { // else somebody was there first
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
