package admin

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// checkOps holds the operations of operators on photos with a code, serial numbers,
// thefts and odd photos. They have no tools: each needs a look at pictures.
type checkOps struct{ moderationOps }

// checksShown is how many checks a page shows by default.
const checksShown = 24

type listChecksInput struct {
	Limit  int    `json:"limit,omitempty" jsonschema:"checks per page, 1 to 100" min:"1" max:"100" default:"24"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s checkOps) listChecks() web.Operation {
	return web.Op[listChecksInput, *views.Checks]{
		Name: "list_checks", Path: "/api/checks", Page: "/account/moderation/checks", NoTool: true,
		Access: web.Operators, Scope: string(models.Moderation), Tag: "Trust",
		Title:   "Checks",
		Summary: "Lists photos, serial numbers and stolen gear reports to check, oldest first.",
		Description: "Returns photos of an item beside a code, listings held for their serial number or for a word, reports of stolen serial numbers, and listings with odd photos. " +
			"Decide with review_possession, review_hold and review_stolen_report; close notes with close_photo_notes.",
		Errors: []string{"invalid_cursor"},
		Sample: s.sampleChecks,
		Do:     s.readChecks,
	}.Operation()
}

func (s checkOps) readChecks(ctx context.Context, in *listChecksInput) (*views.Checks, error) {
	at, key, err := input.ReadCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	var parts views.CheckedParts
	if parts.Counts, err = s.Moderation.CountChecks(ctx); err != nil {
		return nil, err
	}
	if parts.Checks, err = s.Moderation.OpenChecks(ctx, models.CheckKey{At: at, Key: key}, in.Limit+1); err != nil {
		return nil, err
	}
	var next string
	parts.Checks, next = input.CutPage(parts.Checks, in.Limit, func(r models.Check) (models.Time, string) { return r.At, r.Key })
	if err := s.addSubjects(ctx, &parts); err != nil {
		return nil, err
	}
	return views.NewChecks(s.Site, parts, ui.NewNext(next, in.Limit, checksShown)), nil
}

// addSubjects adds what the checks are about: proofs, holds, notes and reports, and their
// listings and members.
func (s checkOps) addSubjects(ctx context.Context, parts *views.CheckedParts) (err error) {
	subjects := map[models.CheckKind][]string{}
	for _, c := range parts.Checks {
		subjects[c.Kind] = append(subjects[c.Kind], c.Subject)
	}
	if parts.Possession, err = s.Listings.WaitingPossessions(ctx, subjects[models.CheckPossession]); err != nil {
		return err
	}
	if parts.Holds, err = s.Listings.OpenHolds(ctx, subjects[models.CheckHold]); err != nil {
		return err
	}
	if parts.Notes, err = s.Listings.OpenPhotoNotes(ctx, subjects[models.CheckPhotos]); err != nil {
		return err
	}
	listings := slices.Concat(subjects[models.CheckPossession], subjects[models.CheckHold], subjects[models.CheckPhotos])
	reports := subjects[models.CheckStolen]
	for _, holds := range parts.Holds {
		for _, h := range holds {
			switch h.Reason {
			case models.HoldStolen:
				reports = append(reports, h.Subject)
			case models.HoldSameSerial, models.HoldSold:
				listings = append(listings, h.Subject)
			}
		}
	}
	for _, notes := range parts.Notes {
		for _, n := range notes {
			listings = append(listings, n.Subject)
		}
	}
	if parts.Listings, err = s.Listings.AllListingsByID(ctx, listings); err != nil {
		return err
	}
	if parts.Reports, err = s.Listings.StolenReportsByID(ctx, reports); err != nil {
		return err
	}
	var members []string
	for _, l := range parts.Listings {
		members = append(members, l.SellerID)
	}
	for _, r := range parts.Reports {
		members = append(members, r.ReporterID)
	}
	parts.Members, err = s.Accounts.MembersByID(ctx, members)
	return err
}

// sampleChecks returns an example page of checks.
func (s checkOps) sampleChecks() *views.Checks {
	l, seller, _ := sample.Reported()
	l.Serial, l.SellerID = "1234567-8", seller.ID
	return views.NewChecks(s.Site, views.CheckedParts{Counts: models.CheckCounts{Possession: 1},
		Checks:     []models.Check{{Kind: models.CheckPossession, Subject: l.ID}},
		Possession: map[string]*models.Possession{l.ID: {ListingID: l.ID, Code: "K7R-4MX", Photo: "6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1", SentAt: sample.Day}},
		Listings:   map[string]*models.Listing{l.ID: l}, Members: map[string]*models.Member{seller.ID: seller}}, ui.Next{})
}

// reviewInput is what an operator decides about a listing.
type reviewInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Note string `json:"note,omitempty" jsonschema:"reason, for the audit log and for the member if it is a refusal" maxlength:"2000" example:"The code is not readable."`
}

// checkOp completes an operation that decides about what is checked. The path of its
// form is that of its page.
func checkOp[In any](s checkOps, op web.Op[In, *views.AuditEntry]) web.Operation {
	op.Method, op.Form, op.Access, op.Scope, op.Tag = http.MethodPost, "/account/moderation/checks", web.Operators, string(models.Moderation), "Trust"
	op.NoTool, op.Destructive, op.Sample = true, true, s.sampleAudit
	return op.Operation()
}

// decided returns the audit log entry of a decision.
func (s checkOps) decided(ctx context.Context, e *models.AuditEntry, err error) (*views.AuditEntry, error) {
	if err != nil {
		return nil, err
	}
	page, err := s.auditEntry(ctx, e)
	if err != nil {
		return nil, err
	}
	return page.AtChecks(), nil
}

type reviewPossessionInput struct {
	reviewInput
	Decision string `json:"decision" jsonschema:"verify: the photo shows the item of the listing beside the code" enum:"verify,reject" example:"verify"`
}

func (s checkOps) reviewPossession() web.Operation {
	return checkOp(s, web.Op[reviewPossessionInput, *views.AuditEntry]{
		Name: "review_possession", Path: "/api/listings/{id}/possession/review", Page: "/account/moderation/checks/listings/{id}/possession", Done: "Decision saved.",
		Title: "Review a proof of possession", Summary: "Confirms or rejects the photo of an item beside its code.",
		Description: "Confirm a photo only if it shows the item of the listing beside the code in handwriting: the listing then has the badge Photo-verified. A rejection needs a note, which the seller reads.",
		Errors:      []string{"listing_not_found", "wrong_status"},
		Do: func(ctx context.Context, in *reviewPossessionInput) (*views.AuditEntry, error) {
			e, err := s.Listings.DecidePossession(ctx, caller.ID(ctx), strings.ToLower(in.ID), in.Decision == "verify", input.TrimText(in.Note))
			return s.decided(ctx, e, err)
		},
	})
}

type reviewHoldInput struct {
	reviewInput
	Decision string `json:"decision" jsonschema:"release: put it on sale; remove: keep it off the site" enum:"release,remove" example:"release"`
}

func (s checkOps) reviewHold() web.Operation {
	return checkOp(s, web.Op[reviewHoldInput, *views.AuditEntry]{
		Name: "review_hold", Path: "/api/listings/{id}/hold/review", Page: "/account/moderation/checks/listings/{id}/hold", Done: "Decision saved.",
		Title: "Review a held listing", Summary: "Releases a held listing, or keeps it off the site.",
		Description: "Decides about a listing that is held because of its serial number or a word. Released listings go live immediately, and aren't held again for the same reason. The seller is notified; with remove the seller reads the note.",
		Errors:      []string{"listing_not_found", "wrong_status"},
		Do: func(ctx context.Context, in *reviewHoldInput) (*views.AuditEntry, error) {
			e, err := s.Listings.DecideHold(ctx, caller.ID(ctx), strings.ToLower(in.ID), in.Decision == "release", input.TrimText(in.Note))
			return s.decided(ctx, e, err)
		},
	})
}

type reviewStolenInput struct {
	ID       string `json:"id" in:"path" jsonschema:"UUID of the report" example:"019aa7d2-7c00-7000-8000-000000000004"`
	Decision string `json:"decision" jsonschema:"reject also withdraws an accepted report, such as when the item was found" enum:"accept,reject" example:"accept"`
	Note     string `json:"note,omitempty" jsonschema:"reason, for the audit log and for the reporter if it is rejected" maxlength:"2000" example:"The police confirmed the number."`
}

func (s checkOps) reviewStolenReport() web.Operation {
	return checkOp(s, web.Op[reviewStolenInput, *views.AuditEntry]{
		Name: "review_stolen_report", Path: "/api/stolen-reports/{id}/review", Page: "/account/moderation/checks/stolen/{id}", Done: "Decision saved.",
		Title: "Review a report of a theft", Summary: "Accepts or rejects a report of a stolen serial number.",
		Description: "Accepting a report holds all listings for sale with the serial number, and those published later. The reporter is notified.",
		Errors:      []string{"stolen_report_not_found", "wrong_status"},
		Do: func(ctx context.Context, in *reviewStolenInput) (*views.AuditEntry, error) {
			e, err := s.Listings.DecideStolen(ctx, caller.ID(ctx), strings.ToLower(in.ID), in.Decision == "accept", input.TrimText(in.Note))
			return s.decided(ctx, e, err)
		},
	})
}

func (s checkOps) closePhotoNotes() web.Operation {
	return checkOp(s, web.Op[reviewInput, *views.AuditEntry]{
		Name: "close_photo_notes", Path: "/api/listings/{id}/photo-notes/close", Page: "/account/moderation/checks/listings/{id}/photos", Done: "Notes closed.",
		Title: "Close notes on photos", Summary: "Closes the notes on the photos of a listing.",
		Description: "Closes the notes without any other effect. To act on them use hide_listing or suspend_member.",
		Errors:      []string{"listing_not_found", "wrong_status"},
		Do: func(ctx context.Context, in *reviewInput) (*views.AuditEntry, error) {
			e, err := s.Listings.ClosePhotoNotes(ctx, caller.ID(ctx), strings.ToLower(in.ID), input.TrimText(in.Note))
			return s.decided(ctx, e, err)
		},
	})
}
