package catalog

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// ComparedGear is gear of another source and what differs from the catalogue.
type ComparedGear struct {
	Gear string // slug, or the name if the catalogue has no such gear
	Difference
}

// exiftoolLens matches an entry of exiftool's tables that names a lens with focal length and aperture.
var exiftoolLens = regexp.MustCompile(`(?m)^\s*'?[0-9A-F][0-9A-F. ]*'?\s*=>\s*'([^']*\d ?mm [^']*[fF]/?\d[^']*)'`)

// CompareExiftool compares the lenses in exiftool's tables, the *.pm files at the root of fsys, with
// the catalogue. Entries that several lenses share are ignored.
func (c *Catalog) CompareExiftool(fsys fs.FS) (all []ComparedGear, err error) {
	files, err := fs.Glob(fsys, "*.pm")
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no tables of exiftool (*.pm): %w", fs.ErrNotExist)
	}
	seen := map[string]bool{}
	for _, name := range files {
		text, failed := fs.ReadFile(fsys, name)
		if failed != nil {
			return nil, failed
		}
		for _, m := range exiftoolLens.FindAllStringSubmatch(string(text), -1) {
			maker := strings.TrimSuffix(name, ".pm")
			if lens := strings.NewReplacer("[", "", "]", "").Replace(m[1]); !seen[lens] && !strings.Contains(lens, " or ") {
				seen[lens] = true
				if c.LensNamed(maker, lens) == nil {
					all = append(all, ComparedGear{maker + " " + lens, Difference{"gear", "", lens}})
				}
			}
		}
	}
	return all, err
}

// wikidataItem is a row of a SPARQL answer of Wikidata: the variables item, itemLabel, makerLabel,
// mountLabel and inception. All but the label may be empty.
type wikidataItem struct{ label, maker, mount, inception string }

// CompareWikidata compares cameras and lenses of a SPARQL answer of Wikidata, as JSON or as CSV,
// with the catalogue: gear that is missing, mounts and years. Its variables are itemLabel,
// makerLabel, mountLabel and inception.
func (c *Catalog) CompareWikidata(r io.Reader) (all []ComparedGear, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	items, err := readWikidata(text)
	for _, item := range items {
		name := item.label
		if maker := models.Slug(item.maker); maker != "" && !strings.HasPrefix(models.Slug(name), maker) {
			name = item.maker + " " + name
		}
		ours, failed := c.FindListed(name, func(string) int { return 0 }, false)
		if failed != nil {
			all = append(all, ComparedGear{name, Difference{"gear", "", name}})
			continue
		}
		theirs := &Gear{BrandSlug: ours.BrandSlug, ModelSlug: ours.ModelSlug}
		theirs.Mount, _ = c.MountNames().Resolve(strings.TrimSuffix(item.mount, " mount"))
		theirs.Year, _ = strconv.Atoi(item.inception[:min(4, len(item.inception))])
		for _, d := range c.Differences(theirs) {
			all = append(all, ComparedGear{ours.Slug(), d})
		}
	}
	slices.SortFunc(all, func(a, b ComparedGear) int {
		return cmp.Or(cmp.Compare(a.Gear, b.Gear), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Theirs, b.Theirs))
	})
	return slices.Compact(all), err
}

// readWikidata reads the answer in either format.
func readWikidata(text []byte) (items []wikidataItem, err error) {
	add := func(of func(name string) string) {
		items = append(items, wikidataItem{of("itemLabel"), of("makerLabel"), of("mountLabel"), of("inception")})
	}
	if strings.HasPrefix(strings.TrimSpace(string(text)), "{") {
		var answer struct {
			Results struct {
				Bindings []map[string]struct{ Value string }
			}
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			return nil, err
		}
		for _, row := range answer.Results.Bindings {
			add(func(name string) string { return row[name].Value })
		}
		return items, nil
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err == nil && (len(rows) == 0 || !slices.Contains(rows[0], "itemLabel")) {
		err = fmt.Errorf("no column itemLabel, makerLabel, mountLabel or inception: not an answer of Wikidata")
	}
	if err != nil {
		return nil, err
	}
	for _, row := range rows[1:] {
		add(func(name string) string {
			if i := slices.Index(rows[0], name); i >= 0 {
				return row[i]
			}
			return ""
		})
	}
	return items, nil
}
