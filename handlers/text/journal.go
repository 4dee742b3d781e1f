package text

import (
	"context"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/text"
	"github.com/secondlight/secondlight/views/ui"
)

type journalInput struct {
	Tag string `json:"tag,omitempty" jsonschema:"only entries with this tag" example:"film"`
}

// listJournal returns the operation that lists the journal.
func (s pageOps) listJournal() web.Operation {
	return web.Op[journalInput, *views.Journal]{
		Name:        "list_journal",
		Page:        "/journal",
		Tag:         "Journal",
		Title:       "List the journal",
		Summary:     "Journal entries, newest first.",
		Description: "Returns all journal entries, or those with one tag, each with its date and summary. Use get_journal_entry to read one.",
		Formats:     []web.Format{web.Atom, web.JSONFeed},
		Do: func(_ context.Context, in *journalInput) (*views.Journal, error) {
			return views.NewJournal(s.Site, s.Pages.Journal(), in.Tag), nil
		},
	}.Operation()
}

type entryInput struct {
	Slug string `json:"slug" in:"path" jsonschema:"slug of the entry" example:"pictures-older-than-their-prices"`
}

// getJournalEntry returns the operation that shows a journal entry.
func (s pageOps) getJournalEntry() web.Operation {
	return web.Op[entryInput, *views.JournalEntry]{
		Name:        "get_journal_entry",
		Page:        "/journal/{slug}",
		Tag:         "Journal",
		Title:       "Read a journal entry",
		Summary:     "A journal entry with its full text.",
		Description: "Returns one journal entry: its text, its tags, and links to the previous and next entries.",
		Errors:      []string{"entry_not_found"},
		List:        func() []web.Link { return input.WebLinks(s.journalLinks()) },
		Example: func() map[string]string {
			if all := s.Pages.Journal(); len(all) > 0 {
				return map[string]string{"slug": all[0].Slug}
			}
			return nil
		},
		Moved: s.Settings.MovedTo(models.JournalTexts),
		Text:  true,
		Do: func(_ context.Context, in *entryInput) (*views.JournalEntry, error) {
			entry := s.Pages.EntryBySlug(in.Slug)
			if entry == nil {
				return nil, textNotFound("entry_not_found", problem.Textf("There's no journal entry %q.", in.Slug), s.journalLinks())
			}
			return views.NewJournalEntry(s.Site, entry, s.Pages.Journal()), nil
		},
	}.Operation()
}

// journalLinks returns links to all journal entries.
func (s pageOps) journalLinks() []ui.Link { return textLinks("/journal/", s.Pages.Journal()) }
