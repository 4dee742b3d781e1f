package models

// Category is the kind of an item; it is a function of its gear.
type Category string

// Categories lists every kind: cameras, then lenses, then the rest.
var Categories = []Category{
	"mirrorless", "dslr", "rangefinder", "film-slr", "medium-format", "large-format", "compact", "instant", "action-cam",
	"lens-prime", "lens-zoom", "lens-macro", "lens-fisheye",
	"accessory", "other",
}

// The two families that a search may name instead of a category.
const (
	FamilyCamera = "camera"
	FamilyLens   = "lens"
)

var categoryLabels = map[Category]string{
	"mirrorless": "Mirrorless", "dslr": "DSLR", "rangefinder": "Rangefinder", "film-slr": "Film SLR",
	"medium-format": "Medium format", "large-format": "Large format", "compact": "Compact", "instant": "Instant",
	"action-cam": "Action camera", "lens-prime": "Prime lens", "lens-zoom": "Zoom lens", "lens-macro": "Macro lens",
	"lens-fisheye": "Fisheye lens", "accessory": "Accessory", "other": "Other",
}

// Valid reports whether c is one of Categories.
func (c Category) Valid() bool { _, ok := categoryLabels[c]; return ok }

// Label is the category in words: "Film SLR".
func (c Category) Label() string { return categoryLabels[c] }

// Family is FamilyCamera, FamilyLens, or "" for accessories and the rest.
func (c Category) Family() string {
	switch {
	case len(c) > 5 && c[:5] == "lens-":
		return FamilyLens
	case c == "accessory" || c == "other" || !c.Valid():
		return ""
	default:
		return FamilyCamera
	}
}

// CategoriesOf expands what a search may write, a category or a family, into
// categories; nil when it is neither.
func CategoriesOf(word string) []Category {
	if c := Category(word); c.Valid() {
		return []Category{c}
	}
	var family []Category
	for _, c := range Categories {
		if word != "" && c.Family() == word {
			family = append(family, c)
		}
	}
	return family
}
