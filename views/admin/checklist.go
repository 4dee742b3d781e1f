package admin

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// Checklist is the page of the steps of setting up a site, for its owner.
type Checklist struct {
	Done  int       `json:"done" jsonschema:"number of steps that are done" min:"0"`
	Steps []Step    `json:"steps" jsonschema:"what a new site needs"`
	Links []ui.Link `json:"links"`

	passkey bool // the owner has none, and could
	site    *ui.Site
}

// Step is a step of the checklist.
type Step struct {
	Name  string  `json:"step" jsonschema:"which step" enum:"look,photographs,owner,mail,listing,prices,backup"`
	Title string  `json:"title" jsonschema:"the step in words"`
	Done  bool    `json:"done" jsonschema:"whether it is done"`
	Where ui.Link `json:"where" jsonschema:"page to do it on"`

	help string // how, if that isn't plain
	left int    // how many sales are missing from the first price
}

// ChecklistParts holds the state that the checklist is derived from.
type ChecklistParts struct {
	models.SiteProgress
	Photographs bool // the portfolio has photographs of the owner
	Passkey     bool // the owner could have a passkey, and has none
}

// NewChecklist returns what a site needs.
func NewChecklist(site *ui.Site, parts ChecklistParts) *Checklist {
	set := site.Settings()
	look := set.Tagline != "" || set.Logo != "" || set.Accent != ""
	steps := []Step{
		{Name: "look", Title: languages.Mark("Give it a tagline, a colour or a logo"), Done: look, Where: ui.Link{Href: ui.LookPath, Label: languages.Mark("Look")}},
		{Name: "owner", Title: languages.Mark("Tell visitors who you are"), Done: set.Owner != "" && set.Address != "" && set.Email != "", Where: ui.Link{Href: ui.AdminSitePath + "#edit-site-owner", Label: languages.Mark("Owner and imprint")},
			help: languages.Mark("The about page and the imprint need your name, postal address and email address.")},
	}
	if site.Purpose().HasPortfolio() {
		steps = append(steps, Step{Name: "photographs", Title: languages.Mark("Show your first photographs"), Done: parts.Photographs, Where: ui.Link{Href: ui.EditorPath, Label: languages.Mark("Edit the portfolio")}})
	}
	if site.Purpose().HasShop() {
		steps = append(steps, Step{Name: "listing", Title: languages.Mark("Publish your first listing"), Done: parts.Listed, Where: ui.Link{Href: "/sell", Label: languages.Mark("Sell something")}},
			Step{Name: "prices", Title: languages.Mark("Import your past sales"), Done: parts.Sales >= prices.MinSales, Where: ui.Link{Href: ui.AdminImportsPath, Label: languages.Mark("Imports")}, left: prices.MinSales - parts.Sales})
	}
	steps = append(steps,
		Step{Name: "mail", Title: languages.Mark("Check that email arrives"), Done: parts.MailAt > 0, Where: ui.Link{Href: ui.AdminMailPath, Label: languages.Mark("Set up email")},
			help: languages.Mark("Without email, no one can sign up. Choose your provider, enter the password and send yourself a test.")},
		Step{Name: "backup", Title: languages.Mark("Make a backup"), Done: parts.BackupAt > 0, Where: ui.Link{Href: ui.AdminBackupsPath, Label: languages.Mark("Backups")},
			help: languages.Mark("Turn on nightly backups, and copy them to a second place.")})
	p := &Checklist{Steps: steps, Links: []ui.Link{{Href: "/docs", Label: "Documentation"}, {Href: ui.AdminSitePath, Label: "Site"}, {Href: "/", Label: "Home"}, {Href: "/account", Label: "Your account"}}, passkey: parts.Passkey, site: site}
	for _, s := range steps {
		if s.Done {
			p.Done++
		}
	}
	return p
}

// Help says how the step is done, if that isn't plain.
func (s *Step) Help(ctx context.Context) string {
	if s.left > 0 {
		return ui.T(ctx, "Prices are made of sales, from five of a model on.") + " " + ui.TN(ctx, s.left, "%s more sale until your first price.", "%s more sales until your first price.")
	}
	if s.help == "" {
		return ""
	}
	return ui.T(ctx, s.help)
}

// Left returns the number of steps that are not done.
func (p *Checklist) Left() int { return len(p.Steps) - p.Done }

// lead says how much is done.
func (p *Checklist) lead(ctx context.Context) string {
	if p.Left() == 0 {
		return ui.T(ctx, "All done. Your site is ready for visitors.")
	}
	return ui.T(ctx, "%d of %d done.", p.Done, len(p.Steps))
}

// Head implements Page.
func (p *Checklist) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Make it yours"), Description: p.lead(ctx), Path: ui.ChecklistPath, NoIndex: true, Crumbs: []ui.Link{{Href: "/account", Label: ui.T(ctx, "Your account")}}}
}

// Markdown implements Page.
func (p *Checklist) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, "Make it yours", "").In(ctx)
	m.Paragraph(p.lead(ctx))
	m.Raw("\n")
	m.Head("Step", "Done", "Page")
	for _, s := range p.Steps {
		done := ui.T(ctx, "No")
		if s.Done {
			done = ui.T(ctx, "Yes")
		}
		m.Row(ui.T(ctx, s.Title), done, m.Link(ui.Link{Href: s.Where.Href, Label: ui.T(ctx, s.Where.Label)}))
	}
	m.Links(p.Links)
	return m.Done(w)
}
