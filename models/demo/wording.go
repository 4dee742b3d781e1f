package demo

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/secondlight/secondlight/models"
)

//go:embed words.json
var wordsJSON []byte

// wording is what members are called, sell and write, in words.json. In texts, {gear}, {model},
// {years} and {place} are replaced, and %s by what the text is about.
type wording struct {
	Regions []region
	Shops   []string // names of sellers, before their place
	Bio     struct{ Openings, Closings []string }
	Flaws   map[kind]struct{ Marks, Faults []models.Defect } // cosmetic ones, and those that affect the function
	Extras  map[kind][]string                                // what is packed with it, most usual first
	Titles  struct {
		Extras map[string][]string // by what is packed with it
		Grades map[models.Condition][]string
	}
	Origins struct { // why something is for sale
		New, Any, Video []string
		Kinds           map[kind][]string
		Lenses          map[string][]string // by lensUse
	}
	Grades struct{ Any, Lens, Camera map[models.Condition][]string }
	Works  struct { // of what works: anyway, in spite of its defects
		Anyway, Any, Modern, Screen, Meter []string
		Kinds                              map[kind][]string
	}
	Functions struct {
		Any   map[models.Functional][]string
		Kinds map[models.Functional]map[kind][]string
	}
	Defects                            struct{ Any, Lens map[models.Defect][]string } // of a lens on its own, where they differ
	Spans, Shutter, Included, Closings []string
	Offers                             struct{ FullPrice, First, Counter []string } // messages with them
	Ratings                            struct{ OfSellers, OfBuyers [6][]string }    // by number of stars
}

// region is a region of sellers, with place names and names of people.
type region struct {
	Code         models.Region
	Weight       float64
	Places       []string
	Given, Names []string
}

// words returns the wording. It panics on errors, because the file is embedded.
var words = sync.OnceValue(func() *wording {
	w := new(wording)
	dec := json.NewDecoder(bytes.NewReader(wordsJSON))
	dec.DisallowUnknownFields()
	if err := dec.Decode(w); err != nil {
		panic(fmt.Sprintf("words.json: %v", err))
	}
	return w
})
