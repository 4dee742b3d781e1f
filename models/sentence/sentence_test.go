package sentence

import (
	"bufio"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// reader returns a reader of the shipped catalogue, to which newer gear is more popular.
var reader = sync.OnceValue(func() *Reader {
	c, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		panic(err)
	}
	return &Reader{Catalog: c, Popularity: func(slug string) int { return max(c.Gear(slug).Year-1995, 1) }}
})

// mostWrong is the number of sentences that may give wrong filters.
const mostWrong = 5

// TestSentences compares the filters of sentences with those that are right. A keyword counts
// without words that neither gear nor a title has, which a search leaves out.
func TestSentences(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/sentences.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, wrong := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		text, want, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			continue
		}
		all++
		if got, want := pairs(query(text)), pairs(parse(want)); got != want {
			wrong++
			t.Logf("%s\n\tis   %s\n\twant %s", text, got, want)
		}
	}
	if all <= 100 || wrong > mostWrong {
		t.Errorf("%d of %d sentences give wrong filters, want at most %d of more than 100", wrong, all, mostWrong)
	}
}

// TestSentencesAreIndependent reads what a fast lens is after a fast zoom, which is another.
func TestSentencesAreIndependent(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, aperture string }{{"bright zoom lens for Canon RF", "2.8"}, {"bright prime lens for Canon RF", "2"}} {
		if got := query(test.text).Get("aperture_max"); got != test.aperture {
			t.Errorf("%s: aperture_max is %s, want %s", test.text, got, test.aperture)
		}
	}
}

// query returns the filters of a text.
func query(text string) url.Values {
	q := url.Values{}
	s := reader().Read(text)
	if s == nil {
		q.Set("keyword", text)
		return q
	}
	for _, p := range s.Parts {
		for _, term := range p.Terms {
			q.Add(term.Param, term.Value)
		}
	}
	words, lookup := strings.Fields(s.Keyword), reader().Catalog.Lookup()
	words = slices.DeleteFunc(words, func(w string) bool {
		return !slices.ContainsFunc(models.Words(w), lookup.HasTerm) && !strings.ContainsAny(w, "0123456789")
	})
	if len(words) > 0 {
		q.Set("keyword", strings.Join(words, " "))
	}
	return q
}

// parse parses the filters of a line of the file.
func parse(text string) url.Values {
	q := url.Values{}
	for _, pair := range strings.Split(text, "&") {
		param, value, _ := strings.Cut(pair, "=")
		q.Add(param, value)
	}
	return q
}

// pairs returns the pairs of a query in order, amounts and regions as the search reads them.
func pairs(q url.Values) string {
	var all []string
	for param, values := range q {
		for _, value := range values {
			if param == "budget" {
				value = strings.NewReplacer(" ", "", "€", "", "Euro", "", "euros", "", "euro", "", "1k", "1000", "2k", "2000", "1.5k", "1500", "1.000", "1000", "2.000", "2000", "1.100", "1100").Replace(value)
			}
			all = append(all, param+"="+models.Fold(value))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "&")
}

// TestPlainNames checks that names of gear and words of titles are left to the keyword.
func TestPlainNames(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "r6", "canon", "Canon EOS R6", "Leica M6", "5D3", "nifty fifty", "Rolleiflex 2.8F", "summicron 50", "Nikon F", "boxed", `"lens for my fuji"`, "Kiev 60", "Canon New F-1", strings.Repeat("lens ", 50)} {
		if s := reader().Read(text); s != nil {
			t.Errorf("%q is read as %+v", text, *s)
		}
	}
}

// TestIgnored checks that what can't be searched for is named.
func TestIgnored(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"nikon z6 with lens": "with lens", "canon r5 body only": "body only", "leica m6 without box under 3000": "without box", "Sony A7 III mit wenig Auslösungen": "mit wenig Auslösungen"} {
		s := reader().Read(text)
		if s == nil || strings.Join(s.Ignored, ", ") != want {
			t.Errorf("%q: %+v, want %q ignored", text, s, want)
		}
	}
}

// TestRuns reads sentences of scripts without spaces.
func TestRuns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"中判カメラ": "category=medium_format", "ニコン一眼レフ": "category=dslr&keyword=nikon", "キヤノン レンズ カビなし": "category=lens&keyword=canon&without_defects=fungus",
		"全画幅微单": "category=mirrorless&sensor=full_frame", "니콘 카메라": "category=camera&keyword=nikon", "フルサイズ ミラーレス 完動品": "category=mirrorless&functional=fully_working&sensor=full_frame",
	} {
		q := query(text)
		if k := q.Get("keyword"); k != "" {
			q.Set("keyword", strings.Join(models.Words(k), " "))
		}
		if b := q.Get("brand"); b != "" {
			q.Set("keyword", b)
			q.Del("brand")
		}
		if got := pairs(q); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// TestReadAgain checks that what is left of a sentence says nothing more when it is read again.
func TestReadAgain(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/sentences.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		text, _, _ := strings.Cut(line, "\t")
		if s := reader().Read(text); s != nil && s.Keyword != "" {
			if again := reader().Read(s.Keyword); again != nil {
				t.Errorf("%q leaves %q, which is read as %+v", text, s.Keyword, *again)
			}
		}
	}
}

// FuzzRead reads any text, alone and between words that say something.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"8-15L fisheye", "35mm lens for my fuji under 400 in germany no fungus", "bis 500€ ohne Pilz", "富士レンズ", `"quoted"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, text := range []string{text, "lens " + text + " under 400"} {
			if s := reader().Read(text); s != nil && len(s.Parts) == 0 && len(s.Ignored) == 0 {
				t.Errorf("%q says nothing: %+v", text, *s)
			}
		}
	})
}

// BenchmarkRead measures sentences that are not in the memo.
func BenchmarkRead(b *testing.B) {
	r := reader()
	r.Catalog.Resolver()
	for b.Loop() {
		r.newReading(r.Catalog.Lookup(), "fast portrait lens for my a7iii under 600").sentence()
	}
}
