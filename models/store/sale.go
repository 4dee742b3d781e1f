package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// selectSale selects the fields of Sale. The sales table is aliased as s.
const selectSale = `SELECT s.id, COALESCE(s.external_id, '') AS external_id, s.gear, s.condition, s.price, s.sold_at, s.region,
	COALESCE(s.listing_id, '') AS listing_id, s.demo, s.source, s.source_name, s.status, COALESCE(s.offer_id, '') AS offer_id,
	COALESCE(s.seller_id, '') AS seller_id, COALESCE(s.buyer_id, '') AS buyer_id, s.confirm_at, s.newcomer, s.by_buyer, s.out_of_range, s.held, s.approved_at, s.voided_at,
	s.paid, s.currency, s.rate_day, s.seller_kind FROM sales s `

// recordSale records the sale of a listing that has just been sold, by an offer
// or by the seller alone.
func recordSale(ctx context.Context, t *tx, l *models.Listing, move models.Move) error {
	if move.Step != models.Sell {
		return nil
	}
	if move.Offer != nil {
		return bookSale(ctx, t, l, move.Offer, move.At)
	}
	source, err := sourceOf(ctx, t, l.SellerID)
	if err != nil {
		return err
	}
	sale := &models.Sale{Gear: l.Gear, Condition: l.Condition, SoldAt: move.At, Region: l.Region,
		ListingID: l.ID, Demo: l.Demo, Source: source, SellerID: l.SellerID}
	sale.SetAmount(move.Price, l.Currency)
	return addSale(ctx, t, sale)
}

// sourceOf returns the source of a sale that a member declares alone.
func sourceOf(ctx context.Context, t *tx, seller string) (models.SaleSource, error) {
	var operator bool
	err := t.GetContext(ctx, &operator, `SELECT EXISTS (SELECT 1 FROM accounts WHERE member_id = $1 AND role = $2)`, seller, models.RoleOperator)
	if operator {
		return models.SaleByShop, err
	}
	return models.SaleDeclared, err
}

// bookSale records the sale of a completed offer as it was agreed on. It awaits
// the buyer's confirmation.
func bookSale(ctx context.Context, t *tx, l *models.Listing, o *models.Offer, at models.Time) error {
	a, err := agreementOf(ctx, t, o.ID)
	if err != nil {
		return err
	}
	if a == nil {
		return fmt.Errorf("record sale: offer %s has no agreement", o.ID)
	}
	sale := &models.Sale{Gear: a.Listing.Gear, Condition: a.Listing.Condition, SoldAt: at, Region: a.Listing.Region,
		ListingID: l.ID, Demo: l.Demo, Source: models.SaleByMembers, Status: models.SaleWaiting, OfferID: o.ID, SellerID: o.SellerID, BuyerID: o.BuyerID,
		ConfirmAt: o.ExpiresAt, Newcomer: true}
	sale.SetAmount(a.Amount, a.Listing.Currency)
	return addSale(ctx, t, sale)
}

// addSale records a sale of a member, who keeps being a dealer or not for it.
func addSale(ctx context.Context, t *tx, s *models.Sale) error {
	s.ID = models.NewID(s.SoldAt.Std())
	if err := convertSale(ctx, t, s); err != nil {
		return err
	}
	if err := t.GetContext(ctx, &s.SellerKind, `SELECT seller_kind FROM members WHERE id = $1`, s.SellerID); err != nil {
		return err
	}
	_, err := addSales(ctx, t, []models.Sale{*s})
	return err
}

// confirmSale confirms the sale of an offer. It counts as of now, so that trends
// grow at their end.
func confirmSale(ctx context.Context, t *tx, o *models.Offer, at models.Time) error {
	s, err := saleBy(ctx, t, "offer_id", o.ID)
	if err != nil {
		return err
	}
	n, err := t.affected(ctx, `UPDATE sales SET status = 'confirmed', sold_at = $2 WHERE id = $1 AND status <> 'confirmed' AND voided_at = 0`, s.ID, at)
	if err == nil && n == 0 {
		err = saleNotInReview(s)
	}
	if err != nil {
		return err
	}
	if err := judgeSale(ctx, t, s, at); err != nil {
		return err
	}
	touchTrendAdded(t, s.Gear, at, s.ID)
	return saleChanged(ctx, t, s)
}

// judgeSale stores whether a confirmed sale counts: if its seller or buyer is established, and
// unless its price is far from its estimate. Earlier sales of those who are established now
// count, too.
func judgeSale(ctx context.Context, t *tx, s *models.Sale, at models.Time) error {
	seller, err := isEstablished(ctx, t, s.SellerID, at)
	if err != nil {
		return err
	}
	buyer, err := isEstablished(ctx, t, s.BuyerID, at)
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `UPDATE sales SET newcomer = $2, by_buyer = $3, out_of_range = EXISTS (
			SELECT 1 FROM price_estimates e WHERE e.gear = sales.gear AND e.condition = sales.condition AND (2 * sales.price > 3 * e.high OR 3 * sales.price < 2 * e.low))
		WHERE id = $1`, s.ID, !seller && !buyer, buyer && !seller)
	if err == nil && seller {
		err = countEarlierSales(ctx, t, s.SellerID)
	}
	if err == nil && buyer {
		err = countEarlierSales(ctx, t, s.BuyerID)
	}
	return err
}

// countEarlierSales has the sales of an established member count that did not.
func countEarlierSales(ctx context.Context, t *tx, member string) error {
	rows, err := t.QueryxContext(ctx, `UPDATE sales SET newcomer = FALSE, by_buyer = buyer_id = $1
		WHERE newcomer AND status = 'confirmed' AND source = 'members' AND (seller_id = $1 OR buyer_id = $1) RETURNING gear`, member)
	if err != nil {
		return err
	}
	return eachRow(rows, func(r *sqlx.Rows) error {
		var gear string
		err := r.Scan(&gear)
		touchTrend(t, gear)
		return err
	})
}

// isEstablished reports whether a member is established: see models.EstablishedReach.
func isEstablished(ctx context.Context, t *tx, member string, at models.Time) (is bool, err error) {
	err = t.GetContext(ctx, &is, `SELECT EXISTS (SELECT 1 FROM accounts WHERE member_id = $1 AND role = $2)`, member, models.RoleOperator)
	if is || err != nil {
		return is, err
	}
	err = t.GetContext(ctx, &is, `SELECT EXISTS (SELECT 1 FROM members WHERE id = $1 AND joined_at <= $2)`, member, at.Add(-models.NewcomerPeriod))
	if !is || err != nil {
		return false, err
	}
	partners, err := partnersOf(ctx, t, member)
	if err != nil || len(partners) > models.EstablishedReach {
		return err == nil, err
	}
	through := make([][]string, len(partners))
	for i, p := range partners {
		if through[i], err = partnersOf(ctx, t, p); err != nil {
			return false, err
		}
	}
	for without := range partners {
		reached := map[string]bool{}
		for i, p := range partners {
			if i != without {
				for _, other := range append(through[i], p) {
					reached[other] = true
				}
			}
		}
		delete(reached, member)
		if len(reached) < models.EstablishedReach {
			return false, nil
		}
	}
	return len(partners) > 0, nil
}

// partnersOf returns the members with whom a member has completed hand-overs, at most enough
// of them to decide who is established.
func partnersOf(ctx context.Context, t *tx, member string) (partners []string, err error) {
	const handedOver = ` FROM sales s WHERE s.source = 'members' AND ` + eligibleSale
	err = t.SelectContext(ctx, &partners, `SELECT s.buyer_id`+handedOver+` AND s.buyer_id IS NOT NULL AND s.seller_id = $1
		UNION SELECT s.seller_id`+handedOver+` AND s.seller_id IS NOT NULL AND s.buyer_id = $1 LIMIT $2`, member, 2*models.EstablishedReach)
	return partners, err
}

// disputeSale records what the buyer reported. The sale awaits an operator.
func disputeSale(ctx context.Context, t *tx, o *models.Offer, text string, at models.Time) error {
	if _, err := t.ExecContext(ctx, `UPDATE sales SET status = 'disputed' WHERE offer_id = $1`, o.ID); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `INSERT INTO disputes (offer_id, text, at) VALUES ($1, $2, $3)`, o.ID, text, at)
	return err
}

// saleChanged records, for both members, that a sale counts or no longer counts. The
// buyer's change is not published, because it would reveal the buyer.
func saleChanged(ctx context.Context, t *tx, s *models.Sale) error {
	if s.SellerID != "" {
		t.sellerUpdated(s.SellerID)
	}
	if s.BuyerID != "" {
		t.changed(models.MemberChanged, s.BuyerID)
	}
	if s.ListingID == "" {
		return nil
	}
	l, err := listingByID(ctx, t, s.ListingID)
	if err != nil || l == nil {
		return err
	}
	if l.Status.Public() {
		t.listingHappened(models.ListingUpdated, l)
	} else {
		t.changed(models.ListingChanged, l.ID)
	}
	return nil
}

// ConfirmSales confirms up to limit sales whose buyers have been silent for
// ConfirmationPeriod. Several servers may call it at the same time.
func (s *Trades) ConfirmSales(ctx context.Context, limit int) error {
	var due []string
	err := s.read.SelectContext(ctx, &due, `SELECT offer_id FROM sales WHERE status = 'waiting' AND confirm_at <= $1 AND voided_at = 0 AND offer_id IS NOT NULL
		ORDER BY confirm_at LIMIT $2`, s.now(), limit)
	errs := []error{err}
	for _, id := range due {
		errs = append(errs, s.update(ctx, func(t *tx) error { return confirmUnopposed(ctx, t, id, s.now()) }))
	}
	return errors.Join(errs...)
}

// confirmUnopposed confirms a completed offer, unless its status has changed
// meanwhile.
func confirmUnopposed(ctx context.Context, t *tx, offerID string, at models.Time) error {
	o, l, err := lockOffer(ctx, t, offerID)
	if err != nil || o.Status != models.OfferCompleted {
		return err
	}
	o.Status, o.UpdatedAt = models.OfferConfirmed, at
	if err := storeOffer(ctx, t, o, models.OfferCompleted); err != nil {
		return err
	}
	notifyBoth(t, models.NoticeSaleUnopposed, o, l.Title)
	return confirmSale(ctx, t, o, at)
}

// ReviewSale applies an operator's decision, ApproveSale or VoidSale, and
// records it in the audit log, in one transaction. A disputed sale or one with
// an unusual price can be approved; any sale can be voided, once. A voided sale
// counts nowhere: the listing is ended, its price and the ratings are hidden.
func (s *Trades) ReviewSale(ctx context.Context, operatorID, saleID string, action models.ModerationAction, note string) (*models.AuditEntry, error) {
	if err := checkNote(note); err != nil {
		return nil, err
	}
	if !models.Storable(saleID) {
		return nil, saleNotFound(saleID)
	}
	e := &models.AuditEntry{OperatorID: operatorID, Action: action, Subject: saleID, Note: note, At: s.now()}
	return e, s.update(ctx, func(t *tx) error {
		sale, err := saleBy(ctx, t, "id", saleID)
		if err != nil {
			return err
		}
		switch action {
		case models.ApproveSale:
			err = approveSale(ctx, t, sale, e.At)
		case models.VoidSale:
			err = voidSale(ctx, t, sale, e.At)
		default:
			err = models.InvalidField("action", "invalid_value", "The action must be one of %s.", problem.Codes{"approve_sale", "void_sale"})
		}
		if err != nil {
			return err
		}
		return audit(ctx, t, e)
	})
}

func approveSale(ctx context.Context, t *tx, s *models.Sale, at models.Time) error {
	n, err := t.affected(ctx, `UPDATE sales SET held = FALSE, approved_at = $2 WHERE id = $1 AND voided_at = 0 AND (held OR status = 'disputed')`, s.ID, at)
	if err != nil {
		return err
	}
	if n == 0 {
		return saleNotInReview(s)
	}
	touchTrend(t, s.Gear)
	if err := saleChanged(ctx, t, s); err != nil {
		return err
	}
	if s.Status == models.SaleDisputed {
		return upholdSale(ctx, t, s.OfferID, at)
	}
	return nil
}

// upholdSale confirms a disputed sale.
func upholdSale(ctx context.Context, t *tx, offerID string, at models.Time) error {
	o, l, err := lockOffer(ctx, t, offerID)
	if err != nil {
		return err
	}
	o.Status, o.UpdatedAt = models.OfferConfirmed, at
	if err := storeOffer(ctx, t, o, models.OfferDisputed); err != nil {
		return err
	}
	notifyBoth(t, models.NoticeSaleUpheld, o, l.Title)
	return confirmSale(ctx, t, o, at)
}

// voidSales voids all sales of a member, as seller or buyer, with an entry in
// the audit log for each.
func voidSales(ctx context.Context, t *tx, operatorID, memberID, note string, at models.Time) error {
	var sales []models.Sale
	err := t.SelectContext(ctx, &sales, selectSale+`WHERE (s.seller_id = $1 OR s.buyer_id = $1) AND s.voided_at = 0 ORDER BY s.listing_id, s.id`, memberID)
	if err != nil {
		return err
	}
	for i := range sales {
		if err := voidSale(ctx, t, &sales[i], at); err != nil {
			return err
		}
		if err := audit(ctx, t, &models.AuditEntry{OperatorID: operatorID, Action: models.VoidSale, Subject: sales[i].ID, Note: note, At: at}); err != nil {
			return err
		}
	}
	return nil
}

func voidSale(ctx context.Context, t *tx, s *models.Sale, at models.Time) error {
	title := ""
	if s.ListingID != "" {
		l, err := unsell(ctx, t, s.ListingID, at)
		if err != nil {
			return err
		}
		title = l.Title
	}
	n, err := t.affected(ctx, `UPDATE sales SET voided_at = $2 WHERE id = $1 AND voided_at = 0`, s.ID, at)
	if err != nil {
		return err
	}
	if n == 0 {
		return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The sale has already been cancelled."), Hint: problem.Textf("It doesn't count towards anything. You don't need to do anything.")}
	}
	touchTrend(t, s.Gear)
	if err := saleChanged(ctx, t, s); err != nil {
		return err
	}
	if s.OfferID == "" {
		return nil
	}
	o, err := offerByID(ctx, t, s.OfferID)
	if err != nil {
		return err
	}
	from := o.Status
	o.Status, o.UpdatedAt = models.OfferVoided, at
	notifyBoth(t, models.NoticeSaleVoided, o, title)
	return storeOffer(ctx, t, o, from)
}

// unsell locks a listing and, if it is sold, ends it.
func unsell(ctx context.Context, t *tx, id string, at models.Time) (*models.Listing, error) {
	l, err := lockListing(ctx, t, id)
	if err != nil {
		return nil, err
	}
	switch {
	case l.Status == models.StatusSold:
		err = advance(ctx, t, l, models.Move{Step: models.Void, At: at})
	case l.RemovedFrom == models.StatusSold:
		_, err = t.ExecContext(ctx, `UPDATE listings SET removed_from = 'ended', sold_price = 0, version = version + 1 WHERE id = $1`, id)
	}
	return l, err
}

// notifyBoth notifies both sides of an offer.
func notifyBoth(t *tx, kind models.NoticeKind, o *models.Offer, title string) {
	for _, to := range []string{o.SellerID, o.BuyerID} {
		addNotice(t, models.Notice{Kind: kind, To: to, ID: o.ID, Title: title, Amount: o.Amount})
	}
}

// saleBy returns the sale whose column has the given value.
func saleBy(ctx context.Context, db sqlx.QueryerContext, column, value string) (*models.Sale, error) {
	var s models.Sale
	err := sqlx.GetContext(ctx, db, &s, selectSale+`WHERE s.`+column+` = $1`, value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, saleNotFound(value)
	}
	return &s, err
}

func saleNotFound(id string) *problem.Error {
	return &problem.Error{Kind: problem.NotFound, Code: "sale_not_found", Message: problem.Programf("There is no sale with the id %q.", id),
		Hint: problem.Programf("GET /api/sales lists the sales to review; add member=… for all sales of a member.")}
}

func saleNotInReview(s *models.Sale) *problem.Error {
	state := string(s.Status)
	if s.VoidedAt != 0 {
		state = "voided"
	}
	return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The sale is %s, so there's nothing to review.", state),
		Hint: problem.Programf("GET /api/sales lists the sales that are.")}
}

// SalesByID returns sales by id. Unknown ids are omitted.
func (s *Trades) SalesByID(ctx context.Context, ids []string) (map[string]*models.Sale, error) {
	return s.salesBy(ctx, "id", ids, func(s *models.Sale) string { return s.ID })
}

// SalesByListing returns the last sale of listings by listing id. It may be
// voided.
func (s *Trades) SalesByListing(ctx context.Context, listingIDs []string) (map[string]*models.Sale, error) {
	return s.salesBy(ctx, "listing_id", listingIDs, func(s *models.Sale) string { return s.ListingID })
}

func (s *Trades) salesBy(ctx context.Context, column string, values []string, key func(*models.Sale) string) (map[string]*models.Sale, error) {
	sales, err := selectIn[models.Sale](ctx, s.read, selectSale+`WHERE s.`+column+` IN (%s) ORDER BY s.id`, values)
	return byKey(sales, key), err
}

// SaleKey is the sort key of a sale in a list.
type SaleKey struct {
	SoldAt models.Time
	ID     string
}

// SalesToReview returns up to limit sales after a key that await an operator,
// because they are disputed or their price is unusual, oldest first.
func (s *Trades) SalesToReview(ctx context.Context, after SaleKey, limit int) ([]models.Sale, error) {
	var sales []models.Sale
	err := s.read.SelectContext(ctx, &sales, selectSale+`WHERE (s.held OR s.status = 'disputed') AND s.voided_at = 0 AND (s.sold_at, s.id) > ($1, $2)
		ORDER BY s.sold_at, s.id LIMIT $3`, after.SoldAt, after.ID, limit)
	return sales, err
}

// SalesOf returns up to limit sales of a member, as seller or buyer, after a
// key, oldest first.
func (s *Trades) SalesOf(ctx context.Context, memberID string, after SaleKey, limit int) ([]models.Sale, error) {
	var sales []models.Sale
	err := s.read.SelectContext(ctx, &sales, selectSale+`WHERE (s.seller_id = $1 OR s.buyer_id = $1) AND (s.sold_at, s.id) > ($2, $3)
		ORDER BY s.sold_at, s.id LIMIT $4`, memberID, after.SoldAt, after.ID, limit)
	return sales, err
}

// RecentSales returns up to limit public sales of a gear in some conditions,
// newest first: confirmed ones, without those of newcomers and those whose price
// awaits an operator.
func (s *Trades) RecentSales(ctx context.Context, gear string, conditions []models.Condition, limit int) ([]models.Sale, error) {
	if !models.Storable(gear) || len(conditions) == 0 {
		return nil, nil
	}
	args := []any{gear, limit}
	for _, c := range conditions {
		args = append(args, c)
	}
	var sales []models.Sale
	err := s.read.SelectContext(ctx, &sales, selectSale+`WHERE s.gear = $1 AND `+publicSale+` AND s.condition IN (`+parameters(3, len(conditions))+`)
		ORDER BY s.sold_at DESC, s.id DESC LIMIT $2`, args...)
	return sales, err
}

// CountSalesToReview returns the number of sales that await an operator.
func (s *Trades) CountSalesToReview(ctx context.Context) (n int, err error) {
	err = s.read.GetContext(ctx, &n, `SELECT COUNT(*) FROM sales s WHERE (s.held OR s.status = 'disputed') AND s.voided_at = 0`)
	return n, err
}

// soldListings joins sales with the listings that were sold, and soldPublicly selects those
// which count as sold by their seller.
const (
	soldListings = ` FROM sales s JOIN listings l ON l.id = s.listing_id `
	soldPublicly = isPublic + ` AND ` + eligibleSale
)

// SoldListings returns up to limit listings of a seller whose sale is
// confirmed, last sold first, with their photos.
func (s *Trades) SoldListings(ctx context.Context, sellerID string, limit int) ([]*models.Listing, error) {
	listings, err := selectListings(ctx, s.read, selectListing+`JOIN sales s ON s.listing_id = l.id
		WHERE s.seller_id = $1 AND `+soldPublicly+` ORDER BY s.sold_at DESC, s.id DESC LIMIT $2`, sellerID, limit)
	if err != nil {
		return nil, err
	}
	return listings, addPhotos(ctx, s.read, listings)
}

// SaleDispute is a problem that a buyer reported with a completed sale.
type SaleDispute struct {
	OfferID string
	Text    string // plain text, at most MaxDispute characters
	At      models.Time
}

// Disputes returns the disputes of offers by offer id, also those that are
// settled.
func (s *Trades) Disputes(ctx context.Context, offerIDs []string) (map[string]*SaleDispute, error) {
	disputes, err := selectIn[SaleDispute](ctx, s.read, `SELECT offer_id, text, at FROM disputes WHERE offer_id IN (%s)`, offerIDs)
	return byKey(disputes, func(d *SaleDispute) string { return d.OfferID }), err
}

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
			v.ConfirmAt, v.Newcomer, v.ByBuyer, v.OutOfRange, v.Held, v.ApprovedAt, v.VoidedAt, v.Paid, v.Currency, v.RateDay, v.SellerKind}
	}
	err = t.insertReturning(ctx, `sales (id, external_id, gear, condition, price, sold_at, region, listing_id, demo,
		source, source_name, status, offer_id, seller_id, buyer_id, confirm_at, newcomer, by_buyer, out_of_range, held, approved_at, voided_at, paid, currency, rate_day, seller_kind)`,
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
