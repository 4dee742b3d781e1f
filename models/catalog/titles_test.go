package catalog_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// otherMounts are other spellings of mounts in titles of lenses.
var otherMounts = map[string]string{
	"Canon EF": "Canon EOS", "Canon FD": "FD", "Canon RF": "RF-mount", "Nikon F": "F-mount", "Nikon Z": "Z-mount", "Sony E": "E-mount", "Sony A": "Sony/Minolta A",
	"Fujifilm X": "Fuji X", "Fujifilm G": "Fuji GFX", "Micro Four Thirds": "MFT", "Four Thirds": "4/3", "Leica L": "L-mount", "Leica M": "M-mount", "Pentax K": "PK",
	"M39": "LTM", "Contax/Yashica": "C/Y", "Olympus OM": "OM", "Minolta MD": "Minolta MC/MD", "Sigma SA": "Sigma", "Samsung NX": "NX", "Mamiya 645": "M645",
}

// TestMountsInTitles resolves the name of every lens followed by each of its mounts.
func TestMountsInTitles(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	total := score{}
	ways := []string{"%s", "%s mount", "for %s", "(%s)", ", %s", "%s fit"}
	byWay := make([]score, len(ways)+1)
	for _, lens := range c.All() {
		if lens.Category.Family() != models.FamilyLens {
			continue
		}
		for _, mount := range lens.Mounts() {
			for i := range byWay {
				tail := cmp.Or(otherMounts[mount], mount)
				if i < len(ways) {
					tail = fmt.Sprintf(ways[i], mount)
				}
				title := lens.Name() + " " + tail
				got := r.Resolve(title)
				switch {
				case got.Gear == lens:
					total.right++
					byWay[i].right++
				case got.Gear == nil:
					total.missed++
					byWay[i].missed++
					t.Logf("%q is not resolved: %s", title, got.Reason)
				default:
					total.wrong++
					byWay[i].wrong++
					t.Logf("%q resolved to %s (%.2f, %s)", title, got.Gear.Slug(), got.Confidence, got.Reason)
				}
			}
		}
	}
	for i, s := range byWay {
		t.Logf("%s: %+v", append(ways, "other")[i], s)
	}
	n := float64(total.right + total.missed + total.wrong)
	right, wrong := float64(total.right)/n, float64(total.wrong)/n
	t.Logf("%.0f titles: right %.4f, unknown %.4f, wrong %.4f", n, right, float64(total.missed)/n, wrong)
	if right < 0.97 || wrong > 0.003 {
		t.Error("97 % must be right and at most 0.3 % wrong")
	}
}

// titleSets are the files of labelled titles.
var titleSets = []string{"market_titles.csv", "five_languages.csv", "held_out.csv", "sellers.csv", "sellers_held_out.csv", "classifieds.csv", "classifieds_held_out.csv", "small_ads.csv", "small_ads_held_out.csv", "listings_held_out.csv", "offers.csv", "offers_held_out.csv", "market_held_out.csv", "adverts_held_out.csv"}

// measureTitles resolves labelled titles, and logs what is not right.
func measureTitles(t *testing.T, c *catalog.Catalog, r *catalog.Resolver, titles [][]string, trusted bool) (s score) {
	for _, row := range titles {
		title, want := row[0], row[1]
		if want != "" {
			g := c.Gear(want)
			if g == nil {
				t.Errorf("%q: the catalogue has no %s", title, want)
				continue
			}
			want = g.Slug() // a slug that it had before is good
		}
		got := r.Resolve(title)
		slug := ""
		if got.Gear != nil && (got.Confident() || !trusted) {
			slug = got.Gear.Slug()
		}
		switch {
		case slug == want && want != "":
			s.right++
			continue
		case slug == want:
			s.unresolved++
			continue
		}
		if slug != "" {
			s.wrong++
		}
		if want != "" {
			s.missed++
		}
		if len(row) < 3 || row[2] != "test" || os.Getenv("SECONDLIGHT_ERRORS") != "" {
			t.Logf("%q is %q, got %q (%.2f, %s)", title, want, slug, got.Confidence, got.Reason)
		}
	}
	return s
}

// readTitles reads labelled titles of testdata.
func readTitles(t *testing.T, name string, columns ...string) [][]string {
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return readCSV(t, f, columns...)
}

// TestHardTitles measures the resolver on titles that were once resolved wrongly: those that it
// trusts must be right.
func TestHardTitles(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	s := measureTitles(t, c, r, readTitles(t, "hard_titles.csv", "title", "gear"), true)
	t.Logf("precision %.3f, recall %.3f: %+v", s.precision(), s.recall(), s)
	if s.precision() < 0.985 || s.recall() < 0.75 {
		t.Error("precision must be 0.985 and recall 0.75, of titles that are asked about more often than others")
	}
}

// TestTitles measures the resolver on titles in five languages, in two sets: part dev of each, on which
// it was tuned, and part test, which was held out. Of the trusted ones, 98.5 % must be right.
func TestTitles(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	for _, set := range titleSets {
		rows := readTitles(t, set, "title", "gear", "part")
		for _, part := range []string{"dev", "test"} {
			titles := slices.DeleteFunc(slices.Clone(rows), func(row []string) bool { return row[2] != part })
			if len(titles) == 0 {
				continue
			}
			s := measureTitles(t, c, r, titles, true)
			t.Logf("%s, %s: precision %.3f, recall %.3f: %+v", set, part, s.precision(), s.recall(), s)
			if s.precision() < 0.985 || s.recall() < 0.8 {
				t.Errorf("%s, %s: precision must be 0.985 and recall 0.80", set, part)
			}
		}
	}
}

// TestConfidence compares the confidence with the share of labelled titles that are right. The shares
// are those of all titles, tuned on or not, since those with a low confidence are few.
func TestConfidence(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	levels := map[float64]*score{}
	for _, set := range titleSets {
		for _, row := range readTitles(t, set, "title", "gear", "part") {
			got := r.Resolve(row[0])
			if got.Gear == nil {
				continue
			}
			if levels[got.Confidence] == nil {
				levels[got.Confidence] = &score{}
			}
			if got.Gear == c.Gear(row[1]) {
				levels[got.Confidence].right++
			} else {
				levels[got.Confidence].wrong++
			}
		}
	}
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		s := levels[level]
		n, share := float64(s.right+s.wrong), s.precision()
		t.Logf("confidence %.2f: %d of %.0f right, %.3f %s", level, s.right, n, share, strings.Repeat("=", int(40*share)))
		if chance := 2 * math.Sqrt(level*(1-level)/n); math.Abs(share-level) > chance+0.01 {
			t.Errorf("confidence %.2f: %.3f are right, which is not by chance", level, share)
		}
	}
}

// sellersWords are what sellers write about anything, in five languages.
var sellersWords = []string{
	"little used", "barely used", "hardly used", "lightly used", "boxed", "unboxed", "mint in box", "like new", "as new", "excellent condition", "very good condition", "fully working order",
	"tested and working", "film tested", "one owner from new", "smoke free home", "some light wear", "small scratches", "recently serviced", "light seals replaced", "with receipt", "low shutter count",
	"no longer needed", "price drop", "free postage", "collection only", "quick sale", "open to offers", "read description", "rare", "bargain",
	"top Zustand", "sehr guter Zustand", "wie neu", "neuwertig", "kaum benutzt", "wenig gebraucht", "selten benutzt", "mit OVP", "OVP und Rechnung", "voll funktionsfähig", "funktioniert einwandfrei", "gepflegt",
	"Nichtraucherhaushalt", "leichte Gebrauchsspuren", "Versand möglich", "Festpreis", "VB", "wegen Systemwechsel", "aus Sammlungsauflösung", "Restgarantie", "ohne Kratzer", "Dachbodenfund", "günstig",
	"comme neuf", "comme neuve", "très bon état", "état impeccable", "peu servi", "jamais utilisé", "fonctionne parfaitement", "testé et fonctionnel", "boîte d'origine", "avec facture", "sous garantie",
	"double emploi", "prix ferme", "remise en main propre", "envoi possible", "TBE", "quelques rayures", "d'occasion",
	"come nuovo", "pari al nuovo", "poco usato", "usato pochissimo", "ottimo stato", "ottime condizioni", "perfettamente funzionante", "con scatola originale", "scontrino e garanzia", "vendo causa inutilizzo",
	"spedizione inclusa", "prezzo trattabile", "consegna a mano", "segni d'uso", "esente da funghi", "unico proprietario",
	"como nuevo", "como nueva", "poco uso", "casi nuevo", "muy buen estado", "perfecto estado", "funciona perfectamente", "probado y funcionando", "con caja original", "con factura", "en garantía", "se vende por no usar",
	"precio negociable", "envío incluido", "segunda mano", "sin arañazos", "sin hongos", "a estrenar", "ganga",
}

// TestSellersWords appends what sellers write about anything to titles, whose gear must stay known.
func TestSellersWords(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	for title, want := range map[string]string{
		"Canon EOS R6 Mark II": "canon/eos-r6-mark-ii", "Nikon FM2": "nikon/fm2", "Leica M6": "leica/m6", "fuji xt3": "fujifilm/x-t3", "Hasselblad 500 C/M": "hasselblad/500c-m",
		"Sony FE 85mm f/1.8": "sony/fe-85mm-f1-8", "Canon EF 70-200mm f/2.8L IS II USM": "canon/ef-70-200mm-f2-8l-is-ii-usm", "Fujinon XF 35 1.4 R": "fujifilm/xf-35mm-f1-4-r",
		"Sigma 35mm 1.4 DG HSM Art": "sigma/35mm-f1-4-dg-hsm-art", "Nikkor 105mm f/2.5 AI-S": "nikon/ai-s-nikkor-105mm-f2-5", "Helios 44-2 58mm f2": "zenit/helios-44-2-58mm-f2",
	} {
		for _, words := range sellersWords {
			for _, text := range []string{title + " " + words, title + ", " + words, title + " – " + words} {
				if got := r.Resolve(text); got.Gear != c.Gear(want) || !got.Confident() {
					t.Errorf("%q is %v (%.2f, %s)", text, got.Gear, got.Confidence, got.Reason)
				}
			}
		}
	}
}

// TestNamesWithoutMaker resolves the names of lenses whose series only one maker has, without the maker,
// as people and as cameras write them.
func TestNamesWithoutMaker(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	asCamera, s := strings.NewReplacer("mm f/", "mmF", "XF ", "XF", "XC ", "XC", "GF ", "GF"), score{}
	for _, g := range c.All() {
		if series, _, _ := strings.Cut(g.Model, " "); g.BrandSlug != "fujifilm" || !slices.Contains([]string{"XF", "XC", "GF"}, series) || g.FocalMin == 0 {
			continue
		}
		for _, title := range []string{g.Model, asCamera.Replace(g.Model)} {
			switch got := r.Resolve(title); {
			case got.Gear == g && got.Confident():
				s.right++
			case got.Confident():
				s.wrong++
				t.Errorf("%q is %s", title, got.Gear.Slug())
			default:
				s.missed++
				t.Logf("%q is %v (%.2f, %s)", title, got.Gear, got.Confidence, got.Reason)
			}
		}
	}
	t.Logf("%+v", s)
	if s.recall() < 0.97 {
		t.Errorf("recall is %.3f", s.recall())
	}
}

// TestDoubtfulTitles adds what may be a part, an accessory or another model to the names of all cameras, and
// shortens the names of all lenses: the gear that is trusted then must be right.
func TestDoubtfulTitles(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	for _, form := range []string{"%s DE-3", "DE-3 %s", "%s Frontplatte", "Frontplatte %s", "%s HB-46", "%s 14471", "2 %s", "%s wanted", "%s x2"} {
		cameras, trusted := 0, 0
		for i, g := range c.All() {
			if g.Category.Family() != models.FamilyCamera || i%4 != 0 {
				continue
			}
			cameras++
			if title := fmt.Sprintf(form, g.Name()); r.Resolve(title).Confident() {
				trusted++
				t.Logf("%q is trusted", title)
			}
		}
		if trusted*200 > cameras {
			t.Errorf("%q: %d of %d are trusted", form, trusted, cameras)
		}
	}
	s := score{}
	for _, g := range c.All() {
		if g.Category.Family() != models.FamilyLens || g.FocalMin == 0 || g.Aperture == 0 {
			continue
		}
		for n, words := 0, strings.Fields(g.Model); n < 3 && n < len(words) && !strings.ContainsAny(words[n], "0123456789"); n++ {
			title := fmt.Sprintf("%s %s %g-%gmm f/%g", g.Brand, strings.Join(words[:n], " "), g.FocalMin, g.FocalMax, g.Aperture)
			if g.FocalMin == g.FocalMax {
				title = fmt.Sprintf("%s %s %gmm f/%g", g.Brand, strings.Join(words[:n], " "), g.FocalMin, g.Aperture)
			}
			switch got := r.Resolve(title); {
			case !got.Confident():
				s.missed++
			case got.Gear == g:
				s.right++
			default:
				s.wrong++
				t.Logf("%q of %s is %s", title, g.Slug(), got.Gear.Slug())
			}
		}
	}
	t.Logf("shortened names of lenses: %+v", s)
	if s.precision() < 0.94 {
		t.Errorf("precision is %.3f", s.precision())
	}
}
