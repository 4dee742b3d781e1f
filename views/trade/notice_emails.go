package trade

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// EmailTemplates returns the function that writes a notification email. The email links
// to the site; it contains neither the text of messages nor email addresses, and no links
// from names and titles.
func EmailTemplates(site *ui.Site) models.NoticeRenderer {
	return func(n *models.Notice) models.Delivery {
		ctx := site.InLanguage(context.Background(), n.Language)
		title, amount := ui.WithoutLinks(ctx, n.Title), ui.MoneyIn(ctx, site.In(n.Currency).Money(n.Amount))
		subject, text := noticeEmail(ctx, n, ui.WithoutLinks(ctx, n.By), title, amount)
		email := ui.Email{Subject: subject, Lead: []string{text}, Button: ui.Link{Href: noticePath(n), Label: ui.T(ctx, noticeButton(n))}}
		item := ui.EmailItem{Title: title}
		if n.Amount > 0 {
			item.Facts = amount
		}
		if n.Photo != "" {
			item.Photo = ui.PhotoOf(site, &models.Photo{Key: n.Photo}).Src
		}
		email.Items = []ui.EmailItem{item}
		return email.Delivery(ctx, site, n.To)
	}
}

// noticeButton returns what the button of a notification says.
func noticeButton(n *models.Notice) string {
	switch n.Kind {
	case models.NoticeOfferMade, models.NoticeOfferCountered:
		return languages.Mark("Answer the offer")
	case models.NoticeOfferBought:
		if !n.Instant {
			return languages.Mark("Confirm or decline")
		}
	case models.NoticeMessageReceived, models.NoticeWatchersMessaged:
		return languages.Mark("Read and reply")
	case models.NoticePossessionRejected:
		return languages.Mark("Retake the photo")
	case models.NoticeListingExpired, models.NoticeListingHeld, models.NoticeListingReleased, models.NoticeListingRefused, models.NoticePossessionVerified:
		return languages.Mark("View your listing")
	case models.NoticeStolenAccepted, models.NoticeStolenRejected:
		return languages.Mark("View your reports")
	}
	return languages.Mark("View the offer")
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
	until := ui.DeadlineIn(ctx, n.ExpiresAt.RFC3339())
	switch n.Kind {
	case models.NoticeOfferMade:
		return ui.T(ctx, "%s offered %s for your %s", by, amount, title), ui.T(ctx, "%s has offered %s for %s. You can accept, counter or decline until %s.", by, amount, title, until)
	case models.NoticeOfferBought:
		if n.Instant {
			return ui.T(ctx, "%s bought your %s", by, title), ui.T(ctx, "%s has bought %s for %s. The delivery details are on the offer page.", by, title, amount)
		}
		return ui.T(ctx, "%s wants to buy your %s", by, title), ui.T(ctx, "%s wants to buy %s for %s. It's reserved until you confirm or decline, by %s.", by, title, amount, until)
	case models.NoticeOfferCountered:
		return ui.T(ctx, "%s countered with %s for %s", by, amount, title), ui.T(ctx, "%s has countered with %s for %s. You can accept, counter or decline until %s.", by, amount, title, until)
	case models.NoticeOfferAccepted:
		return ui.T(ctx, "%s accepted %s for %s", by, amount, title), ui.T(ctx, "%s has accepted %s for %s. The listing is reserved. The next steps are on the offer page.", by, amount, title)
	case models.NoticeOfferDeclined:
		return ui.T(ctx, "%s declined %s for %s", by, amount, title), ui.T(ctx, "%s has declined %s for %s.", by, amount, title)
	case models.NoticeOfferWithdrawn:
		return ui.T(ctx, "%s withdrew from the offer on %s", by, title), ui.T(ctx, "%s has withdrawn from the offer on %s.", by, title)
	case models.NoticeHandoverProposed:
		if n.Shipped {
			return ui.T(ctx, "%s suggested postage of %s", by, title), suggestedEmail(ctx, n, by, title, until)
		}
		return ui.T(ctx, "%s suggested collection of %s", by, title), suggestedEmail(ctx, n, by, title, until)
	case models.NoticeHandoverAgreed:
		if n.Shipped {
			return ui.T(ctx, "%s agreed to postage of %s", by, title), ui.T(ctx, "%s has agreed to postage of %s. It should be sent by %s. Full details are on the offer page.", by, title, until)
		}
		return ui.T(ctx, "%s agreed to collection of %s", by, title), ui.T(ctx, "%s has agreed to collection of %s. The place and time are on the offer page.", by, title)
	case models.NoticePaymentSet:
		return ui.T(ctx, "How to pay for %s", title), ui.T(ctx, "%s has added payment details for %s. You pay them directly. We don't handle payments and will never ask you for money.", by, title)
	case models.NoticeTrackingSet:
		return ui.T(ctx, "New tracking number: %s", title), ui.T(ctx, "%s has updated the tracking details for %s.", by, title)
	case models.NoticeItemReceived:
		return ui.T(ctx, "%s has received %s", by, title), ui.T(ctx, "%s has received %s and has until %s to check it. After that we'll treat the sale as confirmed.", by, title, until)
	case models.NoticeEvidenceAdded:
		return ui.T(ctx, "%s added details about the problem with %s", by, title), ui.T(ctx, "%s has added details about the problem with %s. You can reply until we make a decision.", by, title)
	case models.NoticeArrangeReminder:
		return ui.T(ctx, "Reminder: arrange delivery of %s", title), ui.T(ctx, "You and %s agreed %s for %s, but haven't arranged collection or postage yet. Please do so by %s.", by, amount, title, until)
	case models.NoticeAgreeReminder:
		return ui.T(ctx, "Reminder: reply to %s about delivery of %s", by, title), suggestedEmail(ctx, n, by, title, until)
	case models.NoticePickupReminder:
		return ui.T(ctx, "Reminder: you're meeting %s about %s", by, title), ui.T(ctx, "You're meeting %s about %s soon. The place and time are on the offer page.", by, title)
	case models.NoticeSendReminder:
		if !n.Shipped {
			return ui.T(ctx, "Reminder: arrange collection of %s", title), ui.T(ctx, "You and %s agreed on collection of %s. Message them to arrange a time and place.", by, title)
		}
		return ui.T(ctx, "Reminder: send %s", title), ui.T(ctx, "%s is waiting for %s. Please send it by %s, then mark it as sent.", by, title, until)
	case models.NoticeConfirmReminder:
		return ui.T(ctx, "Reminder: confirm %s is as described", title), ui.T(ctx, "Is %s as described? Confirm, or report a problem, by %s. After that we'll treat the sale as confirmed.", title, until)
	case models.NoticeOfferCompleted:
		if n.Shipped {
			return ui.T(ctx, "%s has sent %s", by, title), ui.T(ctx, "%s has sent %s. Tell us when it arrives. If we don't hear from you by %s, we'll treat the sale as confirmed.", by, title, until)
		}
		return ui.T(ctx, "Is everything OK with %s?", title), ui.T(ctx, "%s has marked %s as sold for %s. Is it as described? Confirm, or report a problem, by %s. After that we'll treat the sale as confirmed.", by, title, amount, until)
	case models.NoticeSaleConfirmed:
		return ui.T(ctx, "Sale confirmed: %s", title), ui.T(ctx, "%s has confirmed that %s is as described. The sale is complete.", by, title)
	case models.NoticeSaleDisputed:
		return ui.T(ctx, "%s reported a problem with %s", by, title), ui.T(ctx, "%s has reported a problem with %s. We'll review the sale. Read the details, and message them to sort it out.", by, title)
	case models.NoticeSaleUnopposed:
		return ui.T(ctx, "Sale confirmed: %s", title), ui.T(ctx, "No problems were reported, so the sale of %s for %s is confirmed.", title, amount)
	case models.NoticeSaleUpheld:
		return ui.T(ctx, "We've reviewed the sale of %s", title), ui.T(ctx, "We've reviewed the sale of %s for %s. The sale stands.", title, amount)
	case models.NoticeSaleVoided:
		return ui.T(ctx, "Sale cancelled: %s", title), ui.T(ctx, "We've cancelled the sale of %s for %s. It doesn't count towards price history, and its ratings are hidden.", title, amount)
	case models.NoticeOfferClosed:
		return ui.T(ctx, "Offer closed: %s is no longer for sale", title), ui.T(ctx, "%s is no longer for sale, so your offer has been declined.", title)
	case models.NoticeOfferExpired:
		return ui.T(ctx, "Your offer of %s for %s has expired", amount, title), ui.T(ctx, "Your offer of %s for %s expired because there was no reply in time.", amount, title)
	case models.NoticeListingExpired:
		return ui.T(ctx, "Your listing %s has expired", title), ui.T(ctx, "Your listing %s has expired. You can relist it with the same photos and description.", title)
	case models.NoticeListingHeld:
		return ui.T(ctx, "We're checking your listing %s", title), ui.T(ctx, "We're checking %s before it goes live. You don't need to do anything. We'll email you.", title)
	case models.NoticeListingReleased:
		return ui.T(ctx, "Now live: %s", title), ui.T(ctx, "We've checked your listing %s. It's for sale now.", title)
	case models.NoticeListingRefused:
		return ui.T(ctx, "We couldn't publish %s", title), reasonEmail(ctx, ui.T(ctx, "We've checked your listing %s and can't publish it.", title), n.Text)
	case models.NoticePossessionVerified:
		return ui.T(ctx, "Photo-verified: %s", title), ui.T(ctx, "We've confirmed your photo. Your listing %s now has the badge “Photo-verified”.", title)
	case models.NoticePossessionRejected:
		return ui.T(ctx, "Please retake your photo: %s", title), reasonEmail(ctx, ui.T(ctx, "We couldn't confirm your photo for %s. Send another one, or get a new code if yours has expired.", title), n.Text)
	case models.NoticeStolenAccepted:
		return ui.T(ctx, "Report accepted: %s", title), ui.T(ctx, "We've accepted your report about the stolen %s. We'll check any listing with its serial number before it goes live.", title)
	case models.NoticeStolenRejected:
		return ui.T(ctx, "Report closed: %s", title), reasonEmail(ctx, ui.T(ctx, "We've closed your report about the stolen %s. We won't check listings with its serial number.", title), n.Text)
	case models.NoticeMessageReceived:
		return ui.T(ctx, "New message from %s about %s", by, title), ui.T(ctx, "%s messaged you about “%s”. We won't email again until you've read it.", by, title)
	case models.NoticeWatchersMessaged:
		return ui.T(ctx, "%s sent you a message about %s", by, title), ui.T(ctx, "%s messaged everyone watching “%s”. They'll only see who you are if you reply. You can turn these messages off in your settings.", by, title)
	}
	panic("views: no email for notice " + string(n.Kind))
}

// reasonEmail adds the reason that an operator gave to a text, if there is one.
func reasonEmail(ctx context.Context, text, reason string) string {
	if reason = ui.WithoutLinks(ctx, strings.Join(strings.Fields(reason), " ")); reason == "" {
		return text
	}
	return text + " " + ui.T(ctx, "Reason: %s", reason)
}

// suggestedEmail returns the text of the email about a suggested delivery.
func suggestedEmail(ctx context.Context, n *models.Notice, by, title, until string) string {
	if n.Shipped {
		return ui.T(ctx, "%s has suggested postage of %s. Agree, or suggest something else, by %s.", by, title, until)
	}
	return ui.T(ctx, "%s has suggested collection of %s. Agree, or suggest something else, by %s.", by, title, until)
}
