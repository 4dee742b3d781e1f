package lensfun

import (
	"regexp"
	"strings"

	"github.com/secondlight/secondlight/models/catalog"
)

var withConverter = regexp.MustCompile(`(?:, with |\+ )(.+)$`)

// converter returns what the lens was measured with, such as a teleconverter or a
// firmware, or "" for the lens alone.
func (l lens) converter() string {
	for _, text := range []string{l.Model.written(), l.Model.display()} {
		if m := withConverter.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return ""
}

// converterGear returns the converter as gear if it is in names.csv.
func converterGear(brand, text string) []*catalog.Gear {
	var gear []*catalog.Gear
	for _, c := range corrections()[[2]string{brand, strings.ToLower(text)}] {
		if c.why == "with" {
			gear = append(gear, c.apply(catalog.Gear{Brand: brand, Category: "accessory"}))
		}
	}
	return gear
}
