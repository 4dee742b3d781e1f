package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
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
	Photo     *Photo                  `json:"photo,omitempty" jsonschema:"the photo that was sent; only you and the operators can see it"`
	ShowPhoto bool                    `json:"show_photo,omitempty" jsonschema:"whether it joins the photos of the listing once it is confirmed"`
	SentAt    string                  `json:"sent_at,omitempty" jsonschema:"when the photo was sent"`
	DecidedAt string                  `json:"decided_at,omitempty" jsonschema:"when an operator decided"`
	Reason    string                  `json:"reason,omitempty" jsonschema:"why an operator rejected it"`
	Links     []Link                  `json:"links"`
	site      *Site
}

// NewPossession returns the proof of possession of a listing.
func NewPossession(site *Site, l *models.Listing, p *models.Possession, now models.Time) *Possession {
	v := &Possession{Listing: l.ID, Title: l.Title, Status: p.Status, Code: p.Code, ExpiresAt: p.ExpiresAt.RFC3339(), ShowPhoto: p.ShowPhoto,
		SentAt: p.SentAt.RFC3339(), DecidedAt: p.DecidedAt.RFC3339(), Reason: p.Reason, site: site, Links: []Link{{editListingPath(l.ID), "Your listing"}}}
	v.Expired = p.Code != "" && p.Expired(now) && (p.Status == models.PossessionOpen || p.Status == models.PossessionRejected)
	if p.Photo != "" {
		photo := privatePhoto(site, p.Photo, p.Width, p.Height, besideCode)
		v.Photo = &photo
	}
	return v
}

// besideCode describes the photo of an item beside a code.
var besideCode = languages.Mark("The item beside the code")

// Head implements Page. It is shown on the page of the listing's form.
func (p *Possession) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Prove you have it: %s", p.Title), Description: t(ctx, "A code to put beside the item."), Path: editListingPath(p.Listing) + "#possession", NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Resource returns the path of the proof in the API.
func (p *Possession) Resource() string { return "/api" + listingPath(p.Listing) + "/possession" }

// lead describes in a sentence or two what the seller can do.
func (p *Possession) lead(ctx context.Context) string {
	switch {
	case p.Status == models.PossessionVerified:
		return t(ctx, "Photo-verified on %s. The badge goes if you change the model or the serial number.", dayIn(ctx, p.DecidedAt))
	case p.Status == models.PossessionWaiting:
		return t(ctx, "Thanks, we have your photo. An operator will look at it, and we'll email you.")
	case p.Expired:
		return t(ctx, "Your code has expired. Get a new one and take the photo again.")
	case p.Code != "":
		return t(ctx, "Write this code on a piece of paper, put it beside the item and take a photo of both. Send it by %s.", momentIn(ctx, p.ExpiresAt))
	}
	return t(ctx, "Buyers trust a listing more when its seller has shown that they have the item. We give you a code, you take a photo of the item beside it, and an operator confirms it. Your listing then has the badge “Photo-verified”.")
}

// canSend reports whether the seller can send a photo.
func (p *Possession) canSend() bool {
	return p.Code != "" && !p.Expired && p.Status != models.PossessionVerified
}

// canStart reports whether the seller can get a code.
func (p *Possession) canStart() bool { return p.Code == "" || p.Expired }

// Markdown implements Page.
func (p *Possession) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Prove you have it: %s", titled(ctx, untrusted(p.Title))), t(ctx, p.site.notice())).in(ctx)
	m.text(p.lead(ctx))
	m.raw("\n")
	m.head("Fact", "Value")
	m.row(t(ctx, "Status"), languages.Of(ctx).TextIn("status of a photo", string(p.Status)))
	m.row(t(ctx, "Code"), p.Code)
	m.row(t(ctx, "Expires"), momentIn(ctx, p.ExpiresAt))
	m.row(t(ctx, "Sent"), momentIn(ctx, p.SentAt))
	m.row(t(ctx, "Reason"), mdText(p.Reason))
	m.links(p.Links)
	return m.done(w)
}
