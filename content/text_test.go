package content

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestTexts(t *testing.T) {
	all := slices.Concat(Guides(), Journal(), embeddedPages())
	for _, text := range all {
		all = append(all, slices.Collect(maps.Values(text.versions))...)
	}
	for _, text := range all {
		if strings.HasPrefix(text.Markdown, "# ") {
			t.Errorf("%s repeats its title as a heading", text.Slug)
		}
		if strings.Contains(text.HTML, "raw HTML omitted") {
			t.Errorf("%s contains raw HTML, which is omitted", text.Slug)
		}
		if strings.Contains(text.HTML, "style=") {
			t.Errorf("%s contains an inline style, which the content security policy forbids", text.Slug)
		}
	}
	for i, text := range Journal() {
		if bySlug(Journal(), text.Slug) != text {
			t.Errorf("%q is not found", text.Slug)
		}
		if i > 0 && text.Date.After(Journal()[i-1].Date) {
			t.Errorf("%s is newer than the entry before it", text.Slug)
		}
	}
	for _, slug := range []string{"condition-grades", "reading-a-price-trend", "checking-a-used-lens", "checking-a-used-body", "selling-well"} {
		if bySlug(Guides(), slug) == nil {
			t.Errorf("there is no guide %s", slug)
		}
	}
	if bySlug(Guides(), "none") != nil || bySlug(Journal(), "condition-grades") != nil {
		t.Error("a text that does not exist was found")
	}
}

// internalLink matches a link to a page of the site in Markdown, without a title, or to a picture without its language.
var internalLink = regexp.MustCompile(`\]\((?:/docs/samples/[a-z]+|/[^)\s]*)`)

// TestVersions checks that texts say the same in every language, as far as that can be
// compared: their dates, their links, and the number of headings, rows and fields.
func TestVersions(t *testing.T) {
	for _, text := range slices.Concat(Guides(), embeddedPages()) {
		german := text.In("de")
		if german.Language != "de" {
			t.Errorf("%s is not in German", text.Slug)
			continue
		}
		if !german.Date.Equal(text.Date) || !german.Updated.Equal(text.Updated) {
			t.Errorf("%s is of %s and %s in German, of %s and %s in English", text.Slug, german.Date, german.Updated, text.Date, text.Updated)
		}
		links := func(text *Text) []string {
			return slices.Sorted(slices.Values(internalLink.FindAllString(text.Markdown, -1)))
		}
		if got, want := links(german), links(text); !slices.Equal(got, want) {
			t.Errorf("%s links to %v in German, to %v in English", text.Slug, got, want)
		}
		for _, part := range []string{"<h2", "<tr>", "<li>", "{{"} {
			if got, want := strings.Count(german.HTML, part), strings.Count(text.HTML, part); got != want && text.Slug != "imprint" {
				t.Errorf("%s has %d %s in German, %d in English", text.Slug, got, part, want)
			}
		}
	}
	if id := `id="not-enough-sales"`; !strings.Contains(bySlug(Guides(), "reading-a-price-trend").In("de").HTML, id) {
		t.Errorf("the headings of the German guide do not have %s", id)
	}
	orphan := fstest.MapFS{"guides/de/a.md": {Data: []byte("---\ntitle: a\ndescription: b\ndate: 2026-11-02\n---\nText")}}
	if _, err := readTexts(orphan, "guides"); err == nil {
		t.Error("a German text without an English one was read")
	}
}

func TestParseText(t *testing.T) {
	const head = "---\ntitle: Grades\ndescription: 'What: they mean.'\ndate: 2026-11-02\ntags: [film, macro]\n---\n"
	text, err := parseText("grades", English, []byte(head+"\nText[^1] <script>x</script> [bad](javascript:x)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"+
		"![Boats](/a.jpg \"At <Nagasaki>\")\n\nAn ![inline](/b.jpg \"one\").\n\n```python\nreturn 1\n```\n\n[^1]: Note.\n"))
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	if text.Title != "Grades" || text.Description != "What: they mean." || !strings.HasPrefix(text.Markdown, "Text") ||
		!text.Date.Equal(day) || !text.Updated.Equal(day) || strings.Join(text.Tags, " ") != "film macro" || text.Minutes != 1 {
		t.Errorf("read as %+v", text)
	}
	for _, want := range []string{
		"<table>", "footnote", `<img src="/a.jpg" alt="Boats"><figcaption>At &lt;Nagasaki&gt;</figcaption></figure>`, `<img src="/b.jpg" alt="inline" title="one">.`,
		`<span class="k">return</span>`,
	} {
		if !strings.Contains(text.HTML, want) {
			t.Errorf("no %s in %s", want, text.HTML)
		}
	}
	for _, never := range []string{"<script", "javascript:", "style=", "title: Grades"} {
		if strings.Contains(text.HTML, never) {
			t.Errorf("%s came through: %s", never, text.HTML)
		}
	}
	for name, text := range map[string]string{
		"no front matter": "Text", "not closed": "---\ntitle: a\n", "no title": "---\ndescription: a\ndate: 2026-11-02\n---\nText",
		"no date": "---\ntitle: a\ndescription: b\n---\nText", "not a date": "---\ntitle: a\ndescription: b\ndate: soon\n---\nText",
		"unknown field":               "---\ntitle: a\ndescription: b\ndate: 2026-11-02\nauthor: c\n---\nText",
		"updated before it was there": "---\ntitle: a\ndescription: b\ndate: 2026-11-02\nupdated: 2026-11-01\n---\nText",
	} {
		if _, err := readTexts(fstest.MapFS{"guides/a.md": {Data: []byte(text)}}, "guides"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestTextsOfWindows reads what editors on Windows save.
func TestTextsOfWindows(t *testing.T) {
	text, err := parseText("a", English, []byte("\ufeff---\r\ntitle: a\r\ndescription: b\r\ndate: 2026-11-02\r\n---\r\nOne\r\n\r\n- two\r\n"))
	if err != nil || text.Markdown != "One\n\n- two\n" {
		t.Errorf("%+v, %v", text, err)
	}
}

func TestMinutes(t *testing.T) {
	for words, want := range map[int]int{0: 1, 220: 1, 329: 1, 330: 2, 2200: 10} {
		if got := minutes(strings.Repeat("word ", words)); got != want {
			t.Errorf("%d words take %d minutes, want %d", words, got, want)
		}
	}
}

// FuzzParseText checks that no text produces a script element or a panic.
func FuzzParseText(f *testing.F) {
	f.Add("![a](/b \"c\")\n\n[^1]: <b>\n")
	f.Add("```python\n<script>\n```\n")
	f.Fuzz(func(t *testing.T, body string) {
		text, err := parseText("a", English, []byte("---\ntitle: a\ndescription: b\ndate: 2026-11-02\n---\n"+body))
		if err == nil && strings.Contains(text.HTML, "<script") {
			t.Errorf("%q became %q", body, text.HTML)
		}
	})
}
