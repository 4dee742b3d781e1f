package demo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// title is what a seller writes over a listing: the gear, by one of its names,
// and a few facts that are true of the item.
func (w *writer) title(gear *models.Gear, k kind, l *models.Listing) string {
	d := w.d
	facts := w.titleFacts(gear, k, l)
	d.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
	facts = facts[:min(len(facts), d.weighted([]float64{1, 4, 5, 3}))]
	if k == digital && interchangeable(gear) && d.chance(0.45) {
		facts = append([]string{pick(d, []string{"body", "body only", "camera body"})}, facts...)
	}
	name := w.name(gear)
	if len(facts) > 0 && (facts[0] == "body" || facts[0] == "body only" || facts[0] == "camera body") {
		name, facts = name+" "+facts[0], facts[1:]
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
func (w *writer) name(gear *models.Gear) string {
	name := gear.Name()
	if len(gear.Aliases) == 0 || !w.d.chance(0.14) {
		return name
	}
	alias := pick(w.d, gear.Aliases)
	switch {
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

func (w *writer) titleFacts(gear *models.Gear, k kind, l *models.Listing) []string {
	facts := slices.Clone(titleGrades[l.Condition])
	if len(facts) > 0 {
		facts = []string{pick(w.d, facts)}
	}
	if l.Shutter > 0 {
		facts = append(facts, shutterWords(w.d, l.Shutter))
	}
	if slices.Contains(l.Included, "original box") {
		facts = append(facts, pick(w.d, []string{"boxed", "with box", "in original box"}))
	}
	if slices.Contains(l.Included, "lens hood") {
		facts = append(facts, pick(w.d, []string{"with hood", "incl. hood", "hood and caps"}))
	}
	if slices.Contains(l.Included, "spare battery") {
		facts = append(facts, pick(w.d, []string{"2 batteries", "with spare battery"}))
	}
	if slices.Contains(l.Included, "leather case") {
		facts = append(facts, pick(w.d, []string{"with case", "in leather case"}))
	}
	if k == film && l.Functional == models.FullyWorking {
		facts = append(facts, pick(w.d, []string{"film tested", "tested", "new light seals", "meter works", "serviced", "runs well"}))
	}
	if l.Functional == models.Untested {
		facts = append(facts, "untested")
	}
	if l.Functional == models.MinorFault || l.Functional == models.NotWorking {
		facts = append(facts, pick(w.d, []string{"read description", "needs repair", "spares or repair"}))
	}
	for _, defect := range l.Defects[:min(len(l.Defects), 1)] {
		if w.d.chance(0.4) {
			facts = append(facts, strings.ToLower(defect.Label()))
		}
	}
	return facts
}

var titleGrades = map[models.Condition][]string{
	models.ConditionNew:         {"brand new", "new, unused", "unopened", "new"},
	models.ConditionLikeNew:     {"like new", "as new", "mint", "hardly used"},
	models.ConditionExcellent:   {"excellent", "very clean", "lovely condition", "one owner", "exc. condition"},
	models.ConditionGood:        {"good condition", "well kept", "tidy", "honest user"},
	models.ConditionWellUsed:    {"well used", "user condition", "worn but working", "cheap user"},
	models.ConditionHeavilyUsed: {"heavy wear", "rough looking", "battered", "beater"},
	models.ConditionFaulty:      {"faulty", "for parts", "defect", "for repair"},
}

func shutterWords(d dice, n int) string {
	if n < 1000 {
		return fmt.Sprintf("only %d clicks", n)
	}
	return fmt.Sprintf(pick(d, []string{"%dk shutter", "%dk clicks", "%dk actuations", "SC %dk"}), (n+500)/1000)
}

func interchangeable(g *models.Gear) bool {
	return g.Category == "mirrorless" || g.Category == "dslr" || g.Category == "rangefinder"
}

// text returns a description of two to five sentences that is consistent with the
// other fields of the listing.
func (w *writer) text(gear *models.Gear, k kind, l *models.Listing) string {
	d := w.d
	sentences := []string{pick(d, grades[l.Condition])}
	if d.chance(0.75) {
		sentences = slices.Insert(sentences, 0, pick(d, slices.Concat(origins[k], originsAny)))
	}
	if len(l.Defects) > 0 {
		sentences = append(sentences, w.defectText(l.Defects))
	}
	if l.Functional != models.FullyWorking || d.chance(0.5) {
		sentences = append(sentences, w.functionText(k, l))
	}
	if l.Shutter > 0 && d.chance(0.7) {
		sentences = append(sentences, fmt.Sprintf(pick(d, shutterTexts), thousands(l.Shutter)))
	}
	if len(l.Included) > 0 && len(sentences) < 5 && d.chance(0.8) {
		sentences = append(sentences, fmt.Sprintf(pick(d, includedTexts), list(l.Included)))
	}
	if len(sentences) < 2 || len(sentences) < 5 && d.chance(0.6) {
		place := pick(d, regions[regionIndex(l.Region)].places)
		sentences = append(sentences, strings.ReplaceAll(pick(d, closings), "{place}", place))
	}
	sentences = sentences[:min(len(sentences), 5)]
	return strings.NewReplacer("{gear}", gear.Name(), "{model}", gear.Model, "{years}", pick(d, spans)).Replace(strings.Join(sentences, " "))
}

// defectText returns a sentence that lists every defect.
func (w *writer) defectText(defects []models.Defect) string {
	var words []string
	for _, defect := range defects {
		words = append(words, pick(w.d, defectTexts[defect]))
	}
	return fmt.Sprintf(pick(w.d, []string{"To be clear about the flaws: %s.", "Please note: %s.", "Known issues: %s.", "Not perfect: %s.", "What you should know: %s.", "For completeness: %s."}), strings.Join(words, "; "))
}

func (w *writer) functionText(k kind, l *models.Listing) string {
	if l.Functional == models.FullyWorking {
		return pick(w.d, works[k])
	}
	return pick(w.d, functions[l.Functional])
}

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

var spans = []string{"two years", "three years", "a year", "four summers", "five years", "eighteen months", "a few months"}

var originsAny = []string{
	"Selling my {gear} because it spends its days in the cupboard.",
	"Bought this {gear} second-hand here and used it for {years}.",
	"My {gear} is looking for somebody who takes it out more often.",
	"Changing systems, so the {model} goes.",
	"I kept this {model} for {years} and will miss it a little.",
	"Inherited a {gear} and I have no use for it myself.",
	"Downsizing: two of everything is one too many.",
	"This {gear} was my backup and saw few jobs.",
	"Up for sale is my {gear}.",
	"A duplicate from my shelf: {gear}.",
	"I bought the {model} for one project that is now finished.",
}

var origins = map[kind][]string{
	lens: {
		"The {model} was my walk-around lens for {years}.",
		"This lens came with me on two trips and then waited in a drawer.",
		"Used the {model} for portraits of the family, nothing rough.",
		"I replaced it with a faster one, there is nothing wrong with this lens.",
		"I find I never use this focal length, so the {model} is for sale.",
		"It lived on a tripod for product pictures, indoors only.",
		"A sharp copy; I compared three before I kept this one.",
	},
	digital: {
		"First owner, bought new, used for {years} at weekends.",
		"I upgraded, so my {gear} is for sale.",
		"It was our studio's second body and never left the building.",
		"Travelled with me for {years}, always in a padded bag.",
		"Used for video on a tripod more than for stills.",
		"Bought in a shop with receipt, registered in my name.",
		"The camera I learned on; it is time for somebody else to learn.",
	},
	film: {
		"Found in my grandfather's desk together with a light meter.",
		"I shot about thirty rolls through this {model} over {years}.",
		"From a collection that I am slowly selling.",
		"It stood behind glass for years and was exercised every month.",
		"Bought from a shop in Tokyo, used for {years}.",
		"The {model} was my everyday film camera until I went larger.",
		"Came in a box of five from an estate; this is the best of them.",
	},
}

var grades = map[models.Condition][]string{
	models.ConditionNew: {
		"New and unused, seals intact.", "Never used; I opened the box only to check the contents.", "An unwanted present, still in its wrapping.",
		"Brand new, bought twice by mistake.", "Factory fresh, with everything the maker packed.", "Unused, from a shop that closed.",
	},
	models.ConditionLikeNew: {
		"You would have to look hard to see that it was ever used.", "No marks that I can find, not even around the mount.", "As new in every respect.",
		"Used three or four times and looks it: spotless.", "It has been handled with care and shows no wear.", "Could pass for new in a shop window.",
	},
	models.ConditionExcellent: {
		"Very clean, with one faint line on the baseplate.", "Light signs of use if you hold it to a lamp, nothing more.", "Excellent all round; a little shine on one corner.",
		"Well looked after, the finish is even and the edges are sharp.", "Small traces from the strap, otherwise perfect.", "Clean inside and out, with hardly a mark.",
	},
	models.ConditionGood: {
		"Shows normal use: a few scuffs and some shine where fingers go.", "Good honest condition with small marks here and there.", "Some small scuffs on the underside, see the pictures.",
		"Used but cared for; the marks are cosmetic.", "There are light scratches in the paint, the important parts are clean.", "A tidy user with the traces you would expect.",
	},
	models.ConditionWellUsed: {
		"The paint is worn on the edges and the rubber has lost its grip pattern.", "It looks its age, with plenty of cosmetic wear.", "A working tool with the wear of one.",
		"Lots of marks outside, no surprises inside.", "Cosmetically tired, priced for it.", "Corners down to the metal, some say it looks better that way.",
	},
	models.ConditionHeavilyUsed: {
		"It has been dropped and looks like it.", "Deep wear all over; buy it to use, not to look at.", "Dented and scratched from years of work.",
		"Not a beauty: covers missing, paint gone.", "A veteran of many jobs with the scars to show.", "Heavy wear everywhere, please look at the pictures.",
	},
	models.ConditionFaulty: {
		"Sold for repair or for parts.", "Faulty, so please only buy it if you can mend it.", "A project for somebody with small screwdrivers.",
		"It has a fault that I cannot repair myself.", "Offered as a donor for parts.", "Sold as it is, with the fault described here.",
	},
}

var works = map[kind][]string{
	lens: {
		"Focus turns smoothly and the aperture is snappy.", "Glass is clear: no haze, no fungus.", "Autofocus is quick and on the spot.", "Tested wide open last week, sharp into the corners.",
		"Mount is tight and the contacts are clean.", "No play in the barrel, filter thread without dents.", "Everything moves as it should.",
	},
	digital: {
		"Every button and dial does what it should.", "Sensor was cleaned last month.", "Autofocus and exposure are spot on.", "Works perfectly, I took test pictures yesterday.",
		"The shutter sounds healthy at all speeds.", "Latest firmware installed, settings reset.", "Screen and viewfinder are without fault.",
	},
	film: {
		"The slow speeds run as they should.", "I put a roll through it last month and all frames came out.", "Meter agrees with my phone within half a stop.", "Advance is smooth and the counter resets.",
		"New seals fitted this year.", "Viewfinder is bright and clean.", "Fires at every speed, checked with a tester.",
	},
}

var functions = map[models.Functional][]string{
	models.MinorFault: {
		"It takes pictures, but the fault needs attention sooner or later.", "Usable as it is if you can live with that.", "A repairer should be able to put it right.",
		"It works apart from the fault named here.", "One fault, the rest is fine.",
	},
	models.NotWorking: {
		"It does not work at present.", "No sign of life with a charged battery.", "It stopped working last winter and I never had it looked at.",
		"Not working; I have not tried to open it.", "Dead, but complete.",
	},
	models.Untested: {
		"I have no way to test it, so it is sold untested.", "Untested, as I have neither battery nor film here.", "I could not try it properly, judge by the pictures.",
		"Sold untested; nothing looks broken.", "Not tested by me, it came from a house clearance.",
	},
}

var shutterTexts = []string{
	"Shutter count is %s.", "It has made %s pictures.", "%s releases according to the service menu.", "The counter stands at %s.", "About as many clicks as you would expect: %s.", "Actuations: %s.",
}

var includedTexts = []string{
	"Comes with %s.", "Included: %s.", "With it: %s.", "In the parcel: %s.", "Goes with it: %s.", "What you get besides: %s.",
}

var closings = []string{
	"Collection in {place} is welcome.", "I post from {place} within two days, insured.", "Posted from {place} in a double box.", "Can be tried out in {place} at the weekend.",
	"Pick-up in {place} or by parcel.", "Tracked post from {place}.", "Price is fair, so please no silly offers.", "More pictures on request.", "Questions are answered the same evening.",
	"Happy to meet in {place} and let you try it.", "No swaps, thank you.", "I ship from {place} to anywhere in the region.", "A receipt is there.", "Smoke-free home in {place}.",
}

var defectTexts = map[models.Defect][]string{
	"fungus":            {"a thread of fungus at the edge of an inner element", "some fungus behind the front group", "a small spot of fungus"},
	"haze":              {"light haze that shows against a lamp", "a little haze inside", "haze on a rear element"},
	"dust":              {"a few specks of dust inside", "some internal dust, invisible in pictures", "the usual dust behind the front glass"},
	"oil":               {"oil on the blades", "a trace of oil on two blades", "the blades are oily"},
	"scratches":         {"a short scratch on the front glass", "fine scratches on the rear element", "one scratch near the edge of the glass"},
	"balsam_separation": {"the cement has begun to separate at the rim", "separation at the edge of a group"},
	"coating_marks":     {"cleaning marks in the coating", "the coating has two small marks"},
	"sticky_shutter":    {"the shutter sticks when it is cold", "the shutter hangs at slow speeds"},
	"slow_aperture":     {"the aperture closes slowly", "a lazy aperture"},
	"light_seals":       {"the light seals have turned to tar", "the light seals need replacing", "old foam seals"},
	"dead_pixels":       {"a handful of dead pixels at high ISO", "two dead pixels"},
	"sensor_marks":      {"a mark on the sensor that shows from f/16", "two small marks on the sensor glass"},
	"dents":             {"a dent in one corner", "a small dent in the top plate", "a ding at the rim"},
	"brassing":          {"brassing on the edges", "the brass shines through at the corners", "paint loss down to the brass"},
	"sticky_rubber":     {"the rubber has gone sticky", "a sticky grip", "the rubber ring has turned tacky"},
	"loose_mount":       {"some play in the mount", "the mount is a little loose"},
	"battery_door":      {"the battery door is held by tape", "a cracked battery door"},
	"screen_scratches":  {"scratches on the screen", "the screen has hairlines", "a scratched screen cover"},
	"meter_fault":       {"the meter reads two stops off", "the meter does not respond"},
}
