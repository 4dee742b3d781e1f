package sentence

import (
	"errors"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
)

// gear returns the gear of a family that a text is the name of, nil for none. Family is ""
// for any.
func (s *reading) gear(text, family string) *catalog.Gear {
	words := models.Words(text)
	if !strings.ContainsAny(text, "0123456789") || len(words) == 0 {
		return nil
	}
	g, err := s.Catalog.FindListed(text, s.Popularity, false)
	var several *problem.Unresolved
	if errors.As(err, &several) && several.Several && len(several.Candidates) > 1 {
		if s.Popularity(several.Candidates[0]) >= dominant*s.Popularity(several.Candidates[1]) {
			g = s.Catalog.Gear(several.Candidates[0])
		}
	}
	if g == nil || family != "" && g.Category.Family() != family {
		return nil
	}
	if n, ok := s.lookup.Catalogued(g.Slug()); !ok || !s.lookup.Match(words).Has(n) {
		return nil // a word is not in its name
	}
	return g
}

// dominant is how many times as popular gear must be to be meant by a name that others share.
const dominant = 2

// readFor reads what the item is to fit: gear, a mount, or a brand with one mount.
func (s *reading) readFor(i int) int {
	at := s.skip(s.skip(i, forWords), models.WordSet("for fur"))
	if at == i || at == len(s.words) {
		return 0
	}
	at = s.skip(at, articles)
	limit := at
	for limit < len(s.words) && limit < at+maxPhrase && (limit == at || !s.starts(limit)) {
		limit++
	}
	var term Term
	to := s.longest(at, limit-at, func(to int) bool {
		text := s.text(at, to)
		if mount, ok := s.Catalog.MountNames().Find(text); ok {
			term = Term{"mount", mount}
		} else if g := s.gear(text, ""); g != nil && len(g.Mounts()) > 0 {
			term = Term{"fits", g.Slug()}
		} else if brand, ok := s.Catalog.BrandNames().Find(text); ok {
			if term = (Term{"mount", s.mountOf(brand)}); term.Value == "" {
				term = Term{"brand", brand}
			}
		} else {
			return false
		}
		return true
	})
	if to == at {
		s.read = true
		return at - i
	}
	return s.add(i, to, term)
}

// starts reports whether something other than a name begins at an index.
func (s *reading) starts(i int) bool {
	key := s.words[i].key
	if forWords[key] || withoutWords[key] || inWords[key] || toWords[key] || sendWords[key] || aboutWords[key] || startsRange[key] {
		return true
	}
	_, known := concepts[s.keys(i, s.end(i, 1))]
	return known || s.regionAt(i, false) > 0
}

// mainMount is the share of a brand's digital cameras that have its main mount.
const mainMount = 0.7

// mountOf returns the mount that most digital cameras of a brand have, "" if there are several.
func (s *reading) mountOf(brand string) string {
	count, all := map[string]int{}, 0
	for _, g := range s.Catalog.GearOfBrand(brand) {
		if g.Category != "mirrorless" && g.Category != "dslr" {
			continue
		}
		all++
		for _, m := range g.Mounts() {
			count[m]++
		}
	}
	for mount, n := range count {
		if float64(n) >= mainMount*float64(all) {
			return mount
		}
	}
	return ""
}

// readMount reads a mount that no word such as "for" precedes: "Leica M", "MFT", "E-mount".
func (s *reading) readMount(i int) int {
	var mount string
	to := s.longest(i, 4, func(to int) bool {
		text := s.text(i, to)
		var ok bool
		if mount, ok = s.Catalog.MountNames().Find(text); !ok || to-1 > i && s.kindAt(to-1) != "" {
			return false
		}
		said := strings.Contains(s.keys(i, to), "mount") || strings.Contains(s.keys(i, to), "bajonett")
		if !said && to < len(s.words) && startsModel(s.words[to].key) {
			return false // "Nikon Z 6"
		}
		words := models.Words(text)
		if _, ok := s.Catalog.BrandNames().Find(text); ok || len(models.NameKey(text)) < 3 && !said {
			return false
		}
		kind := to < len(s.words) && s.kindAt(to) != ""
		return said || kind || s.family() == models.FamilyLens || s.lookup.Named(words, s.lookup.Match(words)).Empty()
	})
	if to == i {
		return 0
	}
	return s.add(i, to, Term{"mount", mount})
}

// startsModel reports whether a word is a number that is no focal length.
func startsModel(key string) bool {
	return strings.ContainsAny(key[:1], "0123456789") && !strings.HasSuffix(key, "mm")
}

// kindAt returns the category that a word names, "" for none.
func (s *reading) kindAt(i int) string {
	kind, _ := models.KindNames().Find(s.words[i].text)
	return kind
}

// readNames reads the words that are left: a model, or the brand, focal length and aperture of
// a lens, or a brand. The rest is the keyword.
func (s *reading) readNames() {
	if len(s.left) == 0 {
		return
	}
	if !s.read {
		s.readUnmatched()
		return
	}
	family := s.family()
	if s.value("fits") != "" || s.value("mount") != "" {
		family = models.FamilyLens
	}
	for n := len(s.left); n > 0; n-- {
		if g := s.gearOfMount(strings.Join(s.left[:n], " "), family); g != nil && !onlyOptics(s.left[:n]) {
			s.take(n, Term{"model", g.Slug()})
			return
		}
	}
	s.readOptics()
}

// gearOfMount returns the gear of a name, if it has the mount that the sentence names. The words of the
// mount may be a part of the name: "Nikkor Z 35mm f/1.8 S".
func (s *reading) gearOfMount(text, family string) *catalog.Gear {
	mount := s.value("mount")
	if mount == "" {
		return s.gear(text, family)
	}
	at := slices.IndexFunc(s.parts, func(p Part) bool { return slices.Contains(p.Terms, Term{"mount", mount}) })
	for _, name := range []string{s.parts[at].Words + " " + text, text} {
		if g := s.gear(name, family); g != nil && slices.Contains(g.Mounts(), mount) {
			return g
		}
	}
	return nil
}

// maxJoined is the number of words up to which a text may be a name written together.
const maxJoined = 2

// readUnmatched reads words that no gear has but that are a name all the same: "CanonR5".
func (s *reading) readUnmatched() {
	words := models.Words(strings.Join(s.left, " "))
	if len(words) > maxJoined || !s.lookup.Match(words).Empty() {
		return
	}
	if g := s.lookup.Read(words); g != nil {
		s.read = true
		s.take(len(s.left), Term{"model", g.Slug()})
	}
}

// take makes the first words that are left a part.
func (s *reading) take(n int, terms ...Term) {
	s.parts = append(s.parts, Part{strings.Join(s.left[:n], " "), terms})
	s.left = s.left[n:]
}

// onlyOptics reports whether all words are focal lengths and apertures.
func onlyOptics(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return opticsOf(w) == nil && !strings.EqualFold(w, "mm") })
}

// opticsOf returns the filters for a focal length or an aperture, nil for other words.
func opticsOf(text string) []Term {
	text = strings.ToLower(text)
	if m := widest.FindStringSubmatch(text); m != nil {
		return []Term{{"aperture_max", strings.Replace(m[1]+m[2], ",", ".", 1)}}
	}
	if m := focal.FindStringSubmatch(text); m != nil && m[1] != "0" {
		length := strings.Replace(m[1], ",", ".", 1)
		return []Term{{"focal_min", length}, {"focal_max", length}}
	}
	return nil
}

// readOptics reads a brand, focal length and aperture if the words left are nothing else.
func (s *reading) readOptics() {
	optics := slices.IndexFunc(s.left, func(w string) bool { return opticsOf(w) != nil })
	if optics < 0 {
		optics = len(s.left)
	}
	brand := ""
	if optics > 0 {
		name := strings.Join(s.left[:optics], " ")
		slug, ok := s.Catalog.BrandNames().Find(name)
		if !ok || !strings.HasPrefix(slug, models.Slug(name)) { // not "Rolleiflex"
			return
		}
		brand = slug
	}
	if !onlyOptics(s.left[optics:]) {
		return
	}
	lens := len(s.left) > optics
	if brand != "" {
		term := Term{"brand", brand}
		if mount := s.mountOf(brand); lens && s.value("mount") == "" && s.family() == "" && mount != "" {
			term = Term{"mount", mount}
		}
		s.take(optics, term)
	}
	if !lens {
		return
	}
	text, terms := strings.Join(s.left, " "), []Term(nil)
	for _, w := range s.left {
		terms = append(terms, opticsOf(w)...)
	}
	if s.family() == "" {
		terms = append([]Term{{"category", models.FamilyLens}}, terms...)
	}
	s.parts, s.left = append(s.parts, Part{text, terms}), nil
}
