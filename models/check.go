package models

import "time"

// CheckKind is the kind of an item that an operator decides about.
type CheckKind string

// The kinds of checks.
const (
	CheckPossession CheckKind = "possession" // a photograph of the code beside the item
	CheckHold       CheckKind = "hold"       // a held listing
	CheckStolen     CheckKind = "stolen"     // a report of a stolen serial number
	CheckPhotos     CheckKind = "photos"     // a listing with notes on its photos
)

// CheckKey is the position of a check in their order, by time, kind and subject.
type CheckKey struct {
	At  Time
	Key string // kind and subject, such as "hold/" and the id of a listing
}

// Check is something that waits for an operator's decision.
type Check struct {
	CheckKey
	Kind    CheckKind
	Subject string // id of a listing, or of a report of a stolen serial number
}

// CheckCounts are the numbers of items that await an operator's decision.
type CheckCounts struct {
	Possession int // photographs of the code beside the item
	Held       int // listings
	Stolen     int // reports of stolen serial numbers
	Photos     int // listings with notes on their photos
}

// Total returns the sum of all counts.
func (c CheckCounts) Total() int { return c.Possession + c.Held + c.Stolen + c.Photos }

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
