package views

import (
	"context"
	"io"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Checks is the page of what waits for an operator's decision: photos with a code, held
// listings, reports of thefts and odd photos.
type Checks struct {
	Waiting    int                `json:"waiting" jsonschema:"number of all that waits" min:"0"`
	Possession []*PossessionCheck `json:"possession" jsonschema:"photos of an item beside a code; decide with review_possession"`
	Held       []*HeldListing     `json:"held" jsonschema:"listings held for their serial number or for a word; decide with review_hold"`
	Stolen     []*StolenReport    `json:"stolen" jsonschema:"reports of stolen serial numbers; decide with review_stolen_report"`
	Photos     []*NotedListing    `json:"photos" jsonschema:"listings with odd photos; close with close_photo_notes"`
	NextCursor string             `json:"next_cursor,omitempty"`
	Links      []Link             `json:"links"`
	next       string
	site       *Site
}

// CheckedListing is a listing as operators see it who check it.
type CheckedListing struct {
	Listing Topic   `json:"listing" jsonschema:"the listing"`
	Seller  Person  `json:"sold_by" jsonschema:"seller of the listing"`
	Serial  string  `json:"serial,omitempty" jsonschema:"claimed serial number" untrusted:"true"`
	Photos  []Photo `json:"photos" jsonschema:"its first photos, at most 3"`
}

// PossessionCheck is a photo of an item beside a code that waits for an operator.
type PossessionCheck struct {
	CheckedListing
	Code      string `json:"possession_code" jsonschema:"code that must be in the photo"`
	Photo     Photo  `json:"photo"`
	ShowPhoto bool   `json:"show_photo" jsonschema:"whether the seller wants it among the photos of the listing"`
	SentAt    string `json:"sent_at" jsonschema:"when the photo was sent"`
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
	Photo  Photo                `json:"photo"`
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

// NewChecks returns a page of what waits for an operator.
func NewChecks(site *Site, parts CheckedParts, next Next) *Checks {
	p := &Checks{Waiting: parts.Counts.Total(), Possession: []*PossessionCheck{}, Held: []*HeldListing{}, Stolen: []*StolenReport{}, Photos: []*NotedListing{},
		NextCursor: next.Cursor, next: next.path(checksPath), site: site,
		Links: []Link{{moderationPath, "Reports"}, {salesPath, "Sales to review"}, {heldWordsPath, "Words that hold a listing"}, {auditPath, "Audit log"}}}
	if p.next != "" {
		p.Links = append([]Link{{p.next, "More checks"}}, p.Links...)
	}
	for _, c := range parts.Checks {
		p.add(site, &parts, c)
	}
	return p
}

// add adds a check, unless its subject is missing.
func (p *Checks) add(site *Site, parts *CheckedParts, c models.Check) {
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

func (parts *CheckedParts) possession(site *Site, c *models.Possession) *PossessionCheck {
	return &PossessionCheck{CheckedListing: parts.checked(site, c.ListingID), Code: c.Code, ShowPhoto: c.ShowPhoto, SentAt: c.SentAt.RFC3339(),
		Photo: privatePhoto(site, c.Photo, c.Width, c.Height, besideCode)}
}

// held returns a listing that is held for all of holds.
func (parts *CheckedParts) held(site *Site, holds []models.Hold) *HeldListing {
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
func (parts *CheckedParts) noted(site *Site, notes []models.PhotoNote) *NotedListing {
	listing := &NotedListing{CheckedListing: parts.checked(site, notes[0].ListingID)}
	for _, n := range notes {
		listing.Notes = append(listing.Notes, parts.notedPhoto(site, n))
	}
	return listing
}

// checked returns a listing by its id, with its seller.
func (parts *CheckedParts) checked(site *Site, id string) CheckedListing {
	l := parts.Listings[id]
	c := CheckedListing{Listing: newTopic(site, l), Seller: newPerson(site, parts.Members[l.SellerID]), Serial: l.Serial, Photos: []Photo{}}
	for i := range min(3, len(l.Photos)) {
		c.Photos = append(c.Photos, newPhoto(site, l, i))
	}
	return c
}

// other returns another listing, or nil if it is deleted.
func (parts *CheckedParts) other(site *Site, id string) *CheckedListing {
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

func (parts *CheckedParts) heldReason(site *Site, h models.Hold) HeldReason {
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

func (parts *CheckedParts) notedPhoto(site *Site, n models.PhotoNote) NotedPhoto {
	noted := NotedPhoto{Photo: privatePhoto(site, n.Key, 0, 0, languages.Mark("A photo of the listing")), Note: n.Kind, Detail: n.Detail}
	for i, photo := range parts.Listings[n.ListingID].Photos {
		if photo.Key == n.Key {
			noted.Photo = newPhoto(site, parts.Listings[n.ListingID], i)
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
		return t(ctx, "Another member has the same serial number for sale.")
	case models.HoldSold:
		return t(ctx, "The item with this serial number was last sold here to another member.")
	case models.HoldWord:
		return t(ctx, "It contains “%s”.", r.Word)
	}
	return t(ctx, "The serial number is reported as stolen.")
}

// markdown is text in Markdown, where the word is marked as an operator's.
func (r *HeldReason) markdown(ctx context.Context) string {
	if r.Reason == models.HoldWord {
		marked := HeldReason{Reason: r.Reason, Word: untrusted(r.Word)}
		return mdText(marked.text(ctx))
	}
	return r.text(ctx)
}

// text describes what is odd about a photo.
func (n *NotedPhoto) text(ctx context.Context) string {
	switch n.Note {
	case models.PhotoSameModel:
		return t(ctx, "Taken with the same model that is for sale. An item can't take a photo of itself, but a sample picture or a second one can explain it.")
	case models.PhotoSameSerial:
		return t(ctx, "Taken with the very item: the serial number in the file is the claimed one.")
	case models.PhotoOtherSerial:
		return t(ctx, "Taken with the model that is for sale, and the serial number in the file isn't the claimed one.")
	case models.PhotoEdited:
		return t(ctx, "Edited with %s.", n.Detail)
	case models.PhotoGenerated:
		if n.Detail != "" {
			return t(ctx, "Made with %s.", n.Detail)
		}
		return t(ctx, "The file says that a generative model made or changed it.")
	}
	return t(ctx, "The same picture is in a listing of another seller.")
}

// Head implements Page.
func (p *Checks) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Checks"), Description: t(ctx, "Photos, serial numbers and thefts that wait for an operator."), Path: checksPath, NoIndex: true, Crumbs: []Link{accountCrumb, {moderationPath, "Moderation"}}}
}

func (p *Checks) lead(ctx context.Context) string {
	if p.Waiting == 0 {
		return t(ctx, "Nothing to check.")
	}
	return tn(ctx, p.Waiting, "%s check is waiting.", "%s checks are waiting.")
}

// Markdown implements Page.
func (p *Checks) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Checks"), t(ctx, p.site.notice())).in(ctx)
	m.text(p.lead(ctx))
	if len(p.Possession) > 0 {
		m.section("Photos with a code")
		m.head("Listing", "Seller", "Serial number", "Code", "Photo", "Sent")
		for _, c := range p.Possession {
			m.row(checkedMarkdown(m, &c.CheckedListing), m.person(&c.Seller), mdText(untrusted(c.Serial)), c.Code, c.Photo.largest(), momentIn(ctx, c.SentAt))
		}
	}
	if len(p.Held) > 0 {
		m.section("Held listings")
		m.head("Listing", "Seller", "Serial number", "Reason", "Other", "Held")
		for _, h := range p.Held {
			for i := range h.Reasons {
				m.row(checkedMarkdown(m, &h.CheckedListing), m.person(&h.Seller), mdText(untrusted(h.Serial)), h.Reasons[i].markdown(ctx), heldOtherMarkdown(m, &h.Reasons[i]), momentIn(ctx, h.HeldAt))
			}
		}
		for _, h := range p.Held {
			if h.Text != "" {
				m.raw("\n### ", mdText(untrusted(h.Listing.Title)), "\n")
				m.quote(h.Text)
			}
		}
	}
	if len(p.Stolen) > 0 {
		m.section("Reports of thefts")
		for _, r := range p.Stolen {
			m.raw("\n### ", mdText(untrusted(r.Name)), "\n\n")
			m.factRows(append(r.facts(ctx, untrusted), fact{"Report", r.ID, ""}))
		}
	}
	if len(p.Photos) > 0 {
		m.section("Odd photos")
		m.head("Listing", "Seller", "Photo", "Note")
		for _, l := range p.Photos {
			for i := range l.Notes {
				m.row(checkedMarkdown(m, &l.CheckedListing), m.person(&l.Seller), l.Notes[i].Photo.Src, mdText(l.Notes[i].text(ctx)))
			}
		}
	}
	m.links(p.Links)
	return m.done(w)
}

// checkedMarkdown returns a listing that operators check, with its id.
func checkedMarkdown(m *markdown, c *CheckedListing) string {
	return m.topic(&c.Listing) + ", " + c.Listing.ID
}

// heldOtherMarkdown returns the other listing or the report for which a listing is held.
func heldOtherMarkdown(m *markdown, r *HeldReason) string {
	switch {
	case r.Other != nil:
		return checkedMarkdown(m, r.Other) + ", " + m.person(&r.Other.Seller)
	case r.Report != nil:
		return t(m.ctx, "Report %s", r.Report.ID)
	case r.Word != "":
		return "–"
	}
	return t(m.ctx, "deleted")
}

// listingCheckPath returns the path that a decision about a listing is posted to.
func listingCheckPath(id, what string) string { return checksPath + "/listings/" + id + "/" + what }
