package views

import (
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// EmailTemplates returns the function that writes the subject and body of a
// notification email. The email links to the site; it contains neither the text of
// messages nor email addresses, and no links from names and titles.
func EmailTemplates(site *Site) models.NoticeRenderer {
	return func(n *models.Notice) (subject, body string) {
		by, title := withoutLinks(n.By), withoutLinks(n.Title)
		subject, text := noticeEmail(n, by, title, MoneyText(site.Currency().Money(n.Amount)))
		return subject, site.emailBody(text, "", site.URL(noticePath(n)), "")
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
func noticeEmail(n *models.Notice, by, title, amount string) (subject, text string) {
	until := momentText(n.ExpiresAt.RFC3339())
	switch n.Kind {
	case models.NoticeOfferMade:
		return "An offer on " + title, fmt.Sprintf("%s offers %s for %s. You may accept, counter or decline until %s.", by, amount, title, until)
	case models.NoticeOfferCountered:
		return "A counter-offer on " + title, fmt.Sprintf("%s answers with %s for %s. You may accept, counter or decline until %s.", by, amount, title, until)
	case models.NoticeOfferAccepted:
		return "Accepted: your price for " + title, fmt.Sprintf("%s accepts %s for %s. The listing is reserved. Next, agree on pick-up or shipping.", by, amount, title)
	case models.NoticeOfferDeclined:
		return "Declined: your price for " + title, fmt.Sprintf("%s declines %s for %s.", by, amount, title)
	case models.NoticeOfferWithdrawn:
		return "Withdrawn: the offer on " + title, fmt.Sprintf("%s withdraws the offer on %s.", by, title)
	case models.NoticeHandoverProposed:
		return "Pick-up or shipping: " + title, fmt.Sprintf("%s has suggested how to hand over %s. Agree or suggest something else by %s.", by, title, until)
	case models.NoticeHandoverAgreed:
		return "Agreed: the hand-over of " + title, agreedEmail(n, by, title, until)
	case models.NoticePaymentSet:
		return "How to pay for " + title, fmt.Sprintf("%s has added how they want to be paid for %s. You pay them directly: we take no money and never ask for any.", by, title)
	case models.NoticeTrackingSet:
		return "New tracking number: " + title, fmt.Sprintf("%s has updated the tracking details for %s.", by, title)
	case models.NoticeItemReceived:
		return "It has arrived: " + title, fmt.Sprintf("%s has received %s, and has until %s to check it. If we don't hear from them, the sale counts as confirmed.", by, title, until)
	case models.NoticeEvidenceAdded:
		return "New details about the problem: " + title, fmt.Sprintf("%s has added details about the problem with %s. You can respond until an operator decides.", by, title)
	case models.NoticeArrangeReminder:
		return "Reminder: agree on the hand-over of " + title, fmt.Sprintf("You and %s have agreed on %s for %s, but not on pick-up or shipping. Please do so by %s.", by, amount, title, until)
	case models.NoticeAgreeReminder:
		return "Reminder: answer " + by, fmt.Sprintf("%s has proposed how to hand over %s. Agree or propose something else by %s.", by, title, until)
	case models.NoticePickupReminder:
		return "Reminder: the pick-up of " + title, fmt.Sprintf("You're meeting %s about %s soon. The page of the offer has the place and the time.", by, title)
	case models.NoticeSendReminder:
		return "Reminder: send " + title, fmt.Sprintf("%s is waiting for %s. Please send it by %s and mark it as sent.", by, title, until)
	case models.NoticeConfirmReminder:
		return "Reminder: did it arrive? " + title, fmt.Sprintf("Did %s arrive as agreed? Confirm it or report a problem by %s. If we don't hear from you, the sale counts as confirmed.", title, until)
	case models.NoticeOfferCompleted:
		if n.Shipped {
			return "On its way: " + title, fmt.Sprintf("%s has sent %s. Tell us when it arrives. If we don't hear from you by %s, the sale counts as confirmed.", by, title, until)
		}
		return "Did it arrive? " + title, fmt.Sprintf("%s has handed over %s for %s. Did it arrive as agreed? Confirm it or report a problem by %s. If we don't hear from you, the sale counts as confirmed.", by, title, amount, until)
	case models.NoticeSaleConfirmed:
		return "Confirmed: the sale of " + title, fmt.Sprintf("%s has confirmed that %s arrived as agreed. The sale is final.", by, title)
	case models.NoticeSaleDisputed:
		return "Problem reported: " + title, fmt.Sprintf("%s has reported a problem with %s. An operator will review the sale. Read what happened and settle it by message.", by, title)
	case models.NoticeSaleUnopposed:
		return "Confirmed: the sale of " + title, fmt.Sprintf("No problem was reported in time, so the sale of %s at %s is confirmed.", title, amount)
	case models.NoticeSaleUpheld:
		return "Reviewed: the sale of " + title, fmt.Sprintf("An operator has reviewed the sale of %s at %s. The sale stands.", title, amount)
	case models.NoticeSaleVoided:
		return "Voided: the sale of " + title, fmt.Sprintf("An operator has voided the sale of %s at %s. It isn't part of the price trend, and its ratings are hidden.", title, amount)
	case models.NoticeOfferClosed:
		return "Your offer on " + title + " has ended", title + " is not for sale any more, and your offer on it is declined."
	case models.NoticeOfferExpired:
		return "No answer: your price for " + title, fmt.Sprintf("Nobody answered your price of %s for %s in time, and the offer has expired.", amount, title)
	case models.NoticeListingExpired:
		return "Your listing " + title + " has expired", "Your listing " + title + " has expired. Relist it from its page: it keeps its photos and text."
	case models.NoticeListingHeld:
		return "We're checking your listing " + title, fmt.Sprintf("An operator checks %s before it's for sale. You don't need to do anything. We'll email you.", title)
	case models.NoticeListingReleased:
		return "For sale: " + title, fmt.Sprintf("We've checked your listing %s. It's for sale now.", title)
	case models.NoticeListingRefused:
		return "Not for sale: " + title, reasonEmail(fmt.Sprintf("We've checked your listing %s, and it can't be for sale here.", title), n.Text)
	case models.NoticePossessionVerified:
		return "Photo-verified: " + title, fmt.Sprintf("We've confirmed your photo. Your listing %s now has the badge “Photo-verified”.", title)
	case models.NoticePossessionRejected:
		return "Take the photo again: " + title, reasonEmail(fmt.Sprintf("We couldn't confirm your photo for %s. Send another one, or get a new code if yours has expired.", title), n.Text)
	case models.NoticeStolenAccepted:
		return "Your report is accepted: " + title, fmt.Sprintf("We've accepted your report of the stolen %s. Listings with its serial number are held until we've checked them.", title)
	case models.NoticeStolenRejected:
		return "Your report is closed: " + title, reasonEmail(fmt.Sprintf("We've closed your report of the stolen %s. Listings with its serial number aren't held.", title), n.Text)
	case models.NoticeMessageReceived:
		return by + " wrote to you about " + title, by + " wrote to you about “" + title + "”. There is one such mail until you have read what was written."
	case models.NoticeWatchersMessaged:
		return by + " has news about " + title, fmt.Sprintf("%s wrote to everyone who watches “%s”, and only sees who you are if you answer. You can turn these messages off in your settings.", by, title)
	}
	panic("views: no email for notice " + string(n.Kind))
}

// reasonEmail adds the reason that an operator gave to a text, if there is one.
func reasonEmail(text, reason string) string {
	if reason = withoutLinks(strings.Join(strings.Fields(reason), " ")); reason == "" {
		return text
	}
	return text + " The reason: " + reason
}

// agreedEmail returns the text of the email about an agreed hand-over.
func agreedEmail(n *models.Notice, by, title, until string) string {
	if n.Shipped {
		return fmt.Sprintf("%s agrees on shipping %s. It's due to be sent by %s. The page of the offer has everything you need.", by, title, until)
	}
	return fmt.Sprintf("%s agrees on the pick-up of %s. The page of the offer has the place and the time.", by, title)
}

// maxEmailListings is the maximum number of listings in an alert email.
const maxEmailListings = 25

// emailLines formats a listing for an email.
func (c *Card) emailLines(site *Site) string {
	facts := []string{c.priceText()}
	if c.Deal != nil {
		facts = append(facts, c.Deal.Text)
	}
	facts = append(facts, c.conditionText(), RegionName(c.Region))
	return withoutLinks(c.Title) + "\n" + strings.Join(facts, " · ") + "\n" + site.URL(c.Page) + "\n"
}

// emailBody joins lines into the body of an email. The demonstration notice goes
// before them, the site's name and URL after them.
func (s *Site) emailBody(lines ...string) string {
	text := strings.Join(lines, "\n")
	if s.Demo() {
		text = DemoNotice + "\n\n" + text
	}
	return text + "\n-- \n" + s.Name() + "\n" + s.BaseURL + "\n"
}

// AlertEmail returns the alert email about new listings of a saved search: cards of
// the newest, and their total number. stop is the URL that unsubscribes.
func (p *SavedSearch) AlertEmail(cards []Card, total int, stop string) (subject, body string) {
	name := withoutLinks(p.Name)
	subject = name + ": " + countText(total, "new listing", "new listings")
	if total == 1 {
		subject = name + ": " + withoutLinks(cards[0].Title) + ", " + cards[0].priceText()
	}
	lines := []string{"New for your saved search “" + name + "”:", ""}
	for i := range cards[:min(len(cards), maxEmailListings)] {
		lines = append(lines, cards[i].emailLines(p.site))
	}
	if more := total - min(len(cards), maxEmailListings); more > 0 {
		lines = append(lines, "… and "+numberText(more)+" more.\n")
	}
	lines = append(lines, "All it finds: "+p.site.URL(p.Results.Page), "Change or delete it: "+p.site.URL(p.path()), "No more of this mail: "+stop)
	return subject, p.site.emailBody(lines...)
}

// PriceDropEmail returns the email about a lower price of a watched listing. from is
// the earlier price.
func PriceDropEmail(site *Site, c *Card, from models.Money) (subject, body string) {
	return withoutLinks(c.Title) + ": now " + c.priceText(), site.emailBody(
		"The price of a listing you watch fell from "+MoneyText(from)+" to "+c.priceText()+":", "",
		c.emailLines(site),
		"Your watchlist, where you take it off: "+site.URL(watchlistPath))
}

// ReminderEmail returns the email that reminds a seller that a listing expires on a
// day.
func ReminderEmail(site *Site, c *Card, day models.Time) (subject, body string) {
	return withoutLinks(c.Title) + " expires on " + DayText(day.RFC3339()), site.emailBody(
		"Your listing stops being for sale on "+DayText(day.RFC3339())+":", "",
		c.emailLines(site),
		"Sold? Mark it sold on its page. Still there? Relist it when it has expired; it keeps its photographs and its text.")
}
