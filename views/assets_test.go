package views

import (
	"bytes"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/static"
	gearviews "github.com/secondlight/secondlight/views/gear"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/viewstest"
)

var token = regexp.MustCompile(`(?m)^  ([a-z]+): '(#[0-9a-f]{6})'`)

// tokens returns the light and dark colours of tailwind.config.js.
func tokens(t *testing.T) (light, dark map[string]string) {
	t.Helper()
	config, err := os.ReadFile("../tailwind.config.js")
	if err != nil {
		t.Fatal(err)
	}
	read := func(s string) map[string]string {
		set := map[string]string{}
		for _, m := range token.FindAllStringSubmatch(s, -1) {
			set[m[1]] = m[2]
		}
		return set
	}
	first, second, _ := strings.Cut(string(config), "const dark")
	return read(first), read(second)
}

// TestContrast checks the colour pairs of the style sheet against WCAG 2.2 AA.
func TestContrast(t *testing.T) {
	light, dark := tokens(t)
	for name, set := range map[string]map[string]string{"light": light, "dark": dark} {
		for _, pair := range []struct {
			text, ground string
			least        float64
		}{
			{"ink", "paper", 7}, {"ink", "sheet", 7}, {"ink", "tray", 7}, {"ink", "glow", 7}, {"paper", "ink", 7},
			{"pencil", "paper", 4.5}, {"pencil", "sheet", 4.5}, {"pencil", "tray", 4.5},
			{"safelight", "paper", 4.5}, {"safelight", "tray", 4.5}, {"onlight", "safelight", 4.5},
			{"edge", "paper", 3}, {"edge", "sheet", 3},
		} {
			if set[pair.text] == "" || set[pair.ground] == "" {
				t.Fatalf("%s has no %s or no %s", name, pair.text, pair.ground)
			}
			if got := contrast(set[pair.text], set[pair.ground]); got < pair.least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, want %g", name, pair.text, pair.ground, got, pair.least)
			}
		}
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	n, _ := strconv.ParseUint(hex[1:], 16, 32)
	channel := func(shift uint) float64 {
		c := float64(n>>shift&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}

// TestTokensAreTheOnlyColours checks the colours repeated where the style sheet does
// not apply: the theme-color of the document and the chart file.
func TestTokensAreTheOnlyColours(t *testing.T) {
	light, dark := tokens(t)
	known := map[string]bool{}
	for _, set := range []map[string]string{light, dark} {
		for _, colour := range set {
			known[colour] = true
		}
	}
	hex := regexp.MustCompile(`#[0-9a-f]{6}\b`)
	for where, text := range map[string]string{"the chart": priceviews.ChartStyle, "the document": viewstest.HTML(t, gearviews.NewTrend(viewstest.Site(), gearviews.TrendParts{Gear: viewstest.Gear, Trend: viewstest.Trend(0)}))} {
		for _, colour := range hex.FindAllString(text, -1) {
			if !known[colour] {
				t.Errorf("%s uses %s, which is no token", where, colour)
			}
		}
	}
	css, err := os.ReadFile("../static/src/site.css")
	if err != nil {
		t.Fatal(err)
	}
	if colour := hex.Find(css); colour != nil {
		t.Errorf("the style sheet uses %s itself", colour)
	}
}

func TestAssets(t *testing.T) {
	css, ok := static.ByName("site.css")
	if !ok {
		t.Fatal("there is no style sheet")
	}
	named := regexp.MustCompile(`/static/[A-Za-z0-9./_-]+`)
	paths := named.FindAllString(string(css.Body), -1)
	for _, page := range testPages() {
		paths = append(paths, named.FindAllString(viewstest.HTML(t, page), -1)...)
	}
	for _, path := range paths {
		if _, ok := static.ByPath(path); !ok {
			t.Errorf("%s is named and does not exist", path)
		}
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(css.Body)
	_ = w.Close()
	if packed.Len() > 20<<10 {
		t.Errorf("the style sheet has %d bytes compressed", packed.Len())
	}
	fonts, _ := filepath.Glob("../static/fonts/*.woff2")
	var size int64
	for _, font := range fonts {
		info, err := os.Stat(font)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
		if _, err := os.Stat(strings.TrimSuffix(font, ".woff2") + ".LICENSE.txt"); err != nil {
			t.Errorf("%s has no licence beside it", font)
		}
	}
	if size == 0 || size > 90<<10 {
		t.Errorf("the fonts have %d bytes", size)
	}
}
