package trade

import (
	"context"
	"strconv"
	"strings"

	qr "github.com/piglig/go-qr"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// PaymentWays is how the seller of a trade is paid.
type PaymentWays struct {
	AccountHolder string `json:"account_holder,omitempty" untrusted:"true"`
	IBAN          string `json:"iban,omitempty" jsonschema:"of a credit transfer"`
	Link          string `json:"payment_link,omitempty" jsonschema:"the seller's own payment page" untrusted:"true"`
	Cash          bool   `json:"cash,omitempty" jsonschema:"cash on collection"`
	ibanText      string // in groups of four
	code          string // text of the QR code of a transfer, "" for none
}

// newPaymentWays returns how the seller of an offer is paid, nil if they have not said or
// nothing is to be paid yet.
func newPaymentWays(site *ui.Site, parts *OfferParts) *PaymentWays {
	o, ways := parts.Offer, parts.Ways
	if parts.Handover != nil {
		ways = parts.Handover.PaymentWays
	}
	ways.Cash = ways.Cash && o.Method == models.Pickup
	if ways == (models.PaymentWays{}) || !o.Reserves() && !o.Sold() {
		return nil
	}
	p := &PaymentWays{AccountHolder: ways.AccountHolder, IBAN: ways.IBAN, Link: ways.PaymentLink, Cash: ways.Cash, ibanText: ways.IBANText()}
	if site.In(o.Currency).Code == "EUR" && parts.Listing != nil {
		p.code = ways.Transfer(o.Amount+max(o.Postage, 0), parts.Listing.Title+" "+o.ID[len(o.ID)-8:])
	}
	return p
}

// text describes the ways in one line. quote marks what members wrote.
func (p *PaymentWays) text(ctx context.Context, quote func(string) string) string {
	if p == nil {
		return ""
	}
	parts := []string{p.Link}
	if p.IBAN != "" {
		parts = append(parts, ui.T(ctx, "transfer to %s, %s", quote(p.AccountHolder), p.IBAN))
	}
	if p.Cash {
		parts = append(parts, ui.T(ctx, "cash on collection"))
	}
	return ui.Commas(parts...)
}

// drawing returns the QR code as the path of an SVG drawing, and its width in modules. It
// is "" if there is no code.
func (p *PaymentWays) drawing() (path string, width int) {
	if p.code == "" {
		return "", 0
	}
	code, err := qr.EncodeText(p.code, qr.Medium)
	if err != nil { // longer than a code can be
		return "", 0
	}
	var b strings.Builder
	for y := range code.Size() {
		for x := range code.Size() {
			if code.Module(x, y) {
				b.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(y) + "h1v1h-1z")
			}
		}
	}
	return b.String(), code.Size()
}
