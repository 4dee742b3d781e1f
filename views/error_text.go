package views

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/problem"
)

// Errors are written for programs: they name parameters, ids and addresses of the API.
// The page of an error shows people only the sentences that are free of these.

// missingText says what may have happened to a page that does not exist, by error code.
var missingText = map[string]string{
	"listing_not_found": languages.Mark("This listing isn't available. It may have sold, or the seller has removed it."),
	"gear_not_found":    languages.Mark("We don't have this camera or lens in our catalogue."),
	"no_estimate":       languages.Mark("We don’t know enough to estimate the price of this model."),
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
func (e *Error) heading(ctx context.Context) string {
	return cmp.Or(errorIn(ctx, e.Title), t(ctx, "Something's not right"))
}

// lead returns what is wrong, for people.
func (e *Error) lead(ctx context.Context) string {
	if e.missing() {
		return t(ctx, cmp.Or(missingText[e.Code], languages.Mark("We couldn't find this page. It may have moved, or the link is wrong.")))
	}
	return cmp.Or(errorIn(ctx, e.Message), t(ctx, cmp.Or(failedText[e.Status], languages.Mark("Something in this link isn't right. Check it, or start again."))))
}

// advice returns what to do about it, for people, or "".
func (e *Error) advice(ctx context.Context) string {
	if e.missing() {
		return ""
	}
	return errorIn(ctx, e.Hint)
}

// wrong returns what is wrong with each field, for people, unless lead says so.
func (e *Error) wrong(ctx context.Context) []string {
	lead := e.lead(ctx)
	var all []string
	for _, f := range e.Errors {
		if text := errorIn(ctx, f.Message); text != "" && !strings.Contains(lead, text) {
			all = append(all, text)
		}
	}
	return all
}

// instead introduces the pages to look at instead of one that does not exist.
func (e *Error) instead(ctx context.Context) string {
	if e.Code == "gear_not_found" || e.Code == "brand_not_found" {
		return t(ctx, "Did you mean:")
	}
	return t(ctx, "Try one of these:")
}

// missing reports whether the page does not exist.
func (e *Error) missing() bool { return e.Status == http.StatusNotFound }

// errorIn returns the sentences of the text of an error that are for people, in the
// reader's language. It is "" if there are none, or none that is translated.
func errorIn(ctx context.Context, text string) string {
	return strings.Join(translateError(languages.Of(ctx), forPeople(text), func(arg string) string { return arg }), " ")
}

// translateError returns the translations of the sentences that have one. The arguments
// that they were formatted with are translated by word, in lists "or" is.
func translateError(l *languages.Language, sentences []string, word func(string) string) []string {
	if l == languages.English {
		return sentences
	}
	var all []string
	or := l.TextIn("list", " or ")
	for _, sentence := range sentences {
		if translated, ok := l.ErrorSentence(sentence, func(arg string) string { return strings.ReplaceAll(word(arg), " or ", or) }); ok {
			all = append(all, translated)
		}
	}
	return all
}

// forPeople returns the sentences of a text without technical ones.
func forPeople(text string) []string {
	return slices.DeleteFunc(problem.Sentences(text), problem.Technical)
}

// The titles of guides that errors lead to, for the catalogues.
var _ = [...]string{languages.Mark("Checking a used body"), languages.Mark("Checking a used lens"), languages.Mark("Reading a price trend")}
