package trade

import "github.com/secondlight/secondlight/handlers/web"

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	offer, handover, conversation := offerOps{deps}, handoverOps{offerOps{deps}}, conversationOps{deps}
	return []web.Operation{
		offer.makeOffer(),
		offer.buyListing(),
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
