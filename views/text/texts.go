package text

import (
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// TextParts is what is known of a text of the site in one language.
type TextParts struct {
	Section   models.TextSection
	Slug      string
	Language  string                // BCP 47 tag
	Languages []string              // in which it can be edited
	Text      *models.Text          // what the owner wrote, nil for nothing
	History   []models.TextRevision // of Text, the newest first
	Shown     models.TextRevision   // in the form
	Original  *content.Text         // without what the owner wrote, nil for none
	File      bool                  // Original is the owner's file
	Movable   bool                  // its address can be changed
	Warnings  []TextWarning
	Pictures  []models.TextPicture // added last
	Typed     *TypedText           // what else was typed in the form, nil if it is new
}

// TypedText is what was typed in the form of a text beside the text.
type TypedText struct {
	Version            int64
	Address, PublishAt string
}

// TextStatus says what visitors read of a text in one language.
type TextStatus struct {
	Section   models.TextSection `json:"section" jsonschema:"group of texts" enum:"pages,guides,journal"`
	Slug      string             `json:"slug" jsonschema:"end of its address"`
	Language  string             `json:"language" jsonschema:"language of the version, BCP 47"`
	Title     string             `json:"title"`
	State     string             `json:"state" jsonschema:"what visitors read: the text of the program, the owner's file, what was published in the browser, or nothing in this language, which is or isn't written" enum:"original,file,published,unpublished,missing"`
	Draft     bool               `json:"draft" jsonschema:"what was saved last isn't public"`
	PublishAt string             `json:"publish_at,omitempty" jsonschema:"when the draft becomes public"`
	SavedAt   string             `json:"saved_at,omitempty" jsonschema:"when it was saved last"`
	ui.Ref
}

// status returns the status of a text.
func (p *TextParts) status() TextStatus {
	s := TextStatus{Section: p.Section, Slug: p.Slug, Language: p.Language, State: "missing", Ref: ui.NewRef(p.path())}
	switch {
	case p.Text != nil && p.Text.Public != nil:
		s.State = "published"
	case p.File:
		s.State = "file"
	case p.Original != nil:
		s.State = "original"
	case p.Text != nil:
		s.State = "unpublished"
	}
	if p.Text != nil {
		s.Title, s.Draft, s.SavedAt = p.Text.Latest.Title, p.Text.Draft(), p.Text.Latest.At.RFC3339()
		if p.Text.PublishAt > 0 {
			s.PublishAt = p.Text.PublishAt.RFC3339()
		}
	} else if p.Original != nil {
		s.Title = p.Original.Title
	}
	return s
}

// path returns the path of the text.
func (p *TextParts) path() string {
	if p.Section == models.PageTexts {
		return "/" + p.Slug
	}
	return "/" + string(p.Section) + "/" + p.Slug
}

// Texts is the list of the texts of the site.
type Texts struct {
	Texts   []TextRow     `json:"texts" jsonschema:"each text in each language of the site"`
	Refused []RefusedFile `json:"refused_files,omitempty" jsonschema:"files of the owner that can't be used"`
	Links   []ui.Link     `json:"links"`
	site    *ui.Site
}

// RefusedFile is a file of the owner that can't be used.
type RefusedFile struct {
	Name   string `json:"name" jsonschema:"name below DATA_DIR/pages"`
	Reason string `json:"reason" jsonschema:"what is wrong with it"`
}

// TextRow is a text in one language in a list.
type TextRow struct {
	TextStatus
}

// NewTextRow returns a text as the list shows it.
func NewTextRow(parts TextParts) TextRow { return TextRow{parts.status()} }

// NewTexts returns the list of texts. The languages of a text follow each other.
func NewTexts(site *ui.Site, rows []TextRow, refused map[string]string) *Texts {
	p := &Texts{Texts: ui.List(rows), Links: []ui.Link{{Href: "/journal", Label: "The journal"}, {Href: "/guides", Label: "Guides"}, {Href: ui.AdminSitePath, Label: "Site"}, {Href: "/account", Label: "Your account"}}, site: site}
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		p.Refused = append(p.Refused, RefusedFile{name, refused[name]})
	}
	return p
}

// says says which file can't be used, and why.
func (f *RefusedFile) says(ctx context.Context) string {
	return ui.T(ctx, "We can’t use the file pages/%s: %s.", f.Name, f.Reason)
}

// Names of the sections.
var textSections = []ui.Choice{
	{Value: string(models.PageTexts), Label: languages.Mark("Pages")},
	{Value: string(models.GuideTexts), Label: languages.Mark("Guides")},
	{Value: string(models.JournalTexts), Label: languages.Mark("Journal")},
}

// newTextSections are the sections that texts can be added to.
var newTextSections = []ui.Choice{
	{Value: string(models.JournalTexts), Label: languages.Mark("Journal entry")},
	{Value: string(models.GuideTexts), Label: languages.Mark("Guide")},
}

// textStates are the states of texts.
var textStates = []ui.Choice{
	{Value: "original", Label: languages.Mark("Original text")},
	{Value: "file", Label: languages.Mark("From your file")},
	{Value: "published", Label: languages.Mark("Your text")},
	{Value: "unpublished", Label: languages.Mark("Not published")},
	{Value: "missing", Label: languages.Mark("Not written")},
}

// textGroup is a text with its languages.
type textGroup struct {
	title, page string
	rows        []*TextRow
}

// groups returns the texts of a section, each with its languages.
func (p *Texts) groups(section string) (groups []textGroup) {
	for i := range p.Texts {
		row := &p.Texts[i]
		if string(row.Section) != section {
			continue
		}
		if len(groups) == 0 || groups[len(groups)-1].page != row.Page {
			groups = append(groups, textGroup{page: row.Page})
		}
		g := &groups[len(groups)-1]
		g.title, g.rows = cmp.Or(g.title, row.Title), append(g.rows, row)
	}
	return groups
}

// editor returns the path of the page that edits the text.
func (s *TextStatus) editor() string {
	return ui.TextsPath + "/" + string(s.Section) + "/" + s.Slug + "/" + s.Language
}

// says returns the state in words: "Your text, with a draft".
func (s *TextStatus) says(ctx context.Context) string {
	state := ui.ChoiceLabel(ctx, textStates, s.State)
	switch {
	case s.PublishAt != "":
		return state + " · " + ui.T(ctx, "goes live %s", ui.MomentIn(ctx, s.PublishAt))
	case s.Draft && s.State != "unpublished":
		return state + " · " + ui.T(ctx, "draft")
	}
	return state
}

// saved returns when the text was saved, in words.
func (s *TextStatus) saved(ctx context.Context) string {
	if s.SavedAt == "" {
		return ""
	}
	return ui.T(ctx, "Saved %s", ui.MomentIn(ctx, s.SavedAt))
}

// languageName returns the name of a language in that language.
func languageName(tag string) string {
	if l := languages.Find(tag); l != nil {
		return l.Name()
	}
	return tag
}

// Head implements Page.
func (p *Texts) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Pages and journal"), Description: ui.T(ctx, "All your site's pages and posts, in every language."), Path: ui.TextsPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Resource returns the path of the texts in the API.
func (p *Texts) Resource() string { return "/api/admin/pages" }

// Markdown implements Page.
func (p *Texts) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Pages and journal"), "").In(ctx)
	m.Paragraph(ui.T(ctx, "All your site's pages and posts, in every language."))
	for i := range p.Refused {
		m.Paragraph(ui.MarkdownText(p.Refused[i].says(ctx)))
	}
	for _, section := range textSections {
		m.Section(section.Label)
		m.Head("Title", "Address", "Language", "State", "Saved", "Edit")
		for _, g := range p.groups(section.Value) {
			for _, row := range g.rows {
				m.Row(ui.OrDash(row.Title), ui.MarkdownText(row.Page), ui.MarkdownText(row.Language), ui.MarkdownText(row.says(ctx)+" ("+row.State+")"), ui.OrDash(ui.MomentIn(ctx, row.SavedAt)), m.Link(ui.Link{Href: row.editor(), Label: languages.Mark("Edit")}))
			}
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// TextEditor is the page that edits a text in one language.
type TextEditor struct {
	TextStatus
	Version     int64          `json:"version" jsonschema:"version of the text, for if_match" min:"0"`
	Description string         `json:"description" jsonschema:"one or two sentences, plain text"`
	Tags        []string       `json:"tags" jsonschema:"tags of a journal entry"`
	Text        string         `json:"text" jsonschema:"the text as Markdown, without its heading"`
	Revision    int64          `json:"revision" jsonschema:"number of the revision that is shown, 0 for the original" min:"0"`
	History     []TextRevision `json:"history" jsonschema:"what was saved, the newest first"`
	Warnings    []TextWarning  `json:"warnings" jsonschema:"links and pictures that need a look"`
	Pictures    []AddedPicture `json:"pictures" jsonschema:"pictures that were added to the site last"`
	Links       []ui.Link      `json:"links"`
	parts       TextParts
	site        *ui.Site
}

// TextRevision is a saved version of a text.
type TextRevision struct {
	Number  int64  `json:"number" jsonschema:"number of the revision, for get_text" min:"1"`
	Title   string `json:"title"`
	SavedAt string `json:"saved_at" jsonschema:"when it was saved"`
	Public  bool   `json:"public" jsonschema:"visitors read it"`
}

// TextWarning is something wrong with a link or a picture of a text.
type TextWarning struct {
	Code    string `json:"code" jsonschema:"what is wrong" enum:"broken_link,moved_link,unsafe_link,foreign_picture,missing_alt"`
	Address string `json:"address" jsonschema:"address of the link or picture as it is written"`
}

// text returns the warning in words.
func (w *TextWarning) text(ctx context.Context) string {
	switch w.Code {
	case "broken_link":
		return ui.T(ctx, "%s doesn't exist.", w.Address)
	case "moved_link":
		return ui.T(ctx, "%s has moved. The link still works, but it redirects.", w.Address)
	case "unsafe_link":
		return ui.T(ctx, "%s isn't a valid link, so it's shown as plain text.", w.Address)
	case "foreign_picture":
		return ui.T(ctx, "%s is on another site. Upload the image to show it.", w.Address)
	}
	return ui.T(ctx, "%s has no alt text.", w.Address)
}

// AddedPicture is a picture that texts can show.
type AddedPicture struct {
	Path   string `json:"path" jsonschema:"path of the picture"`
	Alt    string `json:"alt" jsonschema:"what it shows"`
	Width  int    `json:"width" jsonschema:"in pixels"`
	Height int    `json:"height" jsonschema:"in pixels"`
	Source string `json:"markdown" jsonschema:"what shows it in a text"`
	site   *ui.Site
}

// NewAddedPicture returns a picture of texts.
func NewAddedPicture(site *ui.Site, p models.TextPicture) *AddedPicture {
	path := "/pictures/" + p.Name + ".jpg"
	width, height := content.PictureSize(path)
	return &AddedPicture{Path: path, Alt: p.Alt, Width: width, Height: height, Source: PictureMarkdown(p), site: site}
}

// PictureMarkdown returns the Markdown that shows a picture.
func PictureMarkdown(p models.TextPicture) string {
	alt := strings.NewReplacer("\\", "", "[", "(", "]", ")", "\n", " ").Replace(p.Alt)
	return "![" + alt + "](/pictures/" + p.Name + ".jpg)"
}

// Head implements Page.
func (p *AddedPicture) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Photo"), Description: ui.T(ctx, "An image for your pages."), Path: ui.TextsPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Markdown implements Page.
func (p *AddedPicture) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Photo"), "").In(ctx)
	m.Raw("\n")
	m.Head("Path", "Alt text", "Size", "Markdown")
	writePicture(m, p)
	return m.Done(w)
}

// writePicture writes a row about a picture.
func writePicture(m *ui.Markdown, p *AddedPicture) {
	m.Row(ui.MarkdownText(p.Path), ui.OrDash(p.Alt), strconv.Itoa(p.Width)+" × "+strconv.Itoa(p.Height), ui.MarkdownText(p.Source))
}

// NewTextEditor returns the page that edits a text.
func NewTextEditor(site *ui.Site, parts TextParts) *TextEditor {
	r := &parts.Shown
	p := &TextEditor{TextStatus: parts.status(), Description: r.Description, Tags: ui.List(r.Tags), Text: r.Markdown, Revision: r.Number,
		History: []TextRevision{}, Warnings: ui.List(parts.Warnings), Pictures: []AddedPicture{}, Links: []ui.Link{{Href: ui.TextsPath, Label: "Pages and journal"}}, parts: parts, site: site}
	p.Title = r.Title
	if parts.Text != nil {
		p.Version = parts.Text.Version
	}
	for i := range parts.History {
		h := &parts.History[i]
		p.History = append(p.History, TextRevision{Number: h.Number, Title: h.Title, SavedAt: h.At.RFC3339(), Public: parts.Text.Public != nil && parts.Text.Public.Number == h.Number})
	}
	for _, picture := range parts.Pictures {
		p.Pictures = append(p.Pictures, *NewAddedPicture(site, picture))
	}
	if p.visible() {
		p.Links = append(p.Links, ui.Link{Href: p.Page, Label: "Preview as a visitor"})
	}
	return p
}

// visible reports whether visitors read the text in this language.
func (p *TextEditor) visible() bool { return p.State != "unpublished" && p.State != "missing" }

// earlier returns the earlier revision that is shown, nil for the latest or what was typed.
func (p *TextEditor) earlier() *TextRevision {
	for i := range p.History {
		if h := &p.History[i]; i > 0 && h.Number == p.Revision {
			return h
		}
	}
	return nil
}

// textForm returns the form of a text, which may have been rejected when it was sent to be
// saved or to be previewed.
func textForm(ctx context.Context) *ui.Form {
	if f := ui.FormOf(ctx, "preview_text"); f.Error != nil {
		return f
	}
	return ui.FormOf(ctx, "edit_text")
}

// preview returns the text that is shown as visitors will read it.
func (p *TextEditor) preview() *content.Text {
	r := &p.parts.Shown
	w := content.Written{Section: string(p.Section), Slug: p.Slug, Language: p.Language, Title: r.Title, Description: r.Description, Markdown: r.Markdown}
	return w.Preview()
}

// formVersion returns the version that the form changes.
func (p *TextEditor) formVersion() string {
	if p.parts.Typed != nil {
		return strconv.FormatInt(p.parts.Typed.Version, 10)
	}
	return strconv.FormatInt(p.Version, 10)
}

// address returns the end of the address in the form.
func (p *TextEditor) address() string {
	if p.parts.Typed != nil && p.parts.Typed.Address != "" {
		return p.parts.Typed.Address
	}
	return p.Slug
}

// publishAt returns when the text becomes public, as the form has it.
func (p *TextEditor) publishAt(ctx context.Context) string {
	if p.parts.Typed != nil {
		return p.parts.Typed.PublishAt
	}
	if p.parts.Text == nil {
		return ""
	}
	return ui.FormTimeIn(ctx, p.parts.Text.PublishAt)
}

// withdraw returns the label of the button that takes the owner's text back, "" if visitors
// don't read it and won't.
func (p *TextEditor) withdraw() string {
	switch {
	case p.State != "published" && p.PublishAt == "":
		return ""
	case p.parts.Original != nil:
		return languages.Mark("Restore the original")
	case p.State != "published":
		return languages.Mark("Cancel publishing")
	}
	return languages.Mark("Unpublish")
}

// about returns what visitors read at the moment, in a sentence.
func (p *TextEditor) about(ctx context.Context) string {
	switch p.State {
	case "published":
		if p.Draft {
			return ui.T(ctx, "An earlier version is live.")
		}
		return ui.T(ctx, "Your version is live.")
	case "file":
		return ui.T(ctx, "The file in your pages folder is live. Publishing here replaces it.")
	case "original":
		return ui.T(ctx, "This is the default text, kept current by updates. Once you publish your own version, updates won't change it.")
	}
	return ui.T(ctx, "Not published yet.")
}

// Head implements Page.
func (p *TextEditor) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: cmp.Or(p.Title, ui.T(ctx, "Untitled")), Description: ui.T(ctx, "All your site's pages and posts, in every language."), Path: p.editor(), NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb, {Href: ui.TextsPath, Label: ui.T(ctx, "Pages and journal")}}}
}

// Resource returns the path of the text in the API.
func (p *TextEditor) Resource() string { return ui.JSONPath(p.editor()) }

// Shown reports whether the page answers a preview, and is not redirected to.
func (p *TextEditor) Shown() bool { return p.parts.Typed != nil }

// Markdown implements Page.
func (p *TextEditor) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, cmp.Or(p.Title, ui.T(ctx, "Untitled")), "").In(ctx)
	m.Paragraph(p.about(ctx))
	m.Raw("\n")
	m.Head("Setting", "Value")
	row := func(label, value string) { m.Row(ui.T(ctx, label), ui.OrDash(value)) }
	row(languages.Mark("Section"), ui.ChoiceLabel(ctx, textSections, string(p.Section))+" ("+string(p.Section)+")")
	row("Address", p.Page)
	row("Slug", p.Slug)
	row("Language", languageName(p.Language)+" ("+p.Language+")")
	row("State", p.says(ctx)+" ("+p.State+")")
	row("Saved", ui.MomentIn(ctx, p.SavedAt))
	row("Version", strconv.FormatInt(p.Version, 10))
	row(languages.Mark("Revision"), strconv.FormatInt(p.Revision, 10))
	row("One-sentence summary", p.Description)
	row("Tags", strings.Join(p.Tags, ", "))
	if len(p.Warnings) > 0 {
		m.Section("Check these")
		for i := range p.Warnings {
			m.Raw("- ", ui.MarkdownText(p.Warnings[i].text(ctx)+" ("+p.Warnings[i].Code+")"), "\n")
		}
	}
	m.Section("Text")
	m.Fenced(p.Text)
	if len(p.History) > 0 {
		m.Section("History")
		m.Head("Revision", "Title", "Saved", "Public")
		for i := range p.History {
			h := &p.History[i]
			m.Row(strconv.FormatInt(h.Number, 10), ui.MarkdownText(h.Title), ui.MomentIn(ctx, h.SavedAt), ui.T(ctx, yesNo(h.Public)))
		}
	}
	if len(p.Pictures) > 0 {
		m.Section("Photos")
		m.Head("Path", "Alt text", "Size", "Markdown")
		for i := range p.Pictures {
			writePicture(m, &p.Pictures[i])
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

func yesNo(yes bool) string {
	if yes {
		return languages.Mark("Yes")
	}
	return languages.Mark("No")
}
