package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	listingviews "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
	views "github.com/secondlight/secondlight/views/watch"
)

// Alerts queues what members are told by email and webhook, and takes the steps that are due.
type Alerts struct {
	Deps
	Kits interface {
		NotifyKits(ctx context.Context, gear []string) error
		NotifyKitsOfFit(context.Context) error
	}
}

// Limits of the background jobs.
const (
	batchSize        = 200
	dropsBatch       = 1000               // watchers who are notified of a price drop in one transaction
	MaxAlertListings = 400                // listings in one alert; more are only counted
	maxAlertTotal    = 10_000             // listings that are counted for one alert
	reminderTime     = 5 * 24 * time.Hour // before a listing expires
	// indexDelay is the longest time from the publication of a listing to its
	// appearance in the index. An alert looks back this far.
	indexDelay = 10 * time.Minute
)

// AlertNow queues alerts of instant searches and of price drops of watched listings.
func (s Alerts) AlertNow(ctx context.Context) error {
	var errs []error
	after := ""
	for {
		searches, err := s.Watches.InstantSearches(ctx, after, batchSize)
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		for i := range searches {
			errs = append(errs, s.alert(ctx, &searches[i]))
		}
		if len(searches) < batchSize {
			break
		}
		after = searches[len(searches)-1].ID
	}
	return errors.Join(append(errs, s.notifyPriceDrops(ctx))...)
}

// DoDue queues due alerts of daily and weekly searches, reminds sellers and traders, expires
// listings and offers, and confirms sales whose buyers have been silent.
func (s Alerts) DoDue(ctx context.Context) error {
	return errors.Join(s.sendDigests(ctx), s.remind(ctx), s.expire(ctx), s.Trades.ExpireOffers(ctx), s.Trades.RemindTraders(ctx, batchSize), s.Trades.ConfirmSales(ctx, batchSize))
}

// sendDigests queues due alerts of daily and weekly searches.
func (s Alerts) sendDigests(ctx context.Context) error {
	var errs []error
	for {
		searches, err := s.Watches.ClaimDueSearches(ctx, batchSize)
		errs = append(errs, err)
		for i := range searches {
			errs = append(errs, s.alert(ctx, &searches[i]))
		}
		if len(searches) < batchSize {
			return errors.Join(errs...)
		}
	}
}

// alert runs a saved search and queues an alert with the listings that were published
// since the last run and have not been in an alert.
func (s Alerts) alert(ctx context.Context, saved *models.SavedSearch) error {
	if err := s.queueAlert(ctx, saved); err != nil {
		return fmt.Errorf("saved search %s: %w", saved.ID, err)
	}
	return nil
}

func (s Alerts) queueAlert(ctx context.Context, saved *models.SavedSearch) error {
	cards, err := s.published(ctx, saved)
	if err != nil {
		return err
	}
	ids := make([]string, len(cards))
	for i := range cards {
		ids[i] = cards[i].ID
	}
	if ids, err = s.Watches.NewMatches(ctx, saved.ID, ids); err != nil {
		return err
	}
	if len(ids) == 0 && saved.Every == models.Instant {
		return nil // nothing to record
	}
	reader, err := s.readerOf(ctx, saved.MemberID)
	if err != nil {
		return err
	}
	return s.Watches.QueueAlerts(ctx, saved, ids, func(newIDs []string) []models.Delivery {
		isNew := map[string]bool{}
		for _, id := range newIDs {
			isNew[id] = true
		}
		return s.alertDeliveries(reader, saved, slices.DeleteFunc(slices.Clone(cards), func(c ui.Card) bool { return !isNew[c.ID] }))
	})
}

// readerOf returns a copy of ctx for emails to a member, in their language.
func (s Alerts) readerOf(ctx context.Context, memberID string) (context.Context, error) {
	accounts, err := s.Accounts.AccountsByID(ctx, []string{memberID})
	if a := accounts[memberID]; a != nil {
		return s.Site.InLanguage(ctx, a.Language), err
	}
	return s.Site.InLanguage(ctx, ""), err
}

// alertDeliveries returns the email and the webhook about new matches of a saved search.
func (s Alerts) alertDeliveries(ctx context.Context, saved *models.SavedSearch, matches []ui.Card) (out []models.Delivery) {
	page := views.NewSavedSearch(s.Site, s.Queries.Card(saved), saved, nil)
	shown, total := matches[:min(len(matches), MaxAlertListings)], len(matches)
	if saved.Email {
		stop := s.Site.URL(views.UnsubscribePath(saved))
		email := page.AlertEmail(ctx, shown, total, stop).Delivery(ctx, s.Site, saved.MemberID)
		email.SearchID, email.Secret = saved.ID, stop
		out = append(out, email)
	}
	if saved.Notifies(models.ListingsPublished) {
		out = append(out, models.Delivery{Kind: models.Webhook, Recipient: saved.Webhook, MemberID: saved.MemberID, SearchID: saved.ID,
			Body: page.AlertWebhook(shown, total), Secret: saved.WebhookSecret})
	}
	return out
}

// published returns the listings of other members that match a saved search and were
// published since its last run, newest first, at most maxAlertTotal.
func (s Alerts) published(ctx context.Context, saved *models.SavedSearch) ([]ui.Card, error) {
	return s.publishedSince(ctx, saved, max(saved.CreatedAt, saved.LastRunAt.Add(-indexDelay)))
}

// publishedSince returns the listings of other members that match a saved search and
// were published at a time or later, newest first, at most maxAlertTotal.
func (s Deps) publishedSince(ctx context.Context, saved *models.SavedSearch, from models.Time) (cards []ui.Card, err error) {
	q, err := s.Queries.Parse(saved.Query)
	if err != nil {
		s.Log.Warn("parse saved search", "search", saved.ID, "err", err)
		return nil, nil
	}
	own, err := s.Accounts.MemberByID(ctx, saved.MemberID)
	if err != nil {
		return nil, err
	}
	since := from.RFC3339()
	q.Sort, q.Limit, q.Cursor, q.NoFacets = search.Newest, search.MaxLimit, "", true
	for len(cards) < maxAlertTotal && ctx.Err() == nil {
		found, err := s.Index.Search(q)
		if err != nil {
			return nil, err
		}
		page, err := s.Cards.Decode(found)
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
	return cards, ctx.Err()
}

// notifyPriceDrops queues emails to the watchers of listings whose price dropped. What a server
// that stops doesn't record as read is read again, and everybody is notified once.
func (s Alerts) notifyPriceDrops(ctx context.Context) error {
	for {
		changes, err := s.Watches.UnreadPriceChanges(ctx)
		if err != nil {
			return err
		}
		if changes.Missed {
			err = s.notifyAllPriceDrops(ctx)
		} else {
			err = s.notifyChangedPrices(ctx, changes.Entries)
		}
		if err != nil {
			return err
		}
		if err := s.Watches.PriceChangesRead(ctx, changes); err != nil || !changes.More {
			return err
		}
	}
}

// notifyAllPriceDrops queues emails about all price drops that watchers were not notified of.
func (s Alerts) notifyAllPriceDrops(ctx context.Context) error {
	for {
		ids, err := s.Watches.ListingsWithPriceDrops(ctx, batchSize)
		if err != nil {
			return err
		}
		if err := s.notifyPriceDropsOf(ctx, ids); err != nil || len(ids) < batchSize {
			return err
		}
	}
}

// notifyChangedPrices queues emails about those changed listings that have become cheaper.
func (s Alerts) notifyChangedPrices(ctx context.Context, changes []models.Entry) error {
	for part := range slices.Chunk(changes, batchSize) {
		ids := make([]string, len(part))
		for i := range part {
			ids[i] = part[i].Subject
		}
		ids, err := s.Watches.PriceDropsOf(ctx, ids)
		if err != nil {
			return err
		}
		if err := s.notifyPriceDropsOf(ctx, ids); err != nil {
			return err
		}
	}
	return nil
}

// notifyPriceDropsOf queues emails to the watchers of listings.
func (s Alerts) notifyPriceDropsOf(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	listings, err := s.Listings.ListingsByID(ctx, ids)
	if err != nil {
		return err
	}
	cards, err := s.Cards.Of(ctx, listings)
	if err != nil {
		return err
	}
	var errs []error
	for i := range listings {
		errs = append(errs, s.notifyPriceDrop(ctx, listings[i], &cards[i]))
	}
	return errors.Join(errs...)
}

// notifyPriceDrop queues emails to the watchers of a listing, who may be many, in batches.
func (s Alerts) notifyPriceDrop(ctx context.Context, l *models.Listing, card *ui.Card) error {
	render := s.priceDropRenderer(ctx, l, card)
	for after := ""; ; {
		_, next, err := s.Watches.QueuePriceDrops(ctx, l.ID, after, dropsBatch, render)
		if err != nil || next == "" {
			return err
		}
		after = next
	}
}

// priceDropRenderer returns a function that renders emails about price drops of a listing. It
// renders an email once for all who read the same language and knew the same price.
func (s Alerts) priceDropRenderer(ctx context.Context, l *models.Listing, card *ui.Card) func([]models.PriceDrop) []models.Delivery {
	own := s.Site.Currency().Or(l.Currency)
	rendered := map[models.PriceDrop]models.Delivery{}
	return func(drops []models.PriceDrop) (out []models.Delivery) {
		for _, d := range drops {
			same := models.PriceDrop{From: d.From, To: d.To, Language: d.Language}
			email, known := rendered[same]
			if !known {
				card := *card
				card.Price = own.Money(d.To)
				reader := s.Site.InLanguage(ctx, d.Language)
				email = views.PriceDropEmail(reader, s.Site, &card, own.Money(d.From)).Delivery(reader, s.Site, "")
				if len(rendered) < dropsBatch {
					rendered[same] = email
				}
			}
			email.MemberID = d.MemberID
			out = append(out, email)
		}
		return out
	}
}

// remind queues emails to the sellers of listings that expire soon.
func (s Alerts) remind(ctx context.Context) error {
	return s.Watches.QueueReminders(ctx, models.TimeOf(s.Clock().Add(reminderTime)), batchSize, func(l *models.Listing, language string) models.Delivery {
		card := ui.NewCard(s.Site, l, s.Catalog.Gear(l.Gear), "", nil)
		reader := s.Site.InLanguage(ctx, language)
		return listingviews.ReminderEmail(reader, s.Site, &card, l.ExpiresAt).Delivery(reader, s.Site, l.SellerID)
	})
}

// expire expires the listings that are past their expiry date.
func (s Alerts) expire(ctx context.Context) error {
	now := models.TimeOf(s.Clock())
	ids, err := s.Listings.DueListings(ctx, now, batchSize)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		_, err := s.Listings.Advance(ctx, id, models.Move{Step: models.Expire, At: now})
		var e *problem.Error
		if !errors.As(err, &e) { // a problem means that the status has changed meanwhile
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
