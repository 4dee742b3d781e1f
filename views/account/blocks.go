package account

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Blocks is the page of the members a member has blocked.
type Blocks struct {
	Blocked []ui.Person `json:"members" jsonschema:"members you have blocked"`
	Links   []ui.Link   `json:"links"`
	site    *ui.Site
}

// NewBlocks returns the page of the members a member has blocked.
func NewBlocks(site *ui.Site, members []*models.Member) *Blocks {
	p := &Blocks{Blocked: []ui.Person{}, Links: []ui.Link{{Href: ui.MessagesPath, Label: "Messages"}, {Href: "/account", Label: "Your account"}}, site: site}
	for _, m := range members {
		p.Blocked = append(p.Blocked, ui.NewPerson(site, m))
	}
	return p
}

// Head implements Page.
func (p *Blocks) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Blocked members"), Description: ui.T(ctx, "Members you've blocked."), Path: ui.BlocksPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

func (p *Blocks) lead() string {
	if len(p.Blocked) == 0 {
		return languages.Mark("You haven't blocked anyone. To block someone, open your conversation with them.")
	}
	return languages.Mark("These members can't message you or make you offers.")
}

// Markdown implements Page.
func (p *Blocks) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Blocked members"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, p.lead()))
	if len(p.Blocked) > 0 {
		m.Raw("\n")
	}
	for i := range p.Blocked {
		m.Raw("- ", m.Person(&p.Blocked[i]), "\n")
	}
	m.Links(p.Links)
	return m.Done(w)
}
