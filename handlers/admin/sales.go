package admin

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// saleOps holds the operations of operators on sales.
type saleOps struct{ Deps }

type listSalesInput struct {
	Member string `json:"member,omitempty" jsonschema:"handle: all sales this member made or bought in; default: sales to review" example:"kleine-blende"`
	Limit  int    `json:"limit,omitempty" jsonschema:"sales per page, 1 to 100" min:"1" max:"100" default:"24"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s saleOps) listSales() web.Operation {
	return web.Op[listSalesInput, *views.Sales]{
		Name: "list_sales", Path: "/api/sales", Page: "/account/moderation/sales",
		Access: web.Operators, Scope: string(models.Moderation),
		Tag: "Trust", Title: "Sales to review",
		Summary: "Lists sales to review, or all sales of a member, oldest first.",
		Description: "Returns sales whose buyer reported a problem (disputed) and sales whose price is unusual (held). Neither counts in a price trend until it is approved. " +
			"With member it returns everything the member sold or bought. Decide with approve_sale or void_sale.",
		Errors: []string{"invalid_cursor", "member_not_found"},
		Sample: func() *views.Sales {
			return views.NewSales(s.Site, []views.Sale{s.sampleSale()}, 1, nil, ui.Next{})
		},
		Do: s.readSales,
	}.Operation()
}

func (s saleOps) readSales(ctx context.Context, in *listSalesInput) (*views.Sales, error) {
	at, id, err := input.ReadCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	after := store.SaleKey{SoldAt: at, ID: id}
	var member *models.Member
	var sales []models.Sale
	if in.Member == "" {
		sales, err = s.Trades.SalesToReview(ctx, after, in.Limit+1)
	} else if member, err = s.Accounts.Member(ctx, input.ReadHandle(in.Member)); err == nil {
		sales, err = s.Trades.SalesOf(ctx, member.ID, after, in.Limit+1)
	}
	if err != nil {
		return nil, err
	}
	waiting, err := s.Trades.CountSalesToReview(ctx)
	if err != nil {
		return nil, err
	}
	sales, next := input.CutPage(sales, in.Limit, func(r models.Sale) (models.Time, string) { return r.SoldAt, r.ID })
	list, err := s.saleViews(ctx, sales)
	if err != nil {
		return nil, err
	}
	return views.NewSales(s.Site, list, waiting, member, ui.NewNext(next, in.Limit, 24)), nil
}

// saleViews returns sales as operators see them.
func (s Deps) saleViews(ctx context.Context, sales []models.Sale) ([]views.Sale, error) {
	var listingIDs, memberIDs, offerIDs []string
	for i := range sales {
		listingIDs, offerIDs = append(listingIDs, sales[i].ListingID), append(offerIDs, sales[i].OfferID)
		memberIDs = append(memberIDs, sales[i].SellerID, sales[i].BuyerID)
	}
	listings, err := s.Listings.AllListingsByID(ctx, listingIDs)
	if err != nil {
		return nil, err
	}
	members, err := s.Accounts.MembersByID(ctx, memberIDs)
	if err != nil {
		return nil, err
	}
	disputes, err := s.Trades.Disputes(ctx, offerIDs)
	if err != nil {
		return nil, err
	}
	evidence, err := s.Trades.EvidenceOf(ctx, offerIDs)
	if err != nil {
		return nil, err
	}
	handovers, err := s.Trades.HandoversOf(ctx, offerIDs)
	if err != nil {
		return nil, err
	}
	list := make([]views.Sale, len(sales))
	for i := range sales {
		sale := &sales[i]
		parts := views.SaleParts{Sale: sale, Gear: s.Catalog.Gear(sale.Gear), Listing: listings[sale.ListingID], Seller: members[sale.SellerID], Buyer: members[sale.BuyerID],
			Evidence: evidence[sale.OfferID], Handover: handovers[sale.OfferID]}
		if d := disputes[sale.OfferID]; d != nil {
			parts.Dispute = d.Text
		}
		list[i] = views.NewSale(s.Site, parts)
	}
	return list, nil
}

// sampleSale returns an example sale that is disputed.
func (s Deps) sampleSale() views.Sale {
	l, seller, buyer := sample.Reported()
	return views.NewSale(s.Site, views.SaleParts{
		Sale: &models.Sale{ID: "019aa7d2-7c00-7000-8000-000000000003", Gear: "leica/m6", Condition: models.ConditionExcellent, Price: 240000, SoldAt: sample.Day,
			Source: models.SaleByMembers, Status: models.SaleDisputed},
		Listing: l, Seller: seller, Buyer: buyer, Dispute: "The light meter doesn't work.",
	})
}

// reviewSaleInput is a sale and the reason for a decision on it.
type reviewSaleInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the sale, from list_sales" example:"019aa7d2-7c00-7000-8000-000000000003"`
	Note string `json:"note,omitempty" jsonschema:"reason, for the audit log" maxlength:"2000" example:"Seller and buyer are one person."`
}

func (s saleOps) approveSale() web.Operation {
	return s.reviewSale(web.Op[reviewSaleInput, *views.AuditEntry]{
		Name: "approve_sale", Path: "/api/sales/{id}/approve", Page: "/account/moderation/sales/{id}/approve", Done: "Sale approved.",
		Title: "Approve a sale", Summary: "Confirms a disputed sale, or approves an unusual price.",
		Description: "A disputed sale becomes confirmed and both sides are notified; a held sale counts in the price trend from now on. The action is recorded in the audit log. Undo it with void_sale.",
	}, models.ApproveSale)
}

func (s saleOps) voidSale() web.Operation {
	return s.reviewSale(web.Op[reviewSaleInput, *views.AuditEntry]{
		Name: "void_sale", Path: "/api/sales/{id}/void", Page: "/account/moderation/sales/{id}/void", Done: "Sale cancelled.", Destructive: true,
		Title: "Void a sale", Summary: "Voids a sale: it no longer counts anywhere.",
		Description: "Price trends, deals, ratings and the seller's number of sales become what they would be without the sale. Its listing is ended, and both sides are notified. The action is recorded in the audit log. This can't be undone.",
	}, models.VoidSale)
}

// reviewSale completes an operation that decides about a sale.
func (s saleOps) reviewSale(op web.Op[reviewSaleInput, *views.AuditEntry], action models.ModerationAction) web.Operation {
	op.Form, op.Errors = "/account/moderation/sales", []string{"sale_not_found", "wrong_status"}
	return decision(s.Deps, op, func(ctx context.Context, in *reviewSaleInput) (*models.AuditEntry, error) {
		return s.Trades.ReviewSale(ctx, caller.ID(ctx), strings.ToLower(in.ID), action, in.Note)
	})
}
