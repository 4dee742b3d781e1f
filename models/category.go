package models

// Category is the kind of an item. Gear in the catalogue has exactly one.
type Category string

// Categories lists all categories: cameras, lenses, then the rest.
var Categories = []Category{
	"mirrorless", "dslr", "rangefinder", "film_slr", "medium_format", "large_format", "compact", "instant", "action_cam",
	"lens_prime", "lens_zoom", "lens_macro", "lens_fisheye",
	"accessory", "other",
}

// The families, which a search may use in place of a category.
const (
	FamilyCamera = "camera"
	FamilyLens   = "lens"
)

var categoryLabels = map[Category]string{
	"mirrorless": "Mirrorless", "dslr": "DSLR", "rangefinder": "Rangefinder", "film_slr": "Film SLR",
	"medium_format": "Medium format", "large_format": "Large format", "compact": "Compact", "instant": "Instant",
	"action_cam": "Action camera", "lens_prime": "Prime lens", "lens_zoom": "Zoom lens", "lens_macro": "Macro lens",
	"lens_fisheye": "Fisheye lens", "accessory": "Accessory", "other": "Other",
}

// Valid reports whether c is in Categories.
func (c Category) Valid() bool { _, ok := categoryLabels[c]; return ok }

// Label returns the display name: "Film SLR".
func (c Category) Label() string { return categoryLabels[c] }

// Family returns FamilyCamera, FamilyLens, or "" for other categories.
func (c Category) Family() string {
	switch {
	case len(c) > 5 && c[:5] == "lens_":
		return FamilyLens
	case c == "accessory" || c == "other" || !c.Valid():
		return ""
	default:
		return FamilyCamera
	}
}

// Kind is a category or a family of categories, as a search takes it.
type Kind string
