package portfolio

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// PortfolioOps holds the operations on the portfolio.
type PortfolioOps struct{ Deps }

type portfolioInput struct {
	Subject string          `json:"subject,omitempty" jsonschema:"what the photo shows: a slug or name in the facets" example:"landscape"`
	Tag     string          `json:"tag,omitempty" jsonschema:"tag of the photo: a slug or name in the facets" example:"night"`
	Camera  string          `json:"camera,omitempty" jsonschema:"camera by any common name, or its slug" example:"canon/eos-r6"`
	Lens    string          `json:"lens,omitempty" jsonschema:"lens by any common name, or its slug" example:"canon/rf-50mm-f1-8-stm"`
	Focal   portfolio.Focal `json:"focal,omitempty" jsonschema:"focal length marked on the lens, in millimetres: 50, or a range such as 21-35, -20 or 136-" example:"21-35"`
	Limit   int             `json:"limit,omitempty" jsonschema:"projects or photos per page, 1 to 100" min:"1" max:"100" default:"24" example:"24"`
	Cursor  string          `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page, unchanged"`
}

// photosPerPage is the number of projects or photographs on a page by default.
const photosPerPage = 24

// listPortfolio returns the operation that lists projects or searches photos.
func (s PortfolioOps) listPortfolio() web.Operation {
	return web.Op[portfolioInput, *views.Portfolio]{
		Name:      "list_portfolio",
		Path:      "/api/portfolio",
		Page:      "/portfolio",
		Tag:       "Portfolio",
		Shared:    true,
		DependsOn: cachetag.OnMarket[*views.Portfolio],
		Title:     "List the portfolio",
		Summary:   "The photographer's projects, or photos by subject, tag or gear.",
		Description: "Returns the projects, and the number of photos per subject, tag, camera, lens and focal length. " +
			"With a filter it returns the matching photos with their exposure. Gear slugs are in the facets and in find_gear; get_photo returns what the gear of a photo sells for.",
		Errors:  []string{"invalid_parameter", "unresolved_name", "invalid_cursor"},
		Formats: []web.Format{web.Atom, web.JSONFeed},
		Do:      s.doListPortfolio,
	}.Operation()
}

// doListPortfolio handles list_portfolio.
func (s PortfolioOps) doListPortfolio(_ context.Context, in *portfolioInput) (*views.Portfolio, error) {
	all := s.Library.Portfolio()
	var fieldErrors web.FieldErrors
	counts := all.Facets(portfolio.Filter{})
	f := portfolio.Filter{Subject: readName("subject", in.Subject, counts.Subjects, &fieldErrors), Tag: readName("tag", in.Tag, counts.Tags, &fieldErrors),
		Camera: s.readFamily("camera", in.Camera, &fieldErrors), Lens: s.readFamily("lens", in.Lens, &fieldErrors), Focal: in.Focal}
	if err := fieldErrors.Err(); err != nil {
		return nil, err
	}
	if f == (portfolio.Filter{}) {
		projects, next, err := web.PageOf(all.Projects, in.Cursor, in.Limit)
		if err != nil {
			return nil, err
		}
		return views.NewPortfolio(s.Site, all, projects, ui.NewNext(next, in.Limit, photosPerPage)), nil
	}
	found := all.Find(f)
	page, next, err := web.PageOf(found, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	return views.NewPortfolioSearch(s.Site, all, f, s.Catalog.Gear(f.Camera), s.Catalog.Gear(f.Lens), len(found), page, ui.NewNext(next, in.Limit, photosPerPage)), nil
}

// readName returns the slug of a subject or tag of the portfolio. If no photo has it, it
// adds a field error and returns "".
func readName(field, text string, known []portfolio.NameCount, fieldErrors *web.FieldErrors) string {
	if text == "" {
		return ""
	}
	slugs := make([]string, len(known))
	for i, name := range known {
		slugs[i] = name.Slug
	}
	slug := models.Slug(text)
	if slices.Contains(slugs, slug) {
		return slug
	}
	hint := problem.Textf("No photo has a %s yet.", field)
	if near := fuzzy.NearestName(slug, slugs); near != "" {
		hint = problem.Textf("Did you mean %s?", near)
	} else if len(slugs) > 0 {
		hint = problem.Textf("Use one of %s.", strings.Join(slugs[:min(len(slugs), 10)], ", "))
	}
	fieldErrors.Add(field, problem.Textf("No photo has the %s %q.", field, text), hint)
	return ""
}

// readFamily returns the slug of the camera or lens, by family, that a parameter names.
// If the catalogue does not have it, it adds a field error and returns "".
func (s PortfolioOps) readFamily(family, name string, fieldErrors *web.FieldErrors) string {
	if name == "" {
		return ""
	}
	g := s.Gear.ReadGear(family, "", name, fieldErrors)
	if g == nil {
		return ""
	}
	if g.Category.Family() != family {
		fieldErrors.Add(family, problem.Textf("%s isn't a %s.", g.Name(), family), market.FindGearHint)
	}
	return g.Slug()
}

type projectInput struct {
	Project string `json:"project" in:"path" jsonschema:"slug of the project" example:"far-from-home"`
	Limit   int    `json:"limit,omitempty" jsonschema:"photos per page, 1 to 100" min:"1" max:"100" default:"24" example:"24"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page, unchanged"`
}

// projectLinks returns links to all projects.
func (s PortfolioOps) projectLinks() []ui.Link {
	var links []ui.Link
	for _, p := range s.Library.Portfolio().Projects {
		links = append(links, ui.Link{Href: "/portfolio/" + p.Slug, Label: p.Title})
	}
	return links
}

// getProject returns the operation that shows a project.
func (s PortfolioOps) getProject() web.Operation {
	return web.Op[projectInput, *views.Project]{
		Name:        "get_project",
		Path:        "/api/portfolio/{project}",
		Page:        "/portfolio/{project}",
		Tag:         "Portfolio",
		Title:       "Get a project",
		Summary:     "A project of the portfolio and its photos.",
		Description: "Returns the text of a project and its photos in order, each with exposure, camera and lens. Slugs are in list_portfolio.",
		Errors:      []string{"project_not_found", "invalid_cursor"},
		Example:     func() map[string]string { return s.examplePhoto() },
		List:        func() []web.Link { return input.WebLinks(s.projectLinks()) },
		Text:        true,
		Do: func(_ context.Context, in *projectInput) (*views.Project, error) {
			project := s.Library.Portfolio().Project(in.Project)
			if project == nil {
				return nil, s.projectNotFound(in.Project)
			}
			page, next, err := web.PageOf(project.Photos, in.Cursor, in.Limit)
			if err != nil {
				return nil, err
			}
			return views.NewProject(s.Site, project, page, ui.NewNext(next, in.Limit, photosPerPage)), nil
		},
	}.Operation()
}

// examplePhoto returns the slugs of an existing photo, preferably one whose camera
// and lens are known.
func (s PortfolioOps) examplePhoto() map[string]string {
	example := map[string]string{}
	for _, p := range s.Library.Portfolio().Photos() {
		if len(example) == 0 || p.Camera != nil && p.Lens != nil {
			example["project"], example["photo"] = p.Project.Slug, p.Slug
		}
		if p.Camera != nil && p.Lens != nil {
			break
		}
	}
	return example
}

// projectNotFound returns a project_not_found error with links to all projects.
func (s PortfolioOps) projectNotFound(slug string) error {
	err := &problem.Error{Kind: problem.NotFound, Code: "project_not_found",
		Message: problem.Textf("The portfolio has no project %q.", slug),
		Hint:    problem.Programf("GET /api/portfolio lists all projects.")}
	for _, p := range s.Library.Portfolio().Projects {
		err.Links = append(err.Links, problem.Link{Href: "/portfolio/" + p.Slug, Label: p.Title})
	}
	return err
}

type photoInput struct {
	Project string `json:"project" in:"path" jsonschema:"slug of the project" example:"far-from-home"`
	Photo   string `json:"photo" in:"path" jsonschema:"slug of the photo" example:"nagasaki-boats"`
}

// getPhoto returns the operation that shows a photo.
func (s PortfolioOps) getPhoto() web.Operation {
	return web.Op[photoInput, *views.ProjectPhoto]{
		Name:      "get_photo",
		Path:      "/api/portfolio/{project}/{photo}",
		Page:      "/portfolio/{project}/{photo}",
		Tag:       "Portfolio",
		Shared:    true,
		DependsOn: photoSources,
		Title:     "Get a photo",
		Summary:   "A photo with its exposure, and what its camera and lens sell for.",
		Description: "Returns a photo: its caption, exposure, camera and lens, and for both what they sell for and how many are for sale now. " +
			"Slugs are in get_project and list_portfolio.",
		Errors:  []string{"project_not_found", "photo_not_found"},
		Example: func() map[string]string { return s.examplePhoto() },
		Do:      s.readPhoto,
	}.Operation()
}

// readPhoto handles get_photo.
func (s PortfolioOps) readPhoto(ctx context.Context, in *photoInput) (*views.ProjectPhoto, error) {
	project := s.Library.Portfolio().Project(in.Project)
	if project == nil {
		return nil, s.projectNotFound(in.Project)
	}
	photo := project.Photo(in.Photo)
	if photo == nil {
		return nil, &problem.Error{Kind: problem.NotFound, Code: "photo_not_found",
			Message: problem.Textf("The project %s has no photo %q.", project.Slug, in.Photo),
			Hint:    problem.Programf("GET /api/portfolio/%s lists its photos.", project.Slug),
			Links:   []problem.Link{{Href: "/portfolio/" + project.Slug, Label: project.Title}}}
	}
	parts := views.PhotoParts{Photo: photo}
	for _, gear := range []struct {
		of   *catalog.Gear
		card **ui.GearCard
	}{{photo.Camera, &parts.Camera}, {photo.Lens, &parts.Lens}} {
		if gear.of == nil {
			continue
		}
		cards, err := s.Cards.OfGear(ctx, []*catalog.Gear{gear.of})
		if err != nil {
			return nil, err
		}
		*gear.card = &cards[0]
	}
	return views.NewProjectPhoto(s.Site, parts), nil
}

// getKit returns the operation that shows the photographer's kit.
func (s PortfolioOps) getKit() web.Operation {
	return web.Op[struct{}, *views.Kit]{
		Name:        "get_kit",
		Path:        "/api/kit",
		Page:        "/kit",
		Tag:         "Portfolio",
		Shared:      true,
		DependsOn:   cachetag.OnMarket[*views.Kit],
		Title:       "Get the kit",
		Summary:     "The photographer's gear and its current value.",
		Description: "Returns the cameras and lenses the photographer owns, each with its price in its condition, and the total.",
		Do:          s.readKit,
	}.Operation()
}

// readKit handles get_kit.
func (s PortfolioOps) readKit(ctx context.Context, _ *struct{}) (*views.Kit, error) {
	all := s.Library.Portfolio()
	kit, err := s.ownersKit(ctx, all.Bag())
	if err != nil {
		return nil, err
	}
	var slugs []string
	var gear []*catalog.Gear
	for _, item := range kit.Items {
		slugs = append(slugs, item.Gear.Slug())
		gear = append(gear, item.Gear)
	}
	cards, err := s.Cards.OfGear(ctx, gear)
	if err != nil {
		return nil, err
	}
	trends, err := s.Prices.Trends(ctx, slugs)
	if err != nil {
		return nil, err
	}
	var lines []views.KitLine
	for i, item := range kit.Items {
		lines = append(lines, views.KitLine{Item: item, Card: cards[i], Trend: trends[slugs[i]], Estimate: s.Cards.Estimates.Of(slugs[i], item.Condition), Photos: len(all.With(slugs[i]))})
	}
	return views.NewKit(s.Site, kit, lines), nil
}

// ownersKit returns the items that the operators show, or a kit from files if they show
// none.
func (s PortfolioOps) ownersKit(ctx context.Context, files *portfolio.Kit) (*portfolio.Kit, error) {
	items, err := s.Watches.PublicKit(ctx)
	if err != nil {
		return nil, err
	}
	kit := &portfolio.Kit{Title: files.Title, Markdown: files.Markdown}
	for _, item := range items {
		if gear := s.Catalog.Gear(item.Gear); gear != nil {
			kit.Items = append(kit.Items, portfolio.KitItem{Gear: gear, Condition: item.Condition, Note: item.Note})
		}
	}
	if len(kit.Items) == 0 {
		return files, nil
	}
	return kit, nil
}

var pictureFile = regexp.MustCompile(`^([0-9a-f]{16})-([1-9][0-9]{0,4})\.jpg$`)

// PictureName parses a file name of the form "{key}-{size}.jpg".
func PictureName(file string) (key string, size int, ok bool) {
	m := pictureFile.FindStringSubmatch(file)
	if m == nil {
		return "", 0, false
	}
	size, _ = strconv.Atoi(m[2])
	return strings.Clone(m[1]), size, true
}

// SendPicture sends a portfolio photo in a size. It calls identify for the caller if it is a
// hidden one.
func (s Deps) SendPicture(c *fiber.Ctx, identify func(*fiber.Ctx) *web.Identity, key string, size int) error {
	ctx, cancel := context.WithTimeout(context.Background(), photo.DrawTime)
	defer cancel()
	avif, caching := s.AVIFs.Find(ctx, c, s.avif(key, size))
	if len(avif) > 0 {
		return photo.SendAVIF(c, key, size, avif)
	}
	body, err := s.Library.Picture(ctx, key, size)
	if errors.Is(err, fs.ErrNotExist) {
		if caller := identify(c); caller != nil && slices.Contains(caller.Staff, string(models.SiteWrite)) {
			caching = web.CachePrivate
			web.VaryByCaller(c)
			body, err = s.Library.HiddenPicture(ctx, key, size)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return codes.New("photo_not_found")
	}
	if err != nil {
		return fmt.Errorf("read picture: %w", err)
	}
	return web.SendAsset(c, "image/jpeg", fmt.Sprintf(`"%s-%d"`, key, size), caching, body)
}

// avif returns the AVIF of a portfolio photo that everybody may see in a size. Like its JPEGs, it is cached by
// each server.
func (s Deps) avif(key string, size int) photo.AVIF {
	if shown := s.Library.Portfolio().ByKey(key); shown == nil || !slices.Contains(shown.Sizes(), size) {
		return photo.AVIF{}
	}
	return photo.AVIF{Files: blob.Folder(s.Library.Cache()), Name: portfolio.AVIFFile(key, size),
		Pixels: func(ctx context.Context) (*image.YCbCr, int, error) { return s.Library.Pixels(ctx, key, size) }}
}

// photoSources returns what the page of a portfolio photo is made of: the prices of the
// gear it was taken with.
func photoSources(p *views.ProjectPhoto) []string {
	var tags []string
	for _, g := range []*ui.GearCard{p.Camera, p.Lens} {
		if g != nil {
			tags = append(tags, cachetag.Gear(g.Slug))
		}
	}
	return tags
}
