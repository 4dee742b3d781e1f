package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const handoverColumns = `offer_id, status, method, place, meet_at, by_buyer, proposal, payment, payment_link, carrier, tracking, tracking_url,
	sent_at, received_at, updated_at, due_at, remind_at, revision, erased`

func addHandover(ctx context.Context, t *tx, h *models.Handover) error {
	_, err := t.ExecContext(ctx, `INSERT INTO handovers (`+handoverColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
		h.OfferID, h.Status, h.Method, h.Place, h.MeetAt, h.ByBuyer, h.Proposal, h.Payment, h.PaymentLink, h.Carrier, h.Tracking, h.TrackingURL,
		h.SentAt, h.ReceivedAt, h.UpdatedAt, h.DueAt, h.RemindAt, h.Revision, h.Erased)
	return err
}

// storeHandover writes a hand-over, if nobody has changed it since it was read.
func storeHandover(ctx context.Context, t *tx, h *models.Handover, now models.Time) error {
	n, err := t.affected(ctx, `UPDATE handovers SET status = $3, method = $4, place = $5, meet_at = $6, by_buyer = $7, proposal = $8, payment = $9, payment_link = $10,
			carrier = $11, tracking = $12, tracking_url = $13, sent_at = $14, received_at = $15, updated_at = $16, due_at = $17, remind_at = $18, revision = revision + 1
		WHERE offer_id = $1 AND revision = $2`,
		h.OfferID, h.Revision, h.Status, h.Method, h.Place, h.MeetAt, h.ByBuyer, h.Proposal, h.Payment, h.PaymentLink,
		h.Carrier, h.Tracking, h.TrackingURL, h.SentAt, h.ReceivedAt, now, h.DueAt, h.RemindAt)
	if err == nil && n == 0 {
		return &problem.Error{Kind: problem.Conflict, Code: "handover_changed", Message: problem.Textf("The hand-over has changed since you read it."),
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

// HandoverAddress returns the buyer's address: to the buyer, and to the seller once both
// have agreed on shipping. To everybody else, and if there is none, it returns "".
// Nothing else reads addresses but the buyer's personal data export and backups.
func (s *Trades) HandoverAddress(ctx context.Context, offerID, memberID string) (address string, err error) {
	err = s.read.GetContext(ctx, &address, `SELECT a.address FROM handover_addresses a JOIN handovers h ON h.offer_id = a.offer_id JOIN offers o ON o.id = a.offer_id
		WHERE a.offer_id = $1 AND (o.buyer_id = $2 OR o.seller_id = $2 AND h.method = 'shipping' AND h.status IN ('agreed', 'sent', 'received'))`, offerID, memberID)
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
		return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The offer is %s. A hand-over is arranged once it's accepted.", o.Status),
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
		return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The two of you haven't agreed on shipping, so there is nothing to track."),
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
	_, err := t.ExecContext(ctx, `UPDATE handovers SET place = '', payment = '', payment_link = '', tracking = '', tracking_url = '', remind_at = 0, erased = TRUE
		WHERE NOT erased AND `+ended, before)
	return err
}
