package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Blocks is the page of the members a member has blocked.
type Blocks struct {
	Blocked []Person `json:"members" jsonschema:"members you have blocked"`
	Links   []Link   `json:"links"`
	site    *Site
}

// NewBlocks returns the page of the members a member has blocked.
func NewBlocks(site *Site, members []*models.Member) *Blocks {
	p := &Blocks{Blocked: []Person{}, Links: []Link{{messagesPath, "Messages"}, {"/account", "Your account"}}, site: site}
	for _, m := range members {
		p.Blocked = append(p.Blocked, newPerson(site, m))
	}
	return p
}

// Head implements Page.
func (p *Blocks) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Blocked members"), Description: t(ctx, "Members from whom you take neither messages nor offers."), Path: blocksPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

func (p *Blocks) lead() string {
	if len(p.Blocked) == 0 {
		return languages.Mark("You have blocked nobody. A conversation has a button for it.")
	}
	return languages.Mark("From these members you take neither messages nor offers.")
}

// Markdown implements Page.
func (p *Blocks) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Blocked members"), t(ctx, p.site.notice())).in(ctx)
	m.text(t(ctx, p.lead()))
	if len(p.Blocked) > 0 {
		m.raw("\n")
	}
	for i := range p.Blocked {
		m.raw("- ", m.person(&p.Blocked[i]), "\n")
	}
	m.links(p.Links)
	return m.done(w)
}
