// Package market has what pages say of gear and its prices: names, cards, estimates, price guides and exchange rates.
package market

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Names finds gear by the names that people use.
type Names struct {
	Prices  *store.Prices
	Catalog *catalog.Catalog
	Index   *search.Index
	Log     *slog.Logger
	Clock   models.Clock
	sold    sold // numbers of sales, to rank what a name may mean
}

// suggestionsShown limits the gear that is suggested for a title.
const suggestionsShown = 8

// Suggest returns the gear that a title may refer to, most likely first.
func (s *Names) Suggest(title string) []*catalog.Gear {
	return s.Catalog.Candidates(title, suggestionsShown, s.Popularity)
}

// Name returns the display name of gear, or "" if the catalogue does not have it.
func (s *Names) Name(slug string) string {
	if g := s.Catalog.Gear(slug); g != nil {
		return g.Name()
	}
	return ""
}

// Resolve returns the gear that a title refers to.
func (s *Names) Resolve(title string) catalog.Resolution {
	return s.Catalog.Resolver().Resolve(title)
}

// GearOf returns the camera and the lens of an exposure that are in the catalogue.
func (s *Names) GearOf(x *picture.Exposure) (gear []*catalog.Gear) {
	for _, g := range []*catalog.Gear{x.Camera(s.Catalog), x.Lens(s.Catalog)} {
		if g != nil {
			gear = append(gear, g)
		}
	}
	return gear
}

// WordsOf returns the display names of slugs.
func WordsOf(site *ui.Site, catalog *catalog.Catalog) *searchviews.Vocabulary {
	return searchviews.NewVocabulary(site, ui.Names{
		Brand: func(slug string) string {
			if b := catalog.Brand(slug); b != nil {
				return b.Name
			}
			return slug
		},
		Gear: func(slug string) string {
			if g := catalog.Gear(slug); g != nil {
				return g.Name()
			}
			return slug
		},
	})
}

// Hints that say how to find the names of the catalogue.
var (
	FindGearHint  = problem.Programf("Find the slug with GET /api/gear?keyword=…")
	FindBrandHint = problem.Programf("GET /api/gear lists every brand.")
	findMountHint = problem.Programf("The mount facet of a search lists all mounts.")
)

// addUnresolved adds the error of a name of the catalogue, with a hint how to find the
// valid names.
func addUnresolved(fieldErrors *web.FieldErrors, field string, err error, hint problem.Text) {
	var u *problem.Unresolved
	if errors.As(err, &u) && u.Known == nil {
		u.Known = hint
	}
	fieldErrors.AddErr(field, err)
}

// ReadBrands returns the slugs of brands given by any name: "Fuji" is fujifilm.
func (s *Names) ReadBrands(given []string, fieldErrors *web.FieldErrors) []string {
	var slugs []string
	for _, name := range s.splitBrands(given) {
		slug, err := s.Catalog.BrandNames().Resolve(name)
		if err != nil {
			addUnresolved(fieldErrors, "brand", err, FindBrandHint)
		} else if !slices.Contains(slugs, slug) {
			slugs = append(slugs, slug)
		}
	}
	return slugs
}

// splitBrands splits names that are lists of brands: "Canon or Nikon".
func (s *Names) splitBrands(given []string) (all []string) {
	unknown := func(name string) bool { _, err := s.Catalog.BrandNames().Resolve(name); return err != nil }
	for _, name := range given {
		if parts := bind.Alternatives(name); parts != nil && unknown(name) && !slices.ContainsFunc(parts, unknown) {
			all = append(all, parts...)
		} else {
			all = append(all, name)
		}
	}
	return all
}

// ReadGear returns the gear that a field names, or nil after adding a field error. Brand
// is the brand if it is given apart, by slug, else "".
func (s *Names) ReadGear(field, brand, name string, fieldErrors *web.FieldErrors) *catalog.Gear {
	g, err := s.Catalog.FindGear(brand, name, s.Popularity)
	if err != nil {
		addUnresolved(fieldErrors, field, err, FindGearHint)
	}
	return g
}

// ReadModel returns the slug of the model that a search names, alone or together with
// its brand.
func (s *Names) ReadModel(name string, brands []string, fieldErrors *web.FieldErrors) string {
	if strings.TrimSpace(name) == "" {
		return ""
	}
	brand := ""
	if len(brands) == 1 && !strings.Contains(name, "/") {
		brand = brands[0]
	}
	if g := s.ReadGear("model", brand, name, fieldErrors); g != nil {
		return g.Slug()
	}
	return ""
}

// ReadFits returns the slug of the gear that the results of a search fit.
func (s *Names) ReadFits(name string, fieldErrors *web.FieldErrors) string {
	if strings.TrimSpace(name) == "" {
		return ""
	}
	if g := s.ReadGear("fits", "", name, fieldErrors); g != nil {
		return g.Slug()
	}
	return ""
}

// ReadMount returns the mount with any of its names: "MFT" is Micro Four Thirds.
func (s *Names) ReadMount(name string, fieldErrors *web.FieldErrors) string {
	if strings.TrimSpace(name) == "" {
		return ""
	}
	mount, err := s.Catalog.MountNames().Resolve(name)
	if err != nil {
		addUnresolved(fieldErrors, "mount", err, findMountHint)
	}
	return mount
}

// NotFound returns gear_not_found with links to the gear that the slug may mean.
func (s *Names) NotFound(slug string) error {
	err := &problem.Error{Kind: problem.NotFound, Code: "gear_not_found",
		Message: problem.Programf("The catalogue has no gear with the slug %q.", slug),
		Hint:    FindGearHint}
	_, unknown := s.Catalog.FindGear("", slug, s.Popularity)
	var u *problem.Unresolved
	if !errors.As(unknown, &u) || len(u.Candidates) == 0 {
		return err
	}
	for _, slug := range u.Candidates[:min(3, len(u.Candidates))] {
		err.Links = append(err.Links, problem.Link{Href: "/gear/" + slug, Label: s.Catalog.Gear(slug).Name()})
	}
	u.Known = problem.Programf("Or find the slug with GET /api/gear?keyword=…")
	err.Hint = u.Hint()
	return err
}

// Catalogued returns the gear with the given slugs. It skips slugs that are no longer in
// the catalogue.
func (s *Names) Catalogued(slugs []string) []*catalog.Gear {
	var gear []*catalog.Gear
	for _, slug := range slugs {
		if g := s.Catalog.Gear(slug); g != nil {
			gear = append(gear, g)
		}
	}
	return gear
}

// FindNamed returns the gear that a name, a slug or a title means, or else what the name
// may mean, the likeliest first.
func (s *Names) FindNamed(name string) (gear *catalog.Gear, candidates []*catalog.Gear) {
	return s.findListed(name, true)
}

// suggestedNames is the number of unknown names of a list that get similar names as
// candidates, because they are dear to find.
const suggestedNames = 3

// FindAllNamed calls found with the result of FindNamed for each name that isn't empty. It
// returns ctx.Err() if ctx ends first.
func (s *Names) FindAllNamed(ctx context.Context, names []string, found func(i int, gear *catalog.Gear, candidates []*catalog.Gear)) error {
	unknown := 0
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if name == "" {
			continue
		}
		gear, candidates := s.findListed(name, unknown < suggestedNames)
		if gear == nil {
			unknown++
		}
		found(i, gear, candidates)
	}
	return nil
}

func (s *Names) findListed(name string, suggest bool) (gear *catalog.Gear, candidates []*catalog.Gear) {
	gear, err := s.Catalog.FindListed(name, s.Popularity, suggest)
	if err == nil {
		return gear, nil
	}
	var u *problem.Unresolved
	if !errors.As(err, &u) {
		return nil, nil
	}
	return nil, s.Catalogued(u.Candidates)
}

// Popularity returns the number of sales and of listings for sale of gear. It ranks what
// a name may mean.
func (s *Names) Popularity(gear string) int { return s.sales()[gear] + s.Index.CountGear(gear) }

// sales returns the number of sales by gear. If they can't be read it returns those that
// were read last.
func (s *Names) sales() map[string]int {
	s.sold.mu.Lock()
	defer s.sold.mu.Unlock()
	if now := s.Clock(); now.After(s.sold.expires) {
		s.sold.expires = now.Add(popularityAge)
		count, err := s.Prices.SalesByGear(context.Background())
		if err != nil {
			s.Log.Error("count sales by gear", "err", err)
		} else {
			s.sold.count = count
		}
	}
	return s.sold.count
}

// sold caches the number of sales of all gear.
type sold struct {
	mu      sync.Mutex
	count   map[string]int
	expires time.Time
}

// popularityAge is the age at which the counts of sales are read again.
const popularityAge = 10 * time.Minute
