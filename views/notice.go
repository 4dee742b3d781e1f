package views

import (
	"fmt"

	"github.com/secondlight/secondlight/models"
)

// Letters writes what members hear of by mail: what happened, and where to see
// it. A message itself, and everybody's address, stay on the site.
func Letters(site *Site) models.Letters {
	return func(n *models.Notice) (subject, body string) {
		by, title := oneLine(n.By), oneLine(n.Title)
		subject, text := noticeText(n, by, title, MoneyText(site.Currency.Money(n.Amount)))
		return subject, site.mail(text, "", site.URL(noticePath(n)), "")
	}
}

func noticePath(n *models.Notice) string {
	switch n.Kind {
	case models.ListingHasExpired:
		return listingPath(n.ID)
	case models.MessageWasWritten:
		return conversationPath(n.ID)
	}
	return offerPath(n.ID)
}

// noticeText is the subject and the sentences of a notice.
func noticeText(n *models.Notice, by, title, amount string) (subject, text string) {
	until := InstantText(n.ExpiresAt.RFC3339())
	switch n.Kind {
	case models.OfferWasMade:
		return "An offer on " + title, fmt.Sprintf("%s offers %s for %s. You may accept, counter or decline until %s.", by, amount, title, until)
	case models.OfferWasCountered:
		return "A counter-offer on " + title, fmt.Sprintf("%s answers with %s for %s. You may accept, counter or decline until %s.", by, amount, title, until)
	case models.OfferWasAccepted:
		return "Accepted: your price for " + title, fmt.Sprintf("%s accepts %s for %s. The listing is reserved; agree on payment and delivery, then complete the sale.", by, amount, title)
	case models.OfferWasDeclined:
		return "Declined: your price for " + title, fmt.Sprintf("%s declines %s for %s.", by, amount, title)
	case models.OfferWasWithdrawn:
		return "Withdrawn: the offer on " + title, fmt.Sprintf("%s withdraws the offer on %s.", by, title)
	case models.OfferWasCompleted:
		return "Sold: " + title, fmt.Sprintf("%s says the sale of %s at %s is complete. You may rate each other now.", by, title, amount)
	case models.OfferWasClosed:
		return "Your offer on " + title + " has ended", title + " is not for sale any more, and your offer on it is declined."
	case models.OfferHasExpired:
		return "No answer: your price for " + title, fmt.Sprintf("Nobody answered your price of %s for %s in time, and the offer has expired.", amount, title)
	case models.ListingHasExpired:
		return title + " has expired", title + " is for sale no more, because its time was over. Relist it from its page: it keeps its photographs and its text."
	case models.MessageWasWritten:
		return by + " wrote to you about " + title, by + " wrote to you about “" + title + "”. There is one such mail until you have read what was written."
	}
	panic("views: no letter for " + string(n.Kind))
}
