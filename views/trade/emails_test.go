package trade

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// TestEmailTemplates checks the email of each kind of notice, and that neither a name
// nor a title can begin a new line.
func TestEmailTemplates(t *testing.T) {
	site := &ui.Site{BaseURL: "https://secondlight.example", Defaults: ui.SiteSettings{SiteSettings: models.SiteSettings{Name: "Secondlight"}, Currency: models.Currency{Code: "EUR", Digits: 2}, SiteState: ui.SiteState{Demo: true}}}
	emails := EmailTemplates(site)
	for _, tt := range []struct {
		kind                models.NoticeKind
		subject, text, path string
	}{
		{models.NoticeOfferMade, "An offer on Leica M6", "Jane Doe offers €1,150 for Leica M6. You may accept, counter or decline until 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeOfferCountered, "A counter-offer on Leica M6", "Jane Doe answers with €1,150 for Leica M6. You may accept, counter or decline until 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeOfferAccepted, "Accepted: your price for Leica M6", "Jane Doe accepts €1,150 for Leica M6. It's reserved for you. The page of the trade says what's next.", "/account/offers/7"},
		{models.NoticeOfferDeclined, "Declined: your price for Leica M6", "Jane Doe declines €1,150 for Leica M6.", "/account/offers/7"},
		{models.NoticeOfferWithdrawn, "Withdrawn: the offer on Leica M6", "Jane Doe withdraws the offer on Leica M6.", "/account/offers/7"},
		{models.NoticeOfferCompleted, "Did it arrive? Leica M6", "Jane Doe has handed over Leica M6 for €1,150. Did it arrive as agreed? Confirm it or report a problem by 23 Nov 2026, 09:00 UTC. If we don't hear from you, the sale counts as confirmed.", "/account/offers/7"},
		{models.NoticeHandoverProposed, "Pick-up or shipping: Leica M6", "Jane Doe has suggested how to hand over Leica M6. Agree or suggest something else by 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeHandoverAgreed, "Agreed: the hand-over of Leica M6", "Jane Doe agrees on the pick-up of Leica M6. The page of the offer has the place and the time.", "/account/offers/7"},
		{models.NoticePaymentSet, "How to pay for Leica M6", "Jane Doe has added how they want to be paid for Leica M6. You pay them directly: we take no money and never ask for any.", "/account/offers/7"},
		{models.NoticeTrackingSet, "New tracking number: Leica M6", "Jane Doe has updated the tracking details for Leica M6.", "/account/offers/7"},
		{models.NoticeItemReceived, "It has arrived: Leica M6", "Jane Doe has received Leica M6, and has until 23 Nov 2026, 09:00 UTC to check it. If we don't hear from them, the sale counts as confirmed.", "/account/offers/7"},
		{models.NoticeEvidenceAdded, "New details about the problem: Leica M6", "Jane Doe has added details about the problem with Leica M6. You can respond until an operator decides.", "/account/offers/7"},
		{models.NoticeArrangeReminder, "Reminder: agree on the hand-over of Leica M6", "You and Jane Doe have agreed on €1,150 for Leica M6, but not on pick-up or shipping. Please do so by 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeAgreeReminder, "Reminder: answer Jane Doe", "Jane Doe has proposed how to hand over Leica M6. Agree or propose something else by 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticePickupReminder, "Reminder: the pick-up of Leica M6", "You're meeting Jane Doe about Leica M6 soon. The page of the offer has the place and the time.", "/account/offers/7"},
		{models.NoticeSendReminder, "Reminder: the collection of Leica M6", "You and Jane Doe have agreed that Leica M6 is collected. Agree on a place and a time by message.", "/account/offers/7"},
		{models.NoticeOfferBought, "Confirm the sale of Leica M6", "Jane Doe wants to buy Leica M6 for €1,150. It's reserved until you confirm or decline, by 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeConfirmReminder, "Reminder: did it arrive? Leica M6", "Did Leica M6 arrive as agreed? Confirm it or report a problem by 23 Nov 2026, 09:00 UTC. If we don't hear from you, the sale counts as confirmed.", "/account/offers/7"},
		{models.NoticeSaleConfirmed, "Confirmed: the sale of Leica M6", "Jane Doe has confirmed that Leica M6 arrived as agreed. The sale is final.", "/account/offers/7"},
		{models.NoticeSaleDisputed, "Problem reported: Leica M6", "Jane Doe has reported a problem with Leica M6. An operator will review the sale. Read what happened and settle it by message.", "/account/offers/7"},
		{models.NoticeSaleUnopposed, "Confirmed: the sale of Leica M6", "No problem was reported in time, so the sale of Leica M6 at €1,150 is confirmed.", "/account/offers/7"},
		{models.NoticeSaleUpheld, "Reviewed: the sale of Leica M6", "An operator has reviewed the sale of Leica M6 at €1,150. The sale stands.", "/account/offers/7"},
		{models.NoticeSaleVoided, "Voided: the sale of Leica M6", "An operator has voided the sale of Leica M6 at €1,150. It isn't part of the price trend, and its ratings are hidden.", "/account/offers/7"},
		{models.NoticeOfferClosed, "Your offer on Leica M6 has ended", "Leica M6 is not for sale any more, and your offer on it is declined.", "/account/offers/7"},
		{models.NoticeOfferExpired, "No answer: your price for Leica M6", "Nobody answered your price of €1,150 for Leica M6 in time, and the offer has expired.", "/account/offers/7"},
		{models.NoticeListingExpired, "Your listing Leica M6 has expired", "Your listing Leica M6 has expired. Relist it from its page: it keeps its photos and text.", "/listings/7"},
		{models.NoticeListingHeld, "We're checking your listing Leica M6", "An operator checks Leica M6 before it's for sale. You don't need to do anything. We'll email you.", "/listings/7"},
		{models.NoticeListingReleased, "For sale: Leica M6", "We've checked your listing Leica M6. It's for sale now.", "/listings/7"},
		{models.NoticeListingRefused, "Not for sale: Leica M6", "We've checked your listing Leica M6, and it can't be for sale here. The reason: Not yours, see [link removed]", "/listings/7"},
		{models.NoticePossessionVerified, "Photo-verified: Leica M6", "We've confirmed your photo. Your listing Leica M6 now has the badge “Photo-verified”.", "/listings/7"},
		{models.NoticePossessionRejected, "Take the photo again: Leica M6", "We couldn't confirm your photo for Leica M6. Send another one, or get a new code if yours has expired. The reason: Not yours, see [link removed]", "/sell/7#possession"},
		{models.NoticeStolenAccepted, "Your report is accepted: Leica M6", "We've accepted your report of the stolen Leica M6. Listings with its serial number are held until we've checked them.", "/stolen"},
		{models.NoticeStolenRejected, "Your report is closed: Leica M6", "We've closed your report of the stolen Leica M6. Listings with its serial number aren't held. The reason: Not yours, see [link removed]", "/stolen"},
		{models.NoticeMessageReceived, "Jane Doe wrote to you about Leica M6", "Jane Doe wrote to you about “Leica M6”. There is one such mail until you have read what was written.", "/account/messages/7"},
		{models.NoticeWatchersMessaged, "Jane Doe has news about Leica M6", "Jane Doe wrote to everyone who watches “Leica M6”, and only sees who you are if you answer. You can turn these messages off in your settings.", "/account/messages/7"},
	} {
		subject, body := emails(&models.Notice{Kind: tt.kind, By: "Jane\r\nDoe", ID: "7", Title: "Leica\n\nM6", Amount: 115000, ExpiresAt: 1795424400000, Text: "Not yours,\nsee https://evil.example"})
		want := strings.Join([]string{ui.DemoNotice, "", tt.text, "", site.BaseURL + tt.path, "", "-- ", site.Name(), site.BaseURL, ""}, "\n")
		if subject != tt.subject || body != want {
			t.Errorf("%s\n%q\n%q\nwant\n%q\n%q", tt.kind, subject, body, tt.subject, want)
		}
	}
	for kind, want := range map[models.NoticeKind]string{
		models.NoticeHandoverAgreed: "Jane agrees on shipping Leica M6. It's due to be sent by 23 Nov 2026, 09:00 UTC.",
		models.NoticeSendReminder:   "Jane is waiting for Leica M6. Please send it by 23 Nov 2026, 09:00 UTC and mark it as sent.",
		models.NoticeOfferCompleted: "Jane has sent Leica M6. Tell us when it arrives. If we don't hear from you by 23 Nov 2026, 09:00 UTC, the sale counts as confirmed.",
	} {
		_, body := emails(&models.Notice{Kind: kind, By: "Jane", ID: "7", Title: "Leica M6", ExpiresAt: 1795424400000, Shipped: true})
		if !strings.Contains(body, want) {
			t.Errorf("%s of a parcel is %q, want %q", kind, body, want)
		}
	}
}

// TestEmailLanguages checks that a notice is in the language of its recipient if the site
// has it, else in the first of the site.
func TestEmailLanguages(t *testing.T) {
	site := &ui.Site{Defaults: ui.SiteSettings{Currency: models.Currency{Code: "EUR", Digits: 2}, Languages: []*languages.Language{languages.English, languages.German}}}
	for language, want := range map[string]string{"de": "Preisvorschlag für „Leica M6“", "en": "An offer on Leica M6", "": "An offer on Leica M6", "fr": "An offer on Leica M6"} {
		subject, body := EmailTemplates(site)(&models.Notice{Kind: models.NoticeOfferMade, Language: language, By: "Jane", Title: "Leica M6", Amount: 115000, ExpiresAt: 1795424400000})
		if subject != want || strings.Contains(body, "1.150\u00a0€ für „Leica M6“") != (language == "de") {
			t.Errorf("in %q: %q, %q", language, subject, body)
		}
	}
}
