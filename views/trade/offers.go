// Package trade renders offers, hand-overs, conversations and ratings.
package trade

import (
	"cmp"
	"context"
	"io"
	"net/url"
	"slices"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// OfferParts holds what the page of an offer is made of.
type OfferParts struct {
	Offer  *models.Offer
	Member string         // id of the viewer
	Other  *models.Member // the other member
	// Listing is nil when it is no longer public. Card is its card.
	Listing *models.Listing
	Card    *ui.Card
	Prices  []models.Proposal
	RatedAt models.Time // by the viewer, 0 if not
	// Agreement is nil until the offer is accepted. Dispute is what the buyer reported.
	Agreement *Agreement
	Dispute   string
	Evidence  []models.Evidence
	// Handover is nil until the offer is accepted. Ways is how the seller of a purchase is paid
	// until then.
	Handover *models.Handover
	Ways     models.PaymentWays
	// Conversation is the id of the members' conversation about the listing, "" for none.
	Conversation string
}

// removedTitle stands for the title of a listing that is no longer public.
var removedTitle = languages.Mark("A listing that was removed")

// title returns the title of the listing, or what stands for it.
func (p *OfferCard) title(ctx context.Context) string {
	if !p.public {
		return ui.T(ctx, removedTitle)
	}
	return p.Title
}

// NewOfferCard returns an offer for a list.
func NewOfferCard(site *ui.Site, parts *OfferParts) OfferCard {
	o := parts.Offer
	c := OfferCard{
		ID: o.ID, Ref: ui.NewRef(ui.OfferPath(o.ID)), Status: o.Status, Role: "seller", Amount: site.In(o.Currency).Money(o.Amount),
		Listing: o.ListingID, Title: removedTitle,
		With:      ui.NewPerson(site, parts.Other),
		CreatedAt: o.CreatedAt.RFC3339(), UpdatedAt: o.UpdatedAt.RFC3339(),
	}
	if parts.Member == o.BuyerID {
		c.Role = "buyer"
	}
	c.YourTurn = o.Status == models.OfferPending && c.Role == "seller" ||
		(o.Status == models.OfferCountered || o.Status == models.OfferCompleted) && c.Role == "buyer"
	if o.AwaitsReply() || o.Status == models.OfferCompleted {
		c.ExpiresAt = o.ExpiresAt.RFC3339()
	}
	c.Bought, c.Delivery = o.Bought, o.Method
	if o.Postage != models.UnknownPostage {
		c.Postage, c.Total = new(models.Money), new(models.Money)
		*c.Postage, *c.Total = site.In(o.Currency).Money(o.Postage), site.In(o.Currency).Money(o.Amount+o.Postage)
	}
	if parts.Handover != nil {
		c.handover = *parts.Handover
	}
	c.now = site.Now()
	if l := parts.Listing; l != nil {
		if photos := ui.NewPhotos(site, l); len(photos) > 0 {
			c.thumbnail = &photos[0]
		}
		c.Title, c.Price, c.public = l.Title, ui.MoneyOf(site.In(l.Currency), l.Price), true
	}
	return c
}

// NewOffer returns the page of an offer.
func NewOffer(site *ui.Site, parts *OfferParts) *Offer {
	o := parts.Offer
	p := &Offer{OfferCard: NewOfferCard(site, parts), Agreement: parts.Agreement, Dispute: parts.Dispute, Handover: newHandover(o, parts.Handover, parts.Member), ListingCard: parts.Card, Prices: make([]OfferPrice, len(parts.Prices)),
		Steps: []models.OfferStep{}, MayRate: o.Sold() && parts.RatedAt == 0, ratedAt: parts.RatedAt.RFC3339(), site: site}
	p.mayRate = p.MayRate
	p.Pay = newPaymentWays(site, parts)
	if len(parts.Evidence) > 0 {
		p.Evidence, p.EvidencePhotos = NewEvidence(site, parts.Evidence)
	}
	if o.AwaitsReply() {
		p.CountersLeft = o.ProposalsLeft()
	}
	for _, step := range o.Steps(parts.Member) {
		// An offer cannot be accepted while the listing is reserved for somebody else.
		if step != models.Accept || o.Bought || parts.Listing != nil && parts.Listing.Status == models.StatusActive {
			p.Steps = append(p.Steps, step)
		}
	}
	for i, r := range parts.Prices {
		p.Prices[i] = OfferPrice{By: "seller", Amount: site.In(o.Currency).Money(r.Amount), Message: r.Message, At: r.At.RFC3339()}
		if r.ByBuyer {
			p.Prices[i].By = "buyer"
		}
	}
	if parts.Listing != nil {
		p.gear = parts.Listing.Gear
	}
	p.conversation, p.writes = parts.Conversation, parts.Conversation == ""
	p.Links = p.links(context.Background())
	return p
}

func (p *Offer) links(ctx context.Context) (links []ui.Link) {
	if p.public {
		links = append(links, ui.Link{Href: ui.ListingPath(p.Listing), Label: "The listing"})
	}
	if p.gear != "" {
		links = append(links, ui.Link{Href: ui.GearPath(p.gear), Label: "Price guide for this model"})
	}
	if p.conversation != "" {
		links = append(links, ui.Link{Href: ui.ConversationPath(p.conversation), Label: ui.T(ctx, "Your messages with %s", p.With.Handle)})
	}
	return append(links, ui.Link{Href: ui.SellerPath(p.With.Handle), Label: p.With.Handle}, ui.Link{Href: ui.OffersPath, Label: "All your offers"})
}

// Resource returns the path of the offer in the API.
func (p *Offer) Resource() string { return "/api/offers/" + p.ID }

// Head implements Page.
func (p *Offer) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.heading(ctx, ui.AsWritten), Description: p.stateSentence(ctx, p.With.Name), Path: ui.OfferPath(p.ID), NoIndex: true,
		Crumbs: []ui.Link{{Href: "/account", Label: "Account"}, {Href: ui.OffersPath, Label: "Offers"}}}
}

// heading returns the heading of the page. quote marks the title: AsWritten or
// untrusted.
func (p *Offer) heading(ctx context.Context, quote func(string) string) string {
	return ui.T(ctx, "Offer on %s", quote(p.title(ctx)))
}

// stateSentence describes the state of the offer and what is next. other is the name or
// the handle of the other member.
func (p *Offer) stateSentence(ctx context.Context, other string) string {
	return cmp.Or(p.purchaseSentence(ctx, other), p.handoverSentence(ctx, other), p.OfferCard.stateSentence(ctx, other))
}

// stateSentence describes the state of the offer and who has to answer. other is the
// name or the handle of the other member.
func (p *OfferCard) stateSentence(ctx context.Context, other string) string {
	amount, until := ui.MoneyIn(ctx, p.Amount), ui.DeadlineIn(ctx, p.ExpiresAt)
	buyer := p.Role == "buyer"
	switch {
	case p.Status == models.OfferPending && p.YourTurn:
		return ui.T(ctx, "%s has offered %s. Reply by %s.", other, amount, until)
	case p.Status == models.OfferPending:
		return ui.T(ctx, "You offered %s. %s has until %s to reply.", amount, other, until)
	case p.Status == models.OfferCountered && p.YourTurn:
		return ui.T(ctx, "%s has countered with %s. Reply by %s.", other, amount, until)
	case p.Status == models.OfferCountered:
		return ui.T(ctx, "You countered with %s. %s has until %s to reply.", amount, other, until)
	case p.Status == models.OfferAccepted && buyer:
		return ui.T(ctx, "Offer accepted: %s. The item is reserved for you. Next, agree payment and delivery with %s.", amount, other)
	case p.Status == models.OfferAccepted:
		return ui.T(ctx, "Offer accepted: %s. Your listing is reserved. Agree payment and delivery, then mark it as sold once it's with the buyer.", amount)
	case p.Status == models.OfferCompleted && buyer:
		return ui.T(ctx, "%s has marked it as sold for %s. Is it as described? Confirm, or report a problem, by %s. After that we'll treat the sale as confirmed.", other, amount, until)
	case p.Status == models.OfferCompleted:
		return ui.T(ctx, "Sold for %s. %s has until %s to confirm or report a problem. After that the sale is confirmed automatically.", amount, other, until)
	case p.Status == models.OfferDisputed && buyer:
		return ui.T(ctx, "You've reported a problem with this sale (%s). We'll review it. If you've sorted it out with %s, confirm the sale.", amount, other)
	case p.Status == models.OfferDisputed:
		return ui.T(ctx, "%s has reported a problem with this sale (%s). We'll review it. You can message them to sort it out.", other, amount)
	case p.Status == models.OfferConfirmed:
		return ui.T(ctx, "Sale confirmed: %s.", amount)
	case p.Status == models.OfferVoided:
		return ui.T(ctx, "We've cancelled this sale (%s). It doesn't count towards price history, and its ratings are hidden.", amount)
	case p.Status == models.OfferExpired:
		return ui.T(ctx, "Offer expired with no reply. The last price was %s.", amount)
	case p.Status == models.OfferDeclined:
		return ui.T(ctx, "Offer declined. The last price was %s.", amount)
	}
	return ui.T(ctx, "Offer withdrawn. The last price was %s.", amount)
}

// offerStatusIn returns the status of an offer in the reader's language.
func offerStatusIn(ctx context.Context, s models.OfferStatus) string {
	if s == models.OfferVoided {
		return languages.Of(ctx).TextIn("status of an offer", "cancelled")
	}
	return languages.Of(ctx).TextIn("status of an offer", string(s))
}

// negotiates reports whether the price may still change.
func (p *OfferCard) negotiates() bool {
	return p.Status == models.OfferPending || p.Status == models.OfferCountered
}

// otherRole names the role of the other member: "Seller".
func (p *OfferCard) otherRole() string {
	if p.Role == "buyer" {
		return languages.Mark("Seller")
	}
	return languages.Mark("Buyer")
}

// writeHelp says how often the viewer can write first.
func (p *Offer) writeHelp(ctx context.Context) string {
	if p.Role == "buyer" {
		return ui.T(ctx, "We won't show %s your email address.", p.With.Name)
	}
	return ui.T(ctx, "You can send one message until %s replies. We won't share your email address.", p.With.Name)
}

// otherSteps returns the steps the viewer may take now that the card of the next step
// doesn't have.
func (p *Offer) otherSteps() []models.OfferStep {
	main := map[task][]models.OfferStep{answerTask: {models.Accept, models.Counter, models.Decline}, confirmTask: {models.Accept, models.Decline},
		sendTask: {models.Complete}, handOverTask: {models.Complete}, checkTask: {models.Confirm, models.Dispute}, settleTask: {models.Confirm}}
	return slices.DeleteFunc(slices.Clone(p.Steps), func(step models.OfferStep) bool { return slices.Contains(main[p.task()], step) })
}

// stepMeaning describes the effect of a step.
func (p *Offer) stepMeaning(ctx context.Context, step models.OfferStep) string {
	amount := ui.MoneyIn(ctx, p.Amount)
	switch step {
	case models.Accept:
		return ui.T(ctx, "Accept %s and reserve the item for them", amount)
	case models.Counter:
		return ui.TN(ctx, p.CountersLeft, "Make a counter-offer (%s left)", "Make a counter-offer (%s left)")
	case models.Decline:
		return ui.T(ctx, "Declining ends the offer. This can't be undone.")
	case models.Withdraw:
		if p.Status == models.OfferAccepted {
			return ui.T(ctx, "Withdrawing ends the sale, and the listing goes live again. This can't be undone.")
		}
		return ui.T(ctx, "Withdrawing ends the offer. This can't be undone.")
	case models.Confirm:
		return ui.T(ctx, "Everything as described? Confirm the sale. Its price is added to the price history, without your names.")
	case models.Dispute:
		return ui.T(ctx, "Something wrong? Tell us what isn't as described. The sale won't count until we've reviewed it.")
	}
	return ui.T(ctx, "Mark it as sold for %s once it's with the buyer. They then have 7 days to confirm or report a problem. Confirmed sales appear in price history, without your names.", amount)
}

// Question returns what is asked before a step that commits the viewer.
func (p *Offer) Question(ctx context.Context, step models.OfferStep) string {
	if step == models.Accept {
		return ui.Question(p.stepMeaning(ctx, step), p.Title, "")
	}
	return ui.Question(p.stepLabel(ctx, step), p.Title, p.stepMeaning(ctx, step))
}

// OfferQuestion returns what is asked before an offer.
func OfferQuestion(ctx context.Context, l *models.Listing, amount models.Money) string {
	return ui.Question(ui.T(ctx, "Send offer")+" ("+ui.MoneyIn(ctx, amount)+")", l.Title, "")
}

// BuyQuestion returns what is asked before a purchase from a seller.
func BuyQuestion(ctx context.Context, site *ui.Site, l *models.Listing, seller string) string {
	return ui.Question(ui.T(ctx, "Buy for %s", ui.MoneyIn(ctx, site.In(l.Currency).Money(l.Price))), l.Title, ui.BuyText(ctx, l.BuyNow, seller))
}

// stepLabel returns the label of a step's button.
func (p *Offer) stepLabel(ctx context.Context, step models.OfferStep) string {
	switch step {
	case models.Accept:
		return ui.T(ctx, "Accept %s", ui.MoneyIn(ctx, p.Amount))
	case models.Counter:
		return ui.T(ctx, "Send counter-offer")
	case models.Decline:
		return ui.T(ctx, "Decline")
	case models.Withdraw:
		return ui.T(ctx, "Withdraw")
	case models.Confirm:
		return ui.T(ctx, "Everything's fine")
	case models.Dispute:
		return ui.T(ctx, "Report a problem")
	}
	return ui.T(ctx, "Mark as sold for %s", ui.MoneyIn(ctx, p.Amount))
}

// rateText describes what rating the other member means. other is their name or
// handle.
func (p *Offer) rateText(ctx context.Context, other string) string {
	return ui.T(ctx, "Rate %s with one to five stars and a short review. You can only do this once, and it's public once the sale is confirmed.", other)
}

// PriceText returns who made an offer and when: "You (buyer) on 14 Nov 2026, 08:30
// UTC". other is the name or the handle of the other member.
func (p *Offer) priceText(ctx context.Context, r *OfferPrice, other string) string {
	who := other
	if r.By == p.Role {
		who = ui.T(ctx, "You")
	}
	return ui.T(ctx, "%s (%s) on %s", who, ui.T(ctx, r.By), ui.MomentIn(ctx, r.At))
}

// countersLeftText says how many counter-offers are left.
func (p *Offer) countersLeftText(ctx context.Context) string {
	return ui.TN(ctx, p.CountersLeft, "%s counter-offer left.", "%s counter-offers left.")
}

// facts returns the facts of the offer for display. quote marks what members wrote:
// AsWritten or untrusted.
func (p *OfferCard) facts(ctx context.Context, quote func(string) string) []ui.Fact {
	rows := []ui.Fact{
		{Name: "Status", Value: offerStatusIn(ctx, p.Status)},
		{Name: "Latest price", Value: ui.MoneyIn(ctx, p.Amount)},
		{Name: "Asking price", Value: ui.MoneyOrIn(ctx, p.Price, "")},
		{Name: "Delivery", Value: p.deliveryText(ctx)},
		{Name: "Price + postage", Value: ui.MoneyOrIn(ctx, p.Total, "")},
		{Name: "Your role", Value: ui.T(ctx, p.Role)},
		{Name: p.otherRole(), Value: quote(p.With.Name) + " (" + p.With.Handle + ")", Href: ui.SellerPath(p.With.Handle)},
		{Name: "Created", Value: ui.MomentIn(ctx, p.CreatedAt)},
		{Name: "Updated", Value: ui.MomentIn(ctx, p.UpdatedAt)},
	}
	switch {
	case p.Status == models.OfferCompleted:
		rows = append(rows, ui.Fact{Name: "Confirmed automatically", Value: ui.DeadlineIn(ctx, p.ExpiresAt)})
	case p.ExpiresAt != "":
		rows = append(rows, ui.Fact{Name: "Expires", Value: ui.DeadlineIn(ctx, p.ExpiresAt)})
	}
	return rows
}

// details returns the facts that the head of the page, the stages and the card of the next step
// don't have.
func (p *Offer) details(ctx context.Context) []ui.Fact {
	said := []string{"Latest price", "Your role", p.otherRole(), "Delivery", "Created", "Expires", "Confirmed automatically"}
	return slices.DeleteFunc(p.facts(ctx, ui.AsWritten), func(f ui.Fact) bool { return slices.Contains(said, f.Name) })
}

// Markdown implements Page.
func (p *Offer) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.heading(ctx, ui.Untrusted), "").In(ctx)
	m.Paragraph(p.stateSentence(ctx, p.With.Handle))
	m.Raw("\n")
	m.FactRows(append(p.facts(ctx, ui.Untrusted), ui.Fact{Name: "Offer", Value: p.ID}, ui.Fact{Name: "Payment", Value: p.Pay.text(ctx, ui.Untrusted)}))
	m.Row(ui.T(ctx, "Address"), p.site.URL(p.Page))
	if p.ListingCard != nil {
		m.Cards("The listing", []ui.Card{*p.ListingCard})
	} else {
		m.Paragraph(ui.Untrusted(p.title(ctx)) + ": " + p.Listing)
	}
	m.Section("Offer history")
	for i := range p.Prices {
		r := &p.Prices[i]
		m.Raw("\n**", ui.MoneyIn(ctx, r.Amount), "**, ", ui.MarkdownText(p.priceText(ctx, r, p.With.Handle)), "\n")
		if r.Message != "" {
			m.Raw("\n")
			m.Quote(r.Message)
		}
	}
	if p.negotiates() {
		m.Paragraph(p.countersLeftText(ctx))
	}
	if p.Handover != nil {
		writeHandover(m, p)
	}
	if p.Dispute != "" {
		m.Section("Reported problem")
		m.Quote(p.Dispute)
		WriteEvidence(m, p.Evidence)
	}
	if p.Agreement != nil {
		writeAgreement(m, p.Agreement)
	}
	if len(p.Steps) > 0 || p.MayRate || p.Handover != nil && len(p.Handover.Steps) > 0 {
		m.Section("Your options")
		if p.MayRate {
			m.Raw("- `POST ", p.Resource(), "/rating` ", ui.MarkdownText(p.rateText(ctx, p.With.Handle)), "\n")
		}
		if p.Handover != nil {
			for _, step := range p.Handover.Steps {
				m.Raw("- `POST ", p.Resource(), "/", handoverPaths[step], "` ", ui.MarkdownText(p.handoverMeaning(ctx, step)), "\n")
			}
		}
		for _, step := range p.Steps {
			m.Raw("- `POST ", p.Resource(), "/", string(step), "` ", ui.MarkdownText(p.stepMeaning(ctx, step)), "\n")
		}
		if p.Status == models.OfferDisputed {
			m.Raw("- `POST ", p.Resource(), "/evidence` ", ui.T(ctx, "Tell us anything that would help."), "\n")
		}
	}
	m.Links(p.links(ctx))
	return m.Done(w)
}

// Offers is the page of the offers a member made and received.
type Offers struct {
	Offers     []OfferCard `json:"offers" jsonschema:"last changed first"`
	NextCursor string      `json:"next_cursor,omitempty"`
	Links      []ui.Link   `json:"links"`
	query      OfferQuery
	site       *ui.Site
}

// OfferQuery filters a member's offers. Empty fields match everything.
type OfferQuery struct {
	Role    string
	Status  models.OfferStatus
	Listing string
}

// path returns the path of the filtered list.
func (q OfferQuery) path() string {
	v := url.Values{}
	for name, value := range map[string]string{"role": q.Role, "status": string(q.Status), "listing": q.Listing} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if len(v) == 0 {
		return ui.OffersPath
	}
	return ui.OffersPath + "?" + v.Encode()
}

// NewOffers returns a page of offers.
func NewOffers(site *ui.Site, query OfferQuery, offers []OfferCard, next ui.Next) *Offers {
	p := &Offers{Offers: ui.List(offers), NextCursor: next.Cursor, query: query, site: site}
	if older := next.Path(query.path()); older != "" {
		p.Links = append(p.Links, ui.Link{Href: older, Label: "Older offers"})
	}
	p.Links = append(p.Links, ui.Link{Href: ui.SearchPath, Label: "Shop all"}, ui.Link{Href: "/account", Label: "Account"})
	return p
}

// After implements web.PagedPage.
func (p *Offers) After() string { return p.NextCursor }

// Head implements Page.
func (p *Offers) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Your offers"), Description: ui.T(ctx, "Offers you've sent and received."), Path: p.query.path(), NoIndex: true,
		Crumbs: []ui.Link{{Href: "/account", Label: "Account"}}}
}

// tab is a link to one of several lists.
type tab struct {
	ui.Link
	Chosen bool
}

// tabs returns the lists by role.
func (p *Offers) tabs() []tab {
	var tabs []tab
	for _, r := range []struct{ role, label string }{{"", languages.Mark("All")}, {"buyer", languages.Mark("Offers sent")}, {"seller", languages.Mark("Offers received")}} {
		q := p.query
		q.Role = r.role
		tabs = append(tabs, tab{ui.Link{Href: q.path(), Label: r.label}, p.query.Role == r.role})
	}
	return tabs
}

// statuses returns the choices of the status filter.
func (p *Offers) statuses(ctx context.Context) []ui.Choice {
	choices := []ui.Choice{{Value: "", Label: "Any status"}}
	for _, s := range models.OfferStatuses {
		choices = append(choices, ui.Choice{Value: string(s), Label: ui.Capitalized(offerStatusIn(ctx, s))})
	}
	return choices
}

// Markdown implements Page.
func (p *Offers) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your offers"), "").In(ctx)
	if len(p.Offers) == 0 {
		m.Paragraph(p.empty(ctx))
	}
	for i := range p.Offers {
		o := &p.Offers[i]
		m.Section(ui.Untrusted(o.title(ctx)))
		m.Raw(ui.MarkdownText(o.stateSentence(ctx, o.With.Handle)), "\n\n")
		m.FactRows(append(o.facts(ctx, ui.Untrusted), ui.Fact{Name: "Offer", Value: o.ID}))
		m.Row(ui.T(ctx, "Page"), m.Link(ui.Link{Href: ui.OfferPath(o.ID), Label: "The offer"}))
		m.Row(ui.T(ctx, "Listing"), m.Link(ui.Link{Href: ui.ListingPath(o.Listing), Label: ui.Untrusted(o.title(ctx))}))
	}
	m.Links(p.Links)
	return m.Done(w)
}

// empty returns the text of an empty list.
func (p *Offers) empty(ctx context.Context) string {
	if p.query != (OfferQuery{}) {
		return ui.T(ctx, "No offers match.")
	}
	return ui.T(ctx, "No offers yet. To make one, open a listing and select Make an offer.")
}

// ShortState says in a few words how an offer is getting on. other is the name or
// the handle of the other member.
func (p *OfferCard) ShortState(ctx context.Context, other string) string {
	switch {
	case p.Status == models.OfferDisputed:
		return ui.T(ctx, "We're looking into the problem")
	case p.Status == models.OfferAccepted:
		return ui.T(ctx, "Accepted. Arrange delivery with %s", other)
	case p.Status == models.OfferCompleted && p.Role == "buyer":
		return ui.T(ctx, "Is everything as described?")
	case p.Status == models.OfferCompleted:
		return ui.T(ctx, "Waiting for %s to confirm", other)
	case p.YourTurn:
		return ui.T(ctx, "%s is waiting for your reply", other)
	}
	return ui.T(ctx, "Waiting for %s to reply", other)
}
