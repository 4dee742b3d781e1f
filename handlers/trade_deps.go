package handlers

import (
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views"
)

// tradeDeps are the stores and services that the operations use.
type tradeDeps struct {
	Listings   *store.Listings
	Trades     *store.Trades
	Accounts   *store.Accounts
	Prices     *store.Prices
	Moderation *store.Moderation
	Site       *views.Site
	Catalog    *catalog.Catalog
	Estimates  *estimates
	Amounts    *amounts
	Uploads    *photoUploads
}

// tradeOperations returns the operations of the package.
func tradeOperations(deps tradeDeps) []web.Operation {
	offer, handover, conversation := offerOps{deps}, handoverOps{offerOps{deps}}, conversationOps{deps}
	return []web.Operation{
		offer.makeOffer(),
		offer.listOffers(),
		offer.getOffer(),
		offer.acceptOffer(),
		offer.counterOffer(),
		offer.declineOffer(),
		offer.withdrawOffer(),
		handover.proposeHandover(),
		handover.agreeHandover(),
		handover.setPayment(),
		offer.completeOffer(),
		handover.setTracking(),
		handover.receiveItem(),
		offer.confirmOffer(),
		offer.disputeOffer(),
		handover.addEvidence(),
		conversation.writeMessage(),
		conversation.listConversations(),
		conversation.getConversation(),
		conversation.markConversationRead(),
		conversation.replyMessage(),
		conversation.messageTrader(),
		ratingOps{deps}.rateTrade(),
	}
}
