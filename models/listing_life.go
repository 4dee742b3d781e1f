package models

import (
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models/problem"
)

// Step is a transition between states of a listing.
type Step string

// The steps. Sellers take the first six, the site takes Expire, and operators
// take the last three. Void is the end of a listing whose sale is voided.
const (
	Publish Step = "publish"
	Reserve Step = "reserve"
	Sell    Step = "sell"
	End     Step = "end"
	Relist  Step = "relist"
	Discard Step = "discard"
	Expire  Step = "expire"
	Remove  Step = "remove"
	Restore Step = "restore"
	Void    Step = "void"
)

// ListingTransitions is the state machine of listings. Restore returns to the
// state the listing was removed from.
var ListingTransitions = map[Step]struct {
	From []Status
	To   Status
}{
	Publish: {[]Status{StatusDraft}, StatusActive},
	Reserve: {[]Status{StatusActive}, StatusReserved},
	Sell:    {[]Status{StatusActive, StatusReserved}, StatusSold},
	End:     {[]Status{StatusActive, StatusReserved}, StatusEnded},
	Relist:  {[]Status{StatusReserved, StatusEnded, StatusExpired}, StatusActive},
	Discard: {[]Status{StatusDraft}, ""},
	Expire:  {[]Status{StatusActive}, StatusExpired},
	Remove:  {[]Status{StatusActive, StatusReserved, StatusSold, StatusEnded, StatusExpired}, StatusRemoved},
	Restore: {[]Status{StatusRemoved}, ""},
	Void:    {[]Status{StatusSold}, StatusEnded},
}

// Steps returns the steps a seller may take from this state, most common first.
func (s Status) Steps() []Step {
	var steps []Step
	for _, step := range []Step{Publish, Relist, Reserve, Sell, End, Discard} {
		if s.Allows(step) {
			steps = append(steps, step)
		}
	}
	return steps
}

// Allows reports whether a step can be taken from this state.
func (s Status) Allows(step Step) bool { return slices.Contains(ListingTransitions[step].From, s) }

// ListingLifetime is the time from publication to expiry.
const ListingLifetime = 60 * 24 * time.Hour

// EndReasons lists the reasons a seller may give for ending a listing.
var EndReasons = []string{"sold_elsewhere", "kept", "broken", "mistake", "other"}

// Limits of a listing apart from its item: texts in characters, lists in items.
const (
	MaxTitle  = 200
	MaxText   = 10_000
	MaxPhotos = 12
)

// Check returns an Invalid error listing all invalid fields. If public is set,
// the fields required for publication must be present.
func (l *Listing) Check(public bool) error {
	var fields FieldChecks
	fields.atMost("title", l.Title, MaxTitle)
	fields.atMost("description", l.Text, MaxText)
	for _, f := range ItemFields {
		f.check(&l.Item, &fields)
	}
	if len(l.Photos) > MaxPhotos {
		fields.Refuse("photos", "A listing can have at most %d photos.", MaxPhotos)
	}
	if l.Category != "" && !l.Category.Valid() {
		fields.Refuse("category", "%q isn't a category. Use one of %s.", l.Category, Joined(Categories))
	}
	if l.Region != "" && !l.Region.Valid() {
		fields.Refuse("region", "%q isn't a region. Use an ISO 3166 code such as DE or US-CA.", l.Region)
	}
	if l.BuyNow != "" && !slices.Contains(BuyNows, l.BuyNow) {
		fields.Refuse("buy_now", "%q isn't a value. Use one of %s.", l.BuyNow, Joined(BuyNows))
	}
	if l.Price < 0 || l.Price > MaxAmount {
		fields.Refuse("price", "The price is out of range.")
	}
	if public {
		l.checkPublic(&fields)
	}
	return InvalidFields(fields)
}

// checkPublic adds an error for each field that a published listing needs.
func (l *Listing) checkPublic(fields *FieldChecks) {
	refuse := func(field, code string, format problem.Format, args ...any) {
		*fields = append(*fields, problem.FieldError{Field: field, Code: code, Message: problem.Textf(format, args...)})
	}
	for _, missing := range []struct {
		field string
		is    bool
	}{{"title", strings.TrimSpace(l.Title) == ""}, {"condition", l.Condition == ""}, {"price", l.Price == 0}, {"region", l.Region == ""}, {"category", l.Category == ""}} {
		if missing.is {
			refuse(missing.field, "missing_parameter", "Add a %s before you publish.", problem.Field(missing.field))
		}
	}
	if l.Functional == "" {
		refuse("functional", "missing_parameter", "Say whether it works before you publish.")
	}
}

func Joined[T ~string](words []T) problem.Codes { return Strs(words) }

// WrongStatus returns the error for a step that can't be taken from status.
func WrongStatus(step Step, id string, status Status) *problem.Error {
	e := &problem.Error{Kind: problem.Conflict, Code: "wrong_status",
		Message: problem.Textf("The listing is %s. You can only %s it when it's %s.", status, step, orList(ListingTransitions[step].From)),
		Hint:    problem.Programf("Get its current state with GET /api/listings/%s.", id)}
	if step == Publish && status == StatusActive {
		e.Hint = problem.Textf("It's already for sale. You don't need to do anything.")
	}
	return e
}

func orList(statuses []Status) problem.Or {
	words := make(problem.Or, len(statuses))
	for i, s := range statuses {
		words[i] = string(s)
	}
	return words
}

// Open reports whether listings in this state can be edited.
func (s Status) Open() bool {
	return s == StatusDraft || s == StatusActive || s == StatusReserved
}

// Apply sets the fields that a move changes.
func (l *Listing) Apply(move Move) error {
	from := l.Status
	l.Status, l.UpdatedAt = ListingTransitions[move.Step].To, move.At
	switch move.Step {
	case Publish, Relist:
		if l.PublishedAt == 0 {
			l.PublishedAt = move.At
		}
		l.ClosedAt, l.EndReason, l.ExpiresAt = 0, "", move.At.Add(ListingLifetime)
	case Sell:
		if move.Price <= 0 || move.Price > MaxAmount {
			return InvalidField("price", "missing_parameter", "Enter the price it sold for.")
		}
		l.ClosedAt, l.SoldPrice = move.At, move.Price
	case End:
		if move.Reason != "" && !slices.Contains(EndReasons, move.Reason) {
			return InvalidField("reason", "invalid_value", "The reason must be one of %s.", Joined(EndReasons))
		}
		l.ClosedAt, l.EndReason = move.At, move.Reason
	case Expire:
		l.ClosedAt = move.At
	case Remove:
		l.RemovedFrom = from
	case Restore:
		l.Status = l.RemovedFrom
		if move.First {
			l.PublishedAt, l.ExpiresAt = move.At, move.At.Add(ListingLifetime)
		}
	case Void:
		l.SoldPrice, l.VerifiedAt = 0, 0
	}
	return nil
}

// Move is a step of a listing with its parameters.
type Move struct {
	Step   Step
	Seller string // required owner of the listing; "" if the site takes the step
	At     Time   // default now
	Price  Cents  // Sell: the selling price
	Offer  *Offer // Sell: the completed offer, or nil if the seller declares the sale alone
	Reason string // End: one of EndReasons, or ""
	First  bool   // Restore: the listing is public for the first time
}

// Event returns the event of a move from a status, "" if nobody but the seller can see
// it. held is set if the listing is held instead of public.
func (m Move) Event(from Status, held bool) Event {
	switch {
	case held && !from.Public():
		return ""
	case held:
		return ListingRemoved
	case m.First:
		return ListingPublished
	}
	return eventOf[m.Step]
}

// PastPrice is a previous asking price of a listing and the time it ended.
type PastPrice struct {
	Until Time
	Price Cents
}
