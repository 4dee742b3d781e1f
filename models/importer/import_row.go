package importer

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/plain"
	"github.com/secondlight/secondlight/models/problem"
)

// reject is the reason a row was rejected, with a hint for correcting it.
type reject struct {
	code         string
	reason, hint problem.Text
}

func (r *reject) Error() string { return r.reason.String() }

// rejectf returns a *reject with a formatted reason.
func rejectf(code string, hint problem.Text, format problem.Format, args ...any) *reject {
	return &reject{code, problem.Textf(format, args...), hint}
}

// importRow is a record whose fields are accessed by column name.
type importRow struct {
	columns map[string]int
	fields  []string
	line    int
	groups  bool // a point separates groups of digits: spreadsheets write semicolons where the comma is the decimal sign
}

// field returns the trimmed text of a column, or "" if the file has no such
// column. It replaces the control characters that isControl permits with
// spaces, and removes those that change the direction of text.
func (row importRow) field(name string) string {
	i, ok := row.columns[name]
	if !ok || i >= len(row.fields) {
		return ""
	}
	return strings.TrimSpace(models.TextOf(strings.TrimSpace(strings.Map(func(r rune) rune {
		if r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, plain.Directions(row.fields[i])))))
}

// text returns a field of at most max characters. A needed field must not be
// empty.
func (row importRow) text(name string, max int, needed bool) (string, error) {
	s := row.field(name)
	switch {
	case s == "" && needed:
		return "", rejectf("missing_"+name, problem.Textf("Fill it in."), "The %s is empty.", name)
	case utf8.RuneCountInString(s) > max:
		return "", rejectf(name+"_too_long", problem.Textf("Shorten it."), "The %s is longer than %d characters.", name, max)
	}
	return s, nil
}

// externalID returns the field that identifies the row.
func (row importRow) externalID() (string, error) { return row.text("external_id", 200, true) }

// code parses a field as one of words, ignoring case and separators. An empty
// field is otherwise, unless that is empty too.
func code[T ~string](row importRow, name string, words []T, otherwise T) (T, error) {
	s := row.field(name)
	if s == "" && otherwise != "" {
		return otherwise, nil
	}
	return codeOf(s, name, words)
}

func codeOf[T ~string](s, name string, words []T) (T, error) {
	flat := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == ' ' || r == '_' {
				return '-'
			}
			return r
		}, strings.ToLower(strings.TrimSpace(s)))
	}
	var all []string
	for _, word := range words {
		if flat(string(word)) == flat(s) {
			return word, nil
		}
		all = append(all, string(word))
	}
	if s == "" {
		return "", rejectf("missing_"+name, problem.Textf("Use one of %s.", problem.Codes(all)), "The %s is empty.", name)
	}
	return "", rejectf("invalid_"+name, suggestion(s, all), "%q isn't a %s.", s, name)
}

// items returns the parts of a field separated by semicolons or bars.
func (row importRow) items(name string) []string {
	var items []string
	for _, item := range strings.FieldsFunc(row.field(name), func(r rune) bool { return r == ';' || r == '|' }) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// photosColumn has the photographs of a listing: addresses, and names of files.
const photosColumn = "photos"

// photos returns the photographs of the row, each once, at most as many as a listing can have.
func (row importRow) photos() (photos []string) {
	text := strings.ReplaceAll(row.field(photosColumn), " http", "\nhttp")
	for _, item := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|\r\n", r) }) {
		if item = strings.TrimSpace(item); item != "" && !slices.Contains(photos, item) {
			photos = append(photos, item)
		}
	}
	return photos[:min(len(photos), models.MaxPhotos)]
}

// dayLayouts are the ways to write a time or a day.
var dayLayouts = []string{time.RFC3339, time.DateOnly, "2.1.2006"}

// day parses an RFC 3339 time, or a date as midnight UTC. It returns 0 for an
// empty field and rejects times in the future.
func (row importRow) day(name string, now models.Time) (models.Time, error) {
	s := row.field(name)
	if s == "" {
		return 0, nil
	}
	var t time.Time
	var err error
	for _, layout := range dayLayouts {
		if t, err = time.Parse(layout, s); err == nil {
			break
		}
	}
	switch {
	case err != nil:
		return 0, rejectf("invalid_"+name, problem.Textf("Use a date such as 2026-11-21 or a time such as 2026-11-21T09:00:00Z."), "%q isn't a date.", s)
	case models.TimeOf(t) > now:
		return 0, rejectf("invalid_"+name, problem.Textf("Correct the date."), "%s is in the future.", s)
	case t.Year() < 1990:
		return 0, rejectf("invalid_"+name, problem.Textf("Correct the date. The earliest is 1990-01-01."), "%s is too long ago.", s)
	}
	return models.TimeOf(t), nil
}

func (row importRow) region() (models.Region, error) {
	s, err := row.text("region", 10, true)
	if err != nil {
		return "", err
	}
	region := models.Region(strings.ToUpper(s))
	if !region.Valid() {
		return "", rejectf("invalid_region", problem.Textf("Use an ISO 3166 code of a country, such as DE, or subdivision, such as US-CA."), "%q isn't a region.", s)
	}
	return region, nil
}

// suggestion returns a hint with the word closest to the given one, or with all
// words.
func suggestion(word string, words []string) problem.Text {
	near := models.NearestWord(word, slices.Values(words), func(string) int { return 1 })
	if near != "" {
		return problem.Textf("Did you mean %s?", near)
	}
	return problem.Textf("Use one of %s.", problem.Codes(words))
}
