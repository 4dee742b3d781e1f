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

// extraFacts are what titles say about accessories.
var extraFacts = map[string][]string{
	"original box":  {"boxed", "with box", "in original box"},
	"lens hood":     {"with hood", "inc. hood", "hood and caps"},
	"metal hood":    {"with hood"},
	"spare battery": {"2 batteries", "extra battery"},
	"leather case":  {"with leather case", "in leather case"},
	"battery grip":  {"with battery grip"},
	"lens case":     {"with case", "with hard case"},
}

func (w *writer) titleFacts(gear *catalog.Gear, k kind, l *models.Listing) []string {
	var facts []string
	if grades := titleGrades[l.Condition]; len(grades) > 0 {
		facts = []string{pick(w.d, grades)}
	}
	if l.Shutter > 0 {
		facts = append(facts, shutterWords(w.d, l.Shutter))
	}
	for _, thing := range l.Included {
		if words := extraFacts[thing]; words != nil {
			facts = append(facts, pick(w.d, words))
		}
	}
	if (k == filmBody || k == filmCompact) && l.Functional == models.FullyWorking && l.Condition != models.ConditionNew {
		words := []string{"film tested", "tested", "fully working"}
		if k == filmBody && !slices.Contains(l.Defects, "light_seals") {
			words = append(words, "new light seals", "CLA'd")
		}
		facts = append(facts, pick(w.d, words))
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

var titleGrades = map[models.Condition][]string{
	models.ConditionNew:         {"brand new", "new, unused", "sealed", "new in box"},
	models.ConditionLikeNew:     {"like new", "as new", "mint", "near mint", "hardly used"},
	models.ConditionExcellent:   {"excellent", "very clean", "lovely condition", "one owner", "EXC+"},
	models.ConditionGood:        {"good condition", "nice user", "clean", "tidy"},
	models.ConditionWellUsed:    {"well used", "user condition", "worn but working", "budget user"},
	models.ConditionHeavilyUsed: {"heavy wear", "rough", "battered", "beater"},
	models.ConditionFaulty:      {"faulty", "for parts", "as-is", "for repair"},
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
		sentences = slices.Insert(sentences, 0, pick(d, originsOf(k, gear, l.Condition)))
	}
	if len(l.Defects) > 0 {
		sentences = append(sentences, w.defectText(gear, l.Defects))
	}
	if l.Functional != models.FullyWorking || d.chance(0.55) {
		sentences = append(sentences, w.functionText(k, gear, l))
	}
	if l.Shutter > 0 && d.chance(0.7) {
		sentences = append(sentences, fmt.Sprintf(pick(d, shutterTexts), thousands(l.Shutter)))
	}
	if len(l.Included) > 0 && len(sentences) < 5 && d.chance(0.8) {
		sentences = append(sentences, fmt.Sprintf(pick(d, includedTexts), list(l.Included)))
	}
	if len(sentences) < 3 || len(sentences) < 5 && d.chance(0.6) {
		closing := pick(d, closings)
		if closing == receiptClosing && !boughtNew.MatchString(sentences[0]) {
			closing = "More photos on request."
		}
		sentences = append(sentences, closing)
	}
	sentences = sentences[:min(len(sentences), 5)]
	place := pick(d, regions[regionIndex(l.Region)].places)
	return strings.NewReplacer("{gear}", gear.Name(), "{model}", gear.Model, "{years}", pick(d, spans), "{place}", place).Replace(strings.Join(sentences, " "))
}

// defectText returns a sentence that lists every defect.
func (w *writer) defectText(gear *catalog.Gear, defects []models.Defect) string {
	var words []string
	for _, defect := range defects {
		choices := defectTexts[defect]
		if isLens := gear.Category.Family() == models.FamilyLens; isLens && lensDefectTexts[defect] != nil {
			choices = lensDefectTexts[defect]
		}
		words = append(words, pick(w.d, choices))
	}
	return fmt.Sprintf(pick(w.d, []string{"Flaws: %s.", "Please note: %s.", "Known issues: %s.", "Only faults to mention: %s.", "For full disclosure: %s.", "Worth knowing: %s."}), list(words))
}

func (w *writer) functionText(k kind, gear *catalog.Gear, l *models.Listing) string {
	if l.Functional != models.FullyWorking {
		return pick(w.d, slices.Concat(functions[l.Functional], functionsOf[l.Functional][k]))
	}
	if len(l.Defects) > 0 {
		return pick(w.d, worksAnyway)
	}
	return pick(w.d, worksOf(k, gear))
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

var spans = []string{"two years", "three years", "about a year", "the last few summers", "five years", "eighteen months", "a few months"}

// originsOf returns sentences about why something is for sale.
func originsOf(k kind, gear *catalog.Gear, c models.Condition) []string {
	if c == models.ConditionNew {
		return originsNew
	}
	origins := slices.Concat(originsAny, originsByKind[k])
	switch {
	case k == autofocusLens || k == manualLens:
		origins = append(origins, lensOrigins(gear)...)
	case k == digitalBody && gear.Category != rangefinder && gear.Year >= 2012:
		origins = append(origins, "This {model} has mostly sat on a gimbal for video work.", "My second body for weddings, kept in the bag as a backup.")
	}
	if c.Rank() <= models.ConditionWellUsed.Rank() { // wear has to come from somewhere
		origins = slices.DeleteFunc(origins, seldomUsed.MatchString)
	}
	return origins
}

var (
	seldomUsed = regexp.MustCompile(`(hardly|barely) used|used once|used for one|never left`)
	boughtNew  = regexp.MustCompile(`First owner|[Bb]ought (new|two|for)`)
)

// receiptClosing is a closing of the first owner.
const receiptClosing = "Original receipt available."

// lensOrigins returns what sellers of a lens say of its focal length.
func lensOrigins(gear *catalog.Gear) []string {
	switch {
	case isTelephoto(gear):
		return []string{"Used for birds and the odd football match, always on a monopod.", "I don't get out to photograph wildlife as much as I'd like, so the {model} has to go.", "My back says no to carrying this any longer."}
	case gear.Category == lensMacro:
		return []string{"Bought for copying negatives and used for little else.", "Great for insects and product work, but I've moved on to other things.", "My macro phase lasted {years}, and now it's over."}
	case gear.FocalMax > gear.FocalMin:
		return []string{"This was my everyday zoom for {years}.", "I've gone back to primes, so my {model} is up for sale.", "Handy range for travel, but I've upgraded."}
	case gear.FocalMax >= 70:
		return []string{"Lovely for portraits, but I don't shoot enough of them.", "Bought the {model} for a friend's wedding and hardly used it since."}
	case gear.FocalMax <= 28:
		return []string{"I rarely shoot this wide, so it's time to let it go.", "Bought for a trip to Iceland and barely used since."}
	default:
		return []string{"This lived on my camera for {years}.", "I have another lens at this focal length and don't need two."}
	}
}

var originsNew = []string{
	"Won this {gear} in a competition and already own one.", "Bought two {model} by mistake and missed the return window.", "Unwanted gift, selling on.", "Surplus stock from a camera shop that closed.",
	"Bought for a project that never happened.", "Insurance replaced mine with a new one, but I'd already moved on.", "Ordered a {gear}, then changed my mind.",
}

var originsAny = []string{
	"Selling my {gear} because it hardly leaves the cupboard.",
	"Bought this {gear} second-hand and used it for {years}.",
	"My {gear} deserves to be used more than I use it.",
	"I'm changing systems, so the {model} has to go.",
	"I've owned this {model} for {years} and will be sorry to see it go.",
	"I inherited this {gear} and have no use for it.",
	"Downsizing, so my {gear} is up for sale.",
	"Thinning out the collection, and this {model} is next.",
	"Up for sale is my {gear}.",
	"I somehow ended up with two of these {gear}, so one is going.",
	"I bought the {model} for a project that's now finished.",
	"Selling to fund something else.",
}

var originsByKind = map[kind][]string{
	autofocusLens: {"This is a sharp copy: I tried three before keeping this one.", "First owner, bought new from an authorised dealer.", "Used in the studio only, never out in the rain."},
	manualLens:    {"Bought to adapt to a digital camera and used for {years}.", "A lens with real character, but I need the money more.", "It came with a camera I bought, and I don't shoot this mount."},
	digitalBody: {
		"First owner, bought new and used at weekends for {years}.", "I've upgraded, so my {gear} is for sale.", "This was the second camera in our studio and never left the building.",
		"It came travelling with me for {years}, always in a padded bag.", "Bought new from a shop here in {place}, receipt available.", "The camera I learned on. Time for somebody else to enjoy it.",
	},
	digitalCompact: {
		"My pocket camera for {years}.", "Bought new for holidays, and these days I just use my phone.", "I've upgraded, so my {gear} is for sale.", "It's been on three trips and otherwise lived in a drawer.",
		"Great little camera, but I don't use it enough.", "Bought for my daughter, who lost interest.",
	},
	actionCamera: {
		"Bought for a ski trip and used for one week.", "It's been on my bike helmet for a season.", "I've upgraded to a newer model.", "Used for diving on two holidays.",
	},
	filmBody: {
		"This belonged to my grandfather, who looked after his things.", "I've shot about thirty rolls through this {model}.", "From a collection I'm slowly selling off.", "It sat in a display cabinet, but was exercised every month.",
		"Imported from Japan {years} ago and used since.", "The {model} was my everyday film camera until I went digital again.", "It came in a box lot from an estate, and it's the best of the bunch.",
	},
	filmCompact: {
		"Found in a drawer at my parents' house.", "My party camera for {years}.", "From a collection I'm slowly selling off.", "Picked up at a flea market and put through its paces.", "Imported from Japan and used for {years}.",
		"This belonged to my aunt, who took it on every holiday.",
	},
	instantCamera: {
		"Fun at parties, but film got too expensive for me.", "A birthday present that saw a dozen packs of film.", "From a collection I'm slowly selling off.", "Bought for our wedding guests, used once.",
	},
	viewCamera: {
		"Bought for architecture, then my back gave up.", "I've shot perhaps a hundred sheets with it.", "From the estate of a working photographer.", "I've moved down to roll film, so it's going to a new home.",
	},
}

// gradesOf returns sentences about the looks of something.
func gradesOf(gear *catalog.Gear, c models.Condition) []string {
	lens := gear.Category.Family() == models.FamilyLens
	more := gradesCamera[c]
	if lens {
		more = gradesLens[c]
	}
	return slices.Concat(grades[c], more)
}

var grades = map[models.Condition][]string{
	models.ConditionNew:         {"Brand new and unused.", "Never used; I only opened the box to check the contents.", "New, with everything that came in the box.", "Unopened, exactly as it left the factory."},
	models.ConditionLikeNew:     {"You'd struggle to tell it had ever been used.", "Like new in every respect.", "Used three or four times at most and not a mark on it.", "Handled with care and shows no wear at all.", "Mint, and I don't use that word lightly."},
	models.ConditionExcellent:   {"Excellent condition, with only light signs of use.", "Very well looked after.", "Just the faintest signs of handling.", "A really clean example.", "Minor marks you'll only see up close."},
	models.ConditionGood:        {"Good, honest used condition.", "Normal signs of use, nothing that affects the pictures.", "A few small scuffs, all cosmetic.", "Used but cared for, as the photos show.", "Some light scratches here and there."},
	models.ConditionWellUsed:    {"It looks its age, with plenty of cosmetic wear.", "A working tool with the wear to match.", "Lots of cosmetic marks, but nothing hidden.", "Cosmetically tired, and priced accordingly.", "Plenty of paint loss and scuffs."},
	models.ConditionHeavilyUsed: {"It's had a hard life and looks it.", "Heavy wear all over, so buy it to use, not to look at.", "Scratched and knocked about from years of work.", "Not pretty, but it's priced that way.", "Rough cosmetics: please look closely at the photos."},
	models.ConditionFaulty:      {"Sold for parts or repair.", "Faulty, so please only buy it if you're happy to fix it.", "A project for somebody handy with small screwdrivers.", "It has a fault that I can't repair myself.", "Would make a good donor for parts.", "Sold as-is, no returns."},
}

var gradesLens = map[models.Condition][]string{
	models.ConditionLikeNew:     {"Glass is spotless and the barrel is unmarked."},
	models.ConditionExcellent:   {"Barely a mark on the barrel.", "The markings are crisp and the finish is even."},
	models.ConditionGood:        {"Some wear to the finish on the barrel.", "A few scuffs on the barrel and around the filter thread."},
	models.ConditionWellUsed:    {"The barrel has lost some paint."},
	models.ConditionHeavilyUsed: {"The barrel is battered and the filter ring has taken a knock."},
}

var gradesCamera = map[models.Condition][]string{
	models.ConditionLikeNew:     {"Not a scratch anywhere on the body."},
	models.ConditionExcellent:   {"One faint line on the underside, and that's it.", "A little shine on one corner, otherwise perfect.", "Hardly any trace of the strap or of fingers."},
	models.ConditionGood:        {"A few scuffs on the underside and a bit of shine where fingers go.", "Light marks around the edges."},
	models.ConditionWellUsed:    {"Corners are worn and there's shine all over the body."},
	models.ConditionHeavilyUsed: {"It's been dropped at least once and shows it."},
}

// worksAnyway are sentences about things that work in spite of their defects.
var worksAnyway = []string{"None of this affects how it works.", "It works as it should all the same.", "Otherwise it's in full working order.", "Apart from that everything works."}

// worksOf returns sentences about what works.
func worksOf(k kind, gear *catalog.Gear) []string {
	works := slices.Concat(worksAny, worksByKind[k])
	switch {
	case k == digitalBody && gear.Category != rangefinder:
		works = append(works, "Autofocus and metering are spot on.", "Screen and viewfinder are clear.", "Latest firmware installed and settings reset.")
	case k == digitalCompact && gear.Year >= 2010:
		works = append(works, "Screen is bright and free of scratches.")
	case gear.Category == filmSLR && gear.Year >= 1972:
		works = append(works, "The meter agrees with my phone to within half a stop.")
	}
	return works
}

var worksAny = []string{"Everything works as it should.", "Fully tested and working perfectly.", "Works perfectly, as the sample shots I can send you show.", "In full working order."}

var worksByKind = map[kind][]string{
	autofocusLens:  {"Autofocus is quick and accurate.", "Glass is clear: no haze, no fungus.", "Sharp into the corners.", "Contacts are clean and the mount is tight.", "Zoom and focus rings turn smoothly."},
	manualLens:     {"Focus is smooth and well damped.", "Aperture blades are dry and snappy.", "Glass is clear: no haze, no fungus.", "No play anywhere, and the filter thread is perfect.", "Recently serviced."},
	digitalBody:    {"Every button and dial does its job.", "I had the sensor cleaned last month.", "The sensor is clean.", "Battery holds its charge well."},
	digitalCompact: {"Lens extends and focuses as it should.", "Battery lasts all day.", "All buttons and the flash work.", "No dust in the pictures."},
	actionCamera:   {"Footage is clean and stable.", "The seals are good and it's never leaked.", "Battery holds its charge well."},
	filmBody:       {"All shutter speeds sound right.", "I put a roll through it last month and every frame came out.", "Film advance is smooth and the counter resets.", "New light seals fitted this year.", "Viewfinder is bright and clean.", "Shutter speeds checked on a tester."},
	filmCompact:    {"I put a roll through it last month and every frame came out.", "The shutter fires every time.", "Film advances and rewinds as it should.", "Viewfinder and lens are clean."},
	instantCamera:  {"Tested with a fresh pack of film.", "The rollers are clean and it ejects every time.", "Pictures come out just as they should."},
	viewCamera:     {"Bellows are light-tight: I checked with a torch.", "All movements lock firmly.", "The ground glass is unmarked."},
}

var functions = map[models.Functional][]string{
	models.MinorFault: {"It's usable as it is if you can live with that.", "A repairer should be able to put it right.", "Works apart from the fault mentioned.", "One fault, everything else is fine."},
	models.NotWorking: {"It doesn't work at the moment.", "It stopped working last winter and I never had it looked at.", "Not working, and I haven't tried to open it up.", "Not working, but complete."},
	models.Untested:   {"I have no way of testing it, so it's sold as untested.", "Sold as untested, though nothing looks broken.", "Untested: it came from a house clearance."},
}

// functionsOf are more of functions for one kind of gear.
var functionsOf = map[models.Functional]map[kind][]string{
	models.NotWorking: {
		digitalBody: {"No sign of life, even with a charged battery."}, digitalCompact: {"It won't switch on, even with a charged battery."},
		filmBody: {"The shutter won't fire."}, filmCompact: {"The shutter won't fire."},
	},
	models.Untested: {
		filmBody: {"I don't shoot film, so it's untested."}, filmCompact: {"I don't shoot film, so it's untested."}, instantCamera: {"I don't have film for it, so it's untested."},
	},
}

var shutterTexts = []string{"Shutter count is %s.", "Shutter count %s at the time of listing.", "%s actuations.", "The shutter has done %s clicks.", "Shutter count: %s."}

var includedTexts = []string{"Comes with %s.", "Included: %s.", "You get %s too.", "In the box: %s.", "Included in the sale: %s.", "Supplied with %s."}

var closings = []string{
	"Collection from {place} welcome.", "Posted from {place} within two days, fully insured.", "Double-boxed and posted from {place}.", "You're welcome to try it out in {place}.",
	"Pick up in {place} or I can post.", "Tracked post from {place}.", "No lowball offers, please.", "More photos on request.", "Happy to answer questions.",
	"Happy to meet in {place} so you can try it.", "No trades, please.", "Ships from {place}.", receiptClosing, "From a smoke-free home in {place}.", "Open to sensible offers.",
}

var defectTexts = map[models.Defect][]string{
	"fungus":            {"a little fungus at the edge of the lens", "a small spot of fungus in the lens"},
	"haze":              {"light haze in the lens, visible with a torch", "slight haze in the lens"},
	"dust":              {"a few specks of dust in the lens", "some dust in the lens that doesn't show in pictures"},
	"scratches":         {"a scratch on the front glass", "fine scratches on the glass"},
	"sticky_shutter":    {"the shutter sticks now and then", "the shutter hangs at slow speeds"},
	"light_seals":       {"the light seals have gone gooey", "the light seals need replacing", "old foam seals"},
	"dead_pixels":       {"a handful of dead pixels at high ISO", "two dead pixels"},
	"sensor_marks":      {"a mark on the sensor that shows from f/16", "two small marks on the sensor"},
	"dents":             {"a small dent in one corner", "a dent in the casing", "a ding on one edge"},
	"brassing":          {"brassing on the edges", "brassing on the corners", "paint worn through to the brass"},
	"sticky_rubber":     {"the grip rubber has gone sticky", "the grip rubber is coming loose"},
	"loose_mount":       {"a little play in the mount", "the mount is slightly loose"},
	"battery_door":      {"the battery door is held shut with tape", "a cracked battery door"},
	"screen_scratches":  {"scratches on the screen", "hairline scratches on the screen", "a scratched screen protector I can't get off"},
	"meter_fault":       {"the meter reads two stops off", "the meter is dead"},
	"oil":               {"oil on the aperture blades"},
	"slow_aperture":     {"sluggish aperture"},
	"balsam_separation": {"balsam separation at the edge"},
	"coating_marks":     {"cleaning marks on the coating"},
}

// lensDefectTexts are the words for defects of a lens on its own, where they differ.
var lensDefectTexts = map[models.Defect][]string{
	"fungus":            {"a thread of fungus at the edge of an inner element", "some fungus behind the front group", "a small spot of fungus"},
	"haze":              {"light haze that shows with a torch", "a little internal haze", "haze on a rear element"},
	"dust":              {"a few specks of internal dust", "some dust inside that doesn't show in pictures", "the usual dust behind the front element"},
	"scratches":         {"a short scratch on the front element", "fine scratches on the rear element", "one scratch near the edge of the front element"},
	"oil":               {"oil on the blades", "a trace of oil on two blades", "oily aperture blades"},
	"balsam_separation": {"balsam separation at the edge", "some separation at the edge of one group"},
	"coating_marks":     {"cleaning marks on the coating", "two small marks in the coating"},
	"slow_aperture":     {"the aperture closes slowly", "sluggish aperture blades"},
	"dents":             {"a dent in the filter ring", "a small ding on the rim", "a dented filter thread"},
	"brassing":          {"brassing on the barrel", "brassing on the edges"},
	"sticky_rubber":     {"the focus ring rubber has gone sticky", "the rubber ring has come loose"},
	"loose_mount":       {"some play in the mount", "the mount is a little loose"},
}

// writer generates listings.
type writer struct {
	g       *generator
	d       dice
	members []models.Member
	sellers []float64 // weight of each member
}
