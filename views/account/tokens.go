package account

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Token is the page of an API token. Its secret is present only in the response that
// creates it.
type Token struct {
	TokenCard
	Token string `json:"token,omitempty" jsonschema:"secret for Authorization: Bearer; present only in the response that creates the token"`
	site  *ui.Site
}

// TokenCard is a token as lists show it.
type TokenCard struct {
	ID         string        `json:"id"`
	Name       string        `json:"name" jsonschema:"your name for the token" untrusted:"true"`
	Scopes     models.Scopes `json:"scopes"`
	CreatedAt  string        `json:"created_at"`
	ExpiresAt  string        `json:"expires_at,omitempty"`
	LastUsedAt string        `json:"last_used_at,omitempty"`
	expired    bool
}

// Tokens is the page of a member's tokens.
type Tokens struct {
	Tokens []TokenCard `json:"tokens"`
	Scopes []ScopeCard `json:"scopes" jsonschema:"the scopes that your tokens can have"`
	site   *ui.Site
	until  string // default expiry day of a new token
}

// ScopeCard is a scope with its meaning.
type ScopeCard struct {
	Scope   models.Scope `json:"scope"`
	Meaning string       `json:"meaning"`
}

// ScopeText describes the scopes.
var ScopeText = map[models.Scope]string{
	models.ListingsWrite: languages.Mark("Create, edit and end listings."),
	models.OffersWrite:   languages.Mark("Make and reply to offers, complete sales and leave reviews. It can buy and sell in your name."),
	models.MessagesWrite: languages.Mark("Write messages, block members and report listings."),
	models.WatchWrite:    languages.Mark("Edit your watchlist, saved searches and kit."),
	models.AccountRead:   languages.Mark("Read your listings, offers, messages, watchlist, saved searches and kit."),
	models.TokensWrite:   languages.Mark("View, create and revoke tokens. New tokens can't have more permissions than this one."),
	models.Moderation:    languages.Mark("Handle reports, hide listings and suspend members. Moderators and operators only."),
	models.SiteWrite:     languages.Mark("Change the site's name, appearance and pages. Editors and operators only."),
	models.Admin:         languages.Mark("Manage the site and its members. Operators only."),
}

// Scopes returns scopes with their meanings.
func Scopes(scopes models.Scopes) []ScopeCard {
	var all []ScopeCard
	for _, s := range scopes {
		all = append(all, ScopeCard{s, ScopeText[s]})
	}
	return all
}

func newTokenCard(t *models.Token) TokenCard {
	return TokenCard{ID: t.ID, Name: t.Name, Scopes: t.Scopes, CreatedAt: t.CreatedAt.RFC3339(), ExpiresAt: t.ExpiresAt.RFC3339(), LastUsedAt: t.UsedAt.RFC3339()}
}

// NewToken returns the page of a token. secret is "" unless the token was just
// created.
func NewToken(site *ui.Site, t *models.Token, secret string) *Token {
	return &Token{TokenCard: newTokenCard(t), Token: secret, site: site}
}

// tokenMonths is the default lifetime of a token in months.
const tokenMonths = 3

// NewTokens returns the page of a member's tokens, which can have scopes.
func NewTokens(site *ui.Site, tokens []models.Token, scopes models.Scopes, now time.Time) *Tokens {
	p := &Tokens{Tokens: []TokenCard{}, Scopes: Scopes(scopes), site: site, until: ui.IsoDay(now.UTC().AddDate(0, tokenMonths, 0))}
	for i := range tokens {
		card := newTokenCard(&tokens[i])
		card.expired = tokens[i].ExpiresAt != 0 && tokens[i].ExpiresAt <= models.TimeOf(now)
		p.Tokens = append(p.Tokens, card)
	}
	return p
}

// Head implements Page.
func (p *Token) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.Name, Description: ui.T(ctx, "Your token."), Path: ui.TokensPath + "/" + p.ID, NoIndex: true, Crumbs: append(ui.AdvancedCrumbs[:2:2], ui.Link{Href: ui.TokensPath, Label: "Tokens"})}
}

// Resource returns the path of the token in the API.
func (p *Token) Resource() string { return "/api/tokens/" + p.ID }

// Shown reports whether the page is rendered as the response to the form, without a
// redirect: the secret is shown only once.
func (p *Token) Shown() bool { return p.Token != "" }

// Head implements Page.
func (p *Tokens) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Tokens"), Description: ui.T(ctx, "Tokens that let programs act for you."), Path: ui.TokensPath, NoIndex: true, Crumbs: ui.AdvancedCrumbs}
}

// scopesText joins the scopes.
func (c *TokenCard) scopesText() string { return strings.ReplaceAll(c.Scopes.String(), " ", ", ") }

// expiryText returns when the token expires, in words.
func (c *TokenCard) expiryText(ctx context.Context) string {
	switch {
	case c.ExpiresAt == "":
		return ui.T(ctx, "never")
	case c.expired:
		return ui.T(ctx, "%s, over", ui.DayIn(ctx, c.ExpiresAt))
	}
	return ui.DayIn(ctx, c.ExpiresAt)
}

func (c *TokenCard) usedText(ctx context.Context) string {
	if c.LastUsedAt == "" {
		return ui.T(ctx, "never")
	}
	return ui.DayIn(ctx, c.LastUsedAt)
}

func (c *TokenCard) facts(ctx context.Context) []ui.Fact {
	return []ui.Fact{{Name: "Scopes", Value: c.scopesText()}, {Name: "Created", Value: ui.DayIn(ctx, c.CreatedAt)}, {Name: "Expiry", Value: c.expiryText(ctx)}, {Name: "Last used", Value: c.usedText(ctx)}}
}

// tryIt returns a curl command that uses the token.
func (p *Token) tryIt() string {
	return `curl -H "Authorization: Bearer ` + p.Token + `" ` + p.site.URL("/api/me")
}

// Markdown implements Page.
func (p *Token) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.Untrusted(p.Name), "").In(ctx)
	if p.Token != "" {
		m.Paragraph(ui.T(ctx, "This is the only time the token is shown."))
		m.Raw("\n```\n", p.Token, "\n```\n\n", ui.T(ctx, "Send it as `Authorization: Bearer …`."), "\n\n```sh\n", p.tryIt(), "\n```\n")
	}
	m.Raw("\n")
	m.Head("Detail", "Value")
	m.Row("Id", "`"+p.ID+"`")
	for _, f := range p.facts(ctx) {
		m.Row(ui.T(ctx, f.Name), ui.MarkdownText(f.Value))
	}
	m.Links([]ui.Link{{Href: ui.TokensPath, Label: "All your tokens"}, {Href: "/auth.md", Label: "How tokens are used"}})
	return m.Done(w)
}

// Markdown implements Page.
func (p *Tokens) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Tokens"), "").In(ctx)
	m.Paragraph(ui.T(ctx, "A token lets a program act for you, within the permissions you choose."))
	if len(p.Tokens) > 0 {
		m.Raw("\n")
		m.Head("Token", "Id", "Scopes", "Created", "Expiry", "Last used")
		for i := range p.Tokens {
			c := &p.Tokens[i]
			m.Row(m.Link(ui.Link{Href: ui.TokensPath + "/" + c.ID, Label: ui.Untrusted(c.Name)}), "`"+c.ID+"`", c.scopesText(), ui.DayIn(ctx, c.CreatedAt), c.expiryText(ctx), c.usedText(ctx))
		}
	} else {
		m.Paragraph(ui.T(ctx, "None yet."))
	}
	m.Section("Scopes")
	m.Head("Scope", "Permissions")
	for _, s := range p.Scopes {
		m.Row("`"+string(s.Scope)+"`", ui.T(ctx, s.Meaning))
	}
	m.Links([]ui.Link{{Href: "/auth.md", Label: "How tokens are used"}, {Href: "/developers", Label: "The API"}})
	return m.Done(w)
}

// choices returns the scopes as check boxes.
func (p *Tokens) choices() []ui.Choice {
	var all []ui.Choice
	for _, s := range p.Scopes {
		all = append(all, ui.Choice{Value: string(s.Scope), Label: string(s.Scope), Meaning: s.Meaning})
	}
	return all
}
