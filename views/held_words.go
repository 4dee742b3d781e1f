package views

import (
	"context"
	"io"
	"strconv"

	"github.com/secondlight/secondlight/models"
)

// HeldWords is the page of the words that hold a listing.
type HeldWords struct {
	Version int64    `json:"version" jsonschema:"version of the list, which edit_held_words needs" min:"0"`
	Words   []string `json:"words" jsonschema:"words and phrases, at most 500" untrusted:"true"`
	Links   []Link   `json:"links"`
	site    *Site
}

// NewHeldWords returns the page of the words that hold a listing.
func NewHeldWords(site *Site, words *models.HeldWords) *HeldWords {
	return &HeldWords{Version: words.Version, Words: list(words.Words), Links: []Link{{checksPath, "Checks"}, {moderationPath, "Moderation"}}, site: site}
}

// Head implements Page.
func (p *HeldWords) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Words that hold a listing"), Description: p.lead(ctx), Path: heldWordsPath, NoIndex: true, Crumbs: []Link{accountCrumb, {moderationPath, "Moderation"}}}
}

func (p *HeldWords) lead(ctx context.Context) string {
	return t(ctx, "A listing with one of these words in its title, description or accessories goes online once a moderator has released it.")
}

// Markdown implements Page.
func (p *HeldWords) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Words that hold a listing"), t(ctx, p.site.notice())).in(ctx)
	m.text(p.lead(ctx))
	m.text(t(ctx, "Version") + ": " + strconv.FormatInt(p.Version, 10))
	if len(p.Words) == 0 {
		m.text(t(ctx, "There are none yet."))
	}
	m.raw("\n")
	for _, word := range p.Words {
		m.raw("- ", mdText(untrusted(word)), "\n")
	}
	m.links(p.Links)
	return m.done(w)
}
