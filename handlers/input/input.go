// Package input reads what people write: texts, numbers, ids, versions and cursors.
package input

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/views/ui"
)

// OneLine collapses every run of white space into a space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// OneLines returns the distinct non-empty lines of a list, each on one line.
func OneLines(list []string) []string {
	lines := make([]string, 0, len(list))
	for _, s := range list {
		if s = OneLine(s); s != "" && !slices.Contains(lines, s) {
			lines = append(lines, s)
		}
	}
	return lines
}

// TrimText trims a text and converts its line endings to \n.
func TrimText(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"))
}

// FileName returns the name of a file for messages: its printable name, shortened to 60
// characters, or else its number.
func FileName(name string, index int) string {
	const maxLength = 60
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(filepath.Base(strings.ReplaceAll(name, `\`, "/")), ""))
	if runes := []rune(name); len(runes) > maxLength {
		name = string(runes[:maxLength/2]) + "…" + string(runes[len(runes)-maxLength/2:])
	}
	if strings.Trim(name, "./ ") == "" {
		return fmt.Sprintf("Photo %d", index+1)
	}
	return name
}

// SetIf sets a field unless value is nil.
func SetIf[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

// EditedVersion returns the version in an If-Match value: an ETag or a plain version.
func EditedVersion(ifMatch string) int64 {
	if n, err := strconv.ParseInt(ifMatch, 10, 64); err == nil && n > 0 {
		return n
	}
	return web.ParseIfMatch(ifMatch)
}

// PublishTime parses a time as browsers and programs write it: in the zone of the reader in forms, else
// in UTC. "" is zero.
func PublishTime(ctx context.Context, text string) (at time.Time, err error) {
	if text == "" {
		return at, nil
	}
	for _, layout := range []string{"2006-01-02T15:04", time.RFC3339, time.DateOnly} {
		if at, err = time.ParseInLocation(layout, text, languages.OwnZone(ctx)); err == nil {
			return at.UTC(), nil
		}
	}
	return at, err
}

// ReadHandle returns the handle in what people write for a member: "@Anna-K", "Anna K",
// "/sellers/anna-k".
func ReadHandle(text string) string {
	text = strings.TrimSpace(text)
	return models.Slug(text[strings.LastIndexByte(text, '/')+1:])
}

// ReadTyped returns the number that a person typed, 0 for an empty text, and current if
// it can't be read.
func ReadTyped[T ~int | ~int64](current T, field, text string, parse func(string) (T, error), fieldErrors *web.FieldErrors) T {
	if strings.TrimSpace(text) == "" {
		return 0
	}
	n, err := parse(text)
	if err != nil {
		fieldErrors.Add(field, problem.TextOf(err), nil)
		return current
	}
	return n
}

// ListingID returns an id in lower case, or listing_not_found if it is not a UUID.
func ListingID(id string) (string, error) {
	if _, err := uuid.Parse(id); err != nil || len(id) != 36 {
		return "", &problem.Error{Kind: problem.NotFound, Code: "listing_not_found",
			Message: problem.Programf("No listing has the id %q: ids are UUIDs.", id),
			Hint:    problem.Programf("Get the id from GET /api/listings/search?keyword=….")}
	}
	return strings.ToLower(id), nil
}

// IsNotFound reports whether err is a problem of kind NotFound.
func IsNotFound(err error) bool {
	var e *problem.Error
	return errors.As(err, &e) && e.Kind == problem.NotFound
}

// WebLinks converts links of views to links of package web.
func WebLinks(links []ui.Link) []web.Link {
	all := make([]web.Link, len(links))
	for i, l := range links {
		all[i] = web.Link{Href: l.Href, Label: l.Label}
	}
	return all
}

// PostageRows are the prices of a form that asks for postage by region.
type PostageRows struct {
	To     []string `json:"postage_to,omitempty" sep:"none" jsonschema:"region of each price: a country, EU or world" maxlength:"60"`
	Prices []string `json:"postage_price,omitempty" sep:"none" jsonschema:"price of postage to each region; empty: none" maxlength:"20"`
}

// Text returns postage as Currency.ParsePostage reads it, from the rows if text is models.PostageRows.
func (r *PostageRows) Text(text string) string {
	if text != models.PostageRows {
		return text
	}
	var rates []string
	for i, price := range r.Prices {
		if price = strings.TrimSpace(price); price != "" && i < len(r.To) {
			rates = append(rates, r.To[i]+" "+price)
		}
	}
	return strings.Join(rates, "; ")
}
