package handlers

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"
)

// factKeys are the members of a JSON face whose words every other face must say.
var factKeys = map[string]bool{
	"title": true, "name": true, "gear_name": true, "message": true, "meaning": true, "summary": true, "description": true,
	"text": true, "label": true, "repair": true, "method": true, "notice": true,
}

// facts are the words and amounts a JSON value states, without those of links
// and of facets, which the other faces shorten.
func facts(value any, key string, into map[string]bool) {
	switch v := value.(type) {
	case string:
		if factKeys[key] && v != "" {
			into[plain(v)] = true
		}
	case []any:
		for _, one := range v {
			facts(one, key, into)
		}
	case map[string]any:
		if amount, ok := v["amount"].(string); ok {
			whole, _, _ := strings.Cut(amount, ".")
			into[whole] = true
		}
		for key, one := range v {
			switch key {
			case "links", "facets", "photo", "photos":
			case "typical": // a card says the deal in percent, the gear's page the price
			default:
				facts(one, key, into)
			}
		}
	}
}

var (
	hidden = regexp.MustCompile(`(?s)<(script|style|head)\b.*?</(script|style|head)>`)
	blocks = regexp.MustCompile(`</?(td|th|tr|p|li|dd|dt|div|text|title|desc|h[1-6])\b[^>]*>`)
	tags   = regexp.MustCompile(`(?s)<[^>]*>`)
	space  = regexp.MustCompile(`\s+`)
	escape = regexp.MustCompile(`\\([\\|*_\[\]<>#.()!~+-]|` + "`" + `)`)
	anchor = regexp.MustCompile(`\]\([^)]*\)`)
)

func plain(text string) string { return strings.TrimSpace(space.ReplaceAllString(text, " ")) }

func htmlText(page string) string {
	page = blocks.ReplaceAllString(hidden.ReplaceAllString(page, " "), " ")
	return plain(html.UnescapeString(tags.ReplaceAllString(page, "")))
}

func markdownText(page string) string {
	page = anchor.ReplaceAllString(page, "]")
	return plain(html.UnescapeString(escape.ReplaceAllString(page, "$1")))
}

// ungrouped writes 1,249 as 1249, so that amounts can be compared.
func ungrouped(text string) string { return thousands.ReplaceAllString(text, "$1$2") }

var thousands = regexp.MustCompile(`(\d),(\d{3})\b`)

// TestFacesStateTheSameFacts holds that what the JSON of a page says in words
// and amounts, its HTML and its Markdown say too.
func TestFacesStateTheSameFacts(t *testing.T) {
	s := newTestServer(t)
	for _, target := range s.targets() {
		if target.where == api && target.op.Page != "" {
			continue
		}
		_, body := s.do(t, "GET", target.address, "Accept", "application/json")
		var value any
		if err := json.Unmarshal([]byte(body), &value); err != nil {
			t.Fatal(err)
		}
		stated := map[string]bool{}
		facts(value, "", stated)
		_, page := s.do(t, "GET", target.address, "Accept", "text/html")
		_, text := s.do(t, "GET", target.address, "Accept", "text/markdown")
		page, text = ungrouped(htmlText(page)), ungrouped(markdownText(text))
		for fact := range stated {
			fact = ungrouped(fact)
			if !strings.Contains(page, fact) {
				t.Errorf("%s: the HTML does not say %q", target.address, fact)
			}
			if !strings.Contains(text, markdownText(fact)) {
				t.Errorf("%s: the Markdown does not say %q", target.address, fact)
			}
		}
	}
}
