package watch

import (
	"context"
	"strconv"

	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/watch"
)

// changeOps holds the operations on the change feed.
type changeOps struct{ Deps }

type changesInput struct {
	Since string `json:"since,omitempty" jsonschema:"start after this cursor: next_cursor of the previous page, a change's cursor, or now; default: the oldest stored change" example:"now"`
	Limit int    `json:"limit,omitempty" jsonschema:"changes in one response, 1 to 1000" min:"1" max:"1000" default:"100" example:"100"`
}

// sinceNow is the cursor of the present in a request.
const sinceNow = "now"

func (s changeOps) listChanges() web.Operation {
	return web.Op[changesInput, *views.Changes]{
		Name:    "list_changes",
		Path:    "/api/changes",
		Tag:     "Integration",
		NoTool:  true,
		Live:    true,
		Title:   "Changes",
		Summary: "Lists every public change in order, for copies of the data.",
		Description: "Returns what was published, changed, reserved, sold, ended or removed, which trends and which sellers changed, oldest first, in an order that never changes: nothing is left out or repeated. " +
			"Each change says what it is about and where to get its current state; GET /api/listings?id=… returns 100 listings at a time. " +
			"To keep a copy: take the cursor of since=now, load everything, then ask for the changes since that cursor, and again with each next_cursor. " +
			"Poll every few seconds, or follow GET /api/events, which sends the same changes as they happen. " +
			"Changes are kept for 30 days; an older cursor returns changes_expired (410), and so does one from before the site was restored from a backup: load everything again.",
		Errors: []string{"invalid_parameter", "invalid_cursor", "changes_expired"},
		Sample: s.sampleChanges,
		Do:     s.readChanges,
	}.Operation()
}

// sampleChanges returns a page of the change feed: a published listing and the trend of
// its gear.
func (s Deps) sampleChanges() *views.Changes {
	const log = "v4c7pq2m"
	entries := []models.Entry{
		{Position: 41207, Change: models.Change{Kind: models.ListingChanged, Subject: sample.ListingID}, Event: models.ListingPublished, At: sample.Day, Version: 2},
		{Position: 41208, Change: models.Change{Kind: models.GearChanged, Subject: "canon/eos-r6"}, Event: models.TrendChanged, At: sample.Day},
	}
	changes := make([]views.PublicChange, len(entries))
	for i := range entries {
		changes[i] = views.NewPublicChange(log, &entries[i], "")
	}
	return views.NewChanges(s.Site, changes, changes[1].Cursor, false, "")
}

func (s changeOps) readChanges(ctx context.Context, in *changesInput) (*views.Changes, error) {
	log, last, err := s.Store.ChangeLog(ctx)
	if err != nil {
		return nil, err
	}
	since, limit := in.Since, ""
	if since == sinceNow {
		since = models.Cursor(log, last)
	}
	if in.Limit != defaultChanges {
		limit = strconv.Itoa(in.Limit)
	}
	entries, next, err := s.Store.PublicChanges(ctx, since, in.Limit)
	if err != nil {
		return nil, err
	}
	changes, err := s.changesOf(ctx, log, entries)
	if err != nil {
		return nil, err
	}
	return views.NewChanges(s.Site, changes, next, len(entries) == in.Limit, limit), nil
}

// defaultChanges is the default of changesInput.Limit.
const defaultChanges = 100

// changesOf returns public entries of the change log as they are shown.
func (s Deps) changesOf(ctx context.Context, log string, entries []models.Entry) ([]views.PublicChange, error) {
	var ids []string
	for i := range entries {
		if entries[i].Kind == models.MemberChanged {
			ids = append(ids, entries[i].Subject)
		}
	}
	members, err := s.Accounts.MembersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	changes := make([]views.PublicChange, len(entries))
	for i := range entries {
		handle := ""
		if m := members[entries[i].Subject]; m != nil {
			handle = m.Handle
		}
		changes[i] = views.NewPublicChange(log, &entries[i], handle)
	}
	return changes, nil
}
