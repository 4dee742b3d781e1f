package trade

import (
	"context"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// task is what a trade waits for.
type task string

const (
	answerTask   task = "answer"   // an offer
	confirmTask  task = "confirm"  // a purchase
	arrangeTask  task = "arrange"  // the delivery
	agreeTask    task = "agree"    // to the delivery that the other side proposed
	sendTask     task = "send"     // the item
	handOverTask task = "handover" // the item, when the buyer collects it
	payTask      task = "pay"      // for an item that is sent
	collectTask  task = "collect"  // the item
	checkTask    task = "check"    // the item, and say whether it is as agreed
	settleTask   task = "settle"   // a reported problem
	rateTask     task = "rate"     // the other side
	waitTask     task = "wait"     // for the other side
	endTask      task = "end"      // nothing
)

// task returns what the viewer is to do now.
func (p *OfferCard) task() task {
	buyer := p.Role == "buyer"
	switch {
	case p.negotiates() && !p.YourTurn:
		return waitTask
	case p.negotiates() && p.Bought:
		return confirmTask
	case p.negotiates():
		return answerTask
	case p.Status == models.OfferAccepted:
		return p.deliveryTask(buyer)
	case p.Status == models.OfferCompleted && buyer:
		return checkTask
	case p.Status == models.OfferDisputed:
		return settleTask
	case p.mayRate:
		return rateTask
	case p.Status == models.OfferCompleted:
		return waitTask
	}
	return endTask
}

// deliveryTask returns what the viewer is to do about the delivery of an accepted offer.
func (p *OfferCard) deliveryTask(buyer bool) task {
	switch h := &p.handover; {
	case h.Status == models.HandoverOpen:
		return arrangeTask
	case h.Status == models.HandoverProposed && h.ByBuyer != buyer:
		return agreeTask
	case h.Status == models.HandoverProposed:
		return waitTask
	case h.Method == models.Shipping && buyer:
		return payTask
	case h.Method == models.Shipping:
		return sendTask
	case buyer:
		return collectTask
	}
	return handOverTask
}

// taskText names what is to be done. other is the name of the other member.
func (p *OfferCard) taskText(ctx context.Context, other string) string {
	switch p.task() {
	case answerTask:
		return ui.T(ctx, "Reply to the offer")
	case confirmTask:
		return ui.T(ctx, "Confirm the sale")
	case arrangeTask:
		return ui.T(ctx, "Arrange delivery")
	case agreeTask:
		return ui.T(ctx, "Reply to the suggested delivery")
	case sendTask:
		return ui.T(ctx, "Send it")
	case handOverTask:
		return ui.T(ctx, "Hand it over")
	case payTask:
		return ui.T(ctx, "Pay %s", other)
	case collectTask:
		return ui.T(ctx, "Collect it")
	case checkTask:
		return ui.T(ctx, "Is everything fine?")
	case settleTask:
		return ui.T(ctx, "Sort out the problem")
	case rateTask:
		return ui.T(ctx, "Review %s", other)
	case waitTask:
		return ui.T(ctx, "Waiting for %s", other)
	}
	return ui.T(ctx, "Nothing left to do")
}

// due returns when the next step is due, the zero time if it has no deadline.
func (p *OfferCard) due() time.Time {
	at := p.ExpiresAt
	if p.Status == models.OfferAccepted {
		at = p.handover.DueAt.RFC3339()
	}
	due, _ := time.Parse(time.RFC3339, at)
	return due
}

// leftText says how much time is left until the next step is due, "" if it has no deadline.
func (p *OfferCard) leftText(ctx context.Context) string {
	due := p.due()
	if due.IsZero() {
		return ""
	}
	switch hours := int(due.Sub(p.now).Hours()); {
	case due.Before(p.now):
		return ui.T(ctx, "Overdue")
	case hours < 1:
		return ui.T(ctx, "Less than an hour left")
	case hours < 24:
		return ui.TN(ctx, hours, "%s hour left", "%s hours left")
	default:
		return ui.TN(ctx, (hours+12)/24, "%s day left", "%s days left")
	}
}

// stage is a stage of a trade.
type stage struct {
	Label string
	At    string // when it was reached, "" if it is not, or nobody knows
	State string // done, current or ""
}

// stages returns the five stages of a trade in order, or how it ended early.
func (p *Offer) stages(ctx context.Context) []stage {
	handed, h := ui.T(ctx, "Collected"), p.Handover
	if h != nil && h.Method == models.Shipping || h == nil && p.Delivery == models.Shipping {
		handed = ui.T(ctx, "Sent")
	}
	stages := []stage{{Label: ui.T(ctx, "Offer"), At: p.CreatedAt}, {Label: ui.T(ctx, "Sale agreed")}, {Label: handed}, {Label: ui.T(ctx, "Confirmed")}, {Label: ui.T(ctx, "Reviewed")}}
	if p.Bought {
		stages[0].Label = ui.T(ctx, "Bought")
	}
	done := 1
	if p.Agreement != nil {
		done, stages[1].At = 2, p.Agreement.AgreedAt
	}
	if h != nil && h.SentAt != "" {
		done, stages[2].At = 3, h.SentAt
	}
	switch p.Status {
	case models.OfferConfirmed:
		if done, stages[3].At = 4, p.UpdatedAt; p.ratedAt != "" {
			done, stages[4].At = 5, p.ratedAt
		}
	case models.OfferDeclined, models.OfferWithdrawn, models.OfferExpired, models.OfferVoided:
		stages = append(stages[:done:done], stage{Label: ui.Capitalized(offerStatusIn(ctx, p.Status)), At: p.UpdatedAt})
		done++
	}
	for i := range stages {
		switch {
		case i < done:
			stages[i].State = "done"
		case i == done:
			stages[i].State = "current"
		}
	}
	return stages
}

// dayIn formats the day of a stage in the reader's language, "" for none.
func (s *stage) dayIn(ctx context.Context) string {
	if s.At == "" {
		return ""
	}
	return ui.DayIn(ctx, s.At)
}

// nextHeading says whose next step the card of the next step shows.
func (p *Offer) nextHeading(ctx context.Context) string {
	switch p.task() {
	case waitTask:
		return ui.T(ctx, "%s’s next step", p.With.Name)
	case endTask:
		return ui.T(ctx, "Closed")
	}
	return ui.T(ctx, "Your next step")
}

// nextText describes the next step. The head of the page has the price already.
func (p *Offer) nextText(ctx context.Context) string {
	if p.Handover != nil && p.Status == models.OfferAccepted {
		return p.nextSentence(ctx, p.With.Name)
	}
	return p.stateSentence(ctx, p.With.Name)
}

// payText says what is to be paid, with postage if it is known.
func (p *Offer) payText(ctx context.Context) string {
	switch {
	case p.Total == nil && p.Delivery == models.Shipping:
		return ui.T(ctx, "%s plus postage (ask %s)", ui.MoneyIn(ctx, p.Amount), p.With.Name)
	case p.Total == nil || p.Total.Amount == p.Amount.Amount:
		return ui.MoneyIn(ctx, p.Amount)
	}
	return ui.T(ctx, "%s, including %s postage", ui.MoneyIn(ctx, *p.Total), ui.MoneyIn(ctx, *p.Postage))
}

// deliveryText describes the delivery that the buyer asks for, "" if it is to be arranged.
func (p *OfferCard) deliveryText(ctx context.Context) string {
	switch p.Delivery {
	case models.Shipping:
		return ui.T(ctx, "By post")
	case models.Pickup:
		return ui.T(ctx, "Collection")
	}
	return ""
}

// writePath returns where the viewer writes to the other side.
func (p *Offer) writePath() string {
	if p.conversation != "" {
		return ui.ConversationPath(p.conversation)
	}
	return "#message-trader"
}

// purchaseSentence describes the state of a purchase that its seller is to confirm, "" for
// other offers. other is the name or the handle of the other member.
func (p *OfferCard) purchaseSentence(ctx context.Context, other string) string {
	amount, until := ui.MoneyIn(ctx, p.Amount), ui.DeadlineIn(ctx, p.ExpiresAt)
	switch {
	case !p.Bought || p.Status != models.OfferPending:
		return ""
	case p.YourTurn:
		return ui.T(ctx, "%s wants to buy it for %s. It's reserved until you confirm or decline, by %s.", other, amount, until)
	}
	return ui.T(ctx, "You've bought it for %s, and it's reserved for you. %s has until %s to confirm.", amount, other, until)
}

var arrangeByMessage = languages.Mark("Arrange a time and place with %s by message.")
