package text

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/text"
)

// textOps holds the operations on the texts of the site.
type textOps struct{ Deps }

const (
	textsPage = "/admin/pages"
	textsAPI  = "/api/admin/pages"
	oneText   = "/{section}/{slug}/{language}"
)

// textOp completes an operation on texts.
func textOp[In any, Out web.Page](op web.Op[In, Out]) web.Operation {
	op.Access, op.Scope, op.Tag = web.Operators, string(models.SiteWrite), "Administration"
	return op.Operation()
}

func (s textOps) listTexts() web.Operation {
	return textOp(web.Op[struct{}, *views.Texts]{
		Name: "list_texts", Path: textsAPI, Page: textsPage, Title: "Pages and journal",
		Summary:     "Lists the texts of the site in each language: pages, guides and journal.",
		Description: "Returns every text with its state: whether visitors read the original or what the owner wrote, and whether there is a draft. Use get_text to read one.",
		Sample:      s.sampleTexts,
		Do: func(context.Context, *struct{}) (*views.Texts, error) {
			return views.NewTexts(s.Site, s.textRows(), s.Pages.Refused()), nil
		},
	})
}

// textRows returns all texts in each language of the site.
func (s textOps) textRows() (rows []views.TextRow) {
	written := s.Settings.Written().All
	for _, section := range models.TextSections {
		var slugs []string
		for _, t := range s.Settings.Published(section) {
			slugs = append(slugs, t.Slug)
		}
		for _, t := range written {
			if t.Section == section && !slices.Contains(slugs, t.Slug) {
				slugs = append(slugs, t.Slug)
			}
		}
		for _, slug := range slugs {
			for _, language := range s.textLanguages(section, slug) {
				original, file := s.Pages.Original(string(section), slug, language)
				rows = append(rows, views.NewTextRow(views.TextParts{Section: section, Slug: slug, Language: language, Text: findText(written, section, slug, language), Original: original, File: file}))
			}
		}
	}
	return rows
}

// textLanguages returns the languages that a text is shown in lists with: those of the
// site, and others that it is written in.
func (s textOps) textLanguages(section models.TextSection, slug string) []string {
	tags := settings.LanguageCodes(s.Site.Languages())
	for _, t := range s.Settings.Written().All {
		if t.Section == section && t.Slug == slug && !slices.Contains(tags, t.Language) {
			tags = append(tags, t.Language)
		}
	}
	return tags
}

func findText(all []*models.Text, section models.TextSection, slug, language string) *models.Text {
	for _, t := range all {
		if t.Section == section && t.Slug == slug && t.Language == language {
			return t
		}
	}
	return nil
}

type createTextInput struct {
	Section  models.TextSection `json:"section" jsonschema:"where it is shown" enum:"journal,guides" example:"journal"`
	Title    string             `json:"title" jsonschema:"title; its address is made from it" maxlength:"150" example:"A winter on the coast"`
	Language string             `json:"language,omitempty" jsonschema:"language it is written in; default: that of the site" enum:"en,de" example:"en"`
}

func (s textOps) createText() web.Operation {
	return textOp(web.Op[createTextInput, *views.TextEditor]{
		Name: "create_text", Method: "POST", Path: textsAPI, Page: textsPage, Creates: true, Title: "Write a text",
		Done:        "Your draft is ready. Only operators and editors can see it.",
		Summary:     "Creates a draft of a journal entry or a guide.",
		Description: "Creates an empty draft that visitors can't see, at an address made from its title. Write and publish it with edit_text.",
		Errors:      []string{"invalid_parameter"}, Sample: s.sampleText,
		Do: s.doCreateText,
	})
}

func (s textOps) doCreateText(ctx context.Context, in *createTextInput) (*views.TextEditor, error) {
	slug := models.Slug(in.Title)
	if slug == "" {
		return nil, web.InvalidField("title", problem.Textf("Enter a title with letters or digits."), problem.Textf("The address is made from it."))
	}
	language := in.Language
	if language == "" {
		language = s.Site.Languages()[0].Code()
	}
	free := slug
	for n := 2; s.addressTaken(in.Section, free); n++ {
		free = slug + "-" + strconv.Itoa(n)
	}
	edit := &models.TextEdit{Section: in.Section, Slug: free, Language: language, TextRevision: models.TextRevision{Title: in.Title}}
	if _, err := s.Records.SaveText(ctx, caller.ID(ctx), edit); err != nil {
		return nil, err
	}
	s.Settings.Reload()
	return s.editorOf(ctx, textInput{in.Section, free, language}, 0)
}

// addressTaken reports whether a text has or had an address.
func (s textOps) addressTaken(section models.TextSection, slug string) bool {
	texts := s.Settings.Written()
	return texts.Moves[section][slug] != "" || slices.ContainsFunc(texts.All, func(t *models.Text) bool { return t.Section == section && t.Slug == slug }) || s.hasOriginal(section, slug)
}

// hasOriginal reports whether there is a text of the program at an address.
func (s textOps) hasOriginal(section models.TextSection, slug string) bool {
	original, _ := s.Pages.Original(string(section), slug, content.English)
	return original != nil
}

// textInput names a text in a language.
type textInput struct {
	Section  models.TextSection `json:"section" in:"path" jsonschema:"group of texts" enum:"pages,guides,journal" example:"pages"`
	Slug     string             `json:"slug" in:"path" jsonschema:"end of its address" maxlength:"80" example:"about"`
	Language string             `json:"language" in:"path" jsonschema:"language of the version" enum:"en,de" example:"en"`
}

type getTextInput struct {
	Section  models.TextSection `json:"section" in:"path" jsonschema:"group of texts" enum:"pages,guides,journal" example:"pages"`
	Slug     string             `json:"slug" in:"path" jsonschema:"end of its address" maxlength:"80" example:"about"`
	Language string             `json:"language" in:"path" jsonschema:"language of the version" enum:"en,de" example:"en"`
	Revision int64              `json:"revision,omitempty" jsonschema:"number of an earlier revision to read; default: the latest" min:"0"`
}

func (s textOps) getText() web.Operation {
	return textOp(web.Op[getTextInput, *views.TextEditor]{
		Name: "get_text", Path: textsAPI + oneText, Page: textsPage + oneText, Title: "Edit a text",
		Summary:     "Returns a text as it is edited, with its history.",
		Description: "Returns the latest revision of a text, or an earlier one, as Markdown, with the version that edit_text takes as if_match, what visitors read, and links that lead nowhere. To restore an earlier revision, read it and save it with edit_text.",
		Errors:      []string{"text_not_found"}, Sample: s.sampleText,
		Do: func(ctx context.Context, in *getTextInput) (*views.TextEditor, error) {
			return s.editorOf(ctx, textInput{in.Section, in.Slug, in.Language}, in.Revision)
		},
	})
}

// editorOf returns the page that edits a text, with an earlier revision unless it is 0.
func (s textOps) editorOf(ctx context.Context, in textInput, revision int64) (*views.TextEditor, error) {
	parts, err := s.textParts(ctx, in)
	if err != nil {
		return nil, err
	}
	if revision > 0 {
		at := slices.IndexFunc(parts.History, func(r models.TextRevision) bool { return r.Number == revision })
		if at < 0 {
			return nil, errNoText
		}
		parts.Shown = parts.History[at]
	}
	return s.newTextEditor(parts), nil
}

// textParts returns what is known of a text. Shown is its latest revision, or the original.
func (s textOps) textParts(ctx context.Context, in textInput) (parts views.TextParts, err error) {
	parts = views.TextParts{Section: in.Section, Slug: in.Slug, Language: in.Language, Languages: s.textLanguages(in.Section, in.Slug)}
	parts.Original, parts.File = s.Pages.Original(string(in.Section), in.Slug, in.Language)
	parts.Movable = in.Section != models.PageTexts && !s.hasOriginal(in.Section, in.Slug)
	if parts.Text, parts.History, err = s.Records.TextHistory(ctx, in.Section, in.Slug, in.Language); err != nil {
		return parts, err
	}
	if parts.Pictures, err = s.Records.TextPictures(ctx, maxTextPictures); err != nil {
		return parts, err
	}
	known := slices.ContainsFunc(s.Settings.Written().All, func(t *models.Text) bool { return t.Section == in.Section && t.Slug == in.Slug })
	switch {
	case parts.Text != nil:
		parts.Shown = parts.Text.Latest
	case parts.Original != nil:
		parts.Shown = models.TextRevision{Title: parts.Original.Title, Description: parts.Original.Description, Tags: parts.Original.Tags, Markdown: parts.Original.Markdown}
	case !known && !s.hasOriginal(in.Section, in.Slug):
		return parts, errNoText
	}
	return parts, nil
}

// maxTextPictures is how many of the pictures added last an editor shows.
const maxTextPictures = 12

var errNoText = &problem.Error{Kind: problem.NotFound, Code: "text_not_found", Message: problem.Textf("There's no such text."), Hint: problem.Programf("GET /api/admin/pages lists all texts.")}

// newTextEditor returns the page that edits a text, with its links checked.
func (s textOps) newTextEditor(parts views.TextParts) *views.TextEditor {
	parts.Warnings = s.checkLinks(&parts)
	return views.NewTextEditor(s.Site, parts)
}

// maxCheckedLinks limits how many links of a text are followed.
const maxCheckedLinks = 60

// checkLinks returns what is wrong with the links and pictures of a text.
func (s textOps) checkLinks(parts *views.TextParts) (warnings []views.TextWarning) {
	written := content.Written{Language: parts.Language, Markdown: parts.Shown.Markdown}
	headings := written.Text().Headings()
	own, seen := settings.TextPath(parts.Section, parts.Slug), map[string]bool{}
	for _, l := range content.Links(parts.Shown.Markdown) {
		if l.Picture && !l.Removed && l.Alt == "" {
			warnings = append(warnings, views.TextWarning{Code: "missing_alt", Address: l.Address})
		}
		if seen[l.Address] || len(seen) == maxCheckedLinks {
			continue
		}
		seen[l.Address] = true
		if code := s.checkLink(&l, own, headings); code != "" {
			warnings = append(warnings, views.TextWarning{Code: code, Address: l.Address})
		}
	}
	return warnings
}

// checkLink returns the code of the problem of a link in a text at the path own, or "".
func (s textOps) checkLink(l *content.Link, own string, headings []string) string {
	path, fragment, _ := strings.Cut(l.Address, "#")
	switch {
	case l.Removed && l.Picture:
		return "foreign_picture"
	case l.Removed:
		return "unsafe_link"
	case path == "" || path == own:
		if fragment != "" && !slices.Contains(headings, fragment) {
			return "broken_link"
		}
	case strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "/api/"):
		switch s.StatusOf(path) {
		case fiber.StatusNotFound, fiber.StatusGone, fiber.StatusBadRequest:
			return "broken_link"
		case fiber.StatusMovedPermanently, fiber.StatusPermanentRedirect:
			return "moved_link"
		}
	}
	return ""
}

// editTextInput holds what to change of a text; nil fields keep their value.
// renderCost is the number of requests that rendering a text counts as: the longest takes
// most of 0.1 s of processor time.
const renderCost = 2

type editTextInput struct {
	Section     models.TextSection `json:"section" in:"path" jsonschema:"group of texts" enum:"pages,guides,journal" example:"pages"`
	Slug        string             `json:"slug" in:"path" jsonschema:"end of its address" maxlength:"80" example:"about"`
	Language    string             `json:"language" in:"path" jsonschema:"language of the version" enum:"en,de" example:"en"`
	IfMatch     string             `json:"if_match,omitempty" in:"If-Match" jsonschema:"version of the text being changed, from get_text; default: no check" example:"0"`
	Title       *string            `json:"title,omitempty" jsonschema:"title" maxlength:"150" example:"About us"`
	Description *string            `json:"description,omitempty" jsonschema:"one or two sentences, plain text; empty: the beginning of the text" maxlength:"300" example:"Who we are."`
	Tags        *[]string          `json:"tags,omitempty" jsonschema:"tags of a journal entry" maxvalues:"10" example:"film"`
	Text        *string            `json:"text,omitempty" jsonschema:"the text as Markdown, without its heading; raw HTML is left out" maxlength:"50000" example:"We repair cameras."`
	Address     *string            `json:"address,omitempty" jsonschema:"new slug; not for built-in pages; the old address redirects permanently" maxlength:"80" example:"winter"`
	Publish     bool               `json:"publish,omitempty" jsonschema:"true publishes it; otherwise it's saved as a draft and the live version stays"`
	PublishAt   string             `json:"publish_at,omitempty" jsonschema:"with publish: public from then on, UTC; default: now" maxlength:"30" example:"2026-12-01T09:00"`
}

func (s textOps) editText() web.Operation {
	return textOp(web.Op[editTextInput, *views.TextEditor]{
		Name: "edit_text", Method: "PATCH", Path: textsAPI + oneText, Page: textsPage + oneText, Title: "Change a text",
		Cost:    func(*editTextInput) int { return renderCost },
		Done:    "Changes saved.",
		Summary: "Saves a text of the site as a draft, publishes it or schedules it.",
		Description: "Changes the given fields, saves them as a new revision and, with publish, makes it public now or at a time. Returns the text, with warnings about broken links. " +
			"If the text has changed since the version in if_match, nothing is written.",
		Errors: []string{"invalid_parameter", "text_not_found", "text_changed", "address_in_use"}, Sample: s.sampleText,
		Do: s.doEditText,
	})
}

func (s textOps) doEditText(ctx context.Context, in *editTextInput) (*views.TextEditor, error) {
	name := textInput{in.Section, in.Slug, in.Language}
	parts, err := s.textParts(ctx, name)
	if err != nil {
		return nil, err
	}
	edit := &models.TextEdit{Section: in.Section, Slug: in.Slug, Language: in.Language, TextRevision: parts.Shown, Publish: in.Publish}
	if edit.Version, err = textVersion(in.IfMatch); err != nil {
		return nil, err
	}
	if edit.PublishAt, err = input.PublishTime(ctx, in.PublishAt); err != nil {
		return nil, web.InvalidField("publish_at", problem.Textf("This isn't a time."), problem.Textf("Write it like 2026-12-01T09:00."))
	}
	input.SetIf(&edit.Title, in.Title)
	input.SetIf(&edit.Description, in.Description)
	input.SetIf(&edit.Tags, in.Tags)
	input.SetIf(&edit.Markdown, in.Text)
	to, err := s.newAddress(&parts, in.Address)
	if err != nil {
		return nil, err
	}
	if _, err := s.Records.SaveText(ctx, caller.ID(ctx), edit); err != nil {
		return nil, err
	}
	if to != in.Slug {
		if err := s.Records.MoveText(ctx, caller.ID(ctx), in.Section, in.Slug, to); err != nil {
			return nil, err
		}
		name.Slug = to
	}
	s.Settings.Reload()
	return s.editorOf(ctx, name, 0)
}

// newAddress returns the slug that a text gets.
func (s textOps) newAddress(parts *views.TextParts, address *string) (string, error) {
	if address == nil || *address == parts.Slug {
		return parts.Slug, nil
	}
	to := models.Slug(*address)
	switch {
	case !parts.Movable:
		return "", web.InvalidField("address", problem.Textf("The address of this text can't be changed."), problem.Textf("Leave it as it is."))
	case to == "":
		return "", web.InvalidField("address", problem.Textf("Enter letters or digits."), problem.Textf("Write it like winter-on-the-coast."))
	case s.hasOriginal(parts.Section, to):
		return "", web.InvalidField("address", problem.Textf("Another text has this address."), problem.Textf("Choose another address."))
	}
	return to, nil
}

// textVersion returns the version in an If-Match value: a number, in quotation marks or
// not; -1, which is not checked, for * and none.
func textVersion(ifMatch string) (int64, error) {
	if ifMatch == "" || ifMatch == "*" {
		return -1, nil
	}
	version, err := strconv.ParseInt(strings.Trim(ifMatch, `"`), 10, 64)
	if err != nil || version < 0 {
		return 0, web.InvalidField("if_match", problem.Textf("This isn't a version."), problem.Programf("Send the version from get_text."))
	}
	return version, nil
}

type resetTextInput struct {
	Section  models.TextSection `json:"section" in:"path" jsonschema:"group of texts" enum:"pages,guides,journal" example:"pages"`
	Slug     string             `json:"slug" in:"path" jsonschema:"end of its address" maxlength:"80" example:"about"`
	Language string             `json:"language" in:"path" jsonschema:"language of the version" enum:"en,de" example:"en"`
	IfMatch  string             `json:"if_match,omitempty" in:"If-Match" jsonschema:"version of the text, from get_text; default: no check" example:"1"`
}

func (s textOps) resetText() web.Operation {
	return textOp(web.Op[resetTextInput, *views.TextEditor]{
		Name: "reset_text", Method: "DELETE", Path: textsAPI + oneText, Page: textsPage + oneText + "/reset", Form: textsPage + oneText, Title: "Restore the original",
		Done:        "Your version is no longer live.",
		Summary:     "Takes back what the owner wrote: visitors read the original again, or nothing if there is none.",
		Description: "Ends the publication of a text. One that comes with the program shows the program's text again, which is updated with it; a journal entry is no longer public. What was written stays in the history.",
		Errors:      []string{"text_not_found", "text_changed"}, Sample: s.sampleText,
		Do: func(ctx context.Context, in *resetTextInput) (*views.TextEditor, error) {
			version, err := textVersion(in.IfMatch)
			if err != nil {
				return nil, err
			}
			if _, err := s.Records.WithdrawText(ctx, caller.ID(ctx), &models.TextEdit{Section: in.Section, Slug: in.Slug, Language: in.Language, Version: version}); err != nil {
				return nil, err
			}
			s.Settings.Reload()
			return s.editorOf(ctx, textInput{in.Section, in.Slug, in.Language}, 0)
		},
	})
}

// previewTextInput is the form of a text as it is typed, with a picture to add to it.
type previewTextInput struct {
	Section     models.TextSection `json:"section" in:"path" jsonschema:"group of texts" enum:"pages,guides,journal" example:"pages"`
	Slug        string             `json:"slug" in:"path" jsonschema:"end of its address" maxlength:"80" example:"about"`
	Language    string             `json:"language" in:"path" jsonschema:"language of the version" enum:"en,de" example:"en"`
	IfMatch     string             `json:"if_match,omitempty" jsonschema:"version of the text"`
	Title       string             `json:"title,omitempty" jsonschema:"title" maxlength:"150"`
	Description string             `json:"description,omitempty" jsonschema:"one or two sentences" maxlength:"300"`
	Tags        []string           `json:"tags,omitempty" jsonschema:"tags" maxvalues:"10"`
	Text        string             `json:"text,omitempty" jsonschema:"the text as Markdown" maxlength:"50000"`
	Address     string             `json:"address,omitempty" jsonschema:"new end of its address" maxlength:"80"`
	PublishAt   string             `json:"publish_at,omitempty" jsonschema:"when it becomes public" maxlength:"30"`
	Pictures    []web.Upload       `json:"picture,omitempty" jsonschema:"pictures to add, JPEG, PNG, WebP, HEIC or AVIF"`
	Alt         string             `json:"alt,omitempty" jsonschema:"what the picture shows" maxlength:"300"`
}

func (s textOps) previewText() web.Operation {
	return textOp(web.Op[previewTextInput, *views.TextEditor]{
		Name: "preview_text", Method: "POST", Page: textsPage + oneText + "/preview", Form: textsPage + oneText, ReadOnly: true, Title: "Preview a text",
		Cost:    func(*previewTextInput) int { return renderCost },
		Summary: "Shows a text as visitors will read it, without saving it.", Description: "Returns the page that edits a text, with a preview of what was typed. A picture that is sent along is added to the text.",
		Errors: []string{"invalid_parameter", "text_not_found"}, Sample: s.sampleText,
		Do: s.doPreviewText,
	})
}

func (s textOps) doPreviewText(ctx context.Context, in *previewTextInput) (*views.TextEditor, error) {
	parts, err := s.textParts(ctx, textInput{in.Section, in.Slug, in.Language})
	if err != nil {
		return nil, err
	}
	version, err := textVersion(in.IfMatch)
	if err != nil {
		return nil, err
	}
	text := strings.ReplaceAll(in.Text, "\r\n", "\n")
	for _, file := range in.Pictures {
		if len(file.Bytes) == 0 {
			continue
		}
		added, err := s.addTextPicture(ctx, file, in.Alt)
		if err != nil {
			return nil, err
		}
		text = strings.TrimRight(text, "\n") + "\n\n" + views.PictureMarkdown(added) + "\n"
	}
	parts.Shown = models.TextRevision{Title: in.Title, Description: in.Description, Tags: in.Tags, Markdown: text}
	parts.Typed = &views.TypedText{Version: version, Address: in.Address, PublishAt: in.PublishAt}
	return s.newTextEditor(parts), nil
}

// textPictureInput is a picture for texts.
type textPictureInput struct {
	File []web.Upload `json:"picture" jsonschema:"JPEG, PNG, WebP, HEIC or AVIF, at most 20 MB"`
	Alt  string       `json:"alt,omitempty" jsonschema:"what it shows, for people who can't see it" maxlength:"300" example:"A folding camera on a table"`
}

func (s textOps) addPicture() web.Operation {
	return textOp(web.Op[textPictureInput, *views.AddedPicture]{
		Name: "add_text_picture", Method: "POST", Path: "/api/admin/pictures", Title: "Add an image",
		Summary:     "Stores a picture that texts can show.",
		Description: "Decodes a JPEG, PNG, WebP, HEIC or AVIF and stores it as a JPEG of at most " + strconv.Itoa(textPictureSide) + " pixels, without metadata. Returns the Markdown that shows it.",
		Errors:      []string{"invalid_parameter"},
		Sample: func() *views.AddedPicture {
			return views.NewAddedPicture(s.Site, sampleTextPicture)
		},
		Do: func(ctx context.Context, in *textPictureInput) (*views.AddedPicture, error) {
			if len(in.File) != 1 {
				return nil, web.InvalidField("picture", problem.Textf("Send one image."), problem.Textf("Choose a JPEG, PNG, WebP, HEIC or AVIF file."))
			}
			added, err := s.addTextPicture(ctx, in.File[0], in.Alt)
			if err != nil {
				return nil, err
			}
			return views.NewAddedPicture(s.Site, added), nil
		},
	})
}

// textPictureSide is the long side of pictures in texts, in pixels.
const textPictureSide = 1280

// textPictureLimits are the limits of an uploaded picture.
var textPictureLimits = picture.Limits{File: 20 << 20, Pixels: 60_000_000, Memory: 300 << 20, Time: 2 * time.Second}

// addTextPicture decodes a picture, and stores it as a JPEG.
func (s textOps) addTextPicture(ctx context.Context, file web.Upload, alt string) (added models.TextPicture, err error) {
	name, jpeg, err := newTextPicture(file.Bytes)
	if refused := picture.Refusal(err); refused != nil {
		return added, web.InvalidField("picture", refused.Reason, refused.Hint)
	}
	if err != nil {
		return added, err
	}
	added = models.TextPicture{Name: name, Alt: input.OneLine(alt)}
	return added, s.Records.AddTextPicture(ctx, added.Name, added.Alt, jpeg)
}

// newTextPicture returns a JPEG of at most textPictureSide of a picture, with its name.
func newTextPicture(data []byte) (name string, jpeg []byte, err error) {
	if err := textPictureLimits.Check("", data); err != nil {
		return "", nil, err
	}
	exif := picture.ReadEXIF(bytes.NewReader(data), picture.Extension(data))
	width, height, err := picture.Size(data, exif.Orientation)
	if err != nil {
		return "", nil, err
	}
	if scale := float64(textPictureSide) / float64(max(width, height)); scale < 1 {
		width, height = max(1, int(scale*float64(width))), max(1, int(scale*float64(height)))
	}
	img, err := picture.Decode(data, exif.Orientation, width, height)
	if err != nil {
		return "", nil, err
	}
	if jpeg, err = picture.Encode(img); err != nil {
		return "", nil, err
	}
	sum := sha256.Sum256(jpeg)
	return fmt.Sprintf("%s-%dx%d", hex.EncodeToString(sum[:16]), img.Rect.Dx(), img.Rect.Dy()), jpeg, nil
}

// MountTextPictures serves the pictures in texts at /pictures/{name}.jpg.
func (s Deps) MountTextPictures(routes web.Routes) {
	routes.Get("/pictures/:file", func(c *fiber.Ctx) error { return web.SendPicture(c, ".jpg", "image/jpeg", s.Records.TextPicture) })
}

// Samples of the documentation.
var (
	sampleTextPicture = models.TextPicture{Name: "0123456789abcdef0123456789abcdef-1280x853", Alt: "A folding camera on a table"}
	sampleWritten     = &models.Text{Section: models.JournalTexts, Slug: "winter", Language: content.English, Version: 3,
		Latest: models.TextRevision{Number: 3, Title: "A winter on the coast", Description: "Six weeks with one lens.", Tags: []string{"film"}, Markdown: "Six weeks with one lens, and the [list](/journal/lenses) of what broke.", At: 1_795_000_000_000},
		Public: &models.TextRevision{Number: 2}, PublishAt: 1_796_000_000_000, FirstAt: 1_794_000_000_000}
)

func sampleParts() views.TextParts {
	return views.TextParts{Section: models.JournalTexts, Slug: "winter", Language: content.English, Languages: []string{content.English, languages.German.Code()}, Text: sampleWritten, Shown: sampleWritten.Latest, Movable: true,
		History: []models.TextRevision{sampleWritten.Latest, {Number: 2, Title: "Winter", At: 1_794_000_000_000}}, Warnings: []views.TextWarning{{Code: "broken_link", Address: "/journal/lenses"}}, Pictures: []models.TextPicture{sampleTextPicture}}
}

func (s textOps) sampleTexts() *views.Texts {
	return views.NewTexts(s.Site, []views.TextRow{views.NewTextRow(sampleParts())}, nil)
}

func (s textOps) sampleText() *views.TextEditor {
	return views.NewTextEditor(s.Site, sampleParts())
}
