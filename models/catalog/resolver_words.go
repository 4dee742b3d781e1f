package catalog

import (
	_ "embed"
	"encoding/csv"
	"maps"
	"strings"
	"unicode"

	"github.com/secondlight/secondlight/models"
)

// titleWordsCSV lists the words of titles by what they say, in five languages.
//
//go:embed title_words.csv
var titleWordsCSV string

var titleWords = func() map[string]map[string]bool {
	rows, err := csv.NewReader(strings.NewReader(titleWordsCSV)).ReadAll()
	if err != nil {
		panic("title_words.csv: " + err.Error())
	}
	byKind := map[string]map[string]bool{}
	for _, row := range rows[1:] {
		byKind[row[0]] = models.WordSet(row[1])
	}
	return byKind
}()

var (
	stopWords      = titleWords["stop"]            // ignored in keywords
	fillers        = titleWords["filler"]          // irrelevant to the model
	knownWords     = titleWords["known"]           // of colour, condition, sale and the like, which change nothing
	cameraWords    = titleWords["camera"]          // a camera is for sale
	accessoryWords = titleWords["accessory"]       // accessories, parts, papers, services and look-alikes
	accessoryFirst = titleWords["accessory first"] // they begin the title of an accessory, but may follow the name of a camera sold with it
	forOthers      = titleWords["for"]             // before what the thing for sale fits
	includedWords  = titleWords["included"]        // after an accessory that is included
	withWords      = titleWords["with"]            // before what is included
	listWords      = titleWords["list"]            // between the names of several cameras
	lotWords       = titleWords["lot"]             // the title of a lot begins with them
	wantedWords    = titleWords["wanted"]          // the title asks for gear, if they are among its first two words
	wantedFirst    = titleWords["wanted first"]    // likewise, as the first word
	wantedLast     = titleWords["wanted last"]     // likewise, as the last word
)

// changesNothing reports whether a word is none of a name, or says nothing of the model.
func changesNothing(w string) bool { return emptyWords[w] }

// emptyWords are known words, fillers and words for cameras.
var emptyWords = func() map[string]bool {
	all := maps.Clone(knownWords)
	maps.Copy(all, fillers)
	maps.Copy(all, cameraWords)
	return all
}()

// series is the name of a product line.
type series struct {
	brand string
	kinds []models.Category // nil for any kind of camera
	code  string            // part of every model name of the series, if not ""
}

var (
	compacts = []models.Category{"compact"}
	systems  = []models.Category{"dslr", "mirrorless", "film_slr"}
	digitals = []models.Category{"compact", "dslr", "mirrorless", "medium_format"}
)

// seriesWords maps words to series.
var seriesWords = map[string]*series{
	"powershot": {"canon", compacts, ""}, "elph": {"canon", compacts, ""}, "ixus": {"canon", compacts, ""}, "ixy": {"canon", compacts, ""}, "sureshot": {"canon", compacts, ""},
	"eos": {"canon", systems, ""}, "rebel": {"canon", systems, ""}, "kiss": {"canon", systems, ""},
	"coolpix": {"nikon", compacts, ""}, "nikkor": {"nikon", nil, ""}, "nikkormat": {"nikon", nil, ""}, "nikonos": {"nikon", nil, ""},
	"lumix": {"panasonic", digitals, ""}, "dmc": {"panasonic", digitals, "dmc"},
	"cybershot": {"sony", compacts, ""}, "dsc": {"sony", compacts, ""}, "mavica": {"sony", compacts, ""}, "mvc": {"sony", compacts, ""},
	"nex": {"sony", systems, ""}, "ilce": {"sony", systems, ""}, "ilca": {"sony", systems, ""}, "slt": {"sony", systems, ""}, "alpha": {"sony", systems, ""},
	"finepix": {"fujifilm", digitals, ""}, "instax": {"fujifilm", nil, ""},
	"exilim": {"casio", compacts, ""}, "optio": {"pentax", compacts, ""}, "takumar": {"pentax", nil, ""}, "spotmatic": {"pentax", nil, ""},
	"easyshare": {"kodak", compacts, ""}, "photosmart": {"hp", compacts, ""}, "vivicam": {"vivitar", compacts, ""}, "ephoto": {"agfa", compacts, ""},
	"stylus": {"olympus", compacts, ""}, "mju": {"olympus", compacts, ""}, "camedia": {"olympus", digitals, ""}, "evolt": {"olympus", systems, ""}, "omd": {"olympus", systems, ""}, "zuiko": {"olympus", nil, ""},
	"digimax": {"samsung", compacts, ""}, "dimage": {"konica-minolta", digitals, ""}, "maxxum": {"minolta", nil, ""}, "dynax": {"minolta", nil, ""}, "rokkor": {"minolta", nil, ""},
	"hero": {"gopro", nil, ""}, "caplio": {"ricoh", compacts, ""}, "bessa": {"voigtlander", nil, ""}, "rolleiflex": {"rollei", nil, ""}, "rolleicord": {"rollei", nil, ""},
	"summicron": {"leica", nil, ""}, "elmarit": {"leica", nil, ""}, "summilux": {"leica", nil, ""}, "zenit": {"zenit", nil, ""}, "helios": {"helios", nil, ""},
}

// seriesBrand returns the brand of a series, or "".
func seriesBrand(w string) string {
	if s := seriesWords[w]; s != nil {
		return s.brand
	}
	return ""
}

// reusedNames are gear whose name was reused by its maker years later, with the
// megapixels that distinguish them.
var reusedNames = map[string]float64{
	"canon/powershot-s100": 12, "canon/powershot-s110": 12, "canon/ixus-v2": 2,
}

// brandAliases maps brands to others whose cameras are sold under the same
// name.
var brandAliases = map[string]string{
	"minolta": "konica-minolta", "konica": "konica-minolta", "ricoh": "pentax", "asahi": "pentax", "om-system": "olympus",
	"leitz": "leica", "rolleiflex": "rollei", "zenit": "kmz", "helios": "kmz", "zorki": "kmz", "iskra": "kmz", "moskva": "kmz", "horizon": "kmz", "contax": "zeiss", "fujica": "fujifilm", "carl-zeiss-jena": "zeiss",
}

// uncataloguedBrands are brands that occur in titles but not in the catalogue.
// Model names next to them are theirs.
var uncataloguedBrands = []string{
	"concord", "dahua", "disney", "dxg", "gateway", "hikvision", "jenoptik", "jvc", "kyocera", "lego", "liquidimage",
	"medion", "nerf", "oregonscientific", "philips", "svp", "traveler", "vistaquest",
}

// phrases are series, and brands that the catalogue lacks, that are often written as two words.
var phrases = map[string]string{
	"cyber shot": "cybershot", "power shot": "powershot", "cool pix": "coolpix", "fine pix": "finepix", "easy share": "easyshare",
	"om d": "omd", "sure shot": "sureshot", "photo smart": "photosmart", "vivi cam": "vivicam",
	"oregon scientific": "oregonscientific", "liquid image": "liquidimage", "vista quest": "vistaquest",
	"canon ps": "powershot", "om digital solutions": "omsystem", "s m c": "smc", "o i s": "ois", "completo di": "con", "completa di": "con", "completo de": "con", "completa de": "con", "complet avec": "avec", "s s c": "ssc", "pre ai": "preai", "non ai": "preai", "aps c": "apsc", "el nikkor": "elnikkor",
}

// leadingWords may be omitted at the start of a name, trailingWords at the end.
var (
	leadingWords  = models.WordSet("powershot elph ixus ixy digital eos rebel kiss coolpix lumix dmc dc cybershot dsc mavica mvc alpha ilce ilca slt dslr finepix exilim ex optio easyshare photosmart stylus tough mju camedia evolt omd pen digimax dimage vivicam ephoto caplio hero speedlight speedlite")
	trailingWords = models.WordSet("is hs exr fd zoom ultra wide uz wz")
)

var units = models.WordSet("mp mpix mpixel megapixel mega mm gb mb x in inch fps p mah hz fold pcs batts")

var countWords = models.WordSet("mp mpix mpixel megapixel mega pixel pixels mm gb mb x inch fps lens lenses battery batteries batts akkus baterias card cards clicks actuations shots years year months pcs clics klicks scatti disparos vues auslosungen declenchements hours jahre ans anni anos monate mois mesi exposures shutter")

var filmThings = models.WordSet("twin pack packs roll rolls cartridge cartridges sheets")

// filmStock says that a camera takes film.
var filmStock = models.WordSet("0.58 0.72 0.85 film analog analogue analoge analogica argentique kleinbild 1973 half")

// filmMakers are brands of film that also made cameras.
var filmMakers = []string{"agfa", "fujifilm", "ilford", "kodak", "lomography", "polaroid", "rollei"}

// testedWords say after "film" that a camera was tried.
var testedWords = models.WordSet("tested test teste testee getestet testata testato probada probado advance camera slr included compact")

// partsOfKits stand before "kit" for what is not sold with a camera: "light seals kit".
var partsOfKits = models.WordSet("seal seals foam foams repair cleaning screw conversion gasket tool")

var manualThings = models.WordSet("focus film lens camera slr exposure zoom prime wind winding mode")

// compoundEnds are the ends of German and French words for cameras and lenses.
var compoundEnds = []string{"kamera", "objektiv", "brennweite", "winkelzoom", "objectif", "obiettivo", "objetivo"}

// lensWordsToo are camera words that also occur in titles of lenses.
var lensWordsToo = models.WordSet("digital bundle kit set tlr outfit shutter rangefinder")

// versionWords are words of praise that also end the names of cameras: the K100D Super.
var versionWords = models.WordSet("super zoom pro plus program professional limited wide special standard deluxe ultra mini max lite digital monochrome monochrom")

// filmBacks stand before the back of a camera that is for sale alone.
var filmBacks = models.WordSet("film 120 220 a12 a24 polaroid digital data magazine")

// packed stands before the box that is offered alone: "OVP Karton".
var packed = models.WordSet("ovp original originale nur only solo seule leere leerer empty")

// negations stand before a feature that a lens lacks: "non-IS", "ohne VR".
var negations = models.WordSet("non no not without ohne kein sans senza sin")

// uncataloguedEndings are brands and words that make a name of the catalogue that of a model which
// it lacks.
var uncataloguedEndings = [...][2]string{{"rollei", "classic"}}

// sonyRevisions are generations with the letter of Sony's revision: the Alpha 7R IVA.
var sonyRevisions = map[string]string{"iiia": "mk3", "iva": "mk4", "mk3a": "mk3", "mk4a": "mk4"}

// forWords may occur between "for" and the name of what an accessory fits.
var forWords = models.WordSet("the your use with all most any digital new original genuine a and older select")

var videoWords = models.WordSet("cctv hikvision dahua onvif ptz ahd webcam webcams dashcam camcorder dvr nvr surveillance borescope endoscope doorbell h.264 ipcam handycam")

var videoKinds = models.WordSet("ip network security dash trail spy game dome bullet baby ptz ir hunting web car vandal proof")

// kitBrands append letters for kits to the codes of their models; see isKitSuffix.
var kitBrands = models.WordSet("casio olympus om-system panasonic samsung sony")

// partitives stand after the words for a set, before what it is of: "Set aus Loxia 21, 35, 50".
var partitives = models.WordSet("aus de di of")

// accessoryKinds say what an accessory of the catalogue is; others name parts of it: "Digisky case".
var accessoryKinds = models.WordSet("adapter adaptor adattatore adaptador adaptateur back batteriegriff blitz blitzgerat extender finder flash grip impugnatura light magazin magazine meter poignee speedlight speedlite sucher teleconverter telekonverter transmitter viewfinder")

// purchased are words for wanting that also say when something was bought: "facture d'achat".
var purchased = models.WordSet("achat achete ankauf kaufe compro")

// printedFormats are formats, mounts and measures with digits.
var printedFormats = models.WordSet("m42 m39 y2k 360 4x5 5x7 8x10 24x36 6x45")

// leicaCodes start the order codes of Leica's cameras and lenses.
var leicaCodes = models.WordSet("10 11 19 20")

// isForeign reports whether a character is a letter of no Latin or Greek script.
func isForeign(r rune) bool { return r >= 0x400 && unicode.IsLetter(r) }

// isCode reports whether a word of letters and digits may be that of a model, unlike "6x7", "60k" and "24mpx".
func isCode(w string) bool {
	return mixed(w) && len(w) <= 6 && (!models.IsDigit(w[0]) || strings.TrimLeft(w, "0123456789.") != "k" && !units[strings.TrimLeft(w, "0123456789.")] && !strings.Contains(w, "x"))
}
