package catalog

import "github.com/secondlight/secondlight/models"

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
var seriesWords = map[string]series{
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

// reusedNames are gear whose name was reused by its maker years later, with the
// megapixels that distinguish them.
var reusedNames = map[string]float64{
	"canon/powershot-s100": 12, "canon/powershot-s110": 12, "canon/ixus-v2": 2,
}

// brandAliases maps brands to others whose cameras are sold under the same
// name.
var brandAliases = map[string]string{
	"minolta": "konica-minolta", "konica": "konica-minolta", "ricoh": "pentax", "asahi": "pentax", "om-system": "olympus",
	"leitz": "leica", "rolleiflex": "rollei", "zenit": "kmz", "helios": "kmz", "contax": "zeiss", "fujica": "fujifilm", "carl-zeiss-jena": "zeiss",
}

// brandSpellings are alternative spellings of brands.
var brandSpellings = map[string]string{
	"cannon": "canon", "nikkon": "nikon", "fuji": "fujifilm", "fujinon": "fujifilm", "pansonic": "panasonic", "leitz": "leica", "asahi": "pentax",
	"konicaminolta": "konica-minolta", "hewlettpackard": "hp", "generalelectric": "ge", "carlzeiss": "zeiss",
}

// uncataloguedBrands are brands that occur in titles but not in the catalogue.
// Model names next to them are theirs.
var uncataloguedBrands = []string{
	"concord", "dahua", "disney", "dxg", "gateway", "hikvision", "jenoptik", "jvc", "kyocera", "lego", "liquidimage",
	"medion", "nerf", "oregonscientific", "philips", "svp", "traveler", "vistaquest",
}

// phrases are brands and series that are often written as two words.
var phrases = map[string]string{
	"cyber shot": "cybershot", "power shot": "powershot", "cool pix": "coolpix", "fine pix": "finepix", "easy share": "easyshare",
	"om d": "omd", "sure shot": "sureshot", "photo smart": "photosmart", "vivi cam": "vivicam",
	"fuji film": "fujifilm", "go pro": "gopro", "oregon scientific": "oregonscientific", "general electric": "ge", "hewlett packard": "hp",
	"carl zeiss": "zeiss", "konica minolta": "konicaminolta", "liquid image": "liquidimage", "vista quest": "vistaquest", "bell howell": "bellplushowell",
	"om system": "omsystem", "asahi pentax": "pentax", "phase one": "phaseone",
}

// sameWord maps words to the spelling in the catalogue.
var sameWord = map[string]string{"ps": "powershot", "megapixels": "megapixel", "camara": "camera"}

// leadingWords may be omitted at the start of a name, trailingWords at the end.
var (
	leadingWords  = models.WordSet("powershot elph ixus ixy digital eos rebel kiss coolpix lumix dmc dc cybershot dsc mavica mvc alpha ilce ilca slt dslr finepix exilim ex optio easyshare photosmart stylus tough mju camedia evolt omd pen digimax dimage vivicam ephoto caplio hero")
	trailingWords = models.WordSet("is hs exr fd zoom ultra wide uz wz")
)

var fillers = models.WordSet(`digital camera cameras camara compact slr dslr film rangefinder mirrorless interchangeable interchangable lens new used brand genuine original rare vintage classic
	series zoom optical smart system professional body only kit bundle the a an touch wide angle hd full half frame point and shoot bar waterproof tough bridge
	black white silver red blue pink green purple orange brown grey gray gold bronze titanium champagne chrome yellow buy excellent mint boxed working tested
	edition with w nice great good super wifi wi fi model medium format analog analogue exposure tlr inch mp megapixel main smart lightly open box refurbished cute gorgeous power general imaging appliance dualview card galaxy cam lite mini sport share science dx fx m42 m39 mft`)

var units = models.WordSet("mp mpix mpixel megapixel mega mm gb mb x in inch fps p mah hz fold pcs batts")

var countWords = models.WordSet("mp mpix mpixel megapixel mega pixel pixels mm gb mb x inch fps lens lenses battery batteries batts card cards clicks actuations shots years year months pcs")

var accessoryWords = models.WordSet(`battery batteries charger case bag strap straps grip cap caps hood filter filters protector protectors manual book guide remote
	adapter adaptor adapters cable tripod monopod backpack pouch cover skin skins housing dock eyecup speedlight speedlite cage plate holster replacement
	bracket brochure software flashgun teleconverter extender intervalometer eyepiece`)

var filmThings = models.WordSet("twin pack packs roll rolls cartridge cartridges sheets")

var manualThings = models.WordSet("focus film lens camera slr exposure zoom prime wind winding mode")

var cameraWords = models.WordSet("camera cameras camara slr dslr body kit bundle mirrorless rangefinder digital tlr outfit shutter actuations clicks bodies")

// lensWordsToo are camera words that also occur in titles of lenses.
var lensWordsToo = models.WordSet("digital bundle kit tlr outfit shutter")

var withWords = models.WordSet("w with and plus incl includes include including included extra extras bonus free")

// forWords may occur between "for" and the name of what an accessory fits.
var forWords = models.WordSet("the your use with all most any digital new original genuine a and older select")

var videoWords = models.WordSet("cctv hikvision dahua onvif ptz ahd webcam webcams dashcam camcorder dvr nvr surveillance borescope endoscope doorbell h.264 ipcam handycam")

var videoKinds = models.WordSet("ip network security dash trail spy game dome bullet baby ptz ir hunting web car vandal proof")
