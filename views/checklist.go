package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Checklist is the page of what a new site needs, for its owner.
type Checklist struct {
	Done  int    `json:"done" jsonschema:"number of steps that are done" min:"0"`
	Steps []Step `json:"steps" jsonschema:"what a new site needs"`
	Links []Link `json:"links"`

	passkey bool // the owner has none, and could
	site    *Site
}

// Step is a step of the checklist.
type Step struct {
	Name  string `json:"step" jsonschema:"which step" enum:"look,photographs,owner,mail,listing,backup"`
	Title string `json:"title" jsonschema:"the step in words"`
	Done  bool   `json:"done" jsonschema:"whether it is done"`
	Where Link   `json:"where" jsonschema:"page to do it on"`

	help string // how, if that isn't plain
}

// ChecklistParts holds the state that the checklist is derived from.
type ChecklistParts struct {
	models.SiteProgress
	Photographs bool // the portfolio has photographs of the owner
	Passkey     bool // the owner could have a passkey, and has none
}

// NewChecklist returns what a site needs.
func NewChecklist(site *Site, parts ChecklistParts) *Checklist {
	set := site.Settings()
	look := set.Tagline != "" || set.Logo != "" || set.Accent != ""
	steps := []Step{
		{Name: "look", Title: languages.Mark("Give it a tagline, a colour or a logo"), Done: look, Where: Link{adminSitePath, languages.Mark("Name and look")}},
		{Name: "owner", Title: languages.Mark("Say who you are"), Done: set.Owner != "" && set.Address != "" && set.Email != "", Where: Link{adminSitePath + "#edit-site-owner", languages.Mark("Owner and imprint")},
			help: languages.Mark("The about page and the imprint need your name, postal address and email address.")},
	}
	if site.Purpose().HasPortfolio() {
		steps = append(steps, Step{Name: "photographs", Title: languages.Mark("Show your first photographs"), Done: parts.Photographs, Where: Link{editorPath, languages.Mark("Edit the portfolio")}})
	}
	if site.Purpose().HasShop() {
		steps = append(steps, Step{Name: "listing", Title: languages.Mark("Publish your first listing"), Done: parts.Listed, Where: Link{"/sell", languages.Mark("Sell something")}})
	}
	steps = append(steps,
		Step{Name: "mail", Title: languages.Mark("Check that email arrives"), Done: parts.MailAt > 0, Where: Link{adminMailPath, languages.Mark("Send me a test email")},
			help: languages.Mark("Set SMTP_URL and MAIL_FROM and restart. Until then, email is written to the folder outbox.")},
		Step{Name: "backup", Title: languages.Mark("Make a backup"), Done: parts.BackupAt > 0, Where: Link{adminBackupsPath, languages.Mark("Backups")},
			help: languages.Mark("Have the computer run secondlight backup FILE every night, too.")})
	p := &Checklist{Steps: steps, Links: []Link{{adminSitePath, "Site"}, {"/", "Home"}, {"/account", "Your account"}}, passkey: parts.Passkey, site: site}
	for _, s := range steps {
		if s.Done {
			p.Done++
		}
	}
	return p
}

// Left returns the number of steps that are to be done.
func (p *Checklist) Left() int { return len(p.Steps) - p.Done }

// lead says how much is done.
func (p *Checklist) lead(ctx context.Context) string {
	if p.Left() == 0 {
		return t(ctx, "All done. Your site is ready for visitors.")
	}
	return t(ctx, "%d of %d done.", p.Done, len(p.Steps))
}

// Head implements Page.
func (p *Checklist) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Make it yours"), Description: p.lead(ctx), Path: checklistPath, NoIndex: true, Crumbs: []Link{{"/account", t(ctx, "Your account")}}}
}

// Markdown implements Page.
func (p *Checklist) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, "Make it yours", "").in(ctx)
	m.text(p.lead(ctx))
	m.raw("\n")
	m.head("Step", "Done", "Page")
	for _, s := range p.Steps {
		done := t(ctx, "No")
		if s.Done {
			done = t(ctx, "Yes")
		}
		m.row(t(ctx, s.Title), done, m.link(Link{s.Where.Href, t(ctx, s.Where.Label)}))
	}
	m.links(p.Links)
	return m.done(w)
}
