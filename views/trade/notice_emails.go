package trade

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// EmailTemplates returns the function that writes the subject and body of a
// notification email. The email links to the site; it contains neither the text of
// messages nor email addresses, and no links from names and titles.
func EmailTemplates(site *ui.Site) models.NoticeRenderer {
	return func(n *models.Notice) (subject, body string) {
		ctx := site.InLanguage(context.Background(), n.Language)
		subject, text := noticeEmail(ctx, n, ui.WithoutLinks(ctx, n.By), ui.WithoutLinks(ctx, n.Title), ui.MoneyIn(ctx, site.In(n.Currency).Money(n.Amount)))
		return subject, site.EmailBody(ctx, text, "", site.URL(noticePath(n)), "")
	}
}

// noticePath returns the path of the page a notification is about.
func noticePath(n *models.Notice) string {
	switch n.Kind {
	case models.NoticeListingExpired, models.NoticeListingHeld, models.NoticeListingReleased, models.NoticeListingRefused, models.NoticePossessionVerified:
		return ui.ListingPath(n.ID)
	case models.NoticePossessionRejected:
		return ui.EditListingPath(n.ID) + "#possession"
	case models.NoticeStolenAccepted, models.NoticeStolenRejected:
		return ui.StolenPath
	case models.NoticeMessageReceived, models.NoticeWatchersMessaged:
		return ui.ConversationPath(n.ID)
	}
	return ui.OfferPath(n.ID)
}

// noticeEmail returns the subject and the text of a notification. It panics on a
// kind it does not know.
func noticeEmail(ctx context.Context, n *models.Notice, by, title, amount string) (subject, text string) {
	until := ui.MomentIn(ctx, n.ExpiresAt.RFC3339())
	switch n.Kind {
	case models.NoticeOfferMade:
		return ui.T(ctx, "An offer on %s", title), ui.T(ctx, "%s offers %s for %s. You may accept, counter or decline until %s.", by, amount, title, until)
	case models.NoticeOfferBought:
		if n.Instant {
			return ui.T(ctx, "Sold: %s", title), ui.T(ctx, "%s has bought %s for %s. The page of the trade says how it's delivered.", by, title, amount)
		}
		return ui.T(ctx, "Confirm the sale of %s", title), ui.T(ctx, "%s wants to buy %s for %s. It's reserved until you confirm or decline, by %s.", by, title, amount, until)
	case models.NoticeOfferCountered:
		return ui.T(ctx, "A counter-offer on %s", title), ui.T(ctx, "%s answers with %s for %s. You may accept, counter or decline until %s.", by, amount, title, until)
	case models.NoticeOfferAccepted:
		return ui.T(ctx, "Accepted: your price for %s", title), ui.T(ctx, "%s accepts %s for %s. It's reserved for you. The page of the trade says what's next.", by, amount, title)
	case models.NoticeOfferDeclined:
		return ui.T(ctx, "Declined: your price for %s", title), ui.T(ctx, "%s declines %s for %s.", by, amount, title)
	case models.NoticeOfferWithdrawn:
		return ui.T(ctx, "Withdrawn: the offer on %s", title), ui.T(ctx, "%s withdraws the offer on %s.", by, title)
	case models.NoticeHandoverProposed:
		return ui.T(ctx, "Pick-up or shipping: %s", title), ui.T(ctx, "%s has suggested how to hand over %s. Agree or suggest something else by %s.", by, title, until)
	case models.NoticeHandoverAgreed:
		return ui.T(ctx, "Agreed: the hand-over of %s", title), agreedEmail(ctx, n, by, title, until)
	case models.NoticePaymentSet:
		return ui.T(ctx, "How to pay for %s", title), ui.T(ctx, "%s has added how they want to be paid for %s. You pay them directly: we take no money and never ask for any.", by, title)
	case models.NoticeTrackingSet:
		return ui.T(ctx, "New tracking number: %s", title), ui.T(ctx, "%s has updated the tracking details for %s.", by, title)
	case models.NoticeItemReceived:
		return ui.T(ctx, "It has arrived: %s", title), ui.T(ctx, "%s has received %s, and has until %s to check it. If we don't hear from them, the sale counts as confirmed.", by, title, until)
	case models.NoticeEvidenceAdded:
		return ui.T(ctx, "New details about the problem: %s", title), ui.T(ctx, "%s has added details about the problem with %s. You can respond until an operator decides.", by, title)
	case models.NoticeArrangeReminder:
		return ui.T(ctx, "Reminder: agree on the hand-over of %s", title), ui.T(ctx, "You and %s have agreed on %s for %s, but not on pick-up or shipping. Please do so by %s.", by, amount, title, until)
	case models.NoticeAgreeReminder:
		return ui.T(ctx, "Reminder: answer %s", by), ui.T(ctx, "%s has proposed how to hand over %s. Agree or propose something else by %s.", by, title, until)
	case models.NoticePickupReminder:
		return ui.T(ctx, "Reminder: the pick-up of %s", title), ui.T(ctx, "You're meeting %s about %s soon. The page of the offer has the place and the time.", by, title)
	case models.NoticeSendReminder:
		if !n.Shipped {
			return ui.T(ctx, "Reminder: the collection of %s", title), ui.T(ctx, "You and %s have agreed that %s is collected. Agree on a place and a time by message.", by, title)
		}
		return ui.T(ctx, "Reminder: send %s", title), ui.T(ctx, "%s is waiting for %s. Please send it by %s and mark it as sent.", by, title, until)
	case models.NoticeConfirmReminder:
		return ui.T(ctx, "Reminder: did it arrive? %s", title), ui.T(ctx, "Did %s arrive as agreed? Confirm it or report a problem by %s. If we don't hear from you, the sale counts as confirmed.", title, until)
	case models.NoticeOfferCompleted:
		if n.Shipped {
			return ui.T(ctx, "On its way: %s", title), ui.T(ctx, "%s has sent %s. Tell us when it arrives. If we don't hear from you by %s, the sale counts as confirmed.", by, title, until)
		}
		return ui.T(ctx, "Did it arrive? %s", title), ui.T(ctx, "%s has handed over %s for %s. Did it arrive as agreed? Confirm it or report a problem by %s. If we don't hear from you, the sale counts as confirmed.", by, title, amount, until)
	case models.NoticeSaleConfirmed:
		return ui.T(ctx, "Confirmed: the sale of %s", title), ui.T(ctx, "%s has confirmed that %s arrived as agreed. The sale is final.", by, title)
	case models.NoticeSaleDisputed:
		return ui.T(ctx, "Problem reported: %s", title), ui.T(ctx, "%s has reported a problem with %s. An operator will review the sale. Read what happened and settle it by message.", by, title)
	case models.NoticeSaleUnopposed:
		return ui.T(ctx, "Confirmed: the sale of %s", title), ui.T(ctx, "No problem was reported in time, so the sale of %s at %s is confirmed.", title, amount)
	case models.NoticeSaleUpheld:
		return ui.T(ctx, "Reviewed: the sale of %s", title), ui.T(ctx, "An operator has reviewed the sale of %s at %s. The sale stands.", title, amount)
	case models.NoticeSaleVoided:
		return ui.T(ctx, "Voided: the sale of %s", title), ui.T(ctx, "An operator has voided the sale of %s at %s. It isn't part of the price trend, and its ratings are hidden.", title, amount)
	case models.NoticeOfferClosed:
		return ui.T(ctx, "Your offer on %s has ended", title), ui.T(ctx, "%s is not for sale any more, and your offer on it is declined.", title)
	case models.NoticeOfferExpired:
		return ui.T(ctx, "No answer: your price for %s", title), ui.T(ctx, "Nobody answered your price of %s for %s in time, and the offer has expired.", amount, title)
	case models.NoticeListingExpired:
		return ui.T(ctx, "Your listing %s has expired", title), ui.T(ctx, "Your listing %s has expired. Relist it from its page: it keeps its photos and text.", title)
	case models.NoticeListingHeld:
		return ui.T(ctx, "We're checking your listing %s", title), ui.T(ctx, "An operator checks %s before it's for sale. You don't need to do anything. We'll email you.", title)
	case models.NoticeListingReleased:
		return ui.T(ctx, "For sale: %s", title), ui.T(ctx, "We've checked your listing %s. It's for sale now.", title)
	case models.NoticeListingRefused:
		return ui.T(ctx, "Not for sale: %s", title), reasonEmail(ctx, ui.T(ctx, "We've checked your listing %s, and it can't be for sale here.", title), n.Text)
	case models.NoticePossessionVerified:
		return ui.T(ctx, "Photo-verified: %s", title), ui.T(ctx, "We've confirmed your photo. Your listing %s now has the badge “Photo-verified”.", title)
	case models.NoticePossessionRejected:
		return ui.T(ctx, "Take the photo again: %s", title), reasonEmail(ctx, ui.T(ctx, "We couldn't confirm your photo for %s. Send another one, or get a new code if yours has expired.", title), n.Text)
	case models.NoticeStolenAccepted:
		return ui.T(ctx, "Your report is accepted: %s", title), ui.T(ctx, "We've accepted your report of the stolen %s. Listings with its serial number are held until we've checked them.", title)
	case models.NoticeStolenRejected:
		return ui.T(ctx, "Your report is closed: %s", title), reasonEmail(ctx, ui.T(ctx, "We've closed your report of the stolen %s. Listings with its serial number aren't held.", title), n.Text)
	case models.NoticeMessageReceived:
		return ui.T(ctx, "%s wrote to you about %s", by, title), ui.T(ctx, "%s wrote to you about “%s”. There is one such mail until you have read what was written.", by, title)
	case models.NoticeWatchersMessaged:
		return ui.T(ctx, "%s has news about %s", by, title), ui.T(ctx, "%s wrote to everyone who watches “%s”, and only sees who you are if you answer. You can turn these messages off in your settings.", by, title)
	}
	panic("views: no email for notice " + string(n.Kind))
}

// reasonEmail adds the reason that an operator gave to a text, if there is one.
func reasonEmail(ctx context.Context, text, reason string) string {
	if reason = ui.WithoutLinks(ctx, strings.Join(strings.Fields(reason), " ")); reason == "" {
		return text
	}
	return text + " " + ui.T(ctx, "The reason: %s", reason)
}

// agreedEmail returns the text of the email about an agreed hand-over.
func agreedEmail(ctx context.Context, n *models.Notice, by, title, until string) string {
	if n.Shipped {
		return ui.T(ctx, "%s agrees on shipping %s. It's due to be sent by %s. The page of the offer has everything you need.", by, title, until)
	}
	return ui.T(ctx, "%s agrees on the pick-up of %s. The page of the offer has the place and the time.", by, title)
}
