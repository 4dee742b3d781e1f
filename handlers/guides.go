package handlers

import (
	"context"
	"fmt"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

func (s *Server) listGuides() Operation {
	return Op[struct{}, *views.Guides]{
		Name:        "list_guides",
		Page:        "/guides",
		Tag:         "Guides",
		Title:       "List the guides",
		Summary:     "Every guide with what it is about.",
		Description: "Answers with the guides of the site: grading, reading a price trend, checking used cameras and lenses, selling. get_guide reads one.",
		Do: func(context.Context, *struct{}) (*views.Guides, error) {
			return views.NewGuides(&s.site, content.Guides()), nil
		},
	}.Operation()
}

type guideInput struct {
	Slug string `json:"slug" in:"path" jsonschema:"name of the guide" example:"condition-grades"`
}

func (s *Server) getGuide() Operation {
	return Op[guideInput, *views.Guide]{
		Name:        "get_guide",
		Page:        "/guides/{slug}",
		Tag:         "Guides",
		Title:       "Read a guide",
		Summary:     "How the site grades, counts and works.",
		Description: "Answers with one guide, such as condition-grades (what the grades mean, beside the scales of other shops) or reading-a-price-trend.",
		Errors:      []string{"guide_not_found"},
		List:        guideLinks,
		Text:        true,
		Do: func(_ context.Context, in *guideInput) (*views.Guide, error) {
			guide := content.GuideBySlug(in.Slug)
			if guide == nil {
				return nil, textNotFound("guide_not_found", fmt.Sprintf("There is no guide %q.", in.Slug), guideLinks())
			}
			return views.NewGuide(&s.site, guide, content.Guides()), nil
		},
	}.Operation()
}

// textNotFound names what there is to read instead.
func textNotFound(code, message string, instead []views.Link) error {
	err := &models.Error{Kind: models.NotFound, Code: code, Message: message, Hint: "Use one of the links."}
	for _, l := range instead {
		err.Links = append(err.Links, models.ErrorLink(l))
	}
	return err
}

func guideLinks() []views.Link { return textLinks("/guides/", content.Guides()) }

// textLinks lead to texts whose addresses begin alike.
func textLinks(under string, all []*content.Text) []views.Link {
	links := make([]views.Link, len(all))
	for i, t := range all {
		links[i] = views.Link{Href: under + t.Slug, Label: t.Title}
	}
	return links
}
