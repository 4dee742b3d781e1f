//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models"
)

// exported is a listing as the other programs load it: see bench/peers/servers.
type exported struct {
	ID        string          `json:"id"`
	Words     string          `json:"words"`
	Brand     string          `json:"brand"`
	Category  string          `json:"category"`
	Family    string          `json:"family"`
	Condition string          `json:"condition"`
	Country   string          `json:"country"`
	Price     int             `json:"price"`
	Published int64           `json:"published"`
	Card      json.RawMessage `json:"card"`
}

// card is what the site's API says of a listing, as far as other programs search it.
type card struct {
	ID        string          `json:"id"`
	Title     string          `json:"title"`
	Gear      string          `json:"gear"`
	Category  models.Category `json:"category"`
	Condition string          `json:"condition"`
	Price     price           `json:"price"`
	Region    models.Region   `json:"region"`
	Published time.Time       `json:"published_at"`
}

// price is an amount with two decimals, "130.00".
type price struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

// cents returns the amount in minor units. Filters of other programs compare these, so that all
// listings must have one currency.
func (p price) cents() (int, error) {
	whole, decimals, _ := strings.Cut(p.Amount, ".")
	if len(decimals) != 2 || p.Currency != "EUR" {
		return 0, fmt.Errorf("price %s %s: no amount in euros with two decimals", p.Amount, p.Currency)
	}
	return strconv.Atoi(whole + decimals)
}

// export writes the site's listings to a file, one a line, unless it exists.
func (b *benchmark) export(name string) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	partial := name + ".partial"
	file, err := os.Create(partial)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewWriter(file)
	out := json.NewEncoder(lines)
	out.SetEscapeHTML(false)
	if err := b.eachCard(func(raw json.RawMessage) error {
		var c card
		if err := json.Unmarshal(raw, &c); err != nil {
			return err
		}
		cents, err := c.Price.cents()
		if err != nil {
			return err
		}
		e := exported{ID: c.ID, Category: string(c.Category), Family: c.Category.Family(), Condition: c.Condition,
			Country: string(c.Region.Country()), Price: cents, Published: c.Published.UnixMicro(), Card: raw}
		e.Words = words(c.Title)
		if gear := b.market.Catalog.Gear(c.Gear); gear != nil {
			e.Brand, e.Words = gear.BrandSlug, words(c.Title, gear.Name(), strings.Join(gear.Aliases, " "))
		}
		return out.Encode(&e)
	}); err != nil {
		return err
	}
	if err := lines.Flush(); err != nil {
		return err
	}
	return os.Rename(partial, name)
}

// eachCard calls a function with all listings of the site, the newest last.
func (b *benchmark) eachCard(do func(json.RawMessage) error) error {
	for cursor := ""; ; {
		body, err := get(b.programs[0].server.Address + "/api/listings/search?facets=false&limit=100&sort=newest&cursor=" + cursor)
		if err != nil {
			return err
		}
		var page struct {
			Listings   []json.RawMessage `json:"listings"`
			NextCursor string            `json:"next_cursor"`
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return err
		}
		for _, raw := range page.Listings {
			if err := do(raw); err != nil {
				return err
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			return nil
		}
	}
}

func get(address string) ([]byte, error) {
	status, body, err := fasthttp.Get(nil, "http://"+address)
	if err == nil && status != fasthttp.StatusOK {
		err = fmt.Errorf("GET %s: %d\n%.1000s", address, status, body)
	}
	return body, err
}

// words returns letters and digits in lower case, with one space between words. Listings and
// keywords go to the other programs like this, so that none is at a disadvantage for how it
// splits "24-70mm" or "f/2.8".
func words(texts ...string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(strings.Join(texts, " ")), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}
