package listing

import (
	"context"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// buyable reports whether the listing can be bought now.
func (p *Listing) buyable() bool { return p.Status == models.StatusActive && p.BuyNow.Allowed() }

// buyText says what buying means.
func (p *Listing) buyText(ctx context.Context) string {
	return ui.BuyText(ctx, p.BuyNow, p.SellerCard.Name)
}

// deliveryChosen returns the delivery that most buyers want.
func (p *Listing) deliveryChosen() string {
	if p.PickupOnly {
		return string(models.Pickup)
	}
	return string(models.Shipping)
}

// deliveryChoices returns the ways to get the item.
func (p *Listing) deliveryChoices(ctx context.Context, later bool) (choices []ui.Choice) {
	if !p.PickupOnly {
		choices = append(choices, ui.Choice{Value: string(models.Shipping), Label: languages.Mark("By post"), Meaning: p.Postage.Text(ctx)})
	}
	choices = append(choices, ui.Choice{Value: string(models.Pickup), Label: languages.Mark("Collection"), Meaning: languages.Mark("You'll arrange a time and place by message.")})
	if later {
		choices = append(choices, ui.Choice{Value: "", Label: languages.Mark("Decide later")})
	}
	return choices
}

// buyNowChoices are the ways to sell a listing at its price.
var buyNowChoices = []ui.Choice{
	{Value: string(models.BuyOff), Label: languages.Mark("Offers only")},
	{Value: string(models.BuyConfirm), Label: languages.Mark("Buy now, and I confirm each sale"), Meaning: languages.Mark("It's reserved for the buyer, and you have 48 hours to confirm.")},
	{Value: string(models.BuyInstant), Label: languages.Mark("Buy now, without confirmation"), Meaning: languages.Mark("Best if the item is ready to send.")},
}
