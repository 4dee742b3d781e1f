package admin

import (
	"context"
	"io"
	"strconv"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// HeldWords is the page of the words that hold a listing.
type HeldWords struct {
	Version int64     `json:"version" jsonschema:"version of the list, which edit_held_words needs" min:"0"`
	Words   []string  `json:"words" jsonschema:"words and phrases, at most 500" untrusted:"true"`
	Links   []ui.Link `json:"links"`
	site    *ui.Site
}

// NewHeldWords returns the page of the words that hold a listing.
func NewHeldWords(site *ui.Site, words *models.HeldWords) *HeldWords {
	return &HeldWords{Version: words.Version, Words: ui.List(words.Words), Links: []ui.Link{{Href: ui.ChecksPath, Label: "Checks"}, {Href: ui.ModerationPath, Label: "Moderation"}}, site: site}
}

// Head implements Page.
func (p *HeldWords) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Words that hold a listing"), Description: p.lead(ctx), Path: ui.HeldWordsPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb, {Href: ui.ModerationPath, Label: "Moderation"}}}
}

func (p *HeldWords) lead(ctx context.Context) string {
	return ui.T(ctx, "Listings with these words in the title, description or accessories need approval before they go live.")
}

// Markdown implements Page.
func (p *HeldWords) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Words that hold a listing"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.lead(ctx))
	m.Paragraph(ui.T(ctx, "Version") + ": " + strconv.FormatInt(p.Version, 10))
	if len(p.Words) == 0 {
		m.Paragraph(ui.T(ctx, "No blocked words yet."))
	}
	m.Raw("\n")
	for _, word := range p.Words {
		m.Raw("- ", ui.MarkdownText(ui.Untrusted(word)), "\n")
	}
	m.Links(p.Links)
	return m.Done(w)
}
