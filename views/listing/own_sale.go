package listing

import (
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// OwnSale is the sale of a listing as its seller sees it.
type OwnSale struct {
	State string       `json:"state" jsonschema:"declared by you alone, waiting for the buyer, disputed, held for a check of its price, confirmed or voided" enum:"declared,waiting,disputed,held,confirmed,voided"`
	Price models.Money `json:"price" jsonschema:"price it sold for"`
	Text  string       `json:"text" jsonschema:"what the state means"`
}

// newOwnSale returns the sale of a listing for its seller, nil when there is none.
func newOwnSale(site *ui.Site, s *models.Sale) *OwnSale {
	if s == nil {
		return nil
	}
	state := SaleState(s)
	return &OwnSale{State: state, Price: s.Amount(site.Currency()).Money(), Text: saleStates[state]}
}

// saleStates describes the states of a sale to its seller.
var saleStates = map[string]string{
	"declared":  languages.Mark("You marked it as sold yourself. Only you can see the price, and it doesn't count towards price history."),
	"waiting":   languages.Mark("Waiting for the buyer to confirm."),
	"disputed":  languages.Mark("The buyer has reported a problem. We'll review the sale."),
	"held":      languages.Mark("Confirmed. The price is unusual, so we'll check it before it counts towards price history."),
	"confirmed": languages.Mark("Confirmed. The price counts towards price history, without your name."),
	"voided":    languages.Mark("We've cancelled this sale. It doesn't count anywhere."),
}

// SaleStates lists the states of a sale.
var SaleStates = []string{"declared", "waiting", "disputed", "held", "confirmed", "voided"}

func SaleState(s *models.Sale) string {
	switch {
	case s.VoidedAt != 0:
		return "voided"
	case s.Source == models.SaleDeclared:
		return "declared"
	case s.Held:
		return "held"
	}
	return string(s.Status)
}
