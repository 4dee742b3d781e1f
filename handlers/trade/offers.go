package trade

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
)

// offerOps holds the operations on offers.
type offerOps struct{ Deps }

type makeOfferInput struct {
	ID      string       `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Amount  models.Money `json:"amount" jsonschema:"proposed price in the currency of the listing, at most the asking price" example:"1150.00 EUR"`
	Message string       `json:"message,omitempty" jsonschema:"message to the other party, plain text" maxlength:"1000" example:"I could pick it up on Saturday."`
	deliveryInput
}

// deliveryInput is how a buyer wants to get an item.
type deliveryInput struct {
	Delivery models.HandoverMethod `json:"delivery,omitempty" jsonschema:"pickup or shipping, agreed with the price; default of an offer: to be arranged, of a purchase: shipping if the seller ships" example:"shipping"`
	Address  string                `json:"address,omitempty" jsonschema:"shipping: postal address, plain text; only the seller sees it, once the offer is accepted; default: that of your settings" maxlength:"500" example:"Jane Doe, 1 High Street, 10115 Berlin, Germany"`
	Save     bool                  `json:"save_address,omitempty" jsonschema:"store the address in your settings"`
}

func (in *deliveryInput) request() models.DeliveryRequest {
	return models.DeliveryRequest{Method: in.Delivery, Address: in.Address, Save: in.Save}
}

func (s offerOps) makeOffer() web.Operation {
	return web.Op[makeOfferInput, *views.Offer]{
		Name:    "make_offer",
		Method:  http.MethodPost,
		Path:    "/api/listings/{id}/offers",
		Page:    "/listings/{id}/offers",
		Form:    "/listings/{id}",
		Access:  web.Members,
		Scope:   string(models.OffersWrite),
		Creates: true,
		Done:    "Offer sent.",
		Tag:     "Offers",
		Title:   "Make an offer",
		Summary: "Offers a price for an active listing.",
		Description: "Makes an offer on another member's active listing. The seller has 48 hours to accept, counter or decline it. " +
			"You can have one open offer per listing. Compare the price with the median for the condition (get_price) first. Returns the offer and your available steps; read it again with get_offer.",
		Errors: []string{"listing_not_found", "own_listing", "blocked", "not_for_sale", "offer_exists", "too_many_offers", "too_many_today"},
		Sample: s.sampleOffer(models.OfferPending),
		Check: func(ctx context.Context, in *makeOfferInput) error {
			_, err := s.Amounts.AmountIn(ctx, "amount", in.ID, in.Amount)
			return err
		},
		Confirm: func(ctx context.Context, in *makeOfferInput) (string, error) {
			amount, err := s.Amounts.AmountIn(ctx, "amount", in.ID, in.Amount)
			if err != nil {
				return "", err
			}
			l, err := s.Listings.Listing(ctx, strings.ToLower(in.ID))
			if err != nil {
				return "", err
			}
			return views.OfferQuestion(ctx, l, s.Site.In(l.Currency).Money(amount)), nil
		},
		Do: func(ctx context.Context, in *makeOfferInput) (*views.Offer, error) {
			amount, err := s.Amounts.AmountIn(ctx, "amount", in.ID, in.Amount)
			if err != nil {
				return nil, err
			}
			o, err := s.Trades.MakeOffer(ctx, strings.ToLower(in.ID), caller.ID(ctx), amount, in.Message, in.request())
			if err != nil {
				return nil, err
			}
			return s.offerPage(ctx, o)
		},
	}.Operation()
}

type buyInput struct {
	ID    string        `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Price *models.Money `json:"price,omitempty" jsonschema:"asking price that you agree to; if it has changed, nothing is bought" example:"1249.00 EUR"`
	deliveryInput
}

func (s offerOps) buyListing() web.Operation {
	return web.Op[buyInput, *views.Offer]{
		Name:    "buy_listing",
		Method:  http.MethodPost,
		Path:    "/api/listings/{id}/buy",
		Page:    "/listings/{id}/buy",
		Form:    "/listings/{id}",
		Access:  web.Members,
		Scope:   string(models.OffersWrite),
		Creates: true,
		Done:    "It's reserved for you.",
		Tag:     "Offers",
		Title:   "Buy a listing",
		Summary: "Buys an active listing at its asking price.",
		Description: "Buys another member's listing whose buy_now is confirm or instant: price, delivery and address are agreed in one step, and it is reserved for you. With confirm, the seller has 48 hours to confirm the purchase (accept_offer) or to decline it; with instant, it is agreed at once. " +
			"Returns the offer: payment_ways says how to pay the seller. The site doesn't handle payments. A purchase replaces an offer that you made before on the listing.",
		Errors: []string{"listing_not_found", "own_listing", "blocked", "not_for_sale", "no_buy_now", "listing_changed", "too_many_offers", "too_many_today"},
		Sample: s.sampleOffer(models.OfferAccepted),
		Confirm: func(ctx context.Context, in *buyInput) (string, error) {
			l, err := s.Listings.Listing(ctx, strings.ToLower(in.ID))
			if err != nil {
				return "", err
			}
			seller, err := s.Accounts.MemberByID(ctx, l.SellerID)
			if err != nil {
				return "", err
			}
			return views.BuyQuestion(ctx, s.Site, l, seller.Name), nil
		},
		Do: func(ctx context.Context, in *buyInput) (*views.Offer, error) {
			var price models.Cents
			if in.Price != nil {
				var err error
				if price, err = s.Amounts.AmountIn(ctx, "price", in.ID, *in.Price); err != nil {
					return nil, err
				}
			}
			o, err := s.Trades.Buy(ctx, strings.ToLower(in.ID), caller.ID(ctx), price, in.request())
			if err != nil {
				return nil, err
			}
			return s.offerPage(ctx, o)
		},
	}.Operation()
}

type listOffersInput struct {
	Role    string             `json:"role,omitempty" jsonschema:"your role: buyer for offers you made, seller for offers you received; default: both" enum:"buyer,seller" example:"seller"`
	Status  models.OfferStatus `json:"status,omitempty" jsonschema:"only offers in this status" example:"pending"`
	Listing string             `json:"listing,omitempty" jsonschema:"only offers on the listing with this UUID"`
	Limit   int                `json:"limit,omitempty" jsonschema:"offers per page, 1 to 100" min:"1" max:"100" default:"24"`
	Cursor  string             `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s offerOps) listOffers() web.Operation {
	return web.Op[listOffersInput, *views.Offers]{
		Name:    "list_offers",
		Path:    "/api/offers",
		Page:    "/account/offers",
		Access:  web.Members,
		Scope:   string(models.AccountRead),
		Tag:     "Offers",
		Title:   "List your offers",
		Summary: "Lists the offers you made and received, most recently updated first.",
		Description: "Returns your offers as buyer and as seller, each with its status, the latest price and whether it is your turn to respond (your_turn). " +
			"Filter by role, status and listing. Use get_offer for one in full, with its price history and your available steps.",
		Errors: []string{"invalid_cursor"},
		Sample: func() *views.Offers {
			card := s.sampleOffer(models.OfferPending)().OfferCard
			return views.NewOffers(s.Site, views.OfferQuery{}, []views.OfferCard{card}, ui.Next{})
		},
		Do: s.findOffers,
	}.Operation()
}

func (s offerOps) findOffers(ctx context.Context, in *listOffersInput) (*views.Offers, error) {
	at, id, err := input.ReadCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	me := caller.ID(ctx)
	filter := store.OfferFilter{Role: in.Role, Status: in.Status, ListingID: strings.ToLower(in.Listing)}
	offers, err := s.Trades.FilterOffers(ctx, me, filter, store.OfferKey{UpdatedAt: at, ID: id}, in.Limit+1)
	if err != nil {
		return nil, err
	}
	offers, next := input.CutPage(offers, in.Limit, func(r models.Offer) (models.Time, string) { return r.UpdatedAt, r.ID })
	cards, err := s.OfferCards(ctx, offers)
	if err != nil {
		return nil, err
	}
	return views.NewOffers(s.Site, views.OfferQuery{Role: in.Role, Status: in.Status, Listing: filter.ListingID}, cards, ui.NewNext(next, in.Limit, 24)), nil
}

// OfferCards returns offers of the caller for a list.
func (s Deps) OfferCards(ctx context.Context, offers []models.Offer) ([]views.OfferCard, error) {
	me := caller.ID(ctx)
	var listingIDs, memberIDs []string
	for i := range offers {
		listingIDs, memberIDs = append(listingIDs, offers[i].ListingID), append(memberIDs, offers[i].Other(me))
	}
	found, err := s.Listings.ListingsByID(ctx, listingIDs)
	if err != nil {
		return nil, err
	}
	listings := make(map[string]*models.Listing, len(found))
	for _, l := range found {
		listings[l.ID] = l
	}
	members, err := s.Accounts.MembersByID(ctx, memberIDs)
	if err != nil {
		return nil, err
	}
	offerIDs := make([]string, len(offers))
	for i := range offers {
		offerIDs[i] = offers[i].ID
	}
	handovers, err := s.Trades.HandoversOf(ctx, offerIDs)
	if err != nil {
		return nil, err
	}
	cards := make([]views.OfferCard, len(offers))
	for i := range offers {
		o := &offers[i]
		cards[i] = views.NewOfferCard(s.Site, &views.OfferParts{Offer: o, Member: me, Other: members[o.Other(me)], Listing: listings[o.ListingID], Handover: handovers[o.ID]})
	}
	return cards, nil
}

// offerInput identifies an offer.
type offerInput struct {
	ID string `json:"id" in:"path" jsonschema:"UUID of the offer" example:"019aa7d2-7c00-7000-8000-00000000000f"`
}

func (s offerOps) getOffer() web.Operation {
	return web.Op[offerInput, *views.Offer]{
		Name:    "get_offer",
		Path:    "/api/offers/{id}",
		Page:    "/account/offers/{id}",
		Access:  web.Members,
		Scope:   string(models.AccountRead),
		Tag:     "Offers",
		Title:   "Get an offer",
		Summary: "Returns one of your offers, with its price history and available steps.",
		Description: "Returns the offer's status, its proposed prices and messages, the listing, the other member, and steps: the operations available to you now " +
			"(accept_offer, counter_offer, decline_offer, withdraw_offer, complete_offer, confirm_offer, dispute_offer). From acceptance on, agreement is what was agreed on, and handover how the item gets to the buyer, with steps of its own. Get the id from list_offers or make_offer.",
		Errors: []string{"offer_not_found"},
		Sample: s.sampleOffer(models.OfferCountered),
		Do: func(ctx context.Context, in *offerInput) (*views.Offer, error) {
			o, err := s.Trades.Offer(ctx, strings.ToLower(in.ID), caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			page, err := s.offerPage(ctx, o)
			if err != nil {
				return nil, err
			}
			address, err := s.Trades.HandoverAddress(ctx, o.ID, caller.ID(ctx))
			page.ShowAddress(address)
			return page, err
		},
	}.Operation()
}

// offerPage returns the page of an offer as the caller sees it.
func (s offerOps) offerPage(ctx context.Context, o *models.Offer) (*views.Offer, error) {
	parts := views.OfferParts{Offer: o, Member: caller.ID(ctx)}
	var err error
	if parts.Other, err = s.Accounts.MemberByID(ctx, o.Other(parts.Member)); err != nil {
		return nil, err
	}
	if parts.Prices, err = s.Trades.Proposals(ctx, o.ID); err != nil {
		return nil, err
	}
	conversation, err := s.Trades.ConversationOn(ctx, o.ListingID, o.BuyerID, parts.Member)
	if err != nil {
		return nil, err
	}
	if conversation != nil {
		parts.Conversation = conversation.ID
	}
	agreement, err := s.Trades.Agreement(ctx, o.ID)
	if err != nil {
		return nil, err
	}
	if agreement != nil {
		parts.Agreement = views.NewAgreement(s.Site, agreement, s.Catalog.Gear(agreement.Listing.Gear))
	}
	if parts.Handover, err = s.Trades.Handover(ctx, o.ID); err != nil {
		return nil, err
	}
	if o.Reserves() && parts.Handover == nil {
		settings, err := s.Trades.TradeSettings(ctx, o.SellerID)
		if err != nil {
			return nil, err
		}
		parts.Ways = settings.PaymentWays
	}
	if o.Sold() || o.Status == models.OfferVoided {
		evidence, err := s.Trades.EvidenceOf(ctx, []string{o.ID})
		if err != nil {
			return nil, err
		}
		parts.Evidence = evidence[o.ID]
		disputes, err := s.Trades.Disputes(ctx, []string{o.ID})
		if err != nil {
			return nil, err
		}
		if d := disputes[o.ID]; d != nil {
			parts.Dispute = d.Text
		}
		rating, err := s.Trades.RatingOf(ctx, o.ID, parts.Member)
		if err != nil {
			return nil, err
		}
		if rating != nil {
			parts.RatedAt = rating.At
		}
	}
	if parts.Listing, err = s.Listings.Listing(ctx, o.ListingID); err != nil {
		if input.IsNotFound(err) {
			return views.NewOffer(s.Site, &parts), nil
		}
		return nil, err
	}
	seller := parts.Other
	if parts.Member == o.SellerID {
		seller = &caller.Identity(ctx).Member
	}
	trend, err := s.Prices.Trend(ctx, parts.Listing.Gear)
	if err != nil {
		return nil, err
	}
	card := ui.NewCard(s.Site, parts.Listing, s.Catalog.Gear(parts.Listing.Gear), seller.Handle, s.Estimates.Deal(parts.Listing, trend))
	parts.Card = &card
	return views.NewOffer(s.Site, &parts), nil
}

// offerWrite completes an operation that changes an offer: it is mounted at path below the
// offer, and answers with the page of the offer.
func offerWrite[In any](op web.Op[In, *views.Offer], name, path string) web.Operation {
	op.Name, op.Method, op.Path, op.Page, op.Form = name, http.MethodPost, "/api/offers/{id}/"+path, "/account/offers/{id}/"+path, "/account/offers/{id}"
	op.Access, op.Scope, op.Tag = web.Members, string(models.OffersWrite), "Offers"
	op.Errors = append([]string{"offer_not_found"}, op.Errors...)
	return op.Operation()
}

// offerStep completes an operation that takes a step of an offer.
func offerStep[In any](op web.Op[In, *views.Offer], step models.OfferStep) web.Operation {
	return offerWrite(op, string(step)+"_offer", string(step))
}

// step completes an operation that takes a step without further input.
func (s offerOps) step(op web.Op[offerInput, *views.Offer], step models.OfferStep) web.Operation {
	op.Do = func(ctx context.Context, in *offerInput) (*views.Offer, error) {
		return s.answerOffer(ctx, in.ID, store.Answer{Step: step})
	}
	op.Errors = append([]string{"not_your_turn", "blocked", "wrong_status"}, op.Errors...)
	return offerStep(op, step)
}

// question returns what is asked before a step that commits the caller.
func (s offerOps) question(ctx context.Context, id string, step models.OfferStep) (string, error) {
	o, err := s.Trades.Offer(ctx, strings.ToLower(id), caller.ID(ctx))
	if err != nil {
		return "", err
	}
	page, err := s.offerPage(ctx, o)
	if err != nil {
		return "", err
	}
	return page.Question(ctx, step), nil
}

func (s offerOps) acceptOffer() web.Operation {
	return s.step(web.Op[offerInput, *views.Offer]{
		Confirm: func(ctx context.Context, in *offerInput) (string, error) {
			return s.question(ctx, in.ID, models.Accept)
		},
		Done: "Offer accepted. Your listing is reserved.", Destructive: true,
		Title:   "Accept an offer",
		Summary: "Accepts the latest price and reserves the listing.",
		Description: "Accepts a pending offer as its seller, or a counter-offer as its buyer. Only one offer per listing can be accepted; other offers stay open. " +
			"What was agreed on is kept with the offer, and the listing can't be edited. Next, either party suggests collection or postage with propose_handover.",
		Errors: []string{"not_for_sale"},
		Sample: s.sampleOffer(models.OfferAccepted),
	}, models.Accept)
}

func (s offerOps) declineOffer() web.Operation {
	return s.step(web.Op[offerInput, *views.Offer]{
		Done:        "Offer declined.",
		Destructive: true,
		Title:       "Decline an offer",
		Summary:     "Declines an offer that is waiting for your response.",
		Description: "Declines a pending offer as its seller, or a counter-offer as its buyer. This can't be undone; to propose another price use counter_offer.",
		Sample:      s.sampleOffer(models.OfferDeclined),
	}, models.Decline)
}

func (s offerOps) withdrawOffer() web.Operation {
	return s.step(web.Op[offerInput, *views.Offer]{
		Done:        "Offer withdrawn.",
		Destructive: true,
		Title:       "Withdraw an offer",
		Summary:     "Withdraws your offer or counter-offer, or cancels an accepted offer.",
		Description: "Withdraws an offer without a reply, or cancels an accepted one before it is completed; the listing is then for sale again and can be edited. This can't be undone.",
		Sample:      s.sampleOffer(models.OfferWithdrawn),
	}, models.Withdraw)
}

type completeOfferInput struct {
	offerInput
	shipmentInput
}

func (s offerOps) completeOffer() web.Operation {
	return offerStep(web.Op[completeOfferInput, *views.Offer]{
		Done:    "Marked as sold. We've asked the buyer to confirm.",
		Title:   "Complete a sale",
		Summary: "Completes an accepted offer as its seller: the listing is sold at the accepted price.",
		Description: "Call it as the seller once the item is handed over or, if you agreed on shipping, sent: then with carrier and tracking. The listing becomes sold and all other offers on it are declined. The buyer has 7 days to confirm the sale (confirm_offer) or to dispute it (dispute_offer), " +
			"or 21 days if it was sent; without an answer it counts as confirmed. A confirmed sale is added anonymously to the price trend of the gear. Both sides can rate each other; ratings are shown once the sale is confirmed.",
		Destructive: true,
		Errors:      []string{"not_your_turn", "blocked", "wrong_status", "handover_changed"},
		Sample:      s.sampleOffer(models.OfferCompleted),
		Confirm: func(ctx context.Context, in *completeOfferInput) (string, error) {
			return s.question(ctx, in.ID, models.Complete)
		},
		Do: func(ctx context.Context, in *completeOfferInput) (*views.Offer, error) {
			return s.answerOffer(ctx, in.ID, store.Answer{Step: models.Complete, Shipment: in.shipment()})
		},
	}, models.Complete)
}

func (s offerOps) confirmOffer() web.Operation {
	return s.step(web.Op[offerInput, *views.Offer]{
		Done:        "Thanks. Sale confirmed.",
		Title:       "Confirm a sale",
		Summary:     "Confirms as the buyer that the item arrived as agreed.",
		Description: "Confirms a completed sale, or a disputed one that both sides have settled. Its price is then added anonymously to the price trend of the gear. Compare the item with agreement (get_offer) first: this can't be undone.",
		Sample:      s.sampleOffer(models.OfferConfirmed),
	}, models.Confirm)
}

type disputeOfferInput struct {
	offerInput
	Text string `json:"text" jsonschema:"what isn't as agreed, plain text; the seller and the operators read it" maxlength:"2000" example:"The light meter doesn't work."`
}

func (s offerOps) disputeOffer() web.Operation {
	return offerStep(web.Op[disputeOfferInput, *views.Offer]{
		Done:    "Thanks. We'll look into it.",
		Title:   "Report a problem with a sale",
		Summary: "Reports as the buyer that the item didn't arrive, or not as agreed.",
		Description: "Disputes a completed sale within 7 days of collection or arrival, or 21 days after it was sent. The sale then doesn't count until an operator has reviewed it, or the buyer confirms it after all with confirm_offer. " +
			"The seller is notified and can read the text.",
		Errors: []string{"not_your_turn", "wrong_status"},
		Sample: s.sampleOffer(models.OfferDisputed),
		Do: func(ctx context.Context, in *disputeOfferInput) (*views.Offer, error) {
			return s.answerOffer(ctx, in.ID, store.Answer{Step: models.Dispute, Message: in.Text})
		},
	}, models.Dispute)
}

type counterOfferInput struct {
	offerInput
	Amount  models.Money `json:"amount" jsonschema:"proposed price in the currency of the listing, at most the asking price" example:"1200.00 EUR"`
	Message string       `json:"message,omitempty" jsonschema:"message to the other party, plain text" maxlength:"1000" example:"With the second battery."`
}

func (s offerOps) counterOffer() web.Operation {
	return offerStep(web.Op[counterOfferInput, *views.Offer]{
		Done:    "Counter-offer sent.",
		Title:   "Counter an offer",
		Summary: "Responds to an offer with another price.",
		Description: "Responds with another price to a pending offer as its seller, or to a counter-offer as its buyer. The other side then has 48 hours to respond. " +
			"An offer can have at most eight prices in total; rounds_left is the number that remain.",
		Errors: []string{"not_your_turn", "blocked", "wrong_status", "too_many_rounds"},
		Sample: s.sampleOffer(models.OfferCountered),
		Check: func(ctx context.Context, in *counterOfferInput) error {
			_, err := s.counterAmount(ctx, in)
			return err
		},
		Do: func(ctx context.Context, in *counterOfferInput) (*views.Offer, error) {
			amount, err := s.counterAmount(ctx, in)
			if err != nil {
				return nil, err
			}
			return s.answerOffer(ctx, in.ID, store.Answer{Step: models.Counter, Amount: amount, Message: in.Message})
		},
	}, models.Counter)
}

// counterAmount parses the amount of a counter-offer, in the currency of the listing.
func (s offerOps) counterAmount(ctx context.Context, in *counterOfferInput) (models.Cents, error) {
	o, err := s.Trades.Offer(ctx, strings.ToLower(in.ID), caller.ID(ctx))
	if err != nil {
		return 0, err
	}
	return s.Amounts.AmountIn(ctx, "amount", o.ListingID, in.Amount)
}

// answerOffer takes a step of an offer for the caller and returns its page.
func (s offerOps) answerOffer(ctx context.Context, id string, a store.Answer) (*views.Offer, error) {
	a.By = caller.ID(ctx)
	o, err := s.Trades.AnswerOffer(ctx, strings.ToLower(id), a)
	if err != nil {
		return nil, err
	}
	return s.offerPage(ctx, o)
}

// sampleHandover returns an example hand-over of an offer, by shipping.
func sampleHandover(o *models.Offer) *models.Handover {
	h := &models.Handover{OfferID: o.ID, Status: models.HandoverProposed, Method: models.Shipping, Proposal: 1, Payment: "Bank transfer: I'll send you the details.",
		UpdatedAt: o.UpdatedAt, DueAt: o.UpdatedAt.Add(models.ArrangePeriod)}
	if o.Status != models.OfferAccepted {
		h.Status, h.SentAt, h.DueAt = models.HandoverSent, o.UpdatedAt, o.ExpiresAt
		h.Carrier, h.Tracking, h.TrackingURL = "DHL", "00340434161094042557", "https://www.example.com/track/00340434161094042557"
	}
	return h
}

// sampleOffer returns a function that makes an example offer in a status, as its buyer
// sees it.
func (s offerOps) sampleOffer(status models.OfferStatus) func() *views.Offer {
	return func() *views.Offer {
		at := models.Time(1795251600000) // 2026-11-21 09:00 UTC
		o := &models.Offer{ID: "019aa7d2-7c00-7000-8000-00000000000f", ListingID: "019aa7d2-7c00-7000-8000-000000000000", BuyerID: "buyer", SellerID: "seller",
			Status: status, Amount: 115000, Proposals: 1, CreatedAt: at, UpdatedAt: at, ExpiresAt: at.Add(models.OfferLifetime)}
		proposals := []models.Proposal{{ByBuyer: true, Amount: 115000, Message: "I could pick it up on Saturday.", At: at}}
		if status != models.OfferPending {
			o.Amount, o.Proposals = 120000, 2
			proposals = append(proposals, models.Proposal{Amount: 120000, Message: "With the second battery.", At: at})
		}
		l := &models.Listing{ID: o.ListingID, SellerID: o.SellerID, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6 body", Item: models.Item{Condition: models.Conditions[2], Functional: models.FullyWorking},
			Price: 124900, Region: "DE", Status: models.StatusActive, PublishedAt: at}
		switch status {
		case models.OfferAccepted:
			l.Status = models.StatusReserved
		case models.OfferCompleted, models.OfferConfirmed, models.OfferDisputed:
			l.Status = models.StatusSold
		}
		card := ui.NewCard(s.Site, l, s.Catalog.Gear(l.Gear), "anna-k", nil)
		parts := views.OfferParts{Offer: o, Member: o.BuyerID, Other: &models.Member{Handle: "anna-k", Name: "Anna Keller"}, Listing: l, Card: &card, Prices: proposals}
		if l.Status != models.StatusActive {
			parts.Agreement = views.NewAgreement(s.Site, &models.Agreement{AgreedAt: at, Amount: o.Amount, Listing: *l}, s.Catalog.Gear(l.Gear))
			parts.Handover = sampleHandover(o)
		}
		if status == models.OfferDisputed {
			parts.Dispute = "The light meter doesn't work."
			parts.Evidence = []models.Evidence{{Text: "It worked when I packed it.", At: at}}
		}
		return views.NewOffer(s.Site, &parts)
	}
}
