package models

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/problem"
)

// Text is a text of the site that the owner writes in the browser, in one language.
type Text struct {
	Section   TextSection
	Slug      string // the end of its address
	Language  string // BCP 47 tag
	Version   int64  // increases with every change
	Latest    TextRevision
	Public    *TextRevision // what visitors read; nil for none
	PublishAt Time          // when Latest becomes public; 0 for never, or if it has
	FirstAt   Time          // when the first revision became public; 0 for not yet
}

// TextRevision is a saved version of a text.
type TextRevision struct {
	Number      int64 // the version of the text that it was saved with
	Title       string
	Description string // one or two sentences
	Tags        []string
	Markdown    string
	At          Time
}

// TextSection is a group of texts with a path of their own.
type TextSection string

// The sections. The texts of the first are at /about, /terms and so on, and can't be added.
const (
	PageTexts    TextSection = "pages"
	GuideTexts   TextSection = "guides"
	JournalTexts TextSection = "journal"
)

// TextSections lists the sections.
var TextSections = []TextSection{PageTexts, GuideTexts, JournalTexts}

// Limits of texts, in characters.
const (
	MaxTextTitle       = 150
	MaxTextDescription = 300
	MaxTextBody        = 50_000
	MaxTextTags        = 10
	MaxPictureAlt      = 300
)

// Draft reports whether the latest revision isn't public.
func (t *Text) Draft() bool { return t.Public == nil || t.Public.Number != t.Latest.Number }

// At returns the text as it is at a time: what was scheduled until then is public.
func (t *Text) At(now Time) {
	if t.PublishAt == 0 || t.PublishAt > now {
		return
	}
	latest := t.Latest
	latest.At = max(latest.At, t.PublishAt)
	t.Public = &latest
	if t.FirstAt == 0 {
		t.FirstAt = t.PublishAt
	}
	t.PublishAt = 0
}

// Check normalises the revision and returns an Invalid error that lists all invalid fields.
func (r *TextRevision) Check() error {
	c := SiteCheck{}
	c.Line("title", &r.Title, MaxTextTitle)
	c.Require(r.Title != "", "title", "Enter a title.")
	c.Line("description", &r.Description, MaxTextDescription)
	r.Markdown = strings.TrimSpace(strings.ReplaceAll(r.Markdown, "\r\n", "\n"))
	c.Require(Storable(r.Markdown) && utf8.RuneCountInString(r.Markdown) <= MaxTextBody, "text", "Use at most %d characters.", MaxTextBody)
	var tags []string
	for _, tag := range r.Tags {
		if tag = Slug(tag); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	r.Tags = tags
	c.Require(len(tags) <= MaxTextTags, "tags", "Use at most %d tags.", MaxTextTags)
	return InvalidFields(c.Fields)
}

// Same reports whether two revisions say the same.
func (r *TextRevision) Same(other *TextRevision) bool {
	return r.Title == other.Title && r.Description == other.Description && r.Markdown == other.Markdown && slices.Equal(r.Tags, other.Tags)
}

// TextEdit is a change of a text.
type TextEdit struct {
	Section  TextSection
	Slug     string
	Language string
	Version  int64 // of the text that is changed: 0 if there is none yet, -1 for no check
	TextRevision
	Publish   bool      // make it public
	PublishAt time.Time // then, if that is in the future
}

// ErrTextChanged is the error of a change to another version of a text.
var ErrTextChanged = &problem.Error{Kind: problem.Changed, Code: "text_changed", Message: problem.Textf("The text has changed since you opened it."),
	Hint: problem.Textf("Open it again, and send your change with the new version.")}

func TextNotFound() error {
	return &problem.Error{Kind: problem.NotFound, Code: "text_not_found", Message: problem.Textf("There's no such text."), Hint: problem.Programf("GET /api/admin/pages lists all texts.")}
}

// Storable reports whether the database can store s: PostgreSQL accepts no NUL
// and no invalid UTF-8, even in a comparison.
func Storable(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}

// KeepStorable returns the storable ones of texts.
func KeepStorable(texts []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return !Storable(s) })
}

// Name identifies the text in the audit log.
func (t *Text) Name() string { return string(t.Section) + "/" + t.Slug + " (" + t.Language + ")" }

// TextPicture is a picture in texts.
type TextPicture struct {
	Name string // a hash with the size: "3f2a…-1200x800"
	Alt  string // what it shows, "" if the owner hasn't said
	At   Time
}

// CellOf returns text as a cell of a CSV file that a spreadsheet doesn't evaluate:
// with an apostrophe before what would be a formula. TextOf reverses it.
func CellOf(text string) string {
	if formula.MatchString(text) {
		return "'" + text
	}
	return text
}

// TextOf returns the text of a cell.
func TextOf(cell string) string {
	if rest, marked := strings.CutPrefix(cell, "'"); marked && formula.MatchString(rest) {
		return rest
	}
	return cell
}

// formula matches text that a spreadsheet would evaluate as a formula, and such
// text after apostrophes, which spreadsheets read as a mark of plain text.
var formula = regexp.MustCompile(`^'*[=+\-@\t\r\n＝＋－＠]`)
