package handlers

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// offerOperations are what buyers and sellers do about a price.
func (s *Server) offerOperations() []Operation {
	return []Operation{
		s.makeOffer(),
		s.listOffers(),
		s.getOffer(),
		s.acceptOffer(),
		s.counterOffer(),
		s.declineOffer(),
		s.withdrawOffer(),
		s.completeOffer(),
	}
}

type makeOfferInput struct {
	ID      string       `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Amount  models.Money `json:"amount" jsonschema:"the price you propose, in the site's currency" example:"1150.00 EUR"`
	Message string       `json:"message,omitempty" jsonschema:"a few words with it; plain text" maxlength:"1000" example:"I could fetch it on Saturday."`
}

func (s *Server) makeOffer() Operation {
	return Op[makeOfferInput, *views.Offer]{
		Name:    "make_offer",
		Method:  http.MethodPost,
		Path:    "/api/listings/{id}/offers",
		Page:    "/listings/{id}/offers",
		Form:    "/listings/{id}",
		Access:  Members,
		Scope:   models.OffersWrite,
		Creates: true,
		Done:    "Your offer is made; the seller was told.",
		Tag:     "Offers",
		Title:   "Make an offer",
		Summary: "Proposes a price for a listing that is for sale.",
		Description: "Makes an offer on another member's active listing; the seller has 48 hours to accept, counter or decline it. " +
			"One open offer a listing. Compare the price with the median of the same condition (get_trend) first. Answers with the offer, and the steps you may take; read it again with get_offer.",
		Errors: []string{"listing_not_found", "own_listing", "blocked", "not_for_sale", "offer_exists", "too_many_offers", "too_many_today"},
		Sample: s.sampleOffer(models.OfferPending),
		Do: func(ctx context.Context, in *makeOfferInput) (*views.Offer, error) {
			amount, err := s.cents("amount", in.Amount)
			if err != nil {
				return nil, err
			}
			o, err := s.store.MakeOffer(ctx, strings.ToLower(in.ID), memberID(ctx), amount, in.Message)
			if err != nil {
				return nil, err
			}
			return s.offerPage(ctx, o)
		},
	}.Operation()
}

type listOffersInput struct {
	Role    string             `json:"role,omitempty" jsonschema:"your side: buyer for those you made, seller for those you got; both when it is not given" enum:"buyer,seller" example:"seller"`
	Status  models.OfferStatus `json:"status,omitempty" jsonschema:"only offers in this status" example:"pending"`
	Listing string             `json:"listing,omitempty" jsonschema:"only offers on the listing of this UUID"`
	Limit   int                `json:"limit,omitempty" jsonschema:"offers a page, 1 to 100" min:"1" max:"100" default:"24"`
	Cursor  string             `json:"cursor,omitempty" jsonschema:"next_cursor of the page before, as it is"`
}

func (s *Server) listOffers() Operation {
	return Op[listOffersInput, *views.Offers]{
		Name:    "list_offers",
		Path:    "/api/offers",
		Page:    "/account/offers",
		Access:  Members,
		Scope:   models.AccountRead,
		Tag:     "Offers",
		Title:   "List your offers",
		Summary: "The offers you made and got, the last to change first.",
		Description: "Lists your offers on both sides, each with its status, the price named last, and whether you are to answer (your_turn). " +
			"Narrow by role, status and listing; read one in full, with its rounds and the steps you may take, by get_offer.",
		Errors: []string{"invalid_cursor"},
		Sample: func() *views.Offers {
			card := s.sampleOffer(models.OfferPending)().OfferCard
			return views.NewOffers(&s.site, views.OfferQuery{}, []views.OfferCard{card}, "")
		},
		Do: s.findOffers,
	}.Operation()
}

func (s *Server) findOffers(ctx context.Context, in *listOffersInput) (*views.Offers, error) {
	at, id, err := readCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	me := memberID(ctx)
	filter := models.OfferFilter{Role: in.Role, Status: in.Status, ListingID: strings.ToLower(in.Listing)}
	offers, err := s.store.OffersLike(ctx, me, filter, models.OfferKey{UpdatedAt: at, ID: id}, in.Limit+1)
	if err != nil {
		return nil, err
	}
	next := ""
	if len(offers) > in.Limit {
		offers = offers[:in.Limit]
		last := &offers[in.Limit-1]
		next = writeCursor(last.UpdatedAt, last.ID)
	}
	var listingIDs, memberIDs []string
	for i := range offers {
		listingIDs, memberIDs = append(listingIDs, offers[i].ListingID), append(memberIDs, offers[i].Other(me))
	}
	found, err := s.store.ListingsByID(ctx, listingIDs)
	if err != nil {
		return nil, err
	}
	listings := make(map[string]*models.Listing, len(found))
	for _, l := range found {
		listings[l.ID] = l
	}
	members, err := s.store.MembersByID(ctx, memberIDs)
	if err != nil {
		return nil, err
	}
	cards := make([]views.OfferCard, len(offers))
	for i := range offers {
		o := &offers[i]
		cards[i] = views.NewOfferCard(&s.site, &views.OfferParts{Offer: o, Member: me, Other: members[o.Other(me)], Listing: listings[o.ListingID]})
	}
	return views.NewOffers(&s.site, views.OfferQuery{Role: in.Role, Status: in.Status, Listing: filter.ListingID}, cards, next), nil
}

// offerInput names an offer.
type offerInput struct {
	ID string `json:"id" in:"path" jsonschema:"UUID of the offer" example:"019aa7d2-7c00-7000-8000-00000000000f"`
}

func (s *Server) getOffer() Operation {
	return Op[offerInput, *views.Offer]{
		Name:    "get_offer",
		Path:    "/api/offers/{id}",
		Page:    "/account/offers/{id}",
		Access:  Members,
		Scope:   models.AccountRead,
		Tag:     "Offers",
		Title:   "Get an offer",
		Summary: "One of your offers in full: every price named, and what you may do now.",
		Description: "Answers with the offer's status, the prices named so far with what was written, the listing, the other side, and steps: the operations you may call on it now " +
			"(accept_offer, counter_offer, decline_offer, withdraw_offer, complete_offer). Take the id from list_offers or make_offer.",
		Errors: []string{"offer_not_found"},
		Sample: s.sampleOffer(models.OfferCountered),
		Do: func(ctx context.Context, in *offerInput) (*views.Offer, error) {
			o, err := s.store.Offer(ctx, strings.ToLower(in.ID), memberID(ctx))
			if err != nil {
				return nil, err
			}
			return s.offerPage(ctx, o)
		},
	}.Operation()
}

// offerPage is the page of an offer for who asks.
func (s *Server) offerPage(ctx context.Context, o *models.Offer) (*views.Offer, error) {
	parts := views.OfferParts{Offer: o, Member: memberID(ctx)}
	var err error
	if parts.Other, err = s.store.MemberByID(ctx, o.Other(parts.Member)); err != nil {
		return nil, err
	}
	if parts.Rounds, err = s.store.Rounds(ctx, o.ID); err != nil {
		return nil, err
	}
	conversation, err := s.store.ConversationOn(ctx, o.ListingID, o.BuyerID)
	if err != nil {
		return nil, err
	}
	if conversation != nil {
		parts.Conversation = conversation.ID
	}
	if o.Status == models.OfferCompleted {
		rating, err := s.store.RatingOf(ctx, o.ID, parts.Member)
		if err != nil {
			return nil, err
		}
		parts.Rated = rating != nil
	}
	if parts.Listing, err = s.store.Listing(ctx, o.ListingID); err != nil {
		if isNotFound(err) {
			return views.NewOffer(&s.site, &parts), nil
		}
		return nil, err
	}
	seller := parts.Other
	if parts.Member == o.SellerID {
		seller = &callerOf(ctx).Member
	}
	trend, err := s.store.Trend(ctx, parts.Listing.Gear)
	if err != nil {
		return nil, err
	}
	var deal *models.Deal
	if trend != nil {
		if d, ok := trend.DealOf(parts.Listing.Price, parts.Listing.Condition); ok {
			deal = &d
		}
	}
	card := views.NewCard(&s.site, parts.Listing, s.catalog.Gear(parts.Listing.Gear), seller.Handle, deal)
	parts.Card = &card
	return views.NewOffer(&s.site, &parts), nil
}

// step is the operation of a step that needs nothing but the offer.
func (s *Server) step(op Op[offerInput, *views.Offer], step models.OfferStep) Operation {
	op.Do = func(ctx context.Context, in *offerInput) (*views.Offer, error) {
		return s.answerOffer(ctx, in.ID, models.Answer{Step: step})
	}
	op.Name, op.Method, op.Path, op.Page, op.Form = string(step)+"_offer", http.MethodPost, "/api/offers/{id}/"+string(step), "/account/offers/{id}/"+string(step), "/account/offers/{id}"
	op.Access, op.Scope, op.Tag = Members, models.OffersWrite, "Offers"
	op.Errors = append([]string{"offer_not_found", "not_your_turn", "wrong_status"}, op.Errors...)
	return op.Operation()
}

func (s *Server) acceptOffer() Operation {
	return s.step(Op[offerInput, *views.Offer]{
		Done:    "The offer is accepted; the listing is reserved.",
		Title:   "Accept an offer",
		Summary: "Agrees to the price the other side named last, and reserves the listing.",
		Description: "Takes a pending offer as its seller, or a countered one as its buyer. Of several offers on one listing exactly one can be accepted; the others wait. " +
			"Afterwards the two sides agree on payment and delivery by message, then complete_offer.",
		Errors: []string{"not_for_sale"},
		Sample: s.sampleOffer(models.OfferAccepted),
	}, models.Accept)
}

func (s *Server) declineOffer() Operation {
	return s.step(Op[offerInput, *views.Offer]{
		Done:        "The offer is declined.",
		Destructive: true,
		Title:       "Decline an offer",
		Summary:     "Ends an offer that waits for your answer.",
		Description: "Ends a pending offer as its seller, or a countered one as its buyer. Nothing brings it back; to go on talking about the price use counter_offer.",
		Sample:      s.sampleOffer(models.OfferDeclined),
	}, models.Decline)
}

func (s *Server) withdrawOffer() Operation {
	return s.step(Op[offerInput, *views.Offer]{
		Done:        "The offer is withdrawn.",
		Destructive: true,
		Title:       "Withdraw an offer",
		Summary:     "Takes your offer, your counter-offer or an agreed sale back.",
		Description: "Ends an offer while the other side has not answered, or an accepted one before it is completed: then the listing is for sale again. Nothing brings the offer back.",
		Sample:      s.sampleOffer(models.OfferWithdrawn),
	}, models.Withdraw)
}

func (s *Server) completeOffer() Operation {
	return s.step(Op[offerInput, *views.Offer]{
		Done:    "The sale is completed, and counts in the trend.",
		Title:   "Complete a sale",
		Summary: "Says that the agreed sale took place: the listing is sold at the accepted price.",
		Description: "Ends an accepted offer, as either side, once the gear has changed hands. The listing becomes sold, the price counts in the trend of its gear without names, " +
			"every other offer on it is declined, and both sides may rate each other.",
		Sample: s.sampleOffer(models.OfferCompleted),
	}, models.Complete)
}

type counterOfferInput struct {
	offerInput
	Amount  models.Money `json:"amount" jsonschema:"the price you propose instead, in the site's currency" example:"1200.00 EUR"`
	Message string       `json:"message,omitempty" jsonschema:"a few words with it; plain text" maxlength:"1000" example:"With the second battery."`
}

func (s *Server) counterOffer() Operation {
	return Op[counterOfferInput, *views.Offer]{
		Name:    "counter_offer",
		Method:  http.MethodPost,
		Path:    "/api/offers/{id}/counter",
		Page:    "/account/offers/{id}/counter",
		Form:    "/account/offers/{id}",
		Access:  Members,
		Scope:   models.OffersWrite,
		Done:    "Your price is named; the other side was told.",
		Tag:     "Offers",
		Title:   "Counter an offer",
		Summary: "Names another price instead of the one the other side named.",
		Description: "Answers a pending offer as its seller, or a countered one as its buyer, with another price; then the other side has 48 hours to answer. " +
			"Together the two name eight prices at most; rounds_left says how many are left.",
		Errors: []string{"offer_not_found", "not_your_turn", "wrong_status", "too_many_rounds"},
		Sample: s.sampleOffer(models.OfferCountered),
		Do: func(ctx context.Context, in *counterOfferInput) (*views.Offer, error) {
			amount, err := s.cents("amount", in.Amount)
			if err != nil {
				return nil, err
			}
			return s.answerOffer(ctx, in.ID, models.Answer{Step: models.Counter, Amount: amount, Message: in.Message})
		},
	}.Operation()
}

// answerOffer takes a step for who asks.
func (s *Server) answerOffer(ctx context.Context, id string, a models.Answer) (*views.Offer, error) {
	a.By = memberID(ctx)
	o, err := s.store.AnswerOffer(ctx, strings.ToLower(id), a)
	if err != nil {
		return nil, err
	}
	return s.offerPage(ctx, o)
}

// sampleOffer is an invented offer in a status, as its buyer sees it.
func (s *Server) sampleOffer(status models.OfferStatus) func() *views.Offer {
	return func() *views.Offer {
		at := models.Time(1795251600000) // 2026-11-21 09:00 UTC
		o := &models.Offer{ID: "019aa7d2-7c00-7000-8000-00000000000f", ListingID: "019aa7d2-7c00-7000-8000-000000000000", BuyerID: "buyer", SellerID: "seller",
			Status: status, Amount: 115000, Rounds: 1, CreatedAt: at, UpdatedAt: at, ExpiresAt: at + models.Time(models.OfferTime.Milliseconds())}
		rounds := []models.Round{{ByBuyer: true, Amount: 115000, Message: "I could fetch it on Saturday.", At: at}}
		if status != models.OfferPending {
			o.Amount, o.Rounds = 120000, 2
			rounds = append(rounds, models.Round{Amount: 120000, Message: "With the second battery.", At: at})
		}
		l := &models.Listing{ID: o.ListingID, SellerID: o.SellerID, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6 body", Condition: models.Conditions[2],
			Functional: models.FullyWorking, Price: 124900, Region: "DE", Status: models.StatusActive, PublishedAt: at}
		switch status {
		case models.OfferAccepted:
			l.Status = models.StatusReserved
		case models.OfferCompleted:
			l.Status = models.StatusSold
		}
		card := views.NewCard(&s.site, l, s.catalog.Gear(l.Gear), "anna-k", nil)
		return views.NewOffer(&s.site, &views.OfferParts{Offer: o, Member: o.BuyerID, Other: &models.Member{Handle: "anna-k", Name: "Anna Keller"},
			Listing: l, Card: &card, Rounds: rounds})
	}
}
