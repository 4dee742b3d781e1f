package handlers

import (
	"context"
	"fmt"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/views"
)

type journalInput struct {
	Tag string `json:"tag,omitempty" jsonschema:"only what has this tag" example:"film"`
}

func (s *Server) listJournal() Operation {
	return Op[journalInput, *views.Journal]{
		Name:        "list_journal",
		Page:        "/journal",
		Tag:         "Journal",
		Title:       "List the journal",
		Summary:     "What the owner wrote, the newest first.",
		Description: "Answers with every piece of the journal, or those with one tag, each with its date and what it is about. get_journal_entry reads one.",
		Faces:       []Face{Atom, JSONFeed},
		Do: func(_ context.Context, in *journalInput) (*views.Journal, error) {
			return views.NewJournal(&s.site, content.Journal(), in.Tag), nil
		},
	}.Operation()
}

type entryInput struct {
	Slug string `json:"slug" in:"path" jsonschema:"name of the piece" example:"pictures-older-than-their-prices"`
}

func (s *Server) getJournalEntry() Operation {
	return Op[entryInput, *views.JournalEntry]{
		Name:        "get_journal_entry",
		Page:        "/journal/{slug}",
		Tag:         "Journal",
		Title:       "Read a piece of the journal",
		Summary:     "One piece of the journal in full.",
		Description: "Answers with one piece of the journal: its text, its tags, and the pieces before and after it.",
		Errors:      []string{"entry_not_found"},
		List:        journalLinks,
		Text:        true,
		Do: func(_ context.Context, in *entryInput) (*views.JournalEntry, error) {
			entry := content.JournalBySlug(in.Slug)
			if entry == nil {
				return nil, textNotFound("entry_not_found", fmt.Sprintf("The journal has no piece %q.", in.Slug), journalLinks())
			}
			return views.NewJournalEntry(&s.site, entry, content.Journal()), nil
		},
	}.Operation()
}

func journalLinks() []views.Link { return textLinks("/journal/", content.Journal()) }

func (s *Server) getAbout() Operation {
	return Op[struct{}, *views.About]{
		Name:        "get_about",
		Page:        "/about",
		Tag:         "Site",
		Title:       "About the site",
		Summary:     "What the site is, who keeps it and what it is made from.",
		Description: "Answers with what the site is for, how its prices come about, who keeps it, and whose data and photographs it uses.",
		Text:        true,
		Do: func(context.Context, *struct{}) (*views.About, error) {
			return views.NewAbout(&s.site, content.About()), nil
		},
	}.Operation()
}
