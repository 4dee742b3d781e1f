package content

import (
	"cmp"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// embeddedPages returns the embedded pages as a site without an owner's files shows them.
func embeddedPages() []*Text {
	p := OpenPages(fstest.MapFS{}, []string{"en", "de"}, Facts{Site: "Kamera", Owner: "Ada"}, slog.New(slog.DiscardHandler))
	all := make([]*Text, len(PageSlugs))
	for i, slug := range PageSlugs {
		all[i] = p.BySlug(slug)
	}
	return all
}

// TestPageSlugs checks that each language has exactly the listed pages.
func TestPageSlugs(t *testing.T) {
	want := slices.Sorted(slices.Values(PageSlugs))
	for _, folder := range []string{"pages", "pages/de"} {
		files, err := fs.Glob(files, folder+"/*.md")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			names = append(names, strings.TrimSuffix(path.Base(f), ".md"))
		}
		if !slices.Equal(names, want) {
			t.Errorf("the pages in %s are %v, want %v", folder, names, want)
		}
	}
}

// TestPagesNameTheOwner fills the embedded pages with what is known of an owner.
func TestPagesNameTheOwner(t *testing.T) {
	facts := Facts{Site: "Foto_Ecke <Köln>", Owner: "Ada [A*B] & Sons", Address: "1 Mill Road, Ely", Email: "ada_b@shop.example", URL: "https://shop.example"}
	for _, c := range []struct {
		name, slug, language string
		change               func(*Facts)
		want                 []string
		never                string
	}{
		{"complete", "imprint", "", func(*Facts) {}, []string{"<strong>Ada [A*B] &amp; Sons</strong>", "<p>1 Mill Road, Ely</p>", `<a href="mailto:ada_b@shop.example">ada_b@shop.example</a>`, `href="https://shop.example"`}, "incomplete"},
		{"no address", "imprint", "", func(f *Facts) { f.Address = "" }, []string{"This imprint is incomplete.", "still has to add\na postal address.", "mailto:ada_b@shop.example", "Foto_Ecke &lt;Köln&gt;"}, "Mill"},
		{"no email", "imprint", "", func(f *Facts) { f.Email = "" }, []string{"still has to add\nan email address.", "<p>1 Mill Road, Ely</p>"}, "mailto:"},
		{"nothing", "imprint", "", func(f *Facts) { f.Address, f.Email = "", "" }, []string{"a postal address and an email\naddress."}, "mailto:"},
		{"privacy", "privacy", "", func(*Facts) {}, []string{"Ada [A*B] &amp; Sons runs Foto_Ecke &lt;Köln&gt;", "mailto:ada_b@shop.example"}, "imprint"},
		{"privacy without email", "privacy", "", func(f *Facts) { f.Email = "" }, []string{`<a href="/imprint">imprint</a> says how to reach us`}, "mailto:"},
		{"terms", "terms", "", func(*Facts) {}, []string{"except where we sell something ourselves"}, "{{"},
		{"German", "imprint", "de", func(*Facts) {}, []string{"Angaben gemäß § 5 DDG", "<strong>Ada [A*B] &amp; Sons</strong>", "<p>1 Mill Road, Ely</p>", `<a href="mailto:ada_b@shop.example">`}, "unvollständig"},
		{"German without address", "imprint", "de", func(f *Facts) { f.Address = "" }, []string{"Dieses Impressum ist unvollständig.", "eine Postanschrift ergänzen", "mailto:"}, "MStV"},
		{"help", "help", "", func(f *Facts) { f.Email = "" }, []string{`The <a href="/imprint">imprint</a>`}, "mailto:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			facts := facts
			c.change(&facts)
			text := OpenPages(fstest.MapFS{}, []string{"en", "de"}, facts, slog.New(slog.DiscardHandler)).BySlug(c.slug).In(cmp.Or(c.language, "en"))
			for _, want := range c.want {
				if !strings.Contains(text.HTML, want) {
					t.Errorf("no %q in %s", want, text.HTML)
				}
			}
			if strings.Contains(text.HTML, c.never) {
				t.Errorf("%q in %s", c.never, text.HTML)
			}
		})
	}
}

// TestOwnersPages replaces pages by the owner's files while the site runs.
func TestOwnersPages(t *testing.T) {
	page := func(title, body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\ntitle: " + title + "\ndescription: d\ndate: 2026-01-02\n---\n" + body)}
	}
	var log strings.Builder
	owner := fstest.MapFS{"fees.md": page("Our fees", "{{.Site}} takes 5 %. <script>x</script>")}
	p := OpenPages(owner, []string{"en", "de"}, Facts{Site: "Kamera"}, slog.New(slog.NewTextHandler(&log, nil)))
	expect := func(slug, title, text string, version uint64) {
		t.Helper()
		if err := p.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := p.BySlug(slug); got.Title != title || !strings.Contains(got.HTML, text) || strings.Contains(got.HTML, "<script") {
			t.Errorf("%s is %q: %s", slug, got.Title, got.HTML)
		}
		if p.Version() != version {
			t.Errorf("version is %d, want %d", p.Version(), version)
		}
	}
	expect("fees", "Our fees", "Kamera takes 5 %.", 1)
	expect("terms", "Terms of use", "Kamera", 1)
	owner["terms.md"] = page("Our rules", "Be kind.")
	expect("terms", "Our rules", "Be kind.", 2)
	expect("terms", "Our rules", "Be kind.", 2)
	delete(owner, "fees.md")
	expect("fees", "Fees", "commission", 3)
	if log.Len() > 0 {
		t.Errorf("logged %s", &log)
	}
	for version, wrong := range []string{"no front matter", "---\ntitle: a\n---\n", "{{", string(page("a", "{{.Nobody}}").Data), string(page("a", "{{index .Site 1000}}").Data)} {
		log.Reset()
		owner["terms.md"] = &fstest.MapFile{Data: []byte(wrong)}
		expect("terms", "Terms of use", "Kamera", uint64(version)+4)
		if !strings.Contains(log.String(), "file=terms.md") {
			t.Errorf("%q logged %q", wrong, &log)
		}
	}
	if p.BySlug("none") != nil {
		t.Error("a page that does not exist was found")
	}
}

// TestOwnersPagesInLanguages replaces a page in one language and in all.
func TestOwnersPagesInLanguages(t *testing.T) {
	page := func(title string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\ntitle: " + title + "\ndescription: d\ndate: 2026-01-02\n---\nText")}
	}
	owner := fstest.MapFS{}
	p := OpenPages(owner, []string{"de", "en"}, Facts{Site: "Kamera"}, slog.New(slog.DiscardHandler))
	expect := func(language, title, written string) {
		t.Helper()
		if err := p.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := p.BySlug("fees").In(language); got.Title != title || got.Language != written {
			t.Errorf("the page in %s is %q in %s, want %q in %s", language, got.Title, got.Language, title, written)
		}
	}
	expect("en", "Fees", "en")
	expect("de", "Gebühren", "de")
	expect("fr", "Fees", "en")
	owner["de/fees.md"] = page("Kosten")
	expect("de", "Kosten", "de")
	expect("en", "Fees", "en")
	owner["fees.md"] = page("Preise")
	expect("de", "Kosten", "de")
	expect("en", "Preise", "de")
	delete(owner, "de/fees.md")
	expect("de", "Preise", "de")
	owner["en/fees.md"] = page("Costs")
	expect("en", "Costs", "en")
}
