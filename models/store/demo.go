package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// DemoData is demonstration data. Its parts refer only to those before them, except
// that sales also refer to offers.
type DemoData struct {
	Members    []models.Member
	Listings   []models.Listing
	Offers     []DemoOffer
	Sales      [][]models.Sale // in batches; each has all sales of its gear
	Ratings    []models.Rating
	PastPrices []DemoPrice
	Watches    []DemoWatch
}

// DemoOffer is an offer with its proposals.
type DemoOffer struct {
	models.Offer
	AgreedAt models.Time // when it was accepted, or 0
	Rounds   []models.Proposal
}

// DemoPrice is a previous asking price of a listing.
type DemoPrice struct {
	ListingID string
	models.PastPrice
}

// DemoWatch is a listing on a member's watchlist.
type DemoWatch struct {
	MemberID string
	models.Watch
}

// Rows returns the number of rows that FillDemo reports.
func (d *DemoData) Rows() int {
	n := len(d.Members) + len(d.Listings) + len(d.Offers) + len(d.Ratings) + len(d.PastPrices) + len(d.Watches)
	for _, batch := range d.Sales {
		n += len(batch)
	}
	return n
}

// FillDemo writes demonstration data to a store without listings and sales in one
// transaction and marks it as such. Members whose handle is taken get another one. It calls wrote with the number of rows written since the last
// call; if the transaction is retried, rows are counted again.
func (s *Site) FillDemo(ctx context.Context, d *DemoData, wrote func(rows int)) error {
	all := make([]*models.Listing, len(d.Listings))
	for i := range d.Listings {
		all[i] = &d.Listings[i]
		s.listings.stamp(all[i])
	}
	return s.update(ctx, func(t *tx) error {
		if err := t.setSetting(ctx, demoSetting, "true"); err != nil {
			return err
		}
		if err := requireUnpriced(ctx, t); err != nil {
			return err
		}
		if err := renameTaken(ctx, t, d.Members); err != nil {
			return err
		}
		t.changed(models.SiteChanged, siteSubject)
		if err := insertMembers(ctx, t, d.Members); err != nil {
			return fmt.Errorf("write members: %w", err)
		}
		wrote(len(d.Members))
		for batch := range slices.Chunk(all, 1000) {
			if err := insertListings(ctx, t, batch); err != nil {
				return fmt.Errorf("write listings: %w", err)
			}
			wrote(len(batch))
		}
		if err := insertDemoOffers(ctx, t, d.Offers); err != nil {
			return fmt.Errorf("write offers: %w", err)
		}
		wrote(len(d.Offers))
		for _, batch := range d.Sales {
			if _, err := addSales(ctx, t, batch); err != nil {
				return fmt.Errorf("write sales: %w", err)
			}
			wrote(len(batch))
		}
		if err := insertDemoDetails(ctx, t, d); err != nil {
			return err
		}
		wrote(len(d.Ratings) + len(d.PastPrices) + len(d.Watches))
		return nil
	})
}

// renameTaken gives the members whose handle is taken another one.
func renameTaken(ctx context.Context, t *tx, members []models.Member) error {
	var taken []string
	if err := t.SelectContext(ctx, &taken, `SELECT handle FROM members`); err != nil {
		return err
	}
	for i := range members {
		if slices.Contains(taken, members[i].Handle) {
			members[i].Handle += "-demo"
		}
	}
	return nil
}

// insertDemoOffers inserts offers, their proposals, and the agreements of those that
// were accepted. Their listings are inserted already.
func insertDemoOffers(ctx context.Context, t *tx, offers []DemoOffer) error {
	err := t.insert(ctx, `offers (`+offerColumns+`)`, "", len(offers), func(i int) []any {
		o := &offers[i]
		return []any{o.ID, o.ListingID, o.BuyerID, o.SellerID, o.Status, o.Amount, o.Proposals, o.CreatedAt, o.UpdatedAt, o.ExpiresAt, o.Currency, o.Bought, o.Method, models.UnknownPostage}
	})
	if err != nil {
		return err
	}
	type round struct {
		*DemoOffer
		number int
	}
	var rounds []round
	for i := range offers {
		for n := range offers[i].Rounds {
			rounds = append(rounds, round{&offers[i], n})
		}
	}
	err = t.insert(ctx, `offer_rounds (offer_id, round, by_buyer, amount, message, at)`, "", len(rounds), func(i int) []any {
		r := rounds[i]
		p := r.Rounds[r.number]
		return []any{r.ID, r.number + 1, p.ByBuyer, p.Amount, p.Message, p.At}
	})
	if err != nil {
		return err
	}
	for _, o := range offers {
		if o.AgreedAt == 0 {
			continue
		}
		agreed := o.Offer
		agreed.UpdatedAt = o.AgreedAt
		if err := addAgreement(ctx, t, &agreed); err != nil {
			return err
		}
	}
	return nil
}

// insertDemoDetails inserts ratings, previous prices and watches.
func insertDemoDetails(ctx context.Context, t *tx, d *DemoData) error {
	err := t.insert(ctx, `ratings (offer_id, rater_id, rated_id, stars, text, at)`, "", len(d.Ratings), func(i int) []any {
		r := &d.Ratings[i]
		return []any{r.OfferID, r.RaterID, r.RatedID, r.Stars, r.Text, r.At}
	})
	if err != nil {
		return fmt.Errorf("write ratings: %w", err)
	}
	err = t.insert(ctx, `listing_prices (listing_id, until, price)`, "", len(d.PastPrices), func(i int) []any {
		p := &d.PastPrices[i]
		return []any{p.ListingID, p.Until, p.Price}
	})
	if err != nil {
		return fmt.Errorf("write previous prices: %w", err)
	}
	err = t.insert(ctx, `watches (member_id, listing_id, price, told_price, created_at)`, "", len(d.Watches), func(i int) []any {
		w := &d.Watches[i]
		return []any{w.MemberID, w.ListingID, w.Price, w.Price, w.CreatedAt}
	})
	if err != nil {
		return fmt.Errorf("write watches: %w", err)
	}
	return nil
}
