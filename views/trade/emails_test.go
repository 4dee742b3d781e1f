package trade

import (
	"html"
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
		{models.NoticeOfferMade, "Jane Doe offered €1,150 for your Leica M6", "Jane Doe has offered €1,150 for Leica M6. You can accept, counter or decline until Mon 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeOfferBought, "Jane Doe wants to buy your Leica M6", "Jane Doe wants to buy Leica M6 for €1,150. It's reserved until you confirm or decline, by Mon 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeOfferCountered, "Jane Doe countered with €1,150 for Leica M6", "Jane Doe has countered with €1,150 for Leica M6. You can accept, counter or decline until Mon 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeOfferAccepted, "Jane Doe accepted €1,150 for Leica M6", "Jane Doe has accepted €1,150 for Leica M6. The listing is reserved. The next steps are on the offer page.", "/account/offers/7"},
		{models.NoticeOfferDeclined, "Jane Doe declined €1,150 for Leica M6", "Jane Doe has declined €1,150 for Leica M6.", "/account/offers/7"},
		{models.NoticeOfferWithdrawn, "Jane Doe withdrew from the offer on Leica M6", "Jane Doe has withdrawn from the offer on Leica M6.", "/account/offers/7"},
		{models.NoticeOfferCompleted, "Is everything OK with Leica M6?", "Jane Doe has marked Leica M6 as sold for €1,150. Is it as described? Confirm, or report a problem, by Mon 23 Nov 2026, 09:00 UTC. After that we'll treat the sale as confirmed.", "/account/offers/7"},
		{models.NoticeHandoverProposed, "Jane Doe suggested collection of Leica M6", "Jane Doe has suggested collection of Leica M6. Agree, or suggest something else, by Mon 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeHandoverAgreed, "Jane Doe agreed to collection of Leica M6", "Jane Doe has agreed to collection of Leica M6. The place and time are on the offer page.", "/account/offers/7"},
		{models.NoticePaymentSet, "How to pay for Leica M6", "Jane Doe has added payment details for Leica M6. You pay them directly. We don't handle payments and will never ask you for money.", "/account/offers/7"},
		{models.NoticeTrackingSet, "New tracking number: Leica M6", "Jane Doe has updated the tracking details for Leica M6.", "/account/offers/7"},
		{models.NoticeItemReceived, "Jane Doe has received Leica M6", "Jane Doe has received Leica M6 and has until Mon 23 Nov 2026, 09:00 UTC to check it. After that we'll treat the sale as confirmed.", "/account/offers/7"},
		{models.NoticeEvidenceAdded, "Jane Doe added details about the problem with Leica M6", "Jane Doe has added details about the problem with Leica M6. You can reply until we make a decision.", "/account/offers/7"},
		{models.NoticeArrangeReminder, "Reminder: arrange delivery of Leica M6", "You and Jane Doe agreed €1,150 for Leica M6, but haven't arranged collection or postage yet. Please do so by Mon 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticeAgreeReminder, "Reminder: reply to Jane Doe about delivery of Leica M6", "Jane Doe has suggested collection of Leica M6. Agree, or suggest something else, by Mon 23 Nov 2026, 09:00 UTC.", "/account/offers/7"},
		{models.NoticePickupReminder, "Reminder: you're meeting Jane Doe about Leica M6", "You're meeting Jane Doe about Leica M6 soon. The place and time are on the offer page.", "/account/offers/7"},
		{models.NoticeSendReminder, "Reminder: arrange collection of Leica M6", "You and Jane Doe agreed on collection of Leica M6. Message them to arrange a time and place.", "/account/offers/7"},
		{models.NoticeConfirmReminder, "Reminder: confirm Leica M6 is as described", "Is Leica M6 as described? Confirm, or report a problem, by Mon 23 Nov 2026, 09:00 UTC. After that we'll treat the sale as confirmed.", "/account/offers/7"},
		{models.NoticeSaleConfirmed, "Sale confirmed: Leica M6", "Jane Doe has confirmed that Leica M6 is as described. The sale is complete.", "/account/offers/7"},
		{models.NoticeSaleDisputed, "Jane Doe reported a problem with Leica M6", "Jane Doe has reported a problem with Leica M6. We'll review the sale. Read the details, and message them to sort it out.", "/account/offers/7"},
		{models.NoticeSaleUnopposed, "Sale confirmed: Leica M6", "No problems were reported, so the sale of Leica M6 for €1,150 is confirmed.", "/account/offers/7"},
		{models.NoticeSaleUpheld, "We've reviewed the sale of Leica M6", "We've reviewed the sale of Leica M6 for €1,150. The sale stands.", "/account/offers/7"},
		{models.NoticeSaleVoided, "Sale cancelled: Leica M6", "We've cancelled the sale of Leica M6 for €1,150. It doesn't count towards price history, and its ratings are hidden.", "/account/offers/7"},
		{models.NoticeOfferClosed, "Offer closed: Leica M6 is no longer for sale", "Leica M6 is no longer for sale, so your offer has been declined.", "/account/offers/7"},
		{models.NoticeOfferExpired, "Your offer of €1,150 for Leica M6 has expired", "Your offer of €1,150 for Leica M6 expired because there was no reply in time.", "/account/offers/7"},
		{models.NoticeListingExpired, "Your listing Leica M6 has expired", "Your listing Leica M6 has expired. You can relist it with the same photos and description.", "/listings/7"},
		{models.NoticeListingHeld, "We're checking your listing Leica M6", "We're checking Leica M6 before it goes live. You don't need to do anything. We'll email you.", "/listings/7"},
		{models.NoticeListingReleased, "Now live: Leica M6", "We've checked your listing Leica M6. It's for sale now.", "/listings/7"},
		{models.NoticeListingRefused, "We couldn't publish Leica M6", "We've checked your listing Leica M6 and can't publish it. Reason: Not yours, see [link removed]", "/listings/7"},
		{models.NoticePossessionVerified, "Photo-verified: Leica M6", "We've confirmed your photo. Your listing Leica M6 now has the badge “Photo-verified”.", "/listings/7"},
		{models.NoticePossessionRejected, "Please retake your photo: Leica M6", "We couldn't confirm your photo for Leica M6. Send another one, or get a new code if yours has expired. Reason: Not yours, see [link removed]", "/sell/7#possession"},
		{models.NoticeStolenAccepted, "Report accepted: Leica M6", "We've accepted your report about the stolen Leica M6. We'll check any listing with its serial number before it goes live.", "/stolen"},
		{models.NoticeStolenRejected, "Report closed: Leica M6", "We've closed your report about the stolen Leica M6. We won't check listings with its serial number. Reason: Not yours, see [link removed]", "/stolen"},
		{models.NoticeMessageReceived, "New message from Jane Doe about Leica M6", "Jane Doe messaged you about “Leica M6”. We won't email again until you've read it.", "/account/messages/7"},
		{models.NoticeWatchersMessaged, "Jane Doe sent you a message about Leica M6", "Jane Doe messaged everyone watching “Leica M6”. They'll only see who you are if you reply. You can turn these messages off in your settings.", "/account/messages/7"},
	} {
		email := emails(&models.Notice{Kind: tt.kind, To: "jane", By: "Jane\r\nDoe", ID: "7", Photo: "abc", Title: "Leica\n\nM6", Amount: 115000, ExpiresAt: 1795424400000, Text: "Not yours,\nsee https://evil.example"})
		button, _, _ := strings.Cut(email.Body[strings.LastIndex(email.Body, "€1,150\n\n")+len("€1,150\n\n"):], ": ")
		want := strings.Join([]string{ui.DemoNotice, "", tt.text, "", "Leica M6", "€1,150", "", button + ": " + site.BaseURL + tt.path, "", "-- ", site.Name(), site.BaseURL, ""}, "\n")
		if email.Subject != tt.subject || email.Body != want || email.Kind != models.Mail || email.MemberID != "jane" {
			t.Errorf("%s\n%q\n%q\nwant\n%q\n%q", tt.kind, email.Subject, email.Body, tt.subject, want)
		}
		for _, part := range []string{ui.DemoNotice, tt.text, "Leica M6", "€1,150", `src="https://secondlight.example/photos/abc-640.jpg"`, `href="https://secondlight.example` + tt.path + `">` + button + "</a>"} {
			if !strings.Contains(html.UnescapeString(email.HTML), part) || strings.Count(email.HTML, `class="button"`) != 1 {
				t.Errorf("%s as HTML lacks %q: %s", tt.kind, part, email.HTML)
			}
		}
	}
	for kind, want := range map[models.NoticeKind]string{
		models.NoticeHandoverProposed: "Jane has suggested postage of Leica M6. Agree, or suggest something else, by Mon 23 Nov 2026, 09:00 UTC.",
		models.NoticeHandoverAgreed:   "Jane has agreed to postage of Leica M6. It should be sent by Mon 23 Nov 2026, 09:00 UTC.",
		models.NoticeOfferCompleted:   "Jane has sent Leica M6. Tell us when it arrives. If we don't hear from you by Mon 23 Nov 2026, 09:00 UTC, we'll treat the sale as confirmed.",
		models.NoticeSendReminder:     "Jane is waiting for Leica M6. Please send it by Mon 23 Nov 2026, 09:00 UTC, then mark it as sent.",
	} {
		body := emails(&models.Notice{Kind: kind, By: "Jane", ID: "7", Title: "Leica M6", ExpiresAt: 1795424400000, Shipped: true}).Body
		if !strings.Contains(body, want) {
			t.Errorf("%s of a parcel is %q, want %q", kind, body, want)
		}
	}
}

// TestEmailLanguages checks that a notice is in the language of its recipient if the site
// has it, else in the first of the site, and that no language asks whether a collected item
// has arrived.
func TestEmailLanguages(t *testing.T) {
	site := &ui.Site{Defaults: ui.SiteSettings{Currency: models.Currency{Code: "EUR", Digits: 2}, Languages: []*languages.Language{languages.English, languages.German}}}
	for language, want := range map[string]string{"de": "Jane bietet 1.150\u00a0€: Leica M6", "en": "Jane offered €1,150 for your Leica M6", "": "Jane offered €1,150 for your Leica M6", "fr": "Jane offered €1,150 for your Leica M6"} {
		email := EmailTemplates(site)(&models.Notice{Kind: models.NoticeOfferMade, Language: language, By: "Jane", Title: "Leica M6", Amount: 115000, ExpiresAt: 1795424400000})
		if email.Subject != want || strings.Contains(email.Body, "1.150\u00a0€ für „Leica M6“") != (language == "de") {
			t.Errorf("in %q: %q, %q", language, email.Subject, email.Body)
		}
	}
	for _, kind := range []models.NoticeKind{models.NoticeOfferCompleted, models.NoticeConfirmReminder, models.NoticeSaleConfirmed} {
		for language, arrived := range map[string]string{"de": "angekommen", "en": "arrive"} {
			if email := EmailTemplates(site)(&models.Notice{Kind: kind, Language: language, By: "Jane", Title: "Leica M6"}); strings.Contains(email.Subject+email.Body, arrived) {
				t.Errorf("%s asks whether a collected item has arrived: %q, %q", kind, email.Subject, email.Body)
			}
		}
	}
}
