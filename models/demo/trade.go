package demo

import (
	"math"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

// trader generates what members did with listings: offers, ratings, price drops and
// watchlists.
type trader struct {
	g    *generator
	d    dice
	data *Data
}

// trade adds to the data what happened to its listings.
func (g *generator) trade(data *Data) {
	t := &trader{g, g.dice("trade"), data}
	sales := map[string]*models.Sale{}
	for i := range data.Sales {
		if s := &data.Sales[i]; s.ListingID != "" {
			sales[s.ListingID] = s
		}
	}
	for i := range data.Listings {
		switch l := &data.Listings[i]; l.Status {
		case models.StatusSold:
			t.sell(l, sales[l.ID])
		case models.StatusReserved:
			if t.d.chance(0.7) {
				t.reserve(l)
			}
		case models.StatusActive:
			t.reduce(l)
			t.negotiate(l)
			t.watch(l)
		}
	}
}

const hour = models.Time(60 * 60 * 1000)

func (t *trader) today() models.Time { return models.TimeOf(t.g.now) }

// somebody returns a member other than the seller of a listing.
func (t *trader) somebody(l *models.Listing) string {
	for {
		if m := pick(t.d, t.data.Members); m.ID != l.SellerID {
			return m.ID
		}
	}
}

// offer returns an offer on a listing that began at a time, without proposals.
func (t *trader) offer(l *models.Listing, at models.Time) store.DemoOffer {
	return store.DemoOffer{Offer: models.Offer{ID: t.d.id(at), ListingID: l.ID, BuyerID: t.somebody(l), SellerID: l.SellerID, CreatedAt: at}}
}

// propose adds a proposal; buyer and seller take turns. The offer awaits the reply.
func propose(o *store.DemoOffer, amount models.Cents, message string, at models.Time) {
	buyer := len(o.Rounds)%2 == 0
	o.Rounds = append(o.Rounds, models.Proposal{ByBuyer: buyer, Amount: amount, Message: message, At: at})
	o.Amount, o.Proposals, o.UpdatedAt = amount, len(o.Rounds), at
	o.ExpiresAt = at.Add(models.OfferLifetime)
	o.Status = models.OfferCountered
	if buyer {
		o.Status = models.OfferPending
	}
}

// below returns a round amount under a price, a fraction of it.
func below(price models.Cents, fraction float64) models.Cents {
	step := 500.0
	if price > 100_000 {
		step = 1000
	}
	amount := models.Cents(math.Round(float64(price)*fraction/step) * step)
	return min(price, max(amount, 500))
}

// bargain adds the proposals that lead to an agreement on an amount, and returns the
// time of the last.
func (t *trader) bargain(o *store.DemoOffer, asked, amount models.Cents) models.Time {
	at := o.CreatedAt
	later := func() models.Time { at += hour/2 + models.Time(t.d.Float64()*float64(8*hour)); return at }
	switch {
	case amount == asked:
		propose(o, amount, pick(t.d, words().Offers.FullPrice), at)
	case t.d.chance(0.5):
		propose(o, amount, pick(t.d, words().Offers.First), at)
	default:
		propose(o, below(amount, t.d.between(0.86, 0.96)), pick(t.d, words().Offers.First), at)
		propose(o, amount, pick(t.d, words().Offers.Counter), later())
	}
	return at
}

// sell adds the offer that led to a sale, its confirmation, and what both sides wrote
// about each other.
func (t *trader) sell(l *models.Listing, sale *models.Sale) {
	open := sale.SoldAt - l.PublishedAt
	began := l.PublishedAt + models.Time(t.d.between(0.2, 0.6)*float64(open))
	o := t.offer(l, began)
	last := t.bargain(&o, l.Price, sale.Price)
	o.AgreedAt = min(last+hour/4, sale.SoldAt)
	o.Status, o.UpdatedAt, o.ExpiresAt = models.OfferConfirmed, sale.SoldAt, sale.SoldAt
	for i := range o.Rounds { // a listing that sold within hours was negotiated within minutes
		o.Rounds[i].At = min(o.Rounds[i].At, sale.SoldAt)
	}
	sale.Source, sale.Status = models.SaleByMembers, models.SaleConfirmed
	sale.OfferID, sale.BuyerID = o.ID, o.BuyerID
	t.data.Offers = append(t.data.Offers, o)
	if t.d.chance(0.84) {
		t.rate(&o, o.BuyerID, o.SellerID, words().Ratings.OfSellers)
	}
	if t.d.chance(0.6) {
		t.rate(&o, o.SellerID, o.BuyerID, words().Ratings.OfBuyers)
	}
}

// rate adds a rating in the days after a sale, unless they are yet to come.
func (t *trader) rate(o *store.DemoOffer, rater, rated string, texts [6][]string) {
	at := o.UpdatedAt + hour + models.Time(t.d.Float64()*float64(6*24*hour))
	stars := []int{5, 4, 3, 2, 1}[t.d.weighted([]float64{82, 13, 3, 1.2, 0.8})]
	text := pick(t.d, texts[stars])
	if t.d.chance(0.25) && stars >= 4 {
		text = ""
	}
	if at < t.today() {
		t.data.Ratings = append(t.data.Ratings, models.Rating{OfferID: o.ID, RaterID: rater, RatedID: rated, Stars: stars, Text: text, At: at})
	}
}

// reserve adds the accepted offer of a reserved listing.
func (t *trader) reserve(l *models.Listing) {
	o := t.offer(l, l.PublishedAt+(l.UpdatedAt-l.PublishedAt)/2)
	t.bargain(&o, l.Price, below(l.Price, t.d.between(0.9, 1.01)))
	for i := range o.Rounds {
		o.Rounds[i].At = min(o.Rounds[i].At, l.UpdatedAt)
	}
	o.Status, o.AgreedAt, o.UpdatedAt = models.OfferAccepted, l.UpdatedAt, l.UpdatedAt
	t.data.Offers = append(t.data.Offers, o)
}

// reduce gives a listing that has been for sale for some time its higher first prices.
func (t *trader) reduce(l *models.Listing) {
	age := t.today() - l.PublishedAt
	if age < 8*24*hour || !t.d.chance(0.34) {
		return
	}
	drops := 1 + t.d.weighted([]float64{3, 1})
	price, until := l.Price, t.today()
	var past []store.DemoPrice
	for i := range drops {
		until -= models.Time(t.d.between(0.1, 0.8/float64(drops)) * float64(age))
		if i == 0 {
			l.UpdatedAt = until
		}
		price = max(askable(t.d, float64(price)/100*t.d.between(1.04, 1.12)), price+500)
		past = append(past, store.DemoPrice{ListingID: l.ID, PastPrice: models.PastPrice{Until: until, Price: price}})
	}
	t.data.PastPrices = append(t.data.PastPrices, past...)
}

// negotiate adds offers to some listings: old ones that came to nothing, and some that
// still await a reply.
func (t *trader) negotiate(l *models.Listing) {
	age := t.today() - l.PublishedAt
	if age > 6*24*hour && t.d.chance(0.07) {
		o := t.offer(l, l.PublishedAt+age/3)
		propose(&o, below(l.Price, t.d.between(0.6, 0.85)), pick(t.d, words().Offers.First), o.CreatedAt)
		end := pick(t.d, []models.OfferStatus{models.OfferDeclined, models.OfferDeclined, models.OfferExpired, models.OfferWithdrawn})
		o.Status, o.UpdatedAt = end, o.CreatedAt+5*hour
		if end == models.OfferExpired {
			o.UpdatedAt = o.ExpiresAt
		}
		t.data.Offers = append(t.data.Offers, o)
	}
	if age > 3*24*hour && t.d.chance(0.018) {
		o := t.offer(l, t.today()-models.Time(t.d.between(2, 30)*float64(hour)))
		propose(&o, below(l.Price, t.d.between(0.8, 0.95)), pick(t.d, words().Offers.First), o.CreatedAt)
		if t.d.chance(0.4) {
			propose(&o, min(l.Price, below(l.Price, t.d.between(0.95, 0.99))), pick(t.d, words().Offers.Counter), o.CreatedAt+hour)
		}
		t.data.Offers = append(t.data.Offers, o)
	}
}

// watch puts a listing on watchlists: bargains and what is scarce on more of them.
func (t *trader) watch(l *models.Listing) {
	n := t.d.weighted([]float64{50, 22, 12, 7, 4, 3, 2})
	seen := map[string]bool{}
	for range n {
		member := t.somebody(l)
		if seen[member] {
			continue
		}
		seen[member] = true
		since := l.UpdatedAt + models.Time(t.d.Float64()*float64(t.today()-l.UpdatedAt))
		t.data.Watches = append(t.data.Watches, store.DemoWatch{MemberID: member,
			Watch: models.Watch{ListingID: l.ID, Price: l.Price, CreatedAt: since / hour * hour}})
	}
}
