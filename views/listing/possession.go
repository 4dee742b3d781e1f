package listing

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Possession is the proof that the seller of a listing has the item, as the seller sees
// it.
type Possession struct {
	Listing   string                  `json:"listing" jsonschema:"UUID of the listing"`
	Title     string                  `json:"title" jsonschema:"of the listing" untrusted:"true"`
	Status    models.PossessionStatus `json:"status,omitempty" jsonschema:"open: send the photo; waiting: an operator will look at it; absent before the first code" enum:"open,waiting,verified,rejected"`
	Code      string                  `json:"possession_code,omitempty" jsonschema:"code to write on paper and put beside the item"`
	ExpiresAt string                  `json:"expires_at,omitempty" jsonschema:"until when a photo with the code can be sent"`
	Expired   bool                    `json:"expired,omitempty" jsonschema:"whether the code has expired: get a new one with start_possession"`
	Photo     *ui.Photo               `json:"photo,omitempty" jsonschema:"the photo that was sent; only you and the operators can see it"`
	ShowPhoto bool                    `json:"show_photo,omitempty" jsonschema:"whether it joins the photos of the listing once it is confirmed"`
	SentAt    string                  `json:"sent_at,omitempty" jsonschema:"when the photo was sent"`
	DecidedAt string                  `json:"decided_at,omitempty" jsonschema:"when an operator decided"`
	Reason    string                  `json:"reason,omitempty" jsonschema:"why an operator rejected it"`
	Links     []ui.Link               `json:"links"`
	site      *ui.Site
}

// NewPossession returns the proof of possession of a listing.
func NewPossession(site *ui.Site, l *models.Listing, p *models.Possession, now models.Time) *Possession {
	v := &Possession{Listing: l.ID, Title: l.Title, Status: p.Status, Code: p.Code, ExpiresAt: p.ExpiresAt.RFC3339(), ShowPhoto: p.ShowPhoto,
		SentAt: p.SentAt.RFC3339(), DecidedAt: p.DecidedAt.RFC3339(), Reason: p.Reason, site: site, Links: []ui.Link{{Href: ui.EditListingPath(l.ID), Label: "Your listing"}}}
	v.Expired = p.Code != "" && p.Expired(now) && (p.Status == models.PossessionOpen || p.Status == models.PossessionRejected)
	if p.Photo != "" {
		photo := ui.PrivatePhoto(site, p.Photo, p.Width, p.Height, BesideCode)
		v.Photo = &photo
	}
	return v
}

// BesideCode describes the photo of an item beside a code.
var BesideCode = languages.Mark("The item next to the code")

// Head implements Page. It is shown on the page of the listing's form.
func (p *Possession) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Verify %s with a photo", p.Title), Description: ui.T(ctx, "A code to photograph with your item."), Path: ui.EditListingPath(p.Listing) + "#possession", NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Resource returns the path of the proof in the API.
func (p *Possession) Resource() string { return "/api" + ui.ListingPath(p.Listing) + "/possession" }

// lead describes in a sentence or two what the seller can do.
func (p *Possession) lead(ctx context.Context) string {
	switch {
	case p.Status == models.PossessionVerified:
		return ui.T(ctx, "Photo-verified on %s. You'll lose the badge if you change the model or serial number.", ui.DayIn(ctx, p.DecidedAt))
	case p.Status == models.PossessionWaiting:
		return ui.T(ctx, "Thanks, we've got your photo. We'll check it and email you.")
	case p.Expired:
		return ui.T(ctx, "Your code has expired. Get a new one and take the photo again.")
	case p.Code != "":
		return ui.T(ctx, "Write this code on a piece of paper, put it next to the item and photograph both. Send the photo by %s.", ui.DeadlineIn(ctx, p.ExpiresAt))
	}
	return ui.T(ctx, "Show buyers you really have the item. We give you a code, you photograph the item next to it, and we check the photo. Your listing then gets a “Photo-verified” badge.")
}

// canSend reports whether the seller can send a photo.
func (p *Possession) canSend() bool {
	return p.Code != "" && !p.Expired && p.Status != models.PossessionVerified
}

// canStart reports whether the seller can get a code.
func (p *Possession) canStart() bool { return p.Code == "" || p.Expired }

// Markdown implements Page.
func (p *Possession) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Verify %s with a photo", titled(ctx, ui.Untrusted(p.Title))), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.lead(ctx))
	m.Raw("\n")
	m.Head("Detail", "Value")
	m.Row(ui.T(ctx, "Status"), languages.Of(ctx).TextIn("status of a photo", string(p.Status)))
	m.Row(ui.T(ctx, "Code"), p.Code)
	m.Row(ui.T(ctx, "Expires"), ui.DeadlineIn(ctx, p.ExpiresAt))
	m.Row(ui.T(ctx, "Sent"), ui.MomentIn(ctx, p.SentAt))
	m.Row(ui.T(ctx, "Reason"), ui.MarkdownText(p.Reason))
	m.Links(p.Links)
	return m.Done(w)
}
