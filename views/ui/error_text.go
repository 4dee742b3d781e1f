package ui

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/problem"
)

// missingText says what may have happened to a page that does not exist, by error code.
var missingText = map[string]string{
	"listing_not_found": languages.Mark("This listing isn't available. It may have sold, or the seller has removed it."),
	"gear_not_found":    languages.Mark("We couldn't find this camera or lens."),
	"no_estimate":       languages.Mark("We don't have enough sales to estimate a price for this model."),
	"brand_not_found":   languages.Mark("We couldn't find this brand."),
	"seller_not_found":  languages.Mark("We couldn't find this seller. They may have left, or the link is wrong."),
	"photo_not_found":   languages.Mark("We couldn't find this photo. It may have been removed."),
	"project_not_found": languages.Mark("We couldn't find this project in the portfolio."),
	"guide_not_found":   languages.Mark("We couldn't find this guide."),
	"entry_not_found":   languages.Mark("We couldn't find this journal entry."),
	"code_invalid":      languages.Mark("This link is incomplete, has expired, or was already used."),
}

// failedText is shown in place of a message for programs, by status.
var failedText = map[int]string{
	http.StatusForbidden:            languages.Mark("You don't have permission to do this."),
	http.StatusMethodNotAllowed:     languages.Mark("This page can't be opened directly."),
	http.StatusConflict:             languages.Mark("You can't do this any more. Go back and reload the page."),
	http.StatusGone:                 languages.Mark("This is no longer available."),
	http.StatusPreconditionFailed:   languages.Mark("This has changed since you opened it. Go back and reload the page."),
	http.StatusPreconditionRequired: languages.Mark("This has changed since you opened it. Go back and reload the page."),
	http.StatusTooManyRequests:      languages.Mark("You've sent too many requests. Wait a moment, then try again."),
}

// heading returns the title, for people.
func (e *Error) heading(ctx context.Context) string {
	return cmp.Or(errorIn(ctx, e.Title), T(ctx, "Something went wrong"))
}

// lead returns what is wrong, for people.
func (e *Error) lead(ctx context.Context) string {
	if e.missing() {
		return T(ctx, cmp.Or(missingText[e.Code], languages.Mark("We couldn't find this page. It may have moved, or the link is wrong.")))
	}
	return cmp.Or(errorIn(ctx, e.Message), T(ctx, cmp.Or(failedText[e.Status], languages.Mark("Something in this link isn't right. Check it, or start again."))))
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
		return T(ctx, "Did you mean:")
	}
	return T(ctx, "Try one of these:")
}

// missing reports whether the page does not exist.
func (e *Error) missing() bool { return e.Status == http.StatusNotFound }

// ProblemText returns what a text of an error tells people, in the reader's language.
func ProblemText(ctx context.Context, text problem.Text) string { return errorIn(ctx, text) }

// errorIn returns what a text of an error tells people, in the reader's language, or "".
func errorIn(ctx context.Context, text problem.Text) string {
	l := languages.Of(ctx)
	return errorText{l, func(field string) string { return fieldLabel(l, field, fieldWords(field)) }}.of(text)
}

// errorText writes texts of errors for people.
type errorText struct {
	language *languages.Language
	label    func(field string) string // what a field is called
}

// of returns what a text tells people, or "".
func (e errorText) of(text problem.Text) string {
	var said []string
	for i := range text {
		if p := &text[i]; p.Format != "" {
			said = append(said, e.format(e.language.TextIn("error", string(p.Format)), p.Args))
		}
	}
	return strings.Join(said, " ")
}

// errorVerb matches a verb of a format.
var errorVerb = regexp.MustCompile(`%(?:\[(\d)\])?([.\d]*)([a-z%])`)

// format formats the arguments of a text. A translation may leave out some of them.
func (e errorText) format(format string, args []any) string {
	if len(args) == 0 {
		return format
	}
	var b strings.Builder
	next, at := 0, 0
	for _, m := range errorVerb.FindAllStringSubmatchIndex(format, -1) {
		b.WriteString(format[at:m[0]])
		at = m[1]
		verb := format[m[6]:m[7]]
		if verb == "%" {
			b.WriteByte('%')
			continue
		}
		if m[2] >= 0 {
			next = int(format[m[2]] - '1')
		}
		said := e.argument(args[next], "%"+format[m[4]:m[5]], verb)
		if _, field := args[next].(problem.Field); field && b.Len() == 0 {
			said = Capitalized(said)
		}
		b.WriteString(said)
		next++
	}
	return b.String() + format[at:]
}

// argument formats an argument with a verb.
func (e errorText) argument(arg any, flags, verb string) string {
	switch arg := arg.(type) {
	case problem.Text:
		return e.of(arg)
	case problem.Field:
		return e.label(string(arg))
	case problem.Fields:
		labels := make([]string, len(arg))
		for i, field := range arg {
			labels[i] = e.label(field)
		}
		return strings.Join(labels, ", ")
	case problem.Codes:
		return fieldWords(arg.String())
	case problem.Or:
		return fieldWords(arg.Join(e.language.TextIn("list", " or ")))
	}
	if verb == "q" {
		return e.language.Quote(fmt.Sprintf(flags+"s", arg))
	}
	return fmt.Sprintf(flags+verb, arg)
}

// fieldWords returns the name of a field or a value in words.
func fieldWords(name string) string { return strings.ReplaceAll(name, "_", " ") }

// The titles of guides that errors lead to, for the catalogues.
var _ = [...]string{languages.Mark("Checking a used body"), languages.Mark("Checking a used lens"), languages.Mark("Reading a price history")}
