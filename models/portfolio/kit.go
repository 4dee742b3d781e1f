package portfolio

import (
	"errors"
	"io/fs"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
)

// Kit is the photographer's gear, read from kit.md:
//
//	---
//	title: What is in the bag
//	gear:
//	  - gear: canon/eos-r6
//	    condition: excellent   # optional
//	    note: Since 2021.      # optional
//	---
type Kit struct {
	Title       string
	Description string // one sentence, plain text
	Notice      string // shown at the top of the page, "" for none
	Markdown    string // the text, "" for none
	Items       []KitItem
}

// KitItem is a piece of gear in the kit.
type KitItem struct {
	Gear      *catalog.Gear
	Condition models.Condition // "" when unknown
	Note      string           // plain text, "" for none
}

// kitText is the front matter of kit.md.
type kitText struct {
	Title, Description, Notice string
	Gear                       []struct {
		Gear, Note string
		Condition  models.Condition
	}
}

// kit reads kit.md. It returns nil if there is none or it cannot be read.
func (r *reader) kit() *Kit {
	const name = "kit.md"
	var head kitText
	body, err := readText(r.fsys, name, &head)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.problem(name, err)
		}
		return nil
	}
	kit := &Kit{Title: head.Title, Description: head.Description, Notice: head.Notice, Markdown: body}
	if kit.Title == "" {
		kit.Title = "Kit"
	}
	for _, item := range head.Gear {
		g := r.catalog.Gear(item.Gear)
		if g == nil {
			r.problem(name, unknownGear(r.catalog, item.Gear))
			continue
		}
		if item.Condition != "" && item.Condition.Label() == "" {
			r.problem(name, wrong(problem.Textf("There's no condition %q.", item.Condition), problem.Textf("Write %s.", problem.Or(models.Strs(models.Conditions)))))
			item.Condition = ""
		}
		kit.Items = append(kit.Items, KitItem{g, item.Condition, item.Note})
	}
	return kit
}

// Bag returns the kit that the kit page values: kit.md or, if there is none, the gear
// that the photographs were taken with, most used first.
func (p *Portfolio) Bag() *Kit {
	if p.Kit != nil {
		return p.Kit
	}
	facets := p.Facets(Filter{})
	kit := &Kit{Title: "Kit", Description: "The cameras and lenses these photographs were taken with."}
	for _, used := range append(facets.Cameras, facets.Lenses...) {
		kit.Items = append(kit.Items, KitItem{Gear: used.Gear})
	}
	return kit
}
