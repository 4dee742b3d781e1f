package demo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// title is what a seller writes over a listing: the gear, by one of its names,
// and a few facts that are true of the item.
func (w *writer) title(gear *catalog.Gear, k kind, l *models.Listing) string {
	d := w.d
	facts := w.titleFacts(gear, k, l)
	d.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
	facts = facts[:min(len(facts), d.weighted([]float64{1, 4, 5, 3}))]
	name := w.name(gear)
	if k == digitalBody && d.chance(0.45) || k == filmBody && d.chance(0.2) {
		name += " " + pick(d, []string{"body", "body only", "camera body"})
	}
	return name + join(facts, pick(d, []string{", ", ", ", ", ", " - ", " – ", " | "}))
}

// join returns the facts, each preceded by sep.
func join(facts []string, sep string) string {
	var b strings.Builder
	for _, fact := range facts {
		b.WriteString(sep)
		b.WriteString(fact)
	}
	return b.String()
}

// name returns the gear's name, sometimes an alias.
func (w *writer) name(gear *catalog.Gear) string {
	name := gear.Name()
	if len(gear.Aliases) == 0 || !w.d.chance(0.14) {
		return name
	}
	alias := pick(w.d, gear.Aliases)
	switch {
	case w.g.market.shared[alias]:
		return name
	case strings.Contains(strings.ToLower(name), strings.ToLower(alias)):
		return name
	case w.d.chance(0.5):
		return name + " (" + alias + ")"
	case strings.HasPrefix(strings.ToLower(alias), strings.ToLower(gear.Brand)):
		return alias
	default:
		return gear.Brand + " " + alias
	}
}

func (w *writer) titleFacts(gear *catalog.Gear, k kind, l *models.Listing) []string {
	var facts []string
	if grades := words().Titles.Grades[l.Condition]; len(grades) > 0 {
		facts = []string{pick(w.d, grades)}
	}
	if l.Shutter > 0 {
		facts = append(facts, shutterWords(w.d, l.Shutter))
	}
	for _, thing := range l.Included {
		if known := words().Titles.Extras[thing]; known != nil {
			facts = append(facts, pick(w.d, known))
		}
	}
	if (k == filmBody || k == filmCompact) && l.Functional == models.FullyWorking && l.Condition != models.ConditionNew {
		tested := []string{"film tested", "tested", "fully working"}
		if k == filmBody && !noFoam(gear) && !slices.Contains(l.Defects, "light_seals") {
			tested = append(tested, "new light seals", "CLA'd")
		}
		facts = append(facts, pick(w.d, tested))
	}
	switch l.Functional {
	case models.Untested:
		facts = append(facts, "untested")
	case models.MinorFault, models.NotWorking:
		facts = append(facts, pick(w.d, []string{"please read", "needs repair", "spares or repair"}))
	}
	for _, defect := range l.Defects[:min(len(l.Defects), 1)] {
		if w.d.chance(0.4) {
			facts = append(facts, strings.ToLower(defect.Label()))
		}
	}
	return facts
}

func shutterWords(d dice, n int) string {
	if n < 1000 {
		return fmt.Sprintf("only %d clicks", n)
	}
	return fmt.Sprintf(pick(d, []string{"%dk shutter", "%dk clicks", "%dk actuations", "SC %dk"}), (n+500)/1000)
}

// text returns a description of two to five sentences that is consistent with the
// other fields of the listing.
func (w *writer) text(gear *catalog.Gear, k kind, l *models.Listing) string {
	d := w.d
	sentences := []string{pick(d, gradesOf(gear, l.Condition))}
	if d.chance(0.85) {
		sentences = slices.Insert(sentences, 0, pick(d, originsOf(k, gear, l)))
	}
	if len(l.Defects) > 0 {
		sentences = append(sentences, w.defectText(gear, l.Defects))
	}
	if l.Functional != models.FullyWorking || d.chance(0.55) {
		sentences = append(sentences, w.functionText(k, gear, l))
	}
	if l.Shutter > 0 && d.chance(0.7) {
		sentences = append(sentences, fmt.Sprintf(pick(d, words().Shutter), thousands(l.Shutter)))
	}
	if len(l.Included) > 0 && len(sentences) < 5 && d.chance(0.8) {
		sentences = append(sentences, fmt.Sprintf(pick(d, words().Included), list(l.Included)))
	}
	if len(sentences) < 3 || len(sentences) < 5 && d.chance(0.6) {
		closing := pick(d, words().Closings)
		if closing == receiptClosing && !boughtNew.MatchString(sentences[0]) {
			closing = "More photos on request."
		}
		sentences = append(sentences, closing)
	}
	sentences = sentences[:min(len(sentences), 5)]
	place := pick(d, regionOf(l.Region).Places)
	return strings.NewReplacer("{gear}", gear.Name(), "{model}", gear.Model, "{years}", pick(d, spansOf(gear, l)), "{place}", place).Replace(strings.Join(sentences, " "))
}

// defectText returns a sentence that lists every defect.
func (w *writer) defectText(gear *catalog.Gear, defects []models.Defect) string {
	var texts []string
	for _, defect := range defects {
		choices := words().Defects.Any[defect]
		if lens := words().Defects.Lens[defect]; lens != nil && gear.Category.Family() == models.FamilyLens {
			choices = lens
		}
		texts = append(texts, pick(w.d, choices))
	}
	return fmt.Sprintf(pick(w.d, []string{"Flaws: %s.", "Please note: %s.", "Known issues: %s.", "Only faults to mention: %s.", "For full disclosure: %s.", "Worth knowing: %s."}), list(texts))
}

func (w *writer) functionText(k kind, gear *catalog.Gear, l *models.Listing) string {
	if l.Functional != models.FullyWorking {
		return pick(w.d, slices.Concat(words().Functions.Any[l.Functional], words().Functions.Kinds[l.Functional][k]))
	}
	if len(l.Defects) > 0 {
		return pick(w.d, words().Works.Anyway)
	}
	works := worksOf(k, gear)
	if l.Condition == models.ConditionNew {
		works = slices.DeleteFunc(works, func(s string) bool { return s == serviced })
	}
	return pick(w.d, works)
}

// serviced is a sentence about used lenses.
const serviced = "Recently serviced."

// list returns "a, b and c".
func list(things []string) string {
	if len(things) == 1 {
		return things[0]
	}
	return strings.Join(things[:len(things)-1], ", ") + " and " + things[len(things)-1]
}

// thousands formats 12345 as "12,345".
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// originsOf returns sentences about why something is for sale.
func originsOf(k kind, gear *catalog.Gear, l *models.Listing) []string {
	words, c := &words().Origins, l.Condition
	if c == models.ConditionNew {
		return words.New
	}
	origins := slices.Concat(words.Any, words.Kinds[k])
	switch {
	case k == autofocusLens || k == manualLens:
		origins = append(origins, words.Lenses[lensUse(gear)]...)
	case k == digitalBody && gear.Category != rangefinder && gear.Year >= 2012:
		origins = append(origins, words.Video...)
	}
	if c.Rank() <= models.ConditionWellUsed.Rank() { // wear has to come from somewhere
		origins = slices.DeleteFunc(origins, seldomUsed.MatchString)
	}
	if gear.Year > 0 && ageAt(gear, l) < 5 {
		origins = slices.DeleteFunc(origins, handedDown.MatchString)
	}
	return origins
}

// spansOf returns for how long somebody may have owned gear: no longer than it exists.
func spansOf(gear *catalog.Gear, l *models.Listing) []string {
	spans := words().Spans
	if gear.Year == 0 {
		return spans
	}
	return slices.DeleteFunc(slices.Clone(spans), func(span string) bool { return spanYears[span] > max(0, ageAt(gear, l)-1) })
}

// spanYears has the spans of at least a year, in years.
var spanYears = map[string]int{"about a year": 1, "eighteen months": 2, "two years": 2, "three years": 3, "the last few summers": 3, "five years": 5}

// ageAt returns the age of gear in years when a listing was published.
func ageAt(gear *catalog.Gear, l *models.Listing) int { return l.PublishedAt.Std().Year() - gear.Year }

var handedDown = regexp.MustCompile(`inherited|belonged to`)

var (
	seldomUsed = regexp.MustCompile(`(hardly|barely) used|used once|used for one|never left`)
	boughtNew  = regexp.MustCompile(`First owner|[Bb]ought (new|two|for)`)
)

// receiptClosing is a closing of the first owner.
const receiptClosing = "Original receipt available."

// lensUse returns what a lens is for, by its focal length.
func lensUse(gear *catalog.Gear) string {
	switch {
	case isTelephoto(gear):
		return "telephoto"
	case gear.Category == lensMacro:
		return "macro"
	case gear.FocalMax > gear.FocalMin:
		return "zoom"
	case gear.FocalMax >= 70:
		return "portrait"
	case gear.FocalMax <= 28:
		return "wide"
	default:
		return "normal"
	}
}

// gradesOf returns sentences about the looks of something.
func gradesOf(gear *catalog.Gear, c models.Condition) []string {
	grades := &words().Grades
	if gear.Category.Family() == models.FamilyLens {
		return slices.Concat(grades.Any[c], grades.Lens[c])
	}
	return slices.Concat(grades.Any[c], grades.Camera[c])
}

// worksOf returns sentences about what works.
func worksOf(k kind, gear *catalog.Gear) []string {
	words := &words().Works
	works := slices.Concat(words.Any, words.Kinds[k])
	switch {
	case k == digitalBody && gear.Category != rangefinder:
		works = append(works, words.Modern...)
	case k == digitalCompact && gear.Year >= 2010:
		works = append(works, words.Screen...)
	case gear.Category == filmSLR && gear.Year >= 1972:
		works = append(works, words.Meter...)
	}
	return works
}

// writer generates listings.
type writer struct {
	g       *generator
	d       dice
	members []models.Member
	sellers []float64 // weight of each member
}
