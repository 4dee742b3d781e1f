package models

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/problem"
)

// Sale is a completed sale. Trends are computed from confirmed sales, not from
// asking prices.
type Sale struct {
	ID         string // UUIDv7
	ExternalID string // the importer's id, unique; optional
	Gear       string // catalogue slug
	Condition  Condition
	Price      Cents // in the currency of the site, for trends
	SoldAt     Time  // once confirmed, the time of the confirmation
	Region     Region
	ListingID  string // "" for imported sales
	Demo       bool

	// Of a sale in another currency than the site's: what was paid, the currency and the day
	// of the rate at which Price was converted; otherwise 0 and "".
	Paid     Cents
	Currency string
	RateDay  Day

	Source     SaleSource // default SaleImported
	SourceName string     // of an import: where the sales come from; optional
	Status     SaleStatus // default SaleConfirmed
	OfferID    string     // "" unless the sale follows from an offer
	SellerID   string     // "" for imported sales
	SellerKind SellerKind // of the seller when the sale was recorded, "" if it is not known
	BuyerID    string     // "" unless the buyer is a member
	ConfirmAt  Time       // SaleWaiting: when silence confirms it
	Newcomer   bool       // neither the seller nor the buyer is established
	ByBuyer    bool       // only the buyer is
	OutOfRange bool       // the price was far from its estimate when the sale was confirmed
	Held       bool       // its price is unusual and awaits an operator
	ApprovedAt Time       // when an operator approved an unusual price, or 0
	VoidedAt   Time       // when an operator voided the sale, or 0
}

// SaleSource tells who vouches for a sale.
type SaleSource string

// The sources of sales.
const (
	SaleImported  SaleSource = "import"   // the operator imported it
	SaleByShop    SaleSource = "shop"     // the operators' own shop sold it
	SaleByMembers SaleSource = "members"  // both members
	SaleDeclared  SaleSource = "declared" // the seller alone: never part of a trend
)

// SaleStatus tells whether both sides have confirmed a sale.
type SaleStatus string

// The states of a sale. A waiting sale becomes confirmed by the buyer, or by
// their silence for ConfirmationPeriod.
const (
	SaleWaiting   SaleStatus = "waiting"
	SaleDisputed  SaleStatus = "disputed"
	SaleConfirmed SaleStatus = "confirmed"
)

const (
	// ConfirmationPeriod is the time in which a buyer can dispute a completed sale.
	ConfirmationPeriod = 7 * 24 * time.Hour
	// NewcomerPeriod is the time after joining in which a member is not established.
	NewcomerPeriod = 30 * 24 * time.Hour
)

// EstablishedReach decides who is established: a member who joined NewcomerPeriod before, and whom
// completed hand-overs connect with as many others, directly or through one of their partners,
// whichever partner is left out. Sales of any gear count that are confirmed and not voided.
// So no group of up to EstablishedReach accounts can establish its own members, however they
// trade, and one real hand-over is not enough. Operators are established.
const EstablishedReach = 12

// Eligible reports whether a sale is confirmed by those who must, and not voided.
// Rules about sets of sales may still exclude it from a trend; see NewTrend.
func (s *Sale) Eligible() bool {
	return s.Status == SaleConfirmed && s.Source != SaleDeclared && s.VoidedAt == 0
}

// VouchedFor reports whether the operators vouch for the sale.
func (s *Sale) VouchedFor() bool { return s.Source == SaleImported || s.Source == SaleByShop }

// SetDefaults sets an empty Source and Status.
func (s *Sale) SetDefaults() {
	s.Source, s.Status = cmp.Or(s.Source, SaleImported), cmp.Or(s.Status, SaleConfirmed)
}

// Amount returns what was paid. main is the currency of the site.
func (s *Sale) Amount(main Currency) Amount {
	if s.Currency == "" {
		return Amount{s.Price, main}
	}
	return Amount{s.Paid, main.Or(s.Currency)}
}

// SetAmount sets what was paid, in a stored currency.
func (s *Sale) SetAmount(amount Cents, currency string) {
	if s.Currency = currency; currency == "" {
		s.Price = amount
	} else {
		s.Paid = amount
	}
}

func (s *Sale) Key() SaleKey { return SaleKey{s.SoldAt, s.ID} }

// SaleKey identifies a sale and orders the sales of a gear by time.
type SaleKey struct {
	SoldAt Time
	ID     string
}

func (k SaleKey) Compare(other SaleKey) int {
	return cmp.Or(cmp.Compare(k.SoldAt, other.SoldAt), strings.Compare(k.ID, other.ID))
}

// Day returns the day of the sale, UTC.
func (s *Sale) Day() Day { return DayAt(s.SoldAt.Std()) }

// Convert sets Price and RateDay from Paid and Currency, at the rates of the day of the
// sale. The error says that a rate is missing or that the price is out of range.
func (s *Sale) Convert(rates *Rates) error {
	price, ok := rates.InMain(s.Paid, s.Currency)
	switch {
	case !ok:
		return problem.Errorf("There's no exchange rate for %s on or before %s.", s.Currency, s.Day())
	case price.Cents > MaxAmount:
		return problem.Errorf("The price is more than the maximum of %s %s.", rates.Main.Decimal(MaxAmount), rates.Main.Code)
	}
	s.Price, s.RateDay = price.Cents, price.Day
	return nil
}

// Priced returns what prices are estimated from.
func (s *Sale) Priced() pricing.Sale {
	sale := pricing.Sale{Gear: s.Gear, Grade: slices.Index(Conditions, s.Condition), Day: int(s.SoldAt / DayMillis), Price: int64(s.Price)}
	if !s.VouchedFor() {
		sale.Seller, sale.Buyer = s.SellerID, s.BuyerID
	}
	return sale
}
