package sentence

import (
	_ "embed"
	"encoding/csv"
	"net/url"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// conceptsCSV lists phrases with the filters that they mean. The filters are "" for phrases
// without a meaning, and "?" for phrases that say what can't be searched for. "*" stands for the
// endings of a German adjective.
//
//go:embed concepts.csv
var conceptsCSV string

// concept is what a phrase means.
type concept struct {
	terms   []Term
	ignored bool
}

// concepts holds the concepts by folded phrase.
var concepts = func() map[string]concept {
	rows, err := csv.NewReader(strings.NewReader(conceptsCSV)).ReadAll()
	if err != nil {
		panic("concepts.csv: " + err.Error())
	}
	all := map[string]concept{}
	for _, row := range rows[1:] {
		c := concept{ignored: row[0] == "?"}
		for _, pair := range strings.Split(strings.TrimPrefix(row[0], "?"), "&") {
			if param, value, ok := strings.Cut(pair, "="); ok {
				value, _ = url.QueryUnescape(value)
				c.terms = append(c.terms, Term{param, value})
			}
		}
		for _, phrase := range models.List(row[1]) {
			for _, ending := range adjectiveEndings(phrase) {
				all[models.Fold(ending)] = c
			}
		}
	}
	return all
}()

// adjectiveEndings returns a phrase with all endings that its "*" stands for.
func adjectiveEndings(phrase string) (all []string) {
	stem, ok := strings.CutSuffix(phrase, "*")
	if !ok {
		return []string{phrase}
	}
	for _, ending := range []string{"", "e", "en", "er", "es", "em"} {
		all = append(all, stem+ending)
	}
	return all
}

// Words that say how to read those after them.
var (
	forWords     = models.WordSet("for fur fits fit passend")
	withoutWords = models.WordSet("no without w/o ohne kein keine keinen keinerlei not nicht")
	signWords    = models.WordSet("any sign signs of trace traces anzeichen spuren von")
	listWords    = models.WordSet("or and oder und")
	inWords      = models.WordSet("in from aus im near within located")
	toWords      = models.WordSet("to nach")
	sendWords    = models.WordSet("delivered shipped shipping ship deliver delivery send sent versand lieferung geliefert liefern versenden")
	aboutWords   = models.WordSet("around about approximately approx ca ca. circa etwa ungefahr rund um roughly")
	shutterWords = models.WordSet("shutter clicks actuations releases auslosungen auslosezahl klicks")
	articles     = models.WordSet("a an the my your der die das den dem ein eine einen einem einer mein meine meinen meinem meiner my's")
)

// readConcept reads a phrase of concepts.csv.
func (s *reading) readConcept(i int) int {
	to := s.longest(i, maxPhrase, func(to int) bool { _, known := concepts[s.keys(i, to)]; return known })
	if to == i {
		return 0
	}
	c := concepts[s.keys(i, to)]
	switch {
	case c.ignored:
		s.ignored, s.read = append(s.ignored, s.text(i, to)), true
	case len(c.terms) > 0:
		s.addConcept(i, to, c.terms)
	}
	return to - i
}

// addConcept adds the terms of a concept. Its keyword is added to that of the sentence.
func (s *reading) addConcept(from, to int, terms []Term) {
	if at := slices.IndexFunc(terms, func(t Term) bool { return t.Param == "keyword" }); at >= 0 {
		s.left = append(s.left, terms[at].Value)
		terms = slices.Delete(slices.Clone(terms), at, at+1)
	}
	s.add(from, to, terms...)
}

// skip returns the index of the first word from i on that is not in a set.
func (s *reading) skip(i int, words map[string]bool) int {
	for i < len(s.words) && words[s.words[i].key] {
		i++
	}
	return i
}

// readWithout reads defects that an item must not have: "no fungus or haze", "pilzfrei". What
// else is to be missing can't be searched for.
func (s *reading) readWithout(i int) int {
	if stem, free := strings.CutSuffix(strings.TrimSuffix(s.words[i].key, "-free"), "frei"); free || stem != s.words[i].key {
		if defect, ok := models.DefectNames().Find(stem); ok {
			return s.add(i, i+1, Term{"without_defects", defect})
		}
	}
	at := s.skip(i, withoutWords)
	if at == i || at == len(s.words) {
		return 0
	}
	from := i
	at = s.skip(at, signWords)
	for {
		defect, to := s.defectAt(at)
		if to == at {
			break
		}
		from += s.add(from, to, Term{"without_defects", defect})
		if at = s.skip(s.skip(to, listWords), withoutWords); at == to || s.words[to-1].ends {
			break
		}
	}
	if from == i {
		from = min(at+1, len(s.words))
		s.ignored, s.read = append(s.ignored, s.text(i, from)), true
	}
	return from - i
}

// defectAt returns the defect that the words from an index on name, and the end of its name.
func (s *reading) defectAt(i int) (defect string, to int) {
	to = s.longest(i, 3, func(to int) (ok bool) {
		defect, ok = models.DefectNames().Find(s.text(i, to))
		return ok
	})
	return defect, to
}

// readDelivery reads the country to deliver to: "to Germany", "Versand nach Österreich".
func (s *reading) readDelivery(i int) int {
	at := s.skip(i, sendWords)
	to := s.skip(at, toWords)
	if to == at && (at == i || at < len(s.words) && !inWords[s.words[at].key]) {
		return 0
	}
	return s.readRegions(i, s.skip(s.skip(to, inWords), articles), "ship_to")
}

// readPlace reads where an item is: "in Germany or Austria", "aus der Schweiz", "UK".
func (s *reading) readPlace(i int) int {
	at := s.skip(i, inWords)
	if at > i {
		return s.readRegions(i, s.skip(at, articles), "region")
	}
	if n := s.regionAt(i, false); n > 0 {
		return s.readRegions(i, i, "region")
	}
	return 0
}

// readRegions reads a list of regions that begins at an index as values of a parameter, and
// returns how many words it has read from i on.
func (s *reading) readRegions(i, at int, param string) int {
	from := i
	for at < len(s.words) {
		n := s.regionAt(at, at > i)
		if n == 0 {
			break
		}
		region, _ := models.FindRegion(s.text(at, at+n))
		s.add(i, at+n, Term{param, string(region)})
		i = at + n
		at = s.skip(s.skip(i, listWords), articles)
	}
	return i - from
}

// regionAt returns the number of words at an index that are a region. After a word such as
// "in" it may be a code.
func (s *reading) regionAt(i int, after bool) int {
	to := s.longest(i, 3, func(to int) bool {
		text := s.text(i, to)
		switch key := s.keys(i, to); {
		case strings.ContainsAny(text, "0123456789-/,("), len(key) == 2 && !after && key != "uk" && key != "eu", len(key) == 2 && after && text == key && key != "uk" && key != "eu" && key != "us":
			return false
		case !after && (len(key) < 4 && key != "usa" && key != "uk" && key != "eu" || s.isTerm(i, to)):
			return false
		}
		_, ok := models.FindRegion(text)
		return ok
	})
	return to - i
}

// isTerm reports whether one of the words from an index up to another is in a name of the
// catalogue.
func (s *reading) isTerm(from, to int) bool {
	return slices.ContainsFunc(models.Words(s.text(from, to)), s.lookup.HasTerm)
}

// readKind reads a category.
func (s *reading) readKind(i int) int {
	var kind string
	to := s.longest(i, 3, func(to int) (ok bool) {
		text := s.text(i, to)
		if kind, ok = models.KindNames().Find(text); !ok || kind == "accessory" || kind == "other" {
			return false
		}
		_, brand := s.Catalog.BrandNames().Find(text)
		return !brand // "polaroid"
	})
	if to == i || strings.ContainsAny(s.text(i, to), "0123456789") {
		return 0
	}
	return s.add(i, to, Term{"category", kind})
}

// readCondition reads a grade: "mint", "in excellent condition", "in gutem Zustand".
func (s *reading) readCondition(i int) int {
	at := s.skip(s.skip(i, inWords), articles)
	var grade string
	to := s.longest(at, 4, func(to int) bool {
		keys, said := s.keys(at, to), false
		var words []string
		for _, w := range strings.Fields(keys) {
			if conditionWords[w] {
				said = true
			} else {
				words = append(words, w)
			}
		}
		if len(words) == 0 || !said && len(words) == 1 && !plainGrades[words[0]] {
			return false
		}
		var ok bool
		if grade, ok = models.ConditionNames().Find(strings.Join(words, " ")); !ok { // "in gutem Zustand"
			last := len(words) - 1
			words[last] = strings.TrimSuffix(strings.TrimSuffix(words[last], "em"), "er")
			grade, ok = models.ConditionNames().Find(strings.Join(words, " "))
		}
		return ok && grade != string(models.ConditionFaulty)
	})
	if to == at {
		return 0
	}
	return s.add(i, to, Term{"condition", grade})
}

// conditionWords say that the words beside them are a grade, plainGrades are grades without
// them.
var (
	conditionWords = models.WordSet("condition zustand shape grade")
	plainGrades    = models.WordSet("excellent mint neuwertig neuwertige neuwertiger neuwertiges pristine flawless unused")
)
