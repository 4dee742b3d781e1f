package watch

import (
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	accountviews "github.com/secondlight/secondlight/views/account"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
	views "github.com/secondlight/secondlight/views/watch"
)

// Webhooks describes the webhooks of saved searches and of accounts.
func Webhooks(site *ui.Site) []web.Webhook {
	const leica = "leica/m6"
	search := views.WebhookSearch{ID: "019aa7d2-7c00-7000-8000-000000000002", Name: "M6", Query: "model=" + leica, Ref: ui.NewRef("/listings?model=" + leica)}
	card := ui.Card{ID: sample.ListingID, Ref: ui.ListingRef(sample.ListingID), Title: "Leica M6", Gear: leica, Category: "rangefinder", Condition: models.ConditionGood, Functional: models.FullyWorking,
		Price: models.Money{Amount: "1150.00", Currency: "EUR"}, Region: "DE", Seller: "kleine-blende", Status: models.StatusActive, PublishedAt: sample.Day.RFC3339()}
	median := models.Money{Amount: "1190.00", Currency: "EUR"}
	trend := views.ChangedTrend{Gear: leica, Name: "Leica M6", Cursor: "tq3Xw9Zr.4k", Ref: ui.NewRef(ui.GearPath(leica)), Summary: priceviews.Stats{Status: "ok", Median: &median, SampleSize: 84}, Change: priceviews.Change{Direction: "falling"}}
	all := []web.Webhook{
		{Event: string(models.ListingsPublished), Tag: "Watching", Summary: "New listings of a saved search", Body: views.NewMatches{Event: string(models.ListingsPublished), Site: site.BaseURL, Search: search, Total: 1, Listings: []ui.Card{card}}},
		{Event: string(models.TrendsChanged), Tag: "Watching", Summary: "Changed price trends of the gear of a saved search", Body: views.ChangedTrends{Event: models.TrendsChanged, Site: site.BaseURL, Search: search, Trends: []views.ChangedTrend{trend}}},
	}
	for _, event := range models.AccountEvents {
		subject := "/account/offers/"
		switch event {
		case models.MessageReceivedEvent:
			subject = "/account/messages/"
		case models.PriceDroppedEvent:
			subject = "/listings/"
		}
		body := accountviews.EventMessage{Event: event, Site: site.BaseURL, Subject: sample.ListingID, Href: ui.JSONPath(subject + sample.ListingID), Page: subject + sample.ListingID, Title: card.Title, Amount: &card.Price, By: "Jane Doe"}
		all = append(all, web.Webhook{Event: string(event), Tag: "Account", Summary: accountviews.EventText(event), Body: body})
	}
	return all
}
