package views

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// mailShown is how many listings a mail shows in full.
const mailShown = 25

// alertLines are a listing in a mail.
func (c *Card) alertLines() string {
	facts := []string{c.priceText()}
	if c.Deal != nil {
		facts = append(facts, c.Deal.Text)
	}
	facts = append(facts, c.conditionText(), RegionName(c.Region))
	return c.Title + "\n" + strings.Join(facts, " · ") + "\n" + c.URL + "\n"
}

// mail begins the text of a mail with what a reader must know first.
func (s *Site) mail(lines ...string) string {
	text := strings.Join(lines, "\n")
	if s.Demo {
		text = DemoNotice + "\n\n" + text
	}
	return text + "\n-- \n" + s.Name + "\n" + s.BaseURL + "\n"
}

// AlertMail is the mail that tells of listings a saved search found.
func (p *SavedSearch) AlertMail(cards []Card, stop string) (subject, body string) {
	subject = p.Name + ": " + countText(len(cards), "new listing", "new listings")
	if len(cards) == 1 {
		subject = p.Name + ": " + cards[0].Title + ", " + cards[0].priceText()
	}
	lines := []string{"New for your saved search “" + p.Name + "”:", ""}
	for i := range cards[:min(len(cards), mailShown)] {
		lines = append(lines, cards[i].alertLines())
	}
	if more := len(cards) - mailShown; more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more.\n", more))
	}
	lines = append(lines, "All it finds: "+p.URL, "Change or delete it: "+p.site.URL(p.path()), "No more of this mail: "+stop)
	return subject, p.site.mail(lines...)
}

// AlertHook is the webhook that tells of listings a saved search found; none for
// a test.
func (p *SavedSearch) AlertHook(cards []Card) string {
	event := "listings.published"
	if len(cards) == 0 {
		event = "test"
	}
	type search struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Query string `json:"query"`
		URL   string `json:"url"`
	}
	body, err := json.Marshal(struct {
		Event    string `json:"event"`
		Search   search `json:"search"`
		Listings []Card `json:"listings"`
	}{event, search{p.ID, p.Name, p.Query, p.URL}, list(cards)})
	if err != nil {
		panic("views: " + err.Error()) // strings and numbers alone: it cannot fail
	}
	return string(body)
}

// DropMail is the mail that tells of a price that fell.
func DropMail(site *Site, c *Card, from models.Money) (subject, body string) {
	return c.Title + ": now " + c.priceText(), site.mail(
		"The price of a listing you watch fell from "+MoneyText(from)+" to "+c.priceText()+":", "",
		c.alertLines(),
		"Your watchlist, where you take it off: "+site.URL(watchlistPath))
}

// ReminderMail is the mail that tells a seller that a listing expires.
func ReminderMail(site *Site, c *Card, day models.Time) (subject, body string) {
	return c.Title + " expires on " + DayText(day.RFC3339()), site.mail(
		"Your listing stops being for sale on "+DayText(day.RFC3339())+":", "",
		c.alertLines(),
		"Sold? Mark it sold on its page. Still there? Relist it when it has expired; it keeps its photographs and its text.")
}
