// Package languages holds the catalogues of translated texts, and writes texts,
// numbers, days and amounts as readers of a language expect them.
//
// The English text is the key: t(ctx, "Save draft"). A language is one gettext file,
// such as de.po, that translators' tools read. A text that a catalogue lacks stays
// English. After a change of English texts,
//
//	go test ./content/languages -run Catalogues -update
//
// moves their translations along.
package languages

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/leonelquinteros/gotext"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// german is de.po, compressed: it would take a quarter of a megabyte more as it is.
// TestPackedCatalogues writes it.
//
//go:embed de.po.gz
var german []byte

// The languages of the site.
var (
	English = &Language{tag: language.English, group: ",", decimal: "."}
	German  = newLanguage(language.German, unpack(german))
)

// All lists the languages of the site, English first.
var All = []*Language{English, German}

// Language is a language that pages and emails are written in.
type Language struct {
	tag            language.Tag
	catalogue      *gotext.Po // nil for English
	texts          map[string]*gotext.Translation
	meanings       map[string]map[string]*gotext.Translation // by meaning
	group, decimal string                                    // separators of numbers
}

// unpack decompresses an embedded catalogue.
func unpack(packed []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // it is embedded, and a test reads it
	}
	catalogue, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return catalogue
}

// newLanguage returns the language with a catalogue in gettext's PO format.
func newLanguage(tag language.Tag, catalogue []byte) *Language {
	l := &Language{tag: tag, catalogue: gotext.NewPo()}
	l.catalogue.Parse(catalogue)
	l.texts, l.meanings = l.catalogue.GetDomain().GetTranslations(), l.catalogue.GetDomain().GetCtxTranslations()
	delete(l.texts, "") // the head of the catalogue
	sample := message.NewPrinter(tag).Sprint(number.Decimal(1234.5))
	l.group, l.decimal = strings.Trim(sample[1:len(sample)-5], "0123456789"), strings.Trim(sample[len(sample)-2:], "0123456789")
	return l
}

// Tag returns the BCP 47 tag.
func (l *Language) Tag() language.Tag { return l.tag }

// Code returns the BCP 47 tag as a string: "de".
func (l *Language) Code() string { return l.tag.String() }

// Name returns what its speakers call the language.
func (l *Language) Name() string { return l.TextIn("name of the language", "English") }

// Find returns the language with a BCP 47 tag, or nil if the site does not have it.
func Find(code string) *Language {
	i := slices.IndexFunc(All, func(l *Language) bool { return l.Code() == code })
	if i < 0 {
		return nil
	}
	return All[i]
}

// contextKey is the context key of the *Language.
type contextKey struct{}

// NewContext returns a copy of ctx for readers of the language.
func (l *Language) NewContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// Of returns the language of ctx, English by default and for nil.
func Of(ctx context.Context) *Language {
	if ctx == nil {
		return English
	}
	if l, ok := ctx.Value(contextKey{}).(*Language); ok {
		return l
	}
	return English
}

// Text returns the translation of an English text, formatted as by fmt.Sprintf if there
// are arguments. A translation may reorder them: "%[2]s, %[1]s".
func (l *Language) Text(english string, args ...any) string {
	return format(translated(l.texts, english), args)
}

// TextIn is Text for an English text with several meanings, of which meaning names one:
// the msgctxt of gettext.
func (l *Language) TextIn(meaning, english string, args ...any) string {
	return format(translated(l.meanings[meaning], english), args)
}

// Plural returns the translation of the English text for a number: one if it is 1, else
// many. It is formatted with the arguments.
func (l *Language) Plural(n int, one, many string, args ...any) string {
	switch {
	case l.catalogue != nil:
		return format(l.catalogue.GetN(one, many, n), args)
	case n == 1:
		return format(one, args)
	}
	return format(many, args)
}

// Has reports whether the catalogue of the language has a text. English has every text.
func (l *Language) Has(english string) bool { return l.catalogue == nil || l.texts[english] != nil }

// translated returns the translation of an English text, or the text if there is none.
func translated(texts map[string]*gotext.Translation, english string) string {
	if t, ok := texts[english]; ok {
		return t.Get()
	}
	return english
}

// format is fmt.Sprintf, except for texts without arguments, which may contain "%", and
// for those that leave them out, such as a singular without its number.
func format(text string, args []any) string {
	if len(args) == 0 || !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Mark returns an English text that is translated elsewhere, by Text of a variable. It
// tells the test that collects the texts for the catalogues.
func Mark(english string) string { return english }
