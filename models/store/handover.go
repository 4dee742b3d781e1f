package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const handoverColumns = `offer_id, status, method, place, meet_at, by_buyer, proposal, payment, payment_link, carrier, tracking, tracking_url,
	sent_at, received_at, updated_at, due_at, remind_at, revision, erased, account_holder, iban, cash`

func addHandover(ctx context.Context, t *tx, h *models.Handover) error {
	_, err := t.ExecContext(ctx, `INSERT INTO handovers (`+handoverColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
		h.OfferID, h.Status, h.Method, h.Place, h.MeetAt, h.ByBuyer, h.Proposal, h.Payment, h.PaymentLink, h.Carrier, h.Tracking, h.TrackingURL,
		h.SentAt, h.ReceivedAt, h.UpdatedAt, h.DueAt, h.RemindAt, h.Revision, h.Erased, h.AccountHolder, h.IBAN, h.Cash)
	return err
}

// agree stores what the two sides of an offer agree on, and how the item changes hands.
func agree(ctx context.Context, t *tx, o *models.Offer) error {
	if err := addAgreement(ctx, t, o); err != nil {
		return err
	}
	seller, err := tradeSettingsOf(ctx, t, o.SellerID)
	if err != nil {
		return err
	}
	if err := addHandover(ctx, t, models.NewHandover(o, seller.PaymentWays, o.UpdatedAt)); err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO handover_addresses (offer_id, buyer_id, address) SELECT offer_id, buyer_id, address FROM offer_addresses WHERE offer_id = $1`, o.ID)
	return errors.Join(err, dropAddresses(ctx, t, o.ID))
}

// tradeSettingsOf returns the trade settings of a member, empty if there are none.
func tradeSettingsOf(ctx context.Context, db sqlx.QueryerContext, memberID string) (s models.TradeSettings, err error) {
	err = sqlx.GetContext(ctx, db, &s, `SELECT address, account_holder, iban, payment_link, cash FROM trade_settings WHERE member_id = $1`, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return s, err
}

func storeTradeSettings(ctx context.Context, t *tx, memberID string, s models.TradeSettings) error {
	_, err := t.ExecContext(ctx, `INSERT INTO trade_settings (member_id, address, account_holder, iban, payment_link, cash) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (member_id) DO UPDATE SET address = excluded.address, account_holder = excluded.account_holder, iban = excluded.iban, payment_link = excluded.payment_link, cash = excluded.cash`,
		memberID, s.Address, s.AccountHolder, s.IBAN, s.PaymentLink, s.Cash)
	return err
}

// TradeSettings returns the trade settings of a member. Callers must check that the reader
// may see them.
func (s *Trades) TradeSettings(ctx context.Context, memberID string) (models.TradeSettings, error) {
	return tradeSettingsOf(ctx, s.read, memberID)
}

// EditTradeSettings calls edit to change the trade settings of a member, and stores the
// result.
func (s *Trades) EditTradeSettings(ctx context.Context, memberID string, edit func(*models.TradeSettings)) error {
	return s.update(ctx, func(t *tx) error {
		settings, err := tradeSettingsOf(ctx, t, memberID)
		if err != nil {
			return err
		}
		edit(&settings)
		if err := settings.Check(); err != nil {
			return err
		}
		return storeTradeSettings(ctx, t, memberID, settings)
	})
}

// storeHandover writes a hand-over, if nobody has changed it since it was read.
func storeHandover(ctx context.Context, t *tx, h *models.Handover, now models.Time) error {
	n, err := t.affected(ctx, `UPDATE handovers SET status = $3, method = $4, place = $5, meet_at = $6, by_buyer = $7, proposal = $8, payment = $9, payment_link = $10,
			carrier = $11, tracking = $12, tracking_url = $13, sent_at = $14, received_at = $15, updated_at = $16, due_at = $17, remind_at = $18, revision = revision + 1
		WHERE offer_id = $1 AND revision = $2`,
		h.OfferID, h.Revision, h.Status, h.Method, h.Place, h.MeetAt, h.ByBuyer, h.Proposal, h.Payment, h.PaymentLink,
		h.Carrier, h.Tracking, h.TrackingURL, h.SentAt, h.ReceivedAt, now, h.DueAt, h.RemindAt)
	if err == nil && n == 0 {
		return &problem.Error{Kind: problem.Conflict, Code: "handover_changed", Message: problem.Textf("The delivery details have changed since you fetched them."),
			Hint: problem.Programf("Get its current state with GET /api/offers/%s.", h.OfferID)}
	}
	return err
}

func handoverOf(ctx context.Context, db sqlx.QueryerContext, offerID string) (*models.Handover, error) {
	var h models.Handover
	err := sqlx.GetContext(ctx, db, &h, `SELECT `+handoverColumns+` FROM handovers WHERE offer_id = $1`, offerID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &h, err
}

// Handover returns the hand-over of an offer, or nil if the offer was not accepted, or
// was withdrawn. Callers must check that the member may see the offer.
func (s *Trades) Handover(ctx context.Context, offerID string) (*models.Handover, error) {
	return handoverOf(ctx, s.read, offerID)
}

// HandoversOf returns the hand-overs of offers by offer id.
func (s *Trades) HandoversOf(ctx context.Context, offerIDs []string) (map[string]*models.Handover, error) {
	handovers, err := selectIn[models.Handover](ctx, s.read, `SELECT `+handoverColumns+` FROM handovers WHERE offer_id IN (%s)`, offerIDs)
	return byKey(handovers, func(h *models.Handover) string { return h.OfferID }), err
}

// HandoverAddress returns the buyer's address: to the buyer, and to the seller once the
// offer is accepted and both have agreed on shipping. To everybody else, and if there is none, it returns "".
// Nothing else reads addresses but the buyer's personal data export and backups.
func (s *Trades) HandoverAddress(ctx context.Context, offerID, memberID string) (address string, err error) {
	err = s.read.GetContext(ctx, &address, `SELECT a.address FROM handover_addresses a JOIN handovers h ON h.offer_id = a.offer_id JOIN offers o ON o.id = a.offer_id
		WHERE a.offer_id = $1 AND (o.buyer_id = $2 OR o.seller_id = $2 AND h.method = 'shipping' AND h.status IN ('agreed', 'sent', 'received'))
		UNION ALL SELECT address FROM offer_addresses WHERE offer_id = $1 AND buyer_id = $2`, offerID, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return address, err
}

// MoveHandover takes a step of a hand-over's state machine. Of several concurrent
// callers one succeeds.
func (s *Trades) MoveHandover(ctx context.Context, offerID string, m models.HandoverMove) (*models.Offer, error) {
	if err := m.Check(s.now()); err != nil {
		return nil, err
	}
	return s.changeOffer(ctx, offerID, m.By, func(t *tx, o *models.Offer, l *models.Listing) error { return moveHandover(ctx, t, o, l, &m, s.now()) })
}

func moveHandover(ctx context.Context, t *tx, o *models.Offer, l *models.Listing, m *models.HandoverMove, now models.Time) error {
	h, err := handoverOf(ctx, t, o.ID)
	if err != nil {
		return err
	}
	if h == nil {
		return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The offer is %s. You can arrange delivery once it's accepted.", o.Status),
			Hint: problem.Programf("Get its current state with GET /api/offers/%s.", o.ID)}
	}
	who := o.PartyOf(m.By)
	to, err := h.Next(m.Step, o, who)
	if err != nil {
		return err
	}
	if !m.Step.DespiteBlock() {
		if err := checkNotBlocked(ctx, t, o.Other(m.By), m.By); err != nil {
			return err
		}
	}
	known, err := keepAddress(ctx, t, o, h, m, who)
	if err != nil {
		return err
	}
	if err := h.Take(m, who, known, now); err != nil {
		return err
	}
	h.Status = to
	if err := storeHandover(ctx, t, h, now); err != nil {
		return err
	}
	if m.Step == models.ReceiveItem {
		if err := awaitConfirmation(ctx, t, o, h.DueAt, now); err != nil {
			return err
		}
	}
	return notifyHandover(ctx, t, m.Step.Notice(), o, h, l.Title, m.By)
}

// keepAddress stores the address that the buyer gave with a step and reports whether
// one is known. A proposal to meet deletes it.
func keepAddress(ctx context.Context, t *tx, o *models.Offer, h *models.Handover, m *models.HandoverMove, who models.Party) (known bool, err error) {
	switch {
	case m.Step == models.ProposeHandover && m.Method == models.Pickup:
		_, err = t.ExecContext(ctx, `DELETE FROM handover_addresses WHERE offer_id = $1`, o.ID)
		return false, err
	case m.Step != models.ProposeHandover && (m.Step != models.AgreeHandover || h.Method != models.Shipping):
		return false, nil
	case who == models.Buyer && strings.TrimSpace(m.Address) != "":
		_, err = t.ExecContext(ctx, `INSERT INTO handover_addresses (offer_id, buyer_id, address) VALUES ($1, $2, $3)
			ON CONFLICT (offer_id) DO UPDATE SET address = excluded.address`, o.ID, o.BuyerID, strings.TrimSpace(m.Address))
		return true, err
	}
	err = t.GetContext(ctx, &known, `SELECT EXISTS (SELECT 1 FROM handover_addresses WHERE offer_id = $1)`, o.ID)
	return known, err
}

// awaitConfirmation sets when silence confirms the sale of a completed offer.
func awaitConfirmation(ctx context.Context, t *tx, o *models.Offer, at, now models.Time) error {
	o.ExpiresAt, o.UpdatedAt = at, now
	if err := storeOffer(ctx, t, o, models.OfferCompleted); err != nil {
		return err
	}
	n, err := t.affected(ctx, `UPDATE sales SET confirm_at = $2 WHERE offer_id = $1 AND status = 'waiting' AND voided_at = 0`, o.ID, at)
	if err == nil && n != 1 {
		err = &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The sale is no longer waiting for you."), Hint: problem.Programf("Get its current state with GET /api/offers/%s.", o.ID)}
	}
	return err
}

// completeHandover records that the seller of an offer sent the item or handed it over,
// sets when silence confirms the sale, and notifies the buyer.
func completeHandover(ctx context.Context, t *tx, o *models.Offer, l *models.Listing, a Answer) error {
	h, err := handoverOf(ctx, t, o.ID)
	if err != nil {
		return err
	}
	o.ExpiresAt = o.UpdatedAt.Add(models.ConfirmationPeriod)
	if h == nil {
		return notifyOther(ctx, t, models.NoticeOfferCompleted, o, l.Title, a.By)
	}
	if h.Shipped() {
		o.ExpiresAt = o.UpdatedAt.Add(models.ShippingPeriod)
	} else if a.Shipment != (models.Shipment{}) {
		return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("You haven't agreed on postage, so there's nothing to track."),
			Hint: problem.Programf("Leave out carrier, tracking and tracking_url, or agree on shipping first.")}
	}
	h.Complete(a.Shipment, o.UpdatedAt, o.ExpiresAt)
	if err := storeHandover(ctx, t, h, o.UpdatedAt); err != nil {
		return err
	}
	return notifyHandover(ctx, t, models.NoticeOfferCompleted, o, h, l.Title, a.By)
}

// notifyHandover notifies one side of a step that the other has taken.
func notifyHandover(ctx context.Context, t *tx, kind models.NoticeKind, o *models.Offer, h *models.Handover, title, by string) error {
	name, err := memberName(ctx, t, by)
	if err != nil {
		return err
	}
	addNotice(t, models.Notice{Kind: kind, To: o.Other(by), By: name, ID: o.ID, Title: title, Amount: o.Amount, Currency: o.Currency, ExpiresAt: h.DueAt, Shipped: h.Shipped()})
	return nil
}

// RemindTraders notifies those who are to take the next step of up to limit trades whose
// reminder is due. Each reminder is sent once, even with concurrent callers.
func (s *Trades) RemindTraders(ctx context.Context, limit int) error {
	var due []string
	err := s.read.SelectContext(ctx, &due, `SELECT offer_id FROM handovers WHERE remind_at > 0 AND remind_at <= $1 ORDER BY remind_at, offer_id LIMIT $2`, s.now(), limit)
	errs := []error{err}
	for _, id := range due {
		errs = append(errs, s.update(ctx, func(t *tx) error { return remindTraders(ctx, t, id, s.now()) }))
	}
	return errors.Join(errs...)
}

func remindTraders(ctx context.Context, t *tx, offerID string, now models.Time) error {
	o, l, err := lockOffer(ctx, t, offerID)
	if err != nil {
		return err
	}
	n, err := t.affected(ctx, `UPDATE handovers SET remind_at = 0 WHERE offer_id = $1 AND remind_at > 0 AND remind_at <= $2`, offerID, now)
	if err != nil || n == 0 {
		return err
	}
	h, err := handoverOf(ctx, t, offerID)
	if err != nil {
		return err
	}
	members, kind := h.Awaited(o)
	for _, to := range members {
		name, err := memberName(ctx, t, o.Other(to))
		if err != nil {
			return err
		}
		addNotice(t, models.Notice{Kind: kind, To: to, By: name, ID: o.ID, Title: l.Title, Amount: o.Amount, Currency: o.Currency, ExpiresAt: h.DueAt, Shipped: h.Shipped()})
	}
	return nil
}

// eraseHandovers deletes addresses, places, notes on payment and tracking numbers of
// the trades that ended before a time.
func eraseHandovers(ctx context.Context, t *tx, before models.Time) error {
	const ended = `EXISTS (SELECT 1 FROM offers o WHERE o.id = offer_id AND o.status IN ('confirmed', 'voided') AND o.updated_at <= $1)`
	if _, err := t.ExecContext(ctx, `DELETE FROM handover_addresses WHERE `+ended, before); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `UPDATE handovers SET place = '', payment = '', payment_link = '', account_holder = '', iban = '', tracking = '', tracking_url = '', remind_at = 0, erased = TRUE
		WHERE NOT erased AND `+ended, before)
	return err
}

// addAgreement copies the listing of an accepted offer. The caller holds the
// lock on the listing.
func addAgreement(ctx context.Context, t *tx, o *models.Offer) error {
	names := columnNames("", agreedColumns)
	_, err := t.ExecContext(ctx, `INSERT INTO agreements (offer_id, agreed_at, amount, `+names+`)
		SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS BIGINT), `+names+` FROM listings WHERE id = $4`, o.ID, o.UpdatedAt, o.Amount, o.ListingID)
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO agreement_photos (offer_id, place, key, alt, width, height)
		SELECT CAST($1 AS TEXT), place, key, alt, width, height FROM listing_photos WHERE listing_id = $2`, o.ID, o.ListingID)
	return err
}

// dropAgreement deletes the agreement of an offer that leads to no sale.
func dropAgreement(ctx context.Context, t *tx, offerID string) error {
	_, err := t.ExecContext(ctx, `DELETE FROM agreements WHERE offer_id = $1`, offerID)
	return err
}

// Agreement returns the agreement of an offer, or nil if the offer was not
// accepted or was withdrawn afterwards. Callers must check that the member may
// see the offer.
func (s *Trades) Agreement(ctx context.Context, offerID string) (*models.Agreement, error) {
	return agreementOf(ctx, s.read, offerID)
}

func agreementOf(ctx context.Context, db sqlx.QueryerContext, offerID string) (*models.Agreement, error) {
	a := &models.Agreement{OfferID: offerID}
	row := db.QueryRowxContext(ctx, `SELECT agreed_at, amount, `+columnNames("", agreedColumns)+` FROM agreements WHERE offer_id = $1`, offerID)
	err := row.Scan(fieldsOf(&a.Listing, agreedColumns, []any{&a.AgreedAt, &a.Amount})...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = sqlx.SelectContext(ctx, db, &a.Listing.Photos, `SELECT key, alt, width, height FROM agreement_photos WHERE offer_id = $1 ORDER BY place`, offerID)
	return a, err
}

// acceptedOffers returns the id of the offer that reserves each of the listings
// that has one, by listing id: an accepted one, or a purchase.
func acceptedOffers(ctx context.Context, t *tx, listingIDs ...string) (map[string]string, error) {
	accepted := map[string]string{}
	for part := range chunks(listingIDs) {
		rows, err := t.QueryxContext(ctx, `SELECT listing_id, id FROM offers WHERE (status = 'accepted' OR status = 'pending' AND bought) AND listing_id IN (`+parameters(1, len(part))+`)`, toAny(part)...)
		if err != nil {
			return nil, err
		}
		err = eachRow(rows, func(r *sqlx.Rows) error {
			var listing, offer string
			err := r.Scan(&listing, &offer)
			accepted[listing] = offer
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return accepted, nil
}

// checkNotAgreed returns a Conflict error if the listing is reserved for a buyer: what was
// agreed is not edited.
func checkNotAgreed(ctx context.Context, t *tx, l *models.Listing) error {
	if l.Status != models.StatusReserved {
		return nil
	}
	accepted, err := acceptedOffers(ctx, t, l.ID)
	if err == nil && accepted[l.ID] != "" {
		err = errAgreed(accepted[l.ID])
	}
	return err
}

// errAgreed returns the error for an edit of a listing whose offer is accepted.
func errAgreed(offerID string) *problem.Error {
	return &problem.Error{Kind: problem.Conflict, Code: "offer_accepted", Message: problem.Textf("This listing is reserved for a buyer, so it can't be edited."),
		Hint: problem.Textf("Decline or withdraw first. That relists it.").And(problem.Programf("See steps of GET /api/offers/%s.", offerID))}
}

// AddEvidence adds a statement of one of the two sides, with photos, to a dispute that
// an operator has not decided yet.
func (s *Trades) AddEvidence(ctx context.Context, offerID, by, text string, photos ...models.Photo) (*models.Offer, error) {
	var f models.FieldChecks
	f.Text("text", text, models.MaxDispute, true)
	if len(photos) > models.MaxEvidencePhotos {
		f.Refuse("photo", "Add at most %d photos at a time.", models.MaxEvidencePhotos)
	}
	if err := models.InvalidFields(f); err != nil {
		return nil, err
	}
	return s.changeOffer(ctx, offerID, by, func(t *tx, o *models.Offer, l *models.Listing) error {
		if err := addEvidence(ctx, t, o, o.PartyOf(by), strings.TrimSpace(text), photos); err != nil {
			return err
		}
		return notifyOther(ctx, t, models.NoticeEvidenceAdded, o, l.Title, by)
	})
}

func addEvidence(ctx context.Context, t *tx, o *models.Offer, who models.Party, text string, photos []models.Photo) error {
	if err := o.CheckEvidence(); err != nil {
		return err
	}
	var position []int
	err := t.SelectContext(ctx, &position, `INSERT INTO evidence (offer_id, position, by_buyer, text, at)
		SELECT CAST($1 AS TEXT), COALESCE(MAX(position), 0) + 1, CAST($2 AS BOOLEAN), CAST($3 AS TEXT), CAST($4 AS BIGINT) FROM evidence WHERE offer_id = $1
		HAVING COUNT(CASE WHEN by_buyer = $2 THEN 1 END) < $5 RETURNING position`, o.ID, who == models.Buyer, text, t.db.now(), models.MaxEvidence)
	if err != nil {
		return err
	}
	if len(position) == 0 {
		return &problem.Error{Kind: problem.Conflict, Code: "too_much_evidence", Message: problem.Textf("You've reached the limit of %d statements.", models.MaxEvidence),
			Hint: problem.Textf("We'll review them and decide.")}
	}
	return t.insert(ctx, `evidence_photos (offer_id, position, number, key, width, height, bytes)`, "", len(photos), func(i int) []any {
		return []any{o.ID, position[0], i, photos[i].Key, photos[i].Width, photos[i].Height, photos[i].Bytes}
	})
}

// MayAddEvidence returns the error that AddEvidence would return for the offer, except
// that it does not count statements. Photos are not processed for those who may not add
// them.
func (s *Trades) MayAddEvidence(ctx context.Context, offerID, by string) error {
	o, err := s.Offer(ctx, offerID, by)
	if err != nil {
		return err
	}
	return o.CheckEvidence()
}

// EvidenceOf returns the evidence of disputes by offer id, oldest first.
func (s *Trades) EvidenceOf(ctx context.Context, offerIDs []string) (map[string][]models.Evidence, error) {
	all := map[string][]models.Evidence{}
	for part := range chunks(slices.Compact(models.KeepStorable(offerIDs))) {
		var rows []struct {
			models.Evidence
			Position int
		}
		err := s.read.SelectContext(ctx, &rows, `SELECT offer_id, position, by_buyer, text, at FROM evidence WHERE offer_id IN (`+parameters(1, len(part))+`) ORDER BY offer_id, position`, toAny(part)...)
		if err != nil {
			return nil, err
		}
		photos, err := s.evidencePhotos(ctx, part)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			r.Photos = photos[statement{r.OfferID, r.Position}]
			all[r.OfferID] = append(all[r.OfferID], r.Evidence)
		}
	}
	return all, nil
}

// statement identifies a statement about a dispute.
type statement struct {
	OfferID  string
	Position int
}

// evidencePhotos returns the photos of the statements about disputes.
func (s *Trades) evidencePhotos(ctx context.Context, offerIDs []string) (map[statement][]models.Photo, error) {
	var rows []struct {
		statement
		models.Photo
	}
	err := s.read.SelectContext(ctx, &rows, `SELECT offer_id, position, key, width, height, bytes FROM evidence_photos
		WHERE offer_id IN (`+parameters(1, len(offerIDs))+`) ORDER BY offer_id, position, number`, toAny(offerIDs)...)
	photos := map[statement][]models.Photo{}
	for _, r := range rows {
		photos[r.statement] = append(photos[r.statement], r.Photo)
	}
	return photos, err
}

// waitingOffers selects the offers that wait for the member $1 at the time $2. The
// lists of statuses match two partial indexes.
const waitingOffers = `SELECT * FROM (
	SELECT o.id AS offer_id, o.listing_id, CASE o.status WHEN 'countered' THEN 'reply' WHEN 'completed' THEN 'confirm' ELSE
			CASE WHEN h.status = 'open' THEN 'arrange' WHEN h.status = 'proposed' AND NOT h.by_buyer THEN 'agree' ELSE '' END END AS kind,
		CASE o.status WHEN 'accepted' THEN h.due_at ELSE o.expires_at END AS due_at
	FROM offers o LEFT JOIN handovers h ON h.offer_id = o.id WHERE o.buyer_id = $1 AND o.status IN ('countered', 'accepted', 'completed')
	UNION ALL
	SELECT o.id, o.listing_id, CASE WHEN o.status = 'pending' THEN 'reply' WHEN h.status = 'open' THEN 'arrange' WHEN h.status = 'proposed' AND h.by_buyer THEN 'agree'
			WHEN h.status = 'agreed' AND h.method = 'shipping' THEN 'send' WHEN h.status = 'agreed' THEN 'hand_over' ELSE '' END,
		CASE o.status WHEN 'accepted' THEN h.due_at ELSE o.expires_at END
	FROM offers o LEFT JOIN handovers h ON h.offer_id = o.id WHERE o.seller_id = $1 AND o.status IN ('pending', 'accepted')
	) AS w WHERE w.kind <> '' AND (w.kind <> 'reply' OR w.due_at > $2)`

var countWaiting = `SELECT kind, COUNT(*) AS n FROM (` + waitingOffers + `) AS o GROUP BY kind
	UNION ALL SELECT 'unread', (` + countUnread + `)`

// CountWaiting counts the pending tasks of a member, with one query, because every page
// shows the number.
func (s *Trades) CountWaiting(ctx context.Context, memberID string) (c models.WaitingCounts, err error) {
	var rows []struct {
		Kind models.WaitingKind
		N    int
	}
	err = s.read.SelectContext(ctx, &rows, countWaiting, memberID, s.now())
	for _, r := range rows {
		switch r.Kind {
		case models.WaitingReply:
			c.Replies += r.N
		case models.WaitingArrange, models.WaitingAgree:
			c.Arrange += r.N
		case models.WaitingSend, models.WaitingHandOver:
			c.Send += r.N
		case models.WaitingConfirm:
			c.Confirm += r.N
		default:
			c.Unread += r.N
		}
	}
	return c, err
}

// WaitingFor returns up to limit offers that wait for a member, the next one due
// first.
func (s *Trades) WaitingFor(ctx context.Context, memberID string, limit int) (waiting []models.Waiting, err error) {
	err = s.read.SelectContext(ctx, &waiting, `SELECT o.offer_id, o.kind, o.due_at, l.title FROM (`+waitingOffers+`) AS o JOIN listings l ON l.id = o.listing_id
		ORDER BY o.due_at, o.offer_id LIMIT $3`, memberID, s.now(), limit)
	return waiting, err
}
