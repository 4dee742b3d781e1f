package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
)

// ImportSales inserts completed sales in one transaction and updates the trend
// of every gear concerned. Sales with a known ExternalID or ID are left
// unchanged. Gear and SoldAt are required; ID is set if it is empty.
func (s *Trades) ImportSales(ctx context.Context, sales []models.Sale) (inserted, unchanged int, err error) {
	s.identifySales(sales)
	err = s.update(ctx, func(t *tx) (err error) {
		inserted, err = addSales(ctx, t, sales)
		return err
	})
	return inserted, len(sales) - inserted, err
}

// AddImportedSales is ImportSales, but the trends stay as they are, and are marked as
// outdated. The caller must call RebuildOutdatedTrends after the last sales; if it does
// not live that long, Migrate and the nightly job do.
func (s *Trades) AddImportedSales(ctx context.Context, sales []models.Sale) (inserted, unchanged int, err error) {
	s.identifySales(sales)
	err = s.update(ctx, func(t *tx) (err error) {
		if inserted, err = addSales(ctx, t, sales); err != nil {
			return err
		}
		return markOutdated(ctx, t)
	})
	return inserted, len(sales) - inserted, err
}

// identifySales sets the ids of sales that have none.
func (s *Trades) identifySales(sales []models.Sale) {
	for i := range sales {
		if sales[i].ID == "" {
			sales[i].ID = s.newID()
		}
	}
}

// addSales inserts the sales that are new, has those that are eligible added to
// the trends of their gear, and returns the number inserted. It sets empty
// Sources and Statuses.
func addSales(ctx context.Context, t *tx, sales []models.Sale) (inserted int, err error) {
	byID := make(map[string]*models.Sale, len(sales))
	row := func(i int) []any {
		v := &sales[i]
		v.SetDefaults()
		byID[v.ID] = v
		return []any{v.ID, models.Nullable(v.ExternalID), v.Gear, v.Condition, v.Price, v.SoldAt, v.Region, models.Nullable(v.ListingID), v.Demo,
			v.Source, v.SourceName, v.Status, models.Nullable(v.OfferID), models.Nullable(v.SellerID), models.Nullable(v.BuyerID),
			v.ConfirmAt, v.Newcomer, v.Held, v.ApprovedAt, v.VoidedAt, v.Paid, v.Currency, v.RateDay}
	}
	err = t.insertReturning(ctx, `sales (id, external_id, gear, condition, price, sold_at, region, listing_id, demo,
		source, source_name, status, offer_id, seller_id, buyer_id, confirm_at, newcomer, held, approved_at, voided_at, paid, currency, rate_day)`,
		`ON CONFLICT DO NOTHING RETURNING id`, len(sales), row, func(r *sqlx.Rows) error {
			var id string
			err := r.Scan(&id)
			if v := byID[id]; v != nil && v.Eligible() {
				touchTrendAdded(t, v.Gear, v.SoldAt, v.ID)
			}
			inserted++
			return err
		})
	return inserted, err
}

// CountSales returns the number of sales from which the trends are computed.
func (s *Trades) CountSales(ctx context.Context) (n int, err error) {
	err = s.read.GetContext(ctx, &n, `SELECT CAST(COALESCE(SUM(all_time), 0) AS BIGINT) FROM trends`)
	return n, err
}
