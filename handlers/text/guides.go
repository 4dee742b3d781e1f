package text

import (
	"context"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/text"
	"github.com/secondlight/secondlight/views/ui"
)

// listGuides returns the operation that lists the guides.
func (s pageOps) listGuides() web.Operation {
	return web.Op[struct{}, *views.Guides]{
		Name:        "list_guides",
		Page:        "/guides",
		Tag:         "Guides",
		Title:       "List the guides",
		Summary:     "All guides with their summaries.",
		Description: "Returns all guides: grading, reading a price trend, checking used cameras and lenses, selling. Use get_guide to read one.",
		Do: func(context.Context, *struct{}) (*views.Guides, error) {
			return views.NewGuides(s.Site, s.Pages.Guides()), nil
		},
	}.Operation()
}

type guideInput struct {
	Slug string `json:"slug" in:"path" jsonschema:"name of the guide" example:"condition-grades"`
}

// getGuide returns the operation that shows a guide.
func (s pageOps) getGuide() web.Operation {
	return web.Op[guideInput, *views.Guide]{
		Name:        "get_guide",
		Page:        "/guides/{slug}",
		Tag:         "Guides",
		Title:       "Read a guide",
		Summary:     "A guide to grading, prices, buying or selling.",
		Description: "Returns one guide, such as condition-grades (what the grades mean, compared with the scales of other shops) or reading-a-price-trend.",
		Errors:      []string{"guide_not_found"},
		List:        func() []web.Link { return input.WebLinks(s.guideLinks()) },
		Moved:       s.Settings.MovedTo(models.GuideTexts),
		Text:        true,
		Do: func(_ context.Context, in *guideInput) (*views.Guide, error) {
			guide := s.Pages.GuideBySlug(in.Slug)
			if guide == nil {
				return nil, textNotFound("guide_not_found", problem.Textf("There's no guide %q.", in.Slug), s.guideLinks())
			}
			return views.NewGuide(s.Site, guide, s.Pages.Guides()), nil
		},
	}.Operation()
}

// TextNotFound returns a NotFound error with links to the available texts.
func textNotFound(code string, message problem.Text, instead []ui.Link) error {
	err := &problem.Error{Kind: problem.NotFound, Code: code, Message: message, Hint: problem.Textf("Use one of the links.")}
	for _, l := range instead {
		err.Links = append(err.Links, problem.Link(l))
	}
	return err
}

// guideLinks returns links to all guides.
func (s pageOps) guideLinks() []ui.Link { return textLinks("/guides/", s.Pages.Guides()) }

// textLinks returns links to texts whose paths start with a prefix.
func textLinks(under string, all []*content.Text) []ui.Link {
	links := make([]ui.Link, len(all))
	for i, t := range all {
		links[i] = ui.Link{Href: under + t.Slug, Label: t.Title}
	}
	return links
}
