package settings

import (
	"context"
	"slices"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
)

// readTexts reads the texts that the owner wrote.
func (s *Settings) readTexts(ctx context.Context) (*WrittenTexts, error) {
	all, err := s.Records.Texts(ctx)
	if err != nil {
		return nil, err
	}
	moves, err := s.Records.TextMoves(ctx)
	if err != nil {
		return nil, err
	}
	texts := &WrittenTexts{All: all, Moves: map[models.TextSection]map[string]string{}}
	for _, t := range all {
		if t.Public != nil {
			texts.written = append(texts.written, writtenText(t, t.Public))
		}
		if t.PublishAt > 0 && (texts.due == 0 || t.PublishAt < texts.due) {
			texts.due = t.PublishAt
		}
	}
	for _, m := range moves {
		if texts.Moves[m.Section] == nil {
			texts.Moves[m.Section] = map[string]string{}
		}
		texts.Moves[m.Section][m.OldSlug] = m.Slug
	}
	return texts, nil
}

// Published returns the texts of a section that visitors read.
func (s *Settings) Published(section models.TextSection) []*content.Text {
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

// MovedTo returns the function that tells where a text of a section has moved to.
func (s *Settings) MovedTo(section models.TextSection) func(param func(string) string) string {
	return func(param func(string) string) string {
		slug := param("slug")
		to := s.Texts.Load().Moves[section][slug]
		if to == "" || slices.ContainsFunc(s.Published(section), func(t *content.Text) bool { return t.Slug == slug }) {
			return ""
		}
		return TextPath(section, to)
	}
}

// Written returns the texts that the owner wrote.
func (s *Settings) Written() *WrittenTexts { return s.Texts.Load() }

// writtenText returns a revision of a text as package content renders it.
func writtenText(t *models.Text, r *models.TextRevision) content.Written {
	return content.Written{Section: string(t.Section), Slug: t.Slug, Language: t.Language, Title: r.Title, Description: r.Description, Tags: r.Tags, Markdown: r.Markdown,
		Date: dayOf(max(t.FirstAt, models.Time(1))), Updated: dayOf(max(r.At, models.Time(1)))}
}

func dayOf(t models.Time) time.Time { return t.Std().UTC().Truncate(24 * time.Hour) }

// TextPath returns the path of a text.
func TextPath(section models.TextSection, slug string) string {
	if section == models.PageTexts {
		return "/" + slug
	}
	return "/" + string(section) + "/" + slug
}
