package handlers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/views"
)

// photographs is the portfolio as it is now.
func (s *Server) photographs() *portfolio.Portfolio {
	if s.library == nil {
		return &portfolio.Portfolio{}
	}
	return s.library.Portfolio()
}

type portfolioInput struct {
	Camera string          `json:"camera,omitempty" jsonschema:"gear slug of the camera the photographs were taken with" example:"canon/eos-r6"`
	Lens   string          `json:"lens,omitempty" jsonschema:"gear slug of the lens they were taken through" example:"canon/rf-50mm-f1-8-stm"`
	Focal  portfolio.Focal `json:"focal,omitempty" jsonschema:"focal length in millimetres as engraved: 50, or a range such as 21-35, -20 or 136-" example:"21-35"`
	Limit  int             `json:"limit,omitempty" jsonschema:"photographs a page, 1 to 100" min:"1" max:"100" default:"60" example:"60"`
	Cursor string          `json:"cursor,omitempty" jsonschema:"next_cursor of the page before, as it is"`
}

func (s *Server) listPortfolio() Operation {
	return Op[portfolioInput, *views.Portfolio]{
		Name:    "list_portfolio",
		Path:    "/api/portfolio",
		Page:    "/portfolio",
		Tag:     "Portfolio",
		Title:   "List the portfolio",
		Summary: "The photographer's projects, or the photographs taken with one camera, through one lens or at one focal length.",
		Description: "Answers with every project, and how many photographs were taken with each camera and lens and at each focal length. " +
			"With camera, lens or focal it answers with the photographs that fit, each with its exposure. Take gear slugs from the facets or from find_gear; get_photo tells what the gear of one photograph sells for.",
		Errors: []string{"invalid_parameter", "invalid_cursor"},
		Faces:  []Face{Atom, JSONFeed},
		Do:     s.doListPortfolio,
	}.Operation()
}

func (s *Server) doListPortfolio(_ context.Context, in *portfolioInput) (*views.Portfolio, error) {
	all := s.photographs()
	var faults faults
	f := portfolio.Filter{Camera: s.readGear("camera", in.Camera, &faults), Lens: s.readGear("lens", in.Lens, &faults), Focal: in.Focal}
	if err := faults.err(); err != nil {
		return nil, err
	}
	if f == (portfolio.Filter{}) {
		return views.NewPortfolio(&s.site, all), nil
	}
	found := all.Find(f)
	page, next, err := pageOf(found, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	return views.NewPortfolioSearch(&s.site, all, f, s.catalog.Gear(f.Camera), s.catalog.Gear(f.Lens), len(found), page, next), nil
}

// readGear reads the slug of a camera or lens.
func (s *Server) readGear(family, slug string, faults *faults) string {
	if slug == "" {
		return ""
	}
	if g := s.catalog.Gear(slug); g != nil && g.Category.Family() == family {
		return slug
	}
	hint := "Find the slug with GET /api/gear?keyword=…"
	if near := s.catalog.Nearest(slug, 1); len(near) > 0 {
		hint = "Did you mean " + near[0].Slug() + "? " + hint
	}
	faults.add(family, fmt.Sprintf("The catalogue has no %s %q.", family, slug), hint)
	return ""
}

type projectInput struct {
	Project string `json:"project" in:"path" jsonschema:"slug of the project" example:"far-from-home"`
	Limit   int    `json:"limit,omitempty" jsonschema:"photographs a page, 1 to 100" min:"1" max:"100" default:"60" example:"60"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before, as it is"`
}

func (s *Server) projectLinks() []views.Link {
	var links []views.Link
	for _, p := range s.photographs().Projects {
		links = append(links, views.Link{Href: "/portfolio/" + p.Slug, Label: p.Title})
	}
	return links
}

func (s *Server) getProject() Operation {
	return Op[projectInput, *views.Project]{
		Name:        "get_project",
		Path:        "/api/portfolio/{project}",
		Page:        "/portfolio/{project}",
		Tag:         "Portfolio",
		Title:       "Get a project",
		Summary:     "One project of the portfolio with its photographs.",
		Description: "Answers with the text of one project and its photographs in order, each with exposure, camera and lens. Take the slug from list_portfolio.",
		Errors:      []string{"project_not_found", "invalid_cursor"},
		Example:     func() map[string]string { return s.examplePhoto() },
		List:        s.projectLinks,
		Text:        true,
		Do: func(_ context.Context, in *projectInput) (*views.Project, error) {
			project := s.photographs().Project(in.Project)
			if project == nil {
				return nil, s.projectNotFound(in.Project)
			}
			page, next, err := pageOf(project.Photos, in.Cursor, in.Limit)
			if err != nil {
				return nil, err
			}
			return views.NewProject(&s.site, project, page, next)
		},
	}.Operation()
}

// examplePhoto names a photograph that is there, the first whose camera is known
// if there is one.
func (s *Server) examplePhoto() map[string]string {
	example := map[string]string{}
	for _, p := range s.photographs().Photos() {
		if len(example) == 0 || p.Camera != nil && p.Lens != nil {
			example["project"], example["photo"] = p.Project.Slug, p.Slug
		}
		if p.Camera != nil && p.Lens != nil {
			break
		}
	}
	return example
}

func (s *Server) projectNotFound(slug string) error {
	err := &models.Error{Kind: models.NotFound, Code: "project_not_found",
		Message: fmt.Sprintf("The portfolio has no project %q.", slug),
		Hint:    "GET /api/portfolio lists every project."}
	for _, p := range s.photographs().Projects {
		err.Links = append(err.Links, models.ErrorLink{Href: "/portfolio/" + p.Slug, Label: p.Title})
	}
	return err
}

type photoInput struct {
	Project string `json:"project" in:"path" jsonschema:"slug of the project" example:"far-from-home"`
	Photo   string `json:"photo" in:"path" jsonschema:"slug of the photograph" example:"nagasaki-boats"`
}

func (s *Server) getPhoto() Operation {
	return Op[photoInput, *views.ProjectPhoto]{
		Name:    "get_photo",
		Path:    "/api/portfolio/{project}/{photo}",
		Page:    "/portfolio/{project}/{photo}",
		Tag:     "Portfolio",
		Title:   "Get a photograph",
		Summary: "One photograph with its exposure, and what its camera and lens sell for.",
		Description: "Answers with one photograph: its caption, how it was exposed, the camera and the lens, and for both what they sold for in the last 12 months and how many are for sale now. " +
			"Take the slugs from get_project or list_portfolio.",
		Errors:  []string{"project_not_found", "photo_not_found"},
		Example: func() map[string]string { return s.examplePhoto() },
		Do:      s.readPhoto,
	}.Operation()
}

func (s *Server) readPhoto(ctx context.Context, in *photoInput) (*views.ProjectPhoto, error) {
	project := s.photographs().Project(in.Project)
	if project == nil {
		return nil, s.projectNotFound(in.Project)
	}
	photo := project.Photo(in.Photo)
	if photo == nil {
		return nil, &models.Error{Kind: models.NotFound, Code: "photo_not_found",
			Message: fmt.Sprintf("The project %s has no photograph %q.", project.Slug, in.Photo),
			Hint:    "GET /api/portfolio/" + project.Slug + " lists its photographs.",
			Links:   []models.ErrorLink{{Href: "/portfolio/" + project.Slug, Label: project.Title}}}
	}
	parts := views.PhotoParts{Photo: photo}
	for _, gear := range []struct {
		of   *models.Gear
		card **views.GearCard
	}{{photo.Camera, &parts.Camera}, {photo.Lens, &parts.Lens}} {
		if gear.of == nil {
			continue
		}
		cards, err := s.gearCards(ctx, []*models.Gear{gear.of})
		if err != nil {
			return nil, err
		}
		*gear.card = &cards[0]
	}
	return views.NewProjectPhoto(&s.site, parts), nil
}

func (s *Server) getKit() Operation {
	return Op[struct{}, *views.Kit]{
		Name:        "get_kit",
		Path:        "/api/kit",
		Page:        "/kit",
		Tag:         "Portfolio",
		Title:       "Get the kit",
		Summary:     "What is in the photographer's bag, and what it is worth today.",
		Description: "Answers with the cameras and lenses the photographer owns, each with the median of what the same gear sold for in the last 12 months, and their sum.",
		Do:          s.readKit,
	}.Operation()
}

func (s *Server) readKit(ctx context.Context, _ *struct{}) (*views.Kit, error) {
	all := s.photographs()
	kit := all.Bag()
	var slugs []string
	var gear []*models.Gear
	for _, item := range kit.Items {
		slugs = append(slugs, item.Gear.Slug())
		gear = append(gear, item.Gear)
	}
	cards, err := s.gearCards(ctx, gear)
	if err != nil {
		return nil, err
	}
	trends, err := s.store.Trends(ctx, slugs)
	if err != nil {
		return nil, err
	}
	var lines []views.KitLine
	for i, item := range kit.Items {
		lines = append(lines, views.KitLine{Item: item, Card: cards[i], Trend: trends[slugs[i]], Photos: len(all.With(slugs[i]))})
	}
	return views.NewKit(&s.site, kit, lines)
}

var pictureFile = regexp.MustCompile(`^([0-9a-f]{16})-([1-9][0-9]{0,4})\.jpg$`)

// pictureName takes "{key}-{size}.jpg" apart.
func pictureName(file string) (key string, size int, ok bool) {
	m := pictureFile.FindStringSubmatch(file)
	if m == nil {
		return "", 0, false
	}
	size, _ = strconv.Atoi(m[2])
	return strings.Clone(m[1]), size, true
}

// sendPicture sends a size of a photograph of the portfolio.
func (s *Server) sendPicture(c *fiber.Ctx, key string, size int) error {
	ctx, cancel := context.WithTimeout(context.Background(), drawTime)
	defer cancel()
	body, err := s.library.Picture(ctx, key, size)
	if errors.Is(err, fs.ErrNotExist) {
		return fromCode("photo_not_found")
	}
	if err != nil {
		return fmt.Errorf("read picture: %w", err)
	}
	return sendAsset(c, "image/jpeg", fmt.Sprintf(`"%s-%d"`, key, size), cacheImmutable, body)
}
