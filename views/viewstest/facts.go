// Package viewstest checks that all formats of a page state the same facts.
package viewstest

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// silent names the JSON properties that other formats need not state: parts of
// pictures and links, properties that another one states in words, properties for
// programs, and codes with a label.
var silent = map[string]bool{
	"srcset": true, "placeholder": true, "width": true, "height": true, "src": true, "percent": true, "demo": true, "active": true, "limit": true,
	"schema_org": true, "code": true, "basis": true, "self": true, "first": true, "next": true, "next_cursor": true,
	"from": true, "photo": true, "slug": true, "new_model": true, "body": true, "field": true, "id": true, "version": true, "type": true, "sort": true, "prev": true,
}

// Missing returns the facts of a page's JSON that its rendered HTML or Markdown does
// not state, as "path: value". A fact may be stated as it is in the JSON or formatted
// for display: "€1,249" for 1249.00, "14 Nov 2026" for an instant, "Like new" for
// like_new.
func Missing(page []byte, rendered string) ([]string, error) {
	var value any
	dec := json.NewDecoder(strings.NewReader(string(page)))
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	text := plain(rendered)
	inMarkdown := !isHTML(rendered)
	var missing []string
	walk("", "", value, func(path string, forms []string) {
		for _, f := range forms {
			if strings.Contains(text, f) {
				return
			}
		}
		if !inMarkdown && onListing.MatchString(path) {
			return
		}
		if coded.MatchString(path) || computed.MatchString(path) || onGear.MatchString(path) {
			return
		}
		if facetAddress.MatchString(path) {
			return // a facet is its parameter, values and counts; in HTML, a form's checkboxes
		}
		missing = append(missing, fmt.Sprintf("%s: %s", path, forms[0]))
	})
	return missing, nil
}

// facetAddress matches the path of the address of a facet value.
var facetAddress = regexp.MustCompile(`^\.facets\..*\.(href|page)$`)

// computed matches the path of the figures that estimates are recomputed from. Pages round
// those that weigh most, and leave all to the CSV.
var computed = regexp.MustCompile(`^\.(terms\[\d+\]|estimates\[\d+\]\.(constant|to_))`)

// onListing matches the paths of properties that cards leave to the page of their listing or photograph.
var onListing = regexp.MustCompile(`(^\.photograph\.(subject|tags\[\d+\]|label)$)|(listings|deals|newest|similar|from_seller|recently_sold|cards|alerts|listing|listing_card)(\[\d+\])?\.(gear|gear_name|category|mount|seller|published_at)$`)

// onGear matches the paths of medians that lists of gear leave to its page, because they state one
// price.
var onGear = regexp.MustCompile(`(popular|gear|movers|items|camera|lens)(\[\d+\])?\.median$`)

// coded matches the path of codes that pages state in a sentence or a button.
var coded = regexp.MustCompile(`(^|\.)(handover\.(status|method|steps\[\d+\])|waiting\[\d+\]\.kind|webhook_events\[\d+\]|deliveries\[\d+\]\.status|buy_now)$`)

func isHTML(rendered string) bool {
	return strings.HasPrefix(strings.ToLower(rendered), "<!doctype")
}

var spaces = regexp.MustCompile(`\s+`)

// plain returns HTML or Markdown without escapes and code marks, on one line.
func plain(rendered string) string {
	if isHTML(rendered) {
		rendered = html.UnescapeString(strings.NewReplacer("<p>", " ", "</p>", " ", `<span class="sr-only">`, "").Replace(rendered))
	} else {
		rendered = strings.NewReplacer(`\`, "", "`", "", "\n> ", " ").Replace(rendered)
	}
	return spaces.ReplaceAllString(rendered, " ")
}

// walk calls fact for every fact of a value, with the forms it may be stated in.
func walk(path, name string, value any, fact func(path string, forms []string)) {
	if silent[name] {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		if amount, currency, ok := money(v); ok {
			fact(path, []string{ui.MoneyText(models.Money{Amount: amount, Currency: currency}), amount, strings.TrimSuffix(amount, ".00")})
			return
		}
		_, paged := v["page"]
		_, search := v["self"]
		for key, member := range v {
			if key == "href" && paged || key == "page" && search {
				continue // of the same in the API, and of the page itself
			}
			walk(path+"."+key, key, member, fact)
		}
	case []any:
		for i, member := range v {
			walk(path+"["+strconv.Itoa(i)+"]", name, member, fact)
		}
	case json.Number:
		forms := numberForms(v.String())
		if n, err := v.Float64(); err == nil && strings.HasSuffix(name, "megabytes") {
			forms = append(forms, strconv.FormatFloat(math.Ceil(n/100)/10, 'f', 1, 64)+" GB")
		}
		fact(path, forms)
	case string:
		if v != "" {
			fact(path, stringForms(v))
		}
	}
}

func money(v map[string]any) (amount, currency string, ok bool) {
	amount, ok = v["amount"].(string)
	currency, known := v["currency"].(string)
	return amount, currency, ok && known && len(v) == 2
}

// numberForms returns a number as it is, with thousands separators, and with a
// typographic minus sign.
func numberForms(s string) []string {
	forms := []string{s, strings.Replace(s, "-", "−", 1)}
	if n, err := strconv.Atoi(s); err == nil && n > 999 {
		var grouped []byte
		for i := range len(s) {
			if i > 0 && (len(s)-i)%3 == 0 {
				grouped = append(grouped, ',')
			}
			grouped = append(grouped, s[i])
		}
		forms = append(forms, string(grouped))
	}
	return forms
}

// stringForms returns a string as it is, and formatted as the code, time, region,
// month or URL it may be.
func stringForms(s string) []string {
	text := plain(s)
	forms := []string{text, strings.TrimSpace(text), ui.DayIn(context.Background(), s), ui.MonthIn(context.Background(), s), ui.RegionName(models.Region(s)), strings.ReplaceAll(s, "_", " "), spaces.ReplaceAllString(s, " ")}
	for _, label := range []string{models.Condition(s).Label(), models.Category(s).Label(), models.Functional(s).Label()} {
		if label != "" {
			forms = append(forms, label)
		}
	}
	if amount, currency := models.CutCurrency(s); currency != "" {
		forms = append(forms, ui.MoneyText(models.Money{Amount: amount, Currency: currency}))
	}
	switch s {
	case priceviews.InsufficientData:
		forms = append(forms, "not enough sales", "No sales yet")
	case "active":
		forms = append(forms, "for sale", "€")
	case "autofocus", "aperture", "infinity":
		forms = append(forms, strings.ToUpper(s[:1])+s[1:])
	case "daily":
		forms = append(forms, "once a day")
	case "kept":
		forms = append(forms, "the seller kept it")
	case "ships":
		forms = append(forms, "postage to", "postage =", "Free postage")
	case "WORLD":
		forms = append(forms, "Worldwide")
	case "not_shipped":
		forms = append(forms, "Doesn't post to")
	case "not_stated":
		forms = append(forms, "not given")
	case "seller_limit":
		forms = append(forms, "limit for one seller")
	case "ambiguous":
		forms = append(forms, "more than one match")
	case "open":
		forms = append(forms, "We're checking")
	case "pickup_only":
		forms = append(forms, "Collection only")
	case "fully_working", "ok":
		forms = append(forms, " ") // implied by stating no defect, and by stating the figures
	}
	if u, err := url.Parse(s); err == nil && strings.HasPrefix(u.Path, "/") {
		path := u.EscapedPath()
		if u.RawQuery != "" {
			path += "?" + u.RawQuery
		}
		forms = append(forms, path, strings.Replace(path, "?", ".md?", 1), strings.TrimSuffix(path, ".csv")) // a page stands for its formats
	}
	return forms
}
