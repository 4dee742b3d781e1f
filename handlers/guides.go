package handlers

import (
	"context"
	"fmt"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

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
		Do: func(_ context.Context, in *guideInput) (*views.Guide, error) {
			guide := content.GuideBySlug(in.Slug)
			if guide == nil {
				return nil, guideNotFound(in.Slug)
			}
			return views.NewGuide(&s.site, guide, content.Guides()), nil
		},
	}.Operation()
}

func guideNotFound(slug string) error {
	err := &models.Error{Kind: models.NotFound, Code: "guide_not_found",
		Message: fmt.Sprintf("There is no guide %q.", slug),
		Hint:    "Use one of the links."}
	for _, l := range guideLinks() {
		err.Links = append(err.Links, models.ErrorLink(l))
	}
	return err
}

func guideLinks() []views.Link {
	var links []views.Link
	for _, g := range content.Guides() {
		links = append(links, views.Link{Href: "/guides/" + g.Slug, Label: g.Title})
	}
	return links
}
