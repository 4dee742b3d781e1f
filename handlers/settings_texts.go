package handlers

import (
	"context"
	"slices"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
)

// readTexts reads the texts that the owner wrote.
func (s *siteSettings) readTexts(ctx context.Context) (*writtenTexts, error) {
	all, err := s.Records.Texts(ctx)
	if err != nil {
		return nil, err
	}
	moves, err := s.Records.TextMoves(ctx)
	if err != nil {
		return nil, err
	}
	texts := &writtenTexts{all: all, moves: map[models.TextSection]map[string]string{}}
	for _, t := range all {
		if t.Public != nil {
			texts.written = append(texts.written, writtenText(t, t.Public))
		}
		if t.PublishAt > 0 && (texts.due == 0 || t.PublishAt < texts.due) {
			texts.due = t.PublishAt
		}
	}
	for _, m := range moves {
		if texts.moves[m.Section] == nil {
			texts.moves[m.Section] = map[string]string{}
		}
		texts.moves[m.Section][m.OldSlug] = m.Slug
	}
	return texts, nil
}

// reloadTexts publishes what was scheduled, and reads the owner's files again.
func (s *siteSettings) reloadTexts(ctx context.Context) error {
	if due := s.texts.Load().due; due > 0 && due <= models.TimeOf(s.Clock()) {
		s.reloadSite()
	}
	return s.Pages.Reload(ctx)
}

// published returns the texts of a section that visitors read.
func (s *siteSettings) published(section models.TextSection) []*content.Text {
	switch section {
	case models.GuideTexts:
		return s.Pages.Guides()
	case models.JournalTexts:
		return s.Pages.Journal()
	}
	all := make([]*content.Text, len(content.PageSlugs))
	for i, slug := range content.PageSlugs {
		all[i] = s.Pages.BySlug(slug)
	}
	return all
}

// movedTo returns the function that tells where a text of a section has moved to.
func (s *siteSettings) movedTo(section models.TextSection) func(param func(string) string) string {
	return func(param func(string) string) string {
		slug := param("slug")
		to := s.texts.Load().moves[section][slug]
		if to == "" || slices.ContainsFunc(s.published(section), func(t *content.Text) bool { return t.Slug == slug }) {
			return ""
		}
		return textPath(section, to)
	}
}

// written returns the texts that the owner wrote.
func (s *siteSettings) written() *writtenTexts { return s.texts.Load() }

// writtenTexts are the texts that the owner wrote in the browser, as they were when they
// were read.
type writtenTexts struct {
	all     []*models.Text
	written []content.Written // those that are public
	moves   map[models.TextSection]map[string]string
	due     models.Time // when the next is published, 0 for never
}

// writtenText returns a revision of a text as package content renders it.
func writtenText(t *models.Text, r *models.TextRevision) content.Written {
	return content.Written{Section: string(t.Section), Slug: t.Slug, Language: t.Language, Title: r.Title, Description: r.Description, Tags: r.Tags, Markdown: r.Markdown,
		Date: dayOf(max(t.FirstAt, models.Time(1))), Updated: dayOf(max(r.At, models.Time(1)))}
}

func dayOf(t models.Time) time.Time { return t.Std().UTC().Truncate(24 * time.Hour) }

// textPath returns the path of a text.
func textPath(section models.TextSection, slug string) string {
	if section == models.PageTexts {
		return "/" + slug
	}
	return "/" + string(section) + "/" + slug
}
