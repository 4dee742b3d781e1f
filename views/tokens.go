package views

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Token is the page of an API token. Its secret is present only in the response that
// creates it.
type Token struct {
	TokenCard
	Token string `json:"token,omitempty" jsonschema:"secret for Authorization: Bearer; present only in the response that creates the token"`
	site  *Site
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
	Scopes []ScopeCard `json:"scopes" jsonschema:"all scopes"`
	site   *Site
	until  string // default expiry day of a new token
}

// ScopeCard is a scope with its meaning.
type ScopeCard struct {
	Scope   models.Scope `json:"scope"`
	Meaning string       `json:"meaning"`
}

// scopeText describes the scopes.
var scopeText = map[models.Scope]string{
	models.ListingsWrite: languages.Mark("List things for sale, change and end them."),
	models.OffersWrite:   languages.Mark("Make and answer offers, complete trades and rate them. It can buy and sell in your name."),
	models.MessagesWrite: languages.Mark("Write messages, block members and report listings."),
	models.WatchWrite:    languages.Mark("Keep a watchlist, saved searches and your kit."),
	models.AccountRead:   languages.Mark("Read what is yours: listings, offers, conversations, watchlist, saved searches, kit."),
	models.TokensWrite:   languages.Mark("See, create and revoke tokens. The tokens it creates can do no more than it can."),
	models.Moderation:    languages.Mark("Handle reports, hide listings and suspend members. Only for moderators and operators."),
	models.SiteWrite:     languages.Mark("Change the name, the look and the texts of the site. Only for editors and operators."),
	models.Admin:         languages.Mark("Administer the site and its members. Only for operators."),
}

// Scopes returns all scopes with their meanings.
func Scopes() []ScopeCard {
	var all []ScopeCard
	for _, s := range models.AllScopes {
		all = append(all, ScopeCard{s, scopeText[s]})
	}
	return all
}

func newTokenCard(t *models.Token) TokenCard {
	return TokenCard{ID: t.ID, Name: t.Name, Scopes: t.Scopes, CreatedAt: t.CreatedAt.RFC3339(), ExpiresAt: t.ExpiresAt.RFC3339(), LastUsedAt: t.UsedAt.RFC3339()}
}

// NewToken returns the page of a token. secret is "" unless the token was just
// created.
func NewToken(site *Site, t *models.Token, secret string) *Token {
	return &Token{TokenCard: newTokenCard(t), Token: secret, site: site}
}

// tokenMonths is the default lifetime of a token in months.
const tokenMonths = 3

// NewTokens returns the page of a member's tokens.
func NewTokens(site *Site, tokens []models.Token, now time.Time) *Tokens {
	p := &Tokens{Tokens: []TokenCard{}, Scopes: Scopes(), site: site, until: isoDay(now.UTC().AddDate(0, tokenMonths, 0))}
	for i := range tokens {
		card := newTokenCard(&tokens[i])
		card.expired = tokens[i].ExpiresAt != 0 && tokens[i].ExpiresAt <= models.TimeOf(now)
		p.Tokens = append(p.Tokens, card)
	}
	return p
}

// Head implements Page.
func (p *Token) Head(ctx context.Context) Head {
	return Head{Title: p.Name, Description: t(ctx, "A token of yours."), Path: tokensPath + "/" + p.ID, NoIndex: true, Crumbs: append(advancedCrumbs[:2:2], Link{tokensPath, "Tokens"})}
}

// Resource returns the path of the token in the API.
func (p *Token) Resource() string { return "/api/tokens/" + p.ID }

// Shown reports whether the page is rendered as the response to the form, without a
// redirect: the secret is shown only once.
func (p *Token) Shown() bool { return p.Token != "" }

// Head implements Page.
func (p *Tokens) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Tokens"), Description: t(ctx, "The tokens with which programs act for you."), Path: tokensPath, NoIndex: true, Crumbs: advancedCrumbs}
}

// scopesText joins the scopes.
func (c *TokenCard) scopesText() string { return strings.ReplaceAll(c.Scopes.String(), " ", ", ") }

// expiryText returns when the token expires, in words.
func (c *TokenCard) expiryText(ctx context.Context) string {
	switch {
	case c.ExpiresAt == "":
		return t(ctx, "never")
	case c.expired:
		return t(ctx, "%s, over", dayIn(ctx, c.ExpiresAt))
	}
	return dayIn(ctx, c.ExpiresAt)
}

func (c *TokenCard) usedText(ctx context.Context) string {
	if c.LastUsedAt == "" {
		return t(ctx, "never")
	}
	return dayIn(ctx, c.LastUsedAt)
}

func (c *TokenCard) facts(ctx context.Context) []fact {
	return []fact{{Name: "Scopes", Value: c.scopesText()}, {Name: "Created", Value: dayIn(ctx, c.CreatedAt)}, {Name: "Expiry", Value: c.expiryText(ctx)}, {Name: "Last used", Value: c.usedText(ctx)}}
}

// tryIt returns a curl command that uses the token.
func (p *Token) tryIt() string {
	return `curl -H "Authorization: Bearer ` + p.Token + `" ` + p.site.URL("/api/me")
}

// Markdown implements Page.
func (p *Token) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, untrusted(p.Name), "").in(ctx)
	if p.Token != "" {
		m.text(t(ctx, "This is the only time the token is shown."))
		m.raw("\n```\n", p.Token, "\n```\n\n", t(ctx, "Send it as `Authorization: Bearer …`:"), "\n\n```sh\n", p.tryIt(), "\n```\n")
	}
	m.raw("\n")
	m.head("Fact", "Value")
	m.row("Id", "`"+p.ID+"`")
	for _, f := range p.facts(ctx) {
		m.row(t(ctx, f.Name), mdText(f.Value))
	}
	m.links([]Link{{tokensPath, "All your tokens"}, {"/auth.md", "How tokens are used"}})
	return m.done(w)
}

// Markdown implements Page.
func (p *Tokens) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Tokens"), "").in(ctx)
	m.text(t(ctx, "A token lets a program act for you within its scopes."))
	if len(p.Tokens) > 0 {
		m.raw("\n")
		m.head("Token", "Id", "Scopes", "Created", "Expiry", "Last used")
		for i := range p.Tokens {
			c := &p.Tokens[i]
			m.row(m.link(Link{tokensPath + "/" + c.ID, untrusted(c.Name)}), "`"+c.ID+"`", c.scopesText(), dayIn(ctx, c.CreatedAt), c.expiryText(ctx), c.usedText(ctx))
		}
	} else {
		m.text(t(ctx, "You have none."))
	}
	m.section("Scopes")
	m.head("Scope", "What it allows")
	for _, s := range p.Scopes {
		m.row("`"+string(s.Scope)+"`", t(ctx, s.Meaning))
	}
	m.links([]Link{{"/auth.md", "How tokens are used"}, {"/developers", "The API"}})
	return m.done(w)
}

// choices returns the scopes as check boxes.
func (p *Tokens) choices() []Choice {
	var all []Choice
	for _, s := range p.Scopes {
		all = append(all, Choice{Value: string(s.Scope), Label: string(s.Scope), Meaning: s.Meaning})
	}
	return all
}
