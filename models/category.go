package models

// Category is the kind of an item. Gear in the catalogue has exactly one.
type Category string

// Categories lists all categories: cameras, lenses, then the rest.
var Categories = []Category{
	"mirrorless", "dslr", "rangefinder", "film-slr", "medium-format", "large-format", "compact", "instant", "action-cam",
	"lens-prime", "lens-zoom", "lens-macro", "lens-fisheye",
	"accessory", "other",
}

// The families, which a search may use in place of a category.
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

// Valid reports whether c is in Categories.
func (c Category) Valid() bool { _, ok := categoryLabels[c]; return ok }

// Label returns the display name: "Film SLR".
func (c Category) Label() string { return categoryLabels[c] }

// Family returns FamilyCamera, FamilyLens, or "" for other categories.
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

// Kind is a category or a family of categories, as a search takes it.
type Kind string

// CategoriesOf returns the categories of a search term: the category itself, or
// all those of a family. It returns nil if word is neither.
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
