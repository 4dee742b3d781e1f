//go:build !race

package demo

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// TestPricesAreThoseOfTheUsedMarket checks prices in euros, in excellent condition on the
// test day, against what such gear sells for.
func TestPricesAreThoseOfTheUsedMarket(t *testing.T) {
	goods := map[string]*good{}
	for _, g := range newMarket(gears(), testDay).goods {
		goods[g.gear.Slug()] = g
	}
	for _, tt := range []struct {
		gear      string
		low, high float64
	}{
		// Mirrorless cameras and DSLRs.
		{"canon/eos-r6", 750, 1150}, {"canon/eos-r6-mark-ii", 1250, 1750}, {"canon/eos-r6-mark-iii", 2000, 2800}, {"canon/eos-r5", 1350, 2100},
		{"canon/eos-r5-mark-ii", 2700, 3700}, {"canon/eos-r8", 850, 1250}, {"canon/eos-5d-mark-iv", 700, 1150}, {"canon/eos-6d", 280, 450},
		{"nikon/z-8", 2200, 3000}, {"nikon/z-9", 2600, 3600}, {"nikon/z-6iii", 1600, 2200}, {"nikon/z-50ii", 580, 850}, {"nikon/d850", 800, 1350}, {"nikon/d40", 60, 140},
		{"sony/alpha-7-iii", 620, 950}, {"sony/alpha-7-iv", 1150, 1700}, {"sony/alpha-7c-ii", 1300, 1850}, {"sony/alpha-7cr", 1900, 2700}, {"sony/alpha-9-iii", 3600, 5200},
		{"sony/alpha-6000", 180, 330}, {"sony/fx3", 2200, 3200}, {"fujifilm/x-t5", 950, 1350}, {"fujifilm/x100vi", 1300, 1750}, {"fujifilm/x100v", 950, 1450}, {"panasonic/lumix-dc-s5-ii", 950, 1450},
		// Medium format and Leica.
		{"hasselblad/x2d-ii-100c", 6000, 7800}, {"hasselblad/x2d-100c", 3900, 5200}, {"fujifilm/gfx-100s", 2200, 3200}, {"fujifilm/gfx-50r", 1300, 2100},
		{"phase-one/xf", 1800, 4500}, {"leica/q3-43", 4600, 6200}, {"leica/q2", 2500, 3400}, {"leica/m10", 3100, 4300}, {"leica/m11", 4900, 6500}, {"leica/sl2", 1900, 2900}, {"leica/m6", 2300, 3200},
		{"leica/noctilux-m-50mm-f0-95-asph", 6300, 8800}, {"leica/summilux-m-35mm-f1-4-asph-fle", 3100, 4500}, {"leica/summicron-m-35mm-f2-asph", 1500, 2400},
		// Lenses.
		{"nikon/nikkor-z-58mm-f0-95-s-noct", 4800, 6800}, {"nikon/ai-s-noct-nikkor-58mm-f1-2", 2500, 4200}, {"canon/50mm-f0-95-dream-lens", 2200, 3600},
		{"sigma/300-600mm-f4-dg-os-sports", 4600, 6300}, {"nikon/nikkor-z-400mm-f2-8-tc-vr-s", 9500, 12500}, {"nikon/nikkor-z-600mm-f4-tc-vr-s", 10000, 13500},
		{"canon/rf-100-300mm-f2-8l-is-usm", 7200, 9500}, {"canon/rf-28-70mm-f2l-usm", 1700, 2400}, {"canon/rf-1200mm-f8l-is-usm", 12500, 19000}, {"sony/fe-300mm-f2-8-gm-oss", 4800, 6300},
		{"sony/fe-50mm-f1-2-gm", 1150, 1700}, {"canon/ef-50mm-f1-8-stm", 50, 110}, {"nikon/af-s-nikkor-50mm-f1-8g", 75, 150}, {"sony/fe-24-70mm-f2-8-gm-ii", 1300, 1850},
		{"zenit/helios-44-2-58mm-f2", 35, 80}, {"sigma/16mm-f1-4-dc-dn-contemporary", 180, 300}, {"canon/new-fd-50mm-f1-4", 65, 130},
		// Film.
		{"contax/t2", 700, 1150}, {"contax/t3", 1700, 2500}, {"contax/g2", 850, 1350}, {"nikon/28ti", 700, 1200}, {"nikon/35ti", 650, 1100}, {"minolta/tc-1", 1000, 1700}, {"ricoh/gr1", 420, 750},
		{"mamiya/7-ii", 2900, 4400}, {"mamiya/7", 2100, 3200}, {"pentax/67", 800, 1400}, {"pentax/645n", 550, 1000}, {"rollei/rolleiflex-2-8f", 1300, 2300}, {"hasselblad/500c-m", 1250, 2000},
		{"hasselblad/xpan", 2800, 4200}, {"fujifilm/tx-1", 2500, 3800}, {"plaubel/makina-67", 2100, 3200}, {"fujifilm/gw690iii", 800, 1300}, {"olympus/xa", 110, 220}, {"olympus/mju-ii", 160, 320},
		{"diana/f", 25, 80}, {"holga/120n", 20, 60}, {"lomography/lc-a-plus", 110, 240}, {"kodak/retina-iiic", 90, 200}, {"canon/ae-1-program", 130, 250}, {"pentax/k1000", 110, 220}, {"nikon/f3", 320, 520},
		// Compacts.
		{"ricoh/gr-iii", 700, 1050}, {"ricoh/gr-iiix", 850, 1250}, {"canon/powershot-s95", 90, 220}, {"sony/rx100", 130, 260}, {"fujifilm/instax-mini-11", 30, 80},
		// Kinds that were once over 30 % off, each at most 30 % from what a dealer expects: EF-M, cheap primes, predecessors that cost more than their successors, action cameras, large format.
		{"canon/eos-m50", 228, 422}, {"canon/eos-m50-mark-ii", 301, 559}, {"canon/eos-m6-mark-ii", 420, 780}, {"canon/eos-m200", 203, 377}, {"canon/eos-m5", 245, 455}, {"canon/eos-m6", 203, 377}, {"canon/eos-m100", 154, 286},
		{"canon/ef-m-32mm-f1-4-stm", 284, 526}, {"canon/ef-m-11-22mm-f4-5-6-is-stm", 161, 299}, {"canon/ef-m-22mm-f2-stm", 105, 195}, {"fujifilm/x-t2", 284, 526}, {"ricoh/gr-ii", 420, 780},
		{"canon/ef-85mm-f1-8-usm", 140, 260}, {"canon/ef-50mm-f1-4-usm", 112, 208}, {"canon/ef-24-105mm-f4l-is-usm", 179, 331}, {"gopro/hero12-black", 140, 260}, {"panasonic/lumix-dc-g9", 315, 585},
		{"nikon/d800", 249, 461}, {"fujifilm/instax-mini-evo", 98, 182}, {"kodak/commercial-ektar-356mm-f6-3", 245, 455},
		// Estimated: nothing rare is absurd.
		{"voigtlander/heliar-90mm-f4", 120, 420}, {"pentax/mz-10", 20, 70}, {"casio/exilim-ex-z75", 15, 110}, {"arsenal/mir-26-45mm-f3-5", 30, 190}, {"7artisans/25mm-f1-8", 20, 90}, {"nikon/coolpix-s3100", 15, 110},
	} {
		g := goods[tt.gear]
		if g == nil {
			t.Errorf("%s is not on the market", tt.gear)
		} else if v := g.value(testDay); v < tt.low || v > tt.high {
			t.Errorf("%s at %.0f, want %.0f to %.0f", tt.gear, v, tt.low, tt.high)
		}
	}
	for slug, g := range goods {
		if v := g.value(testDay); v < 8 || v > 40_000 {
			t.Errorf("%s at %.0f", slug, v)
		}
	}
}

// TestStockFollowsWhatPeopleOwn checks how much of what is for sale.
func TestStockFollowsWhatPeopleOwn(t *testing.T) {
	n, inCategory, kinds, long := map[string]int{}, map[models.Category]int{}, 0, 0
	cat := gears()
	anchored := map[string]bool{}
	for _, a := range readAnchors() {
		anchored[a.slug] = true
	}
	for _, l := range data().Listings {
		if l.Status != models.StatusActive {
			continue
		}
		n[l.Gear]++
		inCategory[l.Category]++
		if k := kindOf(cat.Gear(l.Gear)); k == digitalCompact || k == filmCompact {
			kinds++
		}
		if !anchored[l.Gear] {
			long++
		}
	}
	for _, tt := range []struct {
		gear string
		low  int
	}{
		{"nikon/z-50ii", 6}, {"canon/eos-r6-mark-iii", 6}, {"canon/eos-r5-mark-ii", 7}, {"sony/alpha-7c-ii", 8}, {"sony/alpha-7cr", 4}, {"sony/alpha-9-iii", 3}, {"fujifilm/x100vi", 10}, {"fujifilm/x-t5", 10},
		{"nikon/z-6iii", 8}, {"nikon/z-8", 9}, {"canon/eos-r8", 7}, {"sony/alpha-7-iii", 12}, {"sony/alpha-7-iv", 12}, {"canon/eos-r6", 12}, {"ricoh/gr-iii", 8}, {"leica/m6", 5}, {"nikon/fm2", 5}, {"canon/ae-1-program", 6}, {"pentax/k1000", 4},
	} {
		if n[tt.gear] < tt.low {
			t.Errorf("%d %s for sale, want at least %d", n[tt.gear], tt.gear, tt.low)
		}
	}
	for slug, count := range n {
		if count > 30 {
			t.Errorf("%d %s for sale", count, slug)
		}
	}
	lenses := inCategory[lensPrime] + inCategory[lensZoom] + inCategory[lensMacro] + inCategory[lensFisheye]
	if kinds > 700 || long > 500 || lenses < 1500 || inCategory[mirrorless] < 900 || inCategory[filmSLR] < 180 || inCategory[mediumFormat] < 60 {
		t.Errorf("%d with a fixed lens, %d of the long tail, %d lenses, %v", kinds, long, lenses, inCategory)
	}
	t.Logf("%d kinds of gear; %d with a fixed lens, %d of the long tail, %d lenses, %v", len(n), kinds, long, lenses, inCategory)
}

// mechanical lists cameras that have no battery.
var mechanical = []string{
	"leica/m2", "leica/m3", "leica/m4", "leica/m4-p", "leica/m-a", "leica/iiif", "hasselblad/500c-m", "rollei/rolleiflex-2-8f", "rollei/rolleicord-vb", "holga/120n", "diana/f",
	"lubitel/166b", "zenit/e", "zorki/4", "fed/2", "kiev/4", "graflex/crown-graphic", "mamiya/c330", "mamiya/rb67-pro-s", "yashica/mat-124g", "kodak/retina-iiic", "agfa/clack",
	"nikon/f", "pentacon/six-tl", "voigtlander/bessa-rf", "plaubel/makina-67", "olympus/trip-35", "olympus/pen-ee-3", "fujifilm/gw690iii",
}

// TestListingsDoNotContradictThemselves scans every listing for what its gear can't have.
func TestListingsDoNotContradictThemselves(t *testing.T) {
	cat := gears()
	camera := func(g *catalog.Gear) bool { return g.Category.Family() == models.FamilyCamera }
	lens := func(g *catalog.Gear) bool { return g.Category.Family() == models.FamilyLens }
	is := func(categories ...models.Category) func(*catalog.Gear) bool {
		return func(g *catalog.Gear) bool { return slices.Contains(categories, g.Category) }
	}
	of := func(slugs ...string) func(*catalog.Gear) bool {
		return func(g *catalog.Gear) bool { return slices.Contains(slugs, g.Slug()) }
	}
	rules := []struct {
		name  string
		fits  func(*catalog.Gear) bool
		never string
	}{
		{"fixed lens", fixedLens, `body cap|body only|camera body|loose mount|play in the mount|rear cap|L-bracket`},
		{"lens", lens, `baseplate|body cap|body only|top plate|strap lug|shutter|battery|charger|\bsensor\b|screen|light seal|viewfinder|firmware|underside|roll of film|dead pixel|clicks|actuations|meter`},
		{"film camera", func(g *catalog.Gear) bool { return camera(g) && isFilm(g) }, `sensor|dead pixel|\bscreen|firmware|charger|charged battery|memory card|USB|actuations|shutter count|clicks|megapixel|video`},
		{"mechanical camera", of(mechanical...), `batter(y|ies)|charge|meter agrees|autofocus`},
		{"rangefinder", is(rangefinder), `autofocus|mirror\b|gimbal|video`},
		{"view camera", is(largeFormat), `light seals|autofocus|body cap|shutter count|meter`},
		{"digital camera", func(g *catalog.Gear) bool { return camera(g) && !isFilm(g) }, `light seal|roll of film|film advance|rewind|leather case|every frame came out|CLA'd|film tested`},
		{"camera", camera, `filter thread|filter ring|focus ring|aperture blade|balsam|front cap|lens hood|oil on the blades|zoom ring|macro phase|focal length|UV filter|tripod foot|lens case`},
		{"not instant", func(g *catalog.Gear) bool { return g.Category != instant }, `pack of film|dozen packs|rollers|ejects`},
		{"not a view camera", func(g *catalog.Gear) bool { return camera(g) && g.Category != largeFormat }, `bellows are|ground glass|film holder|dark cloth|hundred sheets`},
		{"not an action camera", func(g *catalog.Gear) bool { return g.Category != actionCam }, `bike helmet|mounting kit|ski trip|for diving`},
		{"not a DSLR", func(g *catalog.Gear) bool { return g.Category != "dslr" }, `battery grip`},
		{"camera with no lens", func(g *catalog.Gear) bool { return camera(g) && g.Mount != "" && g.Category != instant }, `fungus|haze|in the lens|internal dust|front element|scratches on glass`},
		{"manual lens", of("leica/summicron-m-50mm-f2", "zenit/helios-44-58mm-f2", "voigtlander/nokton-40mm-f1-4", "nikon/ai-s-nikkor-50mm-f1-4", "canon/new-fd-50mm-f1-4",
			"pentax/super-takumar-50mm-f1-4", "hasselblad/planar-cf-80mm-f2-8", "laowa/15mm-f2-zero-d", "zeiss/loxia-35mm-f2", "samyang/14mm-f2-8-ae-ed-as-if-umc", "canon/ts-e-24mm-f3-5l-ii"), `autofocus|contacts`},
		{"modern lens", func(g *catalog.Gear) bool { return lens(g) && g.Year >= 1985 }, `leather`},
		{"prime", func(g *catalog.Gear) bool { return lens(g) && g.FocalMin == g.FocalMax }, `everyday zoom|back to primes|handy range|zoom and focus|zoom ring`},
		{"no foam", func(g *catalog.Gear) bool { return camera(g) && isFilm(g) && noFoam(g) }, `light seals? (have|need)|foam seal`},
		{"electronic aperture", func(g *catalog.Gear) bool { return lens(g) && electronic[g.Mounts()[0]] }, `aperture closes slowly|sluggish aperture|brassing`},
		{"two years old", func(g *catalog.Gear) bool { return g.Year >= testDay.Year()-2 }, `five years|three years|few summers|inherited|belonged to`},
		{"instant", is(instant), `roll of film|light seals|fungus`},
		{"action camera", is(actionCam), `viewfinder|hot shoe|strap lug|lens extends`},
	}
	table := make([]*regexp.Regexp, len(rules))
	for i, r := range rules {
		table[i] = regexp.MustCompile(`(?i)` + r.never)
	}
	for _, l := range data().Listings {
		g := cat.Gear(l.Gear)
		var labels []string
		for _, d := range l.Defects {
			labels = append(labels, d.Label())
		}
		all := strings.Join(append([]string{l.Title, l.Text, strings.Join(l.Included, "; ")}, labels...), "\n")
		all = strings.ReplaceAll(all, g.Name(), "it") // names may contain any word
		all = strings.ReplaceAll(all, g.Model, "it")
		for _, alias := range g.Aliases {
			all = strings.ReplaceAll(all, alias, "it")
		}
		for i, r := range rules {
			if !r.fits(g) {
				continue
			}
			if found := table[i].FindString(all); found != "" {
				t.Errorf("%s: %q of %s:\n%s", r.name, found, l.Gear, all)
			}
		}
		if len(l.Defects) > 0 && regexp.MustCompile(`no haze|spotless|not a mark|Not a scratch|free of scratches`).MatchString(l.Text) {
			t.Errorf("%v, yet %q", l.Defects, l.Text)
		}
		if l.Shutter > 0 && !countsShutter(g) {
			t.Errorf("%s has a shutter count", l.Gear)
		}
	}
}

// TestListingsAgreeWithTheirFields scans the words of every listing for what its
// condition, function, accessories or other words contradict.
func TestListingsAgreeWithTheirFields(t *testing.T) {
	grade := func(low, high models.Condition) func(*models.Listing) bool {
		return func(l *models.Listing) bool {
			return l.Condition.Rank() >= low.Rank() && l.Condition.Rank() <= high.Rank()
		}
	}
	works := func(states ...models.Functional) func(*models.Listing) bool {
		return func(l *models.Listing) bool { return slices.Contains(states, l.Functional) }
	}
	lacks := func(thing string) func(*models.Listing) bool {
		return func(l *models.Listing) bool { return !slices.Contains(l.Included, thing) }
	}
	says := func(words string) func(*models.Listing) bool {
		pattern := regexp.MustCompile(`(?i)` + words)
		return func(l *models.Listing) bool { return pattern.MatchString(l.Text) }
	}
	for _, rule := range []struct {
		name  string
		fits  func(*models.Listing) bool
		never string
	}{
		{"new", grade(models.ConditionNew, models.ConditionNew), `second-hand|inherited|grandfather|signs of|\bwear\b|scuff|my everyday|for years|film tested|serviced|clicks|receipt from 20`},
		{"used", grade(models.ConditionFaulty, models.ConditionLikeNew), `brand new|unopened|never used|\bsealed\b|new in box|new, unused`},
		{"clean", grade(models.ConditionExcellent, models.ConditionNew), `battered|\brough\b|beater|hard life|heavy wear|paint loss|well used|for parts|donor`},
		{"worn", grade(models.ConditionFaulty, models.ConditionWellUsed), `\bmint\b|like new|as new|hardly used|barely used|used once|one week|very clean|lovely condition|spotless|never left the box|no wear|not a mark`},
		{"does not work", works(models.NotWorking, models.Untested), `fully working|works perfectly|works as it should|full working order|everything works|every frame came out|tested and working|film tested|holds its charge|fires every time|does its job`},
		{"has a fault", works(models.MinorFault), `fully working|full working order\.|fully tested|everything works as it should\.`},
		{"fully working", works(models.FullyWorking), `untested|not working|doesn't work|for parts|for repair|please read|no sign of life|won't fire|won't switch on|faulty`},
		{"no box", lacks("original box"), `(^|[^-])\bboxed\b|with box|in original box`},
		{"no spare battery", lacks("spare battery"), `2 batteries|extra battery`},
		{"no grip", lacks("battery grip"), `with battery grip`},
		{"no hood", func(l *models.Listing) bool { return lacks("lens hood")(l) && lacks("metal hood")(l) }, `with hood|inc\. hood`},
		{"first owner", says(`first owner|bought new`), `second-hand|inherited|belonged to|box lot|flea market|estate|unwanted gift`},
		{"inherited", says(`inherited|belonged to my`), `first owner|original receipt|bought new|upgraded`},
	} {
		never := regexp.MustCompile(`(?i)` + rule.never)
		for _, l := range data().Listings {
			if all := strings.ReplaceAll(l.Title+"\n"+l.Text, "MiNT", ""); rule.fits(&l) {
				if found := never.FindString(all); found != "" {
					t.Errorf("%s: %q in %s %s:\n%s", rule.name, found, l.Condition, l.Functional, all)
				}
			}
		}
	}
}

// TestBetterConditionCostsMore checks the order of asking prices: of each grade over all
// gear, and of grades that are two apart for each gear that is often for sale.
func TestBetterConditionCostsMore(t *testing.T) {
	values := map[string]float64{}
	for _, g := range newMarket(gears(), testDay).goods {
		values[g.gear.Slug()] = g.value(testDay)
	}
	all := map[models.Condition][]float64{}
	each := map[string]map[models.Condition][]float64{}
	for _, l := range data().Listings {
		if l.Status != models.StatusActive {
			continue
		}
		price := float64(l.Price) / 100 / values[l.Gear]
		all[l.Condition] = append(all[l.Condition], price)
		if each[l.Gear] == nil {
			each[l.Gear] = map[models.Condition][]float64{}
		}
		each[l.Gear][l.Condition] = append(each[l.Gear][l.Condition], price)
	}
	middle := func(prices []float64) float64 {
		slices.Sort(prices)
		return prices[len(prices)/2]
	}
	compared := 0
	for i, better := range models.Conditions {
		for j, worse := range models.Conditions[i+1:] {
			if a, b := middle(all[better]), middle(all[worse]); a <= b {
				t.Errorf("%s gear is asked for at %.2f of its value, %s at %.2f", better, a, worse, b)
			}
			for gear, prices := range each {
				if j == 0 || len(prices[better]) < 3 || len(prices[worse]) < 3 {
					continue
				}
				compared++
				if a, b := middle(prices[better]), middle(prices[worse]); a <= b {
					t.Errorf("%s: %s at %.2f of its value, %s at %.2f", gear, better, a, worse, b)
				}
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d pairs were compared", compared)
	}
}

// fixedLens reports whether a camera's lens can't be taken off.
func fixedLens(g *catalog.Gear) bool {
	return g.Category.Family() == models.FamilyCamera && g.Mount == "" && g.Category != largeFormat
}
