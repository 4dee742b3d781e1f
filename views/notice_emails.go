package views

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// EmailTemplates returns the function that writes the subject and body of a
// notification email. The email links to the site; it contains neither the text of
// messages nor email addresses, and no links from names and titles.
func EmailTemplates(site *Site) models.NoticeRenderer {
	return func(n *models.Notice) (subject, body string) {
		ctx := site.InLanguage(context.Background(), n.Language)
		subject, text := noticeEmail(ctx, n, withoutLinks(ctx, n.By), withoutLinks(ctx, n.Title), moneyIn(ctx, site.in(n.Currency).Money(n.Amount)))
		return subject, site.emailBody(ctx, text, "", site.URL(noticePath(n)), "")
	}
}

// noticePath returns the path of the page a notification is about.
func noticePath(n *models.Notice) string {
	switch n.Kind {
	case models.NoticeListingExpired, models.NoticeListingHeld, models.NoticeListingReleased, models.NoticeListingRefused, models.NoticePossessionVerified:
		return listingPath(n.ID)
	case models.NoticePossessionRejected:
		return editListingPath(n.ID) + "#possession"
	case models.NoticeStolenAccepted, models.NoticeStolenRejected:
		return stolenPath
	case models.NoticeMessageReceived, models.NoticeWatchersMessaged:
		return conversationPath(n.ID)
	}
	return offerPath(n.ID)
}

// noticeEmail returns the subject and the text of a notification. It panics on a
// kind it does not know.
func noticeEmail(ctx context.Context, n *models.Notice, by, title, amount string) (subject, text string) {
	until := momentIn(ctx, n.ExpiresAt.RFC3339())
	switch n.Kind {
	case models.NoticeOfferMade:
		return t(ctx, "An offer on %s", title), t(ctx, "%s offers %s for %s. You may accept, counter or decline until %s.", by, amount, title, until)
	case models.NoticeOfferCountered:
		return t(ctx, "A counter-offer on %s", title), t(ctx, "%s answers with %s for %s. You may accept, counter or decline until %s.", by, amount, title, until)
	case models.NoticeOfferAccepted:
		return t(ctx, "Accepted: your price for %s", title), t(ctx, "%s accepts %s for %s. The listing is reserved. Next, agree on pick-up or shipping.", by, amount, title)
	case models.NoticeOfferDeclined:
		return t(ctx, "Declined: your price for %s", title), t(ctx, "%s declines %s for %s.", by, amount, title)
	case models.NoticeOfferWithdrawn:
		return t(ctx, "Withdrawn: the offer on %s", title), t(ctx, "%s withdraws the offer on %s.", by, title)
	case models.NoticeHandoverProposed:
		return t(ctx, "Pick-up or shipping: %s", title), t(ctx, "%s has suggested how to hand over %s. Agree or suggest something else by %s.", by, title, until)
	case models.NoticeHandoverAgreed:
		return t(ctx, "Agreed: the hand-over of %s", title), agreedEmail(ctx, n, by, title, until)
	case models.NoticePaymentSet:
		return t(ctx, "How to pay for %s", title), t(ctx, "%s has added how they want to be paid for %s. You pay them directly: we take no money and never ask for any.", by, title)
	case models.NoticeTrackingSet:
		return t(ctx, "New tracking number: %s", title), t(ctx, "%s has updated the tracking details for %s.", by, title)
	case models.NoticeItemReceived:
		return t(ctx, "It has arrived: %s", title), t(ctx, "%s has received %s, and has until %s to check it. If we don't hear from them, the sale counts as confirmed.", by, title, until)
	case models.NoticeEvidenceAdded:
		return t(ctx, "New details about the problem: %s", title), t(ctx, "%s has added details about the problem with %s. You can respond until an operator decides.", by, title)
	case models.NoticeArrangeReminder:
		return t(ctx, "Reminder: agree on the hand-over of %s", title), t(ctx, "You and %s have agreed on %s for %s, but not on pick-up or shipping. Please do so by %s.", by, amount, title, until)
	case models.NoticeAgreeReminder:
		return t(ctx, "Reminder: answer %s", by), t(ctx, "%s has proposed how to hand over %s. Agree or propose something else by %s.", by, title, until)
	case models.NoticePickupReminder:
		return t(ctx, "Reminder: the pick-up of %s", title), t(ctx, "You're meeting %s about %s soon. The page of the offer has the place and the time.", by, title)
	case models.NoticeSendReminder:
		return t(ctx, "Reminder: send %s", title), t(ctx, "%s is waiting for %s. Please send it by %s and mark it as sent.", by, title, until)
	case models.NoticeConfirmReminder:
		return t(ctx, "Reminder: did it arrive? %s", title), t(ctx, "Did %s arrive as agreed? Confirm it or report a problem by %s. If we don't hear from you, the sale counts as confirmed.", title, until)
	case models.NoticeOfferCompleted:
		if n.Shipped {
			return t(ctx, "On its way: %s", title), t(ctx, "%s has sent %s. Tell us when it arrives. If we don't hear from you by %s, the sale counts as confirmed.", by, title, until)
		}
		return t(ctx, "Did it arrive? %s", title), t(ctx, "%s has handed over %s for %s. Did it arrive as agreed? Confirm it or report a problem by %s. If we don't hear from you, the sale counts as confirmed.", by, title, amount, until)
	case models.NoticeSaleConfirmed:
		return t(ctx, "Confirmed: the sale of %s", title), t(ctx, "%s has confirmed that %s arrived as agreed. The sale is final.", by, title)
	case models.NoticeSaleDisputed:
		return t(ctx, "Problem reported: %s", title), t(ctx, "%s has reported a problem with %s. An operator will review the sale. Read what happened and settle it by message.", by, title)
	case models.NoticeSaleUnopposed:
		return t(ctx, "Confirmed: the sale of %s", title), t(ctx, "No problem was reported in time, so the sale of %s at %s is confirmed.", title, amount)
	case models.NoticeSaleUpheld:
		return t(ctx, "Reviewed: the sale of %s", title), t(ctx, "An operator has reviewed the sale of %s at %s. The sale stands.", title, amount)
	case models.NoticeSaleVoided:
		return t(ctx, "Voided: the sale of %s", title), t(ctx, "An operator has voided the sale of %s at %s. It isn't part of the price trend, and its ratings are hidden.", title, amount)
	case models.NoticeOfferClosed:
		return t(ctx, "Your offer on %s has ended", title), t(ctx, "%s is not for sale any more, and your offer on it is declined.", title)
	case models.NoticeOfferExpired:
		return t(ctx, "No answer: your price for %s", title), t(ctx, "Nobody answered your price of %s for %s in time, and the offer has expired.", amount, title)
	case models.NoticeListingExpired:
		return t(ctx, "Your listing %s has expired", title), t(ctx, "Your listing %s has expired. Relist it from its page: it keeps its photos and text.", title)
	case models.NoticeListingHeld:
		return t(ctx, "We're checking your listing %s", title), t(ctx, "An operator checks %s before it's for sale. You don't need to do anything. We'll email you.", title)
	case models.NoticeListingReleased:
		return t(ctx, "For sale: %s", title), t(ctx, "We've checked your listing %s. It's for sale now.", title)
	case models.NoticeListingRefused:
		return t(ctx, "Not for sale: %s", title), reasonEmail(ctx, t(ctx, "We've checked your listing %s, and it can't be for sale here.", title), n.Text)
	case models.NoticePossessionVerified:
		return t(ctx, "Photo-verified: %s", title), t(ctx, "We've confirmed your photo. Your listing %s now has the badge “Photo-verified”.", title)
	case models.NoticePossessionRejected:
		return t(ctx, "Take the photo again: %s", title), reasonEmail(ctx, t(ctx, "We couldn't confirm your photo for %s. Send another one, or get a new code if yours has expired.", title), n.Text)
	case models.NoticeStolenAccepted:
		return t(ctx, "Your report is accepted: %s", title), t(ctx, "We've accepted your report of the stolen %s. Listings with its serial number are held until we've checked them.", title)
	case models.NoticeStolenRejected:
		return t(ctx, "Your report is closed: %s", title), reasonEmail(ctx, t(ctx, "We've closed your report of the stolen %s. Listings with its serial number aren't held.", title), n.Text)
	case models.NoticeMessageReceived:
		return t(ctx, "%s wrote to you about %s", by, title), t(ctx, "%s wrote to you about “%s”. There is one such mail until you have read what was written.", by, title)
	case models.NoticeWatchersMessaged:
		return t(ctx, "%s has news about %s", by, title), t(ctx, "%s wrote to everyone who watches “%s”, and only sees who you are if you answer. You can turn these messages off in your settings.", by, title)
	}
	panic("views: no email for notice " + string(n.Kind))
}

// reasonEmail adds the reason that an operator gave to a text, if there is one.
func reasonEmail(ctx context.Context, text, reason string) string {
	if reason = withoutLinks(ctx, strings.Join(strings.Fields(reason), " ")); reason == "" {
		return text
	}
	return text + " " + t(ctx, "The reason: %s", reason)
}

// agreedEmail returns the text of the email about an agreed hand-over.
func agreedEmail(ctx context.Context, n *models.Notice, by, title, until string) string {
	if n.Shipped {
		return t(ctx, "%s agrees on shipping %s. It's due to be sent by %s. The page of the offer has everything you need.", by, title, until)
	}
	return t(ctx, "%s agrees on the pick-up of %s. The page of the offer has the place and the time.", by, title)
}
