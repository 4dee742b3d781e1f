package listing

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// myListingOps holds the operations on the caller's own listings.
type myListingOps struct{ Deps }

// myListingsInput selects listings of the caller.
type myListingsInput struct {
	Status models.Status `json:"status,omitempty" jsonschema:"only listings in this status; default: some of each" example:"active"`
	Limit  int           `json:"limit,omitempty" jsonschema:"listings per status, 1 to 100" min:"1" max:"100" default:"24" example:"24"`
	Cursor string        `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page; requires status"`
}

// statusOrder is the order in which a seller's listings are shown.
var statusOrder = []models.Status{models.StatusDraft, models.StatusActive, models.StatusReserved, models.StatusExpired, models.StatusEnded, models.StatusSold, models.StatusRemoved}

func (s myListingOps) listMyListings() web.Operation {
	return web.Op[myListingsInput, *views.MyListings]{
		Name: "list_my_listings", Path: "/api/me/listings", Page: "/account/listings", Access: web.Members, Scope: string(models.AccountRead), Tag: "Selling",
		Title: "Your listings", Summary: "Lists your listings by status, including drafts, with what needs attention.",
		Description: "Returns the caller's listings: the number in each status and the first of each. With status it returns all listings in that status, page by page. Each listing says what needs attention and which steps are available.",
		Errors:      []string{"invalid_parameter", "invalid_cursor"},
		Formats:     []web.Format{web.CSV},
		Sample: func() *views.MyListings {
			l := s.sampleListing(models.StatusActive)()
			return views.NewMyListings(s.Site, views.MyListingsParts{Counts: map[models.Status]int{models.StatusActive: 1}, Order: statusOrder,
				Listings: []views.MyListing{{Card: l.Card, Version: 2, ExpiresAt: l.ExpiresAt, Attention: []string{"No photos yet. Add some."}, Steps: l.Steps}}})
		},
		Do: s.readMyListings,
	}.Operation()
}

func (s myListingOps) readMyListings(ctx context.Context, in *myListingsInput) (*views.MyListings, error) {
	me := caller.Identity(ctx).Member
	at, id, err := input.ReadCursor(in.Cursor)
	if err == nil && in.Cursor != "" && in.Status == "" {
		err = &problem.Error{Kind: problem.Invalid, Code: "invalid_cursor", Message: problem.Programf("A cursor can only be used with status."),
			Hint: problem.Programf("Send the cursor with the status it was returned for, or leave it out to start at the first page.")}
	}
	if err != nil {
		return nil, err
	}
	counts, err := s.Listings.CountBySeller(ctx, me.ID)
	if err != nil {
		return nil, err
	}
	waiting, err := s.waitingOffers(ctx, me.ID)
	if err != nil {
		return nil, err
	}
	parts := views.MyListingsParts{Counts: counts, Order: statusOrder, Status: in.Status, Export: s.exportListings(&me)}
	for _, status := range statusOrder {
		if in.Status != "" && in.Status != status || counts[status] == 0 {
			continue
		}
		found, err := s.Listings.ListingsBySeller(ctx, me.ID, []models.Status{status}, store.ListingKey{PublishedAt: at, ID: id}, in.Limit+1)
		if err != nil {
			return nil, err
		}
		found, next := input.CutPage(found, in.Limit, func(l *models.Listing) (models.Time, string) { return l.PublishedAt, l.ID })
		if in.Status != "" {
			parts.Next = ui.NewNext(next, in.Limit, 24)
		}
		ids := make([]string, len(found))
		for i, l := range found {
			ids[i] = l.ID
		}
		sales, err := s.Trades.SalesByListing(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, l := range found {
			parts.Listings = append(parts.Listings, views.NewMyListing(s.Site, l, s.Catalog.Gear(l.Gear), me.Handle, waiting[l.ID], sales[l.ID], models.TimeOf(s.Clock())))
		}
	}
	return views.NewMyListings(s.Site, parts), nil
}

// waitingOffers returns the number of pending offers of a seller, by listing id.
func (s myListingOps) waitingOffers(ctx context.Context, seller string) (map[string]int, error) {
	offers, err := s.Trades.FilterOffers(ctx, seller, store.OfferFilter{Role: "seller", Status: models.OfferPending}, store.OfferKey{}, 200)
	waiting := map[string]int{}
	for _, o := range offers {
		waiting[o.ListingID]++
	}
	return waiting, err
}

// exportTime limits the time to write an export.
const exportTime = 15 * time.Second

// exportBatch is the number of listings an export reads at a time.
const exportBatch = 200

// exportListings returns a function that writes every listing of a member as a CSV file
// that ImportListingsOf accepts.
func (s myListingOps) exportListings(me *models.Member) func(io.Writer) error {
	return func(w io.Writer) error {
		ctx, cancel := context.WithTimeout(context.Background(), exportTime)
		defer cancel()
		return importer.WriteListings(w, s.Catalog, s.Site.Currency(), me.Handle, func(yield func(*models.Listing) error) error {
			for after := (store.ListingKey{}); ; {
				found, err := s.Listings.ListingsBySeller(ctx, me.ID, statusOrder, after, exportBatch)
				if err != nil {
					return err
				}
				for _, l := range found {
					if err := yield(l); err != nil {
						return err
					}
					after = store.ListingKey{PublishedAt: l.PublishedAt, ID: l.ID}
				}
				if len(found) < exportBatch {
					return nil
				}
			}
		})
	}
}

func (s myListingOps) discardDraft() web.Operation {
	return web.Op[stepInput, *views.MyListings]{
		Name: "discard_draft", Method: http.MethodDelete, Path: "/api/listings/{id}", Page: "/sell/{id}/discard", Form: "/sell/{id}",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling", Done: "Draft deleted.", Destructive: true,
		Title: "Discard a draft", Summary: "Deletes one of your drafts.",
		Description: "Deletes a draft; this can't be undone. To end a published listing use end_listing. Returns your remaining listings.",
		Errors:      stepErrors, Example: sample.Listing,
		Sample: func() *views.MyListings {
			return views.NewMyListings(s.Site, views.MyListingsParts{Order: statusOrder})
		},
		Do: func(ctx context.Context, in *stepInput) (*views.MyListings, error) {
			id, err := input.ListingID(in.ID)
			if err != nil {
				return nil, err
			}
			if _, err := s.Listings.Advance(ctx, id, models.Move{Step: models.Discard, Seller: caller.ID(ctx)}); err != nil {
				return nil, err
			}
			return s.readMyListings(ctx, &myListingsInput{Limit: 24})
		},
	}.Operation()
}

// importInput is a CSV file of listings.
type importInput struct {
	File    web.Upload `json:"file" jsonschema:"CSV file in UTF-8 with the columns external_id, title, condition, price and region; optional: gear, description, included and others"`
	Publish bool       `json:"publish,omitempty" jsonschema:"whether to publish the file's drafts immediately" example:"false"`
}

func (s myListingOps) importListings() web.Operation {
	return web.Op[importInput, *views.ImportReport]{
		Name: "import_listings", Method: http.MethodPost, Path: "/api/me/listings", Page: "/account/listings", Form: "/account/advanced", Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Destructive: true,
		Title:       "Import listings", Summary: "Creates and updates your listings from a CSV file.",
		Description: "Rows are identified by external_id: new rows become drafts, or active listings with publish=true, and existing open listings are updated. Importing the same file twice changes nothing. " +
			"Rejected rows are reported by line with a reason and a hint; the other rows are imported. Files exported from /account/listings.csv can be imported.",
		Errors: []string{"invalid_parameter", "too_many_listings"},
		Sample: func() *views.ImportReport {
			return views.NewImportReport(s.Site, views.ImportParts{Report: models.ImportReport{Rows: 2, Inserted: 1, Rejected: 1},
				Rejected: []views.RejectedRow{{Line: 3, Reason: "The price is empty.", Hint: "Fill it in."}}})
		},
		Do: s.doImport,
	}.Operation()
}

func (s myListingOps) doImport(ctx context.Context, in *importInput) (*views.ImportReport, error) {
	me := caller.Identity(ctx).Member
	var parts views.ImportParts
	var drafts []string
	// Half of the work is to read the file, and half to publish what it contains.
	half := len(in.File.Bytes)
	importer := &importer.Importer{Store: s.Store, Catalog: s.Catalog, Resolver: s.Catalog.Resolver(), Currency: s.Site.Currency(), Offers: s.Site.Rates().Offered, Seller: me.Handle, Own: true,
		Rejected: func(line int, reason, hint string) {
			parts.Rejected = append(parts.Rejected, views.RejectedRow{Line: line, Reason: reason, Hint: hint})
		},
		Progress: func(read int64) { web.Progress(ctx, int(read), 2*half) },
		Imported: func(l *models.Listing) {
			if l.Status == models.StatusDraft {
				drafts = append(drafts, l.ID)
			}
		},
	}
	report, err := importer.Listings(ctx, bytes.NewReader(in.File.Bytes), io.Discard)
	var e *problem.Error
	if errors.As(err, &e) && !s.Documented(e.Code) {
		err = web.InvalidField("file", e.Message, e.Advice())
	}
	if err != nil {
		return nil, err
	}
	parts.Report = report
	ctx = store.Repeatable(ctx)
	for i, id := range drafts {
		if !in.Publish {
			break
		}
		if _, err := s.Listings.Advance(ctx, id, models.Move{Step: models.Publish, Seller: me.ID}); errors.As(err, &e) {
			parts.Unpublished = e.Message.String()
			break
		} else if err != nil {
			return nil, err
		}
		parts.Published++
		web.Progress(ctx, half+half*(i+1)/len(drafts), 2*half)
	}
	web.Progress(ctx, 2*half, 2*half)
	return views.NewImportReport(s.Site, parts), nil
}
