package admin

import (
	"context"
	"io"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	listingviews "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// Checks is the page of items that await an operator's decision: photos with a code, held
// listings, reports of thefts and odd photos.
type Checks struct {
	Waiting    int                `json:"waiting" jsonschema:"number of open checks" min:"0"`
	Possession []*PossessionCheck `json:"possession" jsonschema:"photos of an item beside a code; decide with review_possession"`
	Held       []*HeldListing     `json:"held" jsonschema:"listings held for their serial number or for a word; decide with review_hold"`
	Stolen     []*StolenReport    `json:"stolen" jsonschema:"reports of stolen serial numbers; decide with review_stolen_report"`
	Photos     []*NotedListing    `json:"photos" jsonschema:"listings with odd photos; close with close_photo_notes"`
	NextCursor string             `json:"next_cursor,omitempty"`
	Links      []ui.Link          `json:"links"`
	next       string
	site       *ui.Site
}

// CheckedListing is a listing as operators see it who check it.
type CheckedListing struct {
	Listing ui.Topic   `json:"listing" jsonschema:"the listing"`
	Seller  ui.Person  `json:"sold_by" jsonschema:"seller of the listing"`
	Serial  string     `json:"serial,omitempty" jsonschema:"claimed serial number" untrusted:"true"`
	Photos  []ui.Photo `json:"photos" jsonschema:"its first photos, at most 3"`
}

// PossessionCheck is a photo of an item beside a code that waits for an operator.
type PossessionCheck struct {
	CheckedListing
	Code      string   `json:"possession_code" jsonschema:"code that must be in the photo"`
	Photo     ui.Photo `json:"photo"`
	ShowPhoto bool     `json:"show_photo" jsonschema:"whether the seller wants it among the photos of the listing"`
	SentAt    string   `json:"sent_at" jsonschema:"when the photo was sent"`
}

// HeldListing is a listing that waits for an operator because of its serial number or a word.
type HeldListing struct {
	CheckedListing
	Reasons []HeldReason `json:"reasons" jsonschema:"why it is held"`
	Text    string       `json:"description,omitempty" jsonschema:"description and included items, if it is held for a word" untrusted:"true"`
	HeldAt  string       `json:"held_at" jsonschema:"when it was held"`
}

// HeldReason is a reason for which a listing is held.
type HeldReason struct {
	Reason models.HoldReason `json:"reason" jsonschema:"same_serial: for sale by another member too; sold: last sold here to another member; stolen: reported as stolen; word: it contains a word that holds listings" enum:"same_serial,sold,stolen,word"`
	Word   string            `json:"word,omitempty" jsonschema:"word or phrase for which it is held" untrusted:"true"`
	Other  *CheckedListing   `json:"other,omitempty" jsonschema:"the other listing"`
	Report *StolenReport     `json:"report,omitempty" jsonschema:"the report of the theft"`
}

// NotedListing is a listing with odd photos.
type NotedListing struct {
	CheckedListing
	Notes []NotedPhoto `json:"notes" jsonschema:"what is odd about its photos"`
}

// NotedPhoto is what is odd about a photo. It proves nothing.
type NotedPhoto struct {
	Photo  ui.Photo             `json:"photo"`
	Note   models.PhotoNoteKind `json:"note" jsonschema:"same_model: taken with the very model for sale; same_serial: taken with the very item, which supports the seller; other_serial: taken with the model for sale and another serial number; reused: in a listing of another seller" enum:"same_model,same_serial,other_serial,edited,generated,reused"`
	Detail string               `json:"detail,omitempty" jsonschema:"program that edited or made it" untrusted:"true"`
	Other  *CheckedListing      `json:"other,omitempty" jsonschema:"the other listing with the picture"`
}

// CheckedParts holds what the page of checks is made of. The subjects of checks that were
// decided after Checks was read may be missing.
type CheckedParts struct {
	Counts     models.CheckCounts
	Checks     []models.Check
	Possession map[string]*models.Possession   // by listing
	Holds      map[string][]models.Hold        // by listing
	Notes      map[string][]models.PhotoNote   // by listing
	Reports    map[string]*models.StolenReport // those to check, and those of holds
	Listings   map[string]*models.Listing
	Members    map[string]*models.Member
}

// NewChecks returns a page of items that await an operator.
func NewChecks(site *ui.Site, parts CheckedParts, next ui.Next) *Checks {
	p := &Checks{Waiting: parts.Counts.Total(), Possession: []*PossessionCheck{}, Held: []*HeldListing{}, Stolen: []*StolenReport{}, Photos: []*NotedListing{},
		NextCursor: next.Cursor, next: next.Path(ui.ChecksPath), site: site,
		Links: []ui.Link{{Href: ui.ModerationPath, Label: "Reports"}, {Href: ui.SalesPath, Label: "Sales to review"}, {Href: ui.HeldWordsPath, Label: "Words that hold a listing"}, {Href: ui.AuditPath, Label: "Audit log"}}}
	if p.next != "" {
		p.Links = append([]ui.Link{{Href: p.next, Label: "More checks"}}, p.Links...)
	}
	for _, c := range parts.Checks {
		p.add(site, &parts, c)
	}
	return p
}

// add adds a check, unless its subject is missing.
func (p *Checks) add(site *ui.Site, parts *CheckedParts, c models.Check) {
	possession, holds, report, notes := parts.Possession[c.Subject], parts.Holds[c.Subject], parts.Reports[c.Subject], parts.Notes[c.Subject]
	listed := parts.Listings[c.Subject] != nil
	switch {
	case c.Kind == models.CheckPossession && listed && possession != nil:
		p.Possession = append(p.Possession, parts.possession(site, possession))
	case c.Kind == models.CheckHold && listed && len(holds) > 0:
		p.Held = append(p.Held, parts.held(site, holds))
	case c.Kind == models.CheckStolen && report != nil:
		p.Stolen = append(p.Stolen, NewStolenReport(site, report, parts.Members[report.ReporterID]))
	case c.Kind == models.CheckPhotos && listed && len(notes) > 0:
		p.Photos = append(p.Photos, parts.noted(site, notes))
	}
}

// After implements web.PagedPage.
func (p *Checks) After() string { return p.NextCursor }

func (parts *CheckedParts) possession(site *ui.Site, c *models.Possession) *PossessionCheck {
	return &PossessionCheck{CheckedListing: parts.checked(site, c.ListingID), Code: c.Code, ShowPhoto: c.ShowPhoto, SentAt: c.SentAt.RFC3339(),
		Photo: ui.PrivatePhoto(site, c.Photo, c.Width, c.Height, listingviews.BesideCode)}
}

// held returns a listing that is held for all of holds.
func (parts *CheckedParts) held(site *ui.Site, holds []models.Hold) *HeldListing {
	id := holds[0].ListingID
	held := &HeldListing{CheckedListing: parts.checked(site, id), HeldAt: holds[0].At.RFC3339()}
	for _, h := range holds {
		held.Reasons = append(held.Reasons, parts.heldReason(site, h))
		if h.Reason == models.HoldWord {
			held.Text = writtenIn(parts.Listings[id])
		}
	}
	return held
}

// noted returns a listing with notes on its photos.
func (parts *CheckedParts) noted(site *ui.Site, notes []models.PhotoNote) *NotedListing {
	listing := &NotedListing{CheckedListing: parts.checked(site, notes[0].ListingID)}
	for _, n := range notes {
		listing.Notes = append(listing.Notes, parts.notedPhoto(site, n))
	}
	return listing
}

// checked returns a listing by its id, with its seller.
func (parts *CheckedParts) checked(site *ui.Site, id string) CheckedListing {
	l := parts.Listings[id]
	c := CheckedListing{Listing: ui.NewTopic(site, l), Seller: ui.NewPerson(site, parts.Members[l.SellerID]), Serial: l.Serial, Photos: []ui.Photo{}}
	for i := range min(3, len(l.Photos)) {
		c.Photos = append(c.Photos, ui.NewPhoto(site, l, i))
	}
	return c
}

// other returns another listing, or nil if it is deleted.
func (parts *CheckedParts) other(site *ui.Site, id string) *CheckedListing {
	if parts.Listings[id] == nil {
		return nil
	}
	c := parts.checked(site, id)
	return &c
}

// writtenIn returns what the seller wrote about an item beside its title.
func writtenIn(l *models.Listing) string {
	return strings.TrimSpace(l.Text + "\n\n" + strings.Join(l.Texts(), ", "))
}

func (parts *CheckedParts) heldReason(site *ui.Site, h models.Hold) HeldReason {
	r := HeldReason{Reason: h.Reason}
	switch h.Reason {
	case models.HoldWord:
		r.Word = h.Subject
	case models.HoldStolen:
		if report := parts.Reports[h.Subject]; report != nil {
			r.Report = NewStolenReport(site, report, parts.Members[report.ReporterID])
		}
	default:
		r.Other = parts.other(site, h.Subject)
	}
	return r
}

func (parts *CheckedParts) notedPhoto(site *ui.Site, n models.PhotoNote) NotedPhoto {
	noted := NotedPhoto{Photo: ui.PrivatePhoto(site, n.Key, 0, 0, languages.Mark("A photo of the listing")), Note: n.Kind, Detail: n.Detail}
	for i, photo := range parts.Listings[n.ListingID].Photos {
		if photo.Key == n.Key {
			noted.Photo = ui.NewPhoto(site, parts.Listings[n.ListingID], i)
		}
	}
	if n.Subject != "" {
		noted.Other = parts.other(site, n.Subject)
	}
	return noted
}

// text describes why a listing is held.
func (r *HeldReason) text(ctx context.Context) string {
	switch r.Reason {
	case models.HoldSameSerial:
		return ui.T(ctx, "Another member is selling an item with this serial number.")
	case models.HoldSold:
		return ui.T(ctx, "An item with this serial number was last sold here to a different member.")
	case models.HoldWord:
		return ui.T(ctx, "Contains “%s”.", r.Word)
	}
	return ui.T(ctx, "This serial number has been reported as stolen.")
}

// markdown is text in Markdown, where the word is marked as an operator's.
func (r *HeldReason) markdown(ctx context.Context) string {
	if r.Reason == models.HoldWord {
		marked := HeldReason{Reason: r.Reason, Word: ui.Untrusted(r.Word)}
		return ui.MarkdownText(marked.text(ctx))
	}
	return r.text(ctx)
}

// text describes what is odd about a photo.
func (n *NotedPhoto) text(ctx context.Context) string {
	switch n.Note {
	case models.PhotoSameModel:
		return ui.T(ctx, "Taken with the same model as the one for sale. A camera can't photograph itself, but a sample shot or a second body would explain it.")
	case models.PhotoSameSerial:
		return ui.T(ctx, "Taken with the item itself: the serial number in the file matches.")
	case models.PhotoOtherSerial:
		return ui.T(ctx, "Taken with the model being sold, but the serial number in the file doesn't match.")
	case models.PhotoEdited:
		return ui.T(ctx, "Edited with %s.", n.Detail)
	case models.PhotoGenerated:
		if n.Detail != "" {
			return ui.T(ctx, "Made with %s.", n.Detail)
		}
		return ui.T(ctx, "The file says it was created or edited with AI.")
	}
	return ui.T(ctx, "The same photo appears in another seller's listing.")
}

// Head implements Page.
func (p *Checks) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Checks"), Description: ui.T(ctx, "Photos, serial numbers and stolen gear reports to check."), Path: ui.ChecksPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb, {Href: ui.ModerationPath, Label: "Moderation"}}}
}

func (p *Checks) lead(ctx context.Context) string {
	if p.Waiting == 0 {
		return ui.T(ctx, "Nothing to check.")
	}
	return ui.TN(ctx, p.Waiting, "%s check to do", "%s checks to do")
}

// Markdown implements Page.
func (p *Checks) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Checks"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.lead(ctx))
	if len(p.Possession) > 0 {
		m.Section("Photo verification")
		m.Head("Listing", "Seller", "Serial number", "Code", "Photo", "Sent")
		for _, c := range p.Possession {
			m.Row(checkedMarkdown(m, &c.CheckedListing), m.Person(&c.Seller), ui.MarkdownText(ui.Untrusted(c.Serial)), c.Code, c.Photo.Largest(), ui.MomentIn(ctx, c.SentAt))
		}
	}
	if len(p.Held) > 0 {
		m.Section("Held listings")
		m.Head("Listing", "Seller", "Serial number", "Reason", "Other", "Held")
		for _, h := range p.Held {
			for i := range h.Reasons {
				m.Row(checkedMarkdown(m, &h.CheckedListing), m.Person(&h.Seller), ui.MarkdownText(ui.Untrusted(h.Serial)), h.Reasons[i].markdown(ctx), heldOtherMarkdown(m, &h.Reasons[i]), ui.MomentIn(ctx, h.HeldAt))
			}
		}
		for _, h := range p.Held {
			if h.Text != "" {
				m.Raw("\n### ", ui.MarkdownText(ui.Untrusted(h.Listing.Title)), "\n")
				m.Quote(h.Text)
			}
		}
	}
	if len(p.Stolen) > 0 {
		m.Section("Reports of thefts")
		for _, r := range p.Stolen {
			m.Raw("\n### ", ui.MarkdownText(ui.Untrusted(r.Name)), "\n\n")
			m.FactRows(append(r.facts(ctx, ui.Untrusted), ui.Fact{Name: "Report", Value: r.ID}))
		}
	}
	if len(p.Photos) > 0 {
		m.Section("Suspicious photos")
		m.Head("Listing", "Seller", "Photo", "Note")
		for _, l := range p.Photos {
			for i := range l.Notes {
				m.Row(checkedMarkdown(m, &l.CheckedListing), m.Person(&l.Seller), l.Notes[i].Photo.Src, ui.MarkdownText(l.Notes[i].text(ctx)))
			}
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// checkedMarkdown returns a listing that operators check, with its id.
func checkedMarkdown(m *ui.Markdown, c *CheckedListing) string {
	return m.Topic(&c.Listing) + ", " + c.Listing.ID
}

// heldOtherMarkdown returns the other listing or the report for which a listing is held.
func heldOtherMarkdown(m *ui.Markdown, r *HeldReason) string {
	switch {
	case r.Other != nil:
		return checkedMarkdown(m, r.Other) + ", " + m.Person(&r.Other.Seller)
	case r.Report != nil:
		return ui.T(m.Context, "Report %s", r.Report.ID)
	case r.Word != "":
		return "–"
	}
	return ui.T(m.Context, "deleted")
}

// listingCheckPath returns the path that a decision about a listing is posted to.
func listingCheckPath(id, what string) string { return ui.ChecksPath + "/listings/" + id + "/" + what }
