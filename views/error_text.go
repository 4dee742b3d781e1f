package views

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
)

// Errors are written for programs: they name parameters, ids and addresses of the API.
// The page of an error shows people only the sentences that are free of these.

// missingText says what may have happened to a page that does not exist, by error code.
var missingText = map[string]string{
	"listing_not_found": languages.Mark("This listing isn't available. It may have sold, or the seller has removed it."),
	"gear_not_found":    languages.Mark("We don't have this camera or lens in our catalogue."),
	"brand_not_found":   languages.Mark("We don't have this brand in our catalogue."),
	"seller_not_found":  languages.Mark("We couldn't find this seller. They may have left, or the link is wrong."),
	"photo_not_found":   languages.Mark("We couldn't find this photo. It may have been removed."),
	"project_not_found": languages.Mark("We couldn't find this project in the portfolio."),
	"guide_not_found":   languages.Mark("We couldn't find this guide."),
	"entry_not_found":   languages.Mark("We couldn't find this journal entry."),
	"code_invalid":      languages.Mark("This link is incomplete, has expired, or was already used."),
}

// failedText is shown in place of a message for programs, by status.
var failedText = map[int]string{
	http.StatusForbidden:            languages.Mark("You can't do this."),
	http.StatusMethodNotAllowed:     languages.Mark("This page can't be opened directly."),
	http.StatusConflict:             languages.Mark("This isn't possible any more. Go back and reload the page."),
	http.StatusGone:                 languages.Mark("This is no longer available."),
	http.StatusPreconditionFailed:   languages.Mark("This has changed since you opened it. Go back and reload the page."),
	http.StatusPreconditionRequired: languages.Mark("This has changed since you opened it. Go back and reload the page."),
	http.StatusTooManyRequests:      languages.Mark("You've sent too many requests. Wait a moment, then try again."),
}

// heading returns the title, for people.
func (e *Error) heading() string {
	if forPeople(e.Title) == "" {
		return languages.Mark("Something's not right")
	}
	return e.Title
}

// lead returns what is wrong, for people.
func (e *Error) lead() string {
	if e.missing() {
		if text, known := missingText[e.Code]; known {
			return text
		}
		return languages.Mark("We couldn't find this page. It may have moved, or the link is wrong.")
	}
	if text := forPeople(e.Message); text != "" {
		return text
	}
	if text, known := failedText[e.Status]; known {
		return text
	}
	return languages.Mark("Something in this link isn't right. Check it, or start again.")
}

// advice returns what to do about it, for people, or "".
func (e *Error) advice() string {
	if e.missing() {
		return ""
	}
	return forPeople(e.Hint)
}

// wrong returns what is wrong with each field, for people, unless lead says so.
func (e *Error) wrong() []string {
	var all []string
	for _, f := range e.Errors {
		if text := forPeople(f.Message); text != "" && !strings.Contains(e.lead(), text) {
			all = append(all, text)
		}
	}
	return all
}

// instead introduces the pages to look at instead of one that does not exist.
func (e *Error) instead() string {
	if e.Code == "gear_not_found" || e.Code == "brand_not_found" {
		return languages.Mark("Did you mean:")
	}
	return languages.Mark("Try one of these:")
}

// missing reports whether the page does not exist.
func (e *Error) missing() bool { return e.Status == http.StatusNotFound }

var (
	sentenceEnd = regexp.MustCompile(`[.?!…]\s+`)
	// technical matches what means nothing to people: paths, methods, header fields,
	// parameters, codes, slugs and ids.
	technical = regexp.MustCompile("`|/[a-z]|\\b(GET|POST|PUT|PATCH|DELETE|HEAD|HTTP|JSON|UUID|URL|ETag|If-Match|Accept|Authorization|Retry-After|Idempotency-Key|RateLimit)\\b|" +
		`\w_\w|\w=|(?i)\b(parameters?|headers?|fields?|slugs?|ids?|tokens?|cursors?|scopes?|errors|media types?|UTF-8)\b|[0-9a-f]{8}-[0-9a-f]{4}`)
)

// forPeople returns the sentences of a text without technical ones.
func forPeople(text string) string {
	var kept []string
	for text != "" {
		sentence, rest := text, ""
		if end := sentenceEnd.FindStringIndex(text); end != nil {
			sentence, rest = text[:end[1]], text[end[1]:]
		}
		if sentence = strings.TrimSpace(sentence); !technical.MatchString(sentence) {
			kept = append(kept, sentence)
		}
		text = rest
	}
	return strings.Join(kept, " ")
}

// Texts of errors that people meet and that are defined in other packages, and titles of
// guides that they lead to, for the catalogues.
var _ = [...]string{
	languages.Mark("Page not found"), languages.Mark("Listing not found"), languages.Mark("Gear not found"), languages.Mark("Seller not found"),
	languages.Mark("The email address or password is incorrect."), languages.Mark("Try again, or reset your password."),
	languages.Mark("Checking a used body"), languages.Mark("Checking a used lens"), languages.Mark("Reading a price trend"),
	languages.Mark("Use 3 to 30 letters, digits and single hyphens, such as jane-doe."), languages.Mark("Enter an email address such as name@example.org."),
}
