package models

import "time"

// Hold is the reason why a listing is held, not public until an operator has decided.
// Sellers see that it is held, and not why.
type Hold struct {
	ListingID string
	Reason    HoldReason
	Subject   string // the id of the other listing, or of the report of the theft, or the word
	At        Time
}

// HoldReason tells an operator what to check.
type HoldReason string

// The reasons for holds.
const (
	HoldSameSerial HoldReason = "same_serial" // another member's listing for sale has the same serial number
	HoldSold       HoldReason = "sold"        // it was last sold here to another member
	HoldStolen     HoldReason = "stolen"      // its serial number is reported as stolen
	HoldWord       HoldReason = "word"        // it contains a word or phrase of HeldWords
)

// HoldReasons lists all reasons for holds.
var HoldReasons = []HoldReason{HoldSameSerial, HoldSold, HoldStolen, HoldWord}

// SoldPeriod is how long after a sale here only its buyer can list the item without
// being held.
const SoldPeriod = 2 * 365 * 24 * time.Hour
