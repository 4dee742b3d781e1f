package models

import (
	"fmt"
	"math/big"
	"strings"
)

// TradeSettings are the details that a member reuses in every trade. Only the member sees
// them, and those they trade with as far as a trade needs it.
type TradeSettings struct {
	Address string // that the member is sent items to
	PaymentWays
}

// PaymentWays is how a seller wants to be paid. The site takes no money.
type PaymentWays struct {
	AccountHolder string
	IBAN          string `db:"iban"` // without spaces, or ""
	PaymentLink   string // https, or ""
	Cash          bool   // when the buyer collects the item
}

// MaxAccountHolder is the length of the name of an account holder, in characters: the limit
// of credit transfers.
const MaxAccountHolder = 70

// Check normalises the settings and returns an error that lists their invalid fields.
func (s *TradeSettings) Check() error {
	var f FieldChecks
	s.Address, s.AccountHolder, s.PaymentLink = strings.TrimSpace(s.Address), strings.Join(strings.Fields(s.AccountHolder), " "), strings.TrimSpace(s.PaymentLink)
	s.IBAN = strings.ToUpper(strings.Join(strings.Fields(s.IBAN), ""))
	f.Text("delivery_address", s.Address, MaxAddress, false)
	f.Text("account_holder", s.AccountHolder, MaxAccountHolder, s.IBAN != "")
	f.link("payment_link", s.PaymentLink)
	if s.IBAN != "" && !validIBAN(s.IBAN) {
		f.Refuse("iban", "This isn't a valid IBAN. Check it for typing errors.")
	}
	return InvalidFields(f)
}

// validIBAN reports whether an IBAN without spaces has the right form and check digits
// (ISO 13616).
func validIBAN(iban string) bool {
	if len(iban) < 15 || len(iban) > 34 {
		return false
	}
	digits := ""
	for _, c := range iban[4:] + iban[:4] {
		switch {
		case c >= '0' && c <= '9':
			digits += string(c)
		case c >= 'A' && c <= 'Z':
			digits += fmt.Sprint(c - 'A' + 10)
		default:
			return false
		}
	}
	n, ok := new(big.Int).SetString(digits, 10)
	return ok && new(big.Int).Mod(n, big.NewInt(97)).Int64() == 1
}

// Transfer returns the text of a QR code with which banking apps fill in a credit transfer
// in euros (EPC069-12), "" if there is no account. about is cut to 140 characters.
func (p *PaymentWays) Transfer(amount Cents, about string) string {
	if p.IBAN == "" {
		return ""
	}
	reference := []rune(strings.Join(strings.Fields(about), " "))
	return fmt.Sprintf("BCD\n002\n1\nSCT\n\n%s\n%s\nEUR%d.%02d\n\n\n%s", p.AccountHolder, p.IBAN, amount/100, amount%100, string(reference[:min(len(reference), 140)]))
}

// IBANText returns the IBAN in groups of four characters.
func (p *PaymentWays) IBANText() string {
	var groups []string
	for iban := p.IBAN; iban != ""; {
		n := min(4, len(iban))
		groups, iban = append(groups, iban[:n]), iban[n:]
	}
	return strings.Join(groups, " ")
}
