package account

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Passkeys is the page of a member's passkeys.
type Passkeys struct {
	Text     string    `json:"text"`
	Possible bool      `json:"possible" jsonschema:"true when the site has a host name that passkeys can be bound to"`
	Passkeys []Passkey `json:"passkeys" jsonschema:"your passkeys, oldest first"`
	Links    []ui.Link `json:"links"`
	site     *ui.Site
}

// Passkey is a passkey a member signs in with.
type Passkey struct {
	ID        string `json:"id"`
	Name      string `json:"name" jsonschema:"your name for it" untrusted:"true"`
	CreatedAt string `json:"created_at" jsonschema:"when it was added" format:"date-time"`
	UsedAt    string `json:"used_at,omitempty" jsonschema:"when it was last used; absent when it never was" format:"date-time"`
	Suspended bool   `json:"suspended" jsonschema:"true after your password was reset or your email address changed, until you keep it: it can't be used to sign in"`
}

// NewPasskeys returns the page of a member's passkeys. possible reports whether the
// site has a host name that passkeys can be bound to.
func NewPasskeys(site *ui.Site, keys []models.Passkey, possible bool) *Passkeys {
	p := &Passkeys{Text: languages.Mark("Sign in with your fingerprint, face or device PIN. Passkeys can't be guessed or phished. You can still use your password."),
		Possible: possible, Links: []ui.Link{{Href: "/account/settings", Label: "Settings"}}, site: site}
	if !possible {
		p.Text = languages.Mark("Passkeys need a domain name, so they aren't available on this site yet.")
	}
	p.Passkeys = ui.Each(keys, func(k *models.Passkey) Passkey {
		return Passkey{k.ID, k.Name, k.CreatedAt.RFC3339(), k.UsedAt.RFC3339(), k.Suspended}
	})
	return p
}

// Head implements Page.
func (p *Passkeys) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Passkeys"), Description: ui.T(ctx, p.Text), Path: "/account/passkeys", NoIndex: true, Crumbs: ui.AccountCrumbs}
}

// line returns when the passkey was added and last used.
func (k *Passkey) line(ctx context.Context) string {
	line := ui.T(ctx, "added %s", ui.DayIn(ctx, k.CreatedAt))
	if k.UsedAt != "" {
		line += ", " + ui.T(ctx, "used %s", ui.DayIn(ctx, k.UsedAt))
	}
	if k.Suspended {
		line += ", " + ui.T(ctx, "suspended")
	}
	return line
}

// suspendedPasskeysText is shown above suspended passkeys.
var suspendedPasskeysText = languages.Mark("Your password or email address changed, so we've paused these passkeys. Keep the ones you recognise and remove the rest.")

// suspended returns the passkeys that the member has to keep or remove.
func (p *Passkeys) suspended() []Passkey { return p.filter(true) }

// active returns the passkeys that can be used to sign in.
func (p *Passkeys) active() []Passkey { return p.filter(false) }

func (p *Passkeys) filter(suspended bool) (keys []Passkey) {
	for _, k := range p.Passkeys {
		if k.Suspended == suspended {
			keys = append(keys, k)
		}
	}
	return keys
}

// Markdown implements Page.
func (p *Passkeys) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Passkeys"), "").In(ctx)
	m.Paragraph(ui.T(ctx, p.Text))
	if len(p.suspended()) > 0 {
		m.Paragraph(ui.T(ctx, suspendedPasskeysText))
	}
	if len(p.Passkeys) > 0 {
		m.Raw("\n")
		m.Head("Passkey", "Id", "Since")
		for i := range p.Passkeys {
			k := &p.Passkeys[i]
			m.Row(ui.MarkdownText(ui.Untrusted(k.Name)), k.ID, k.line(ctx))
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// Ceremony is the response that begins a WebAuthn ceremony: the options for the
// authenticator and the code to answer with.
type Ceremony struct {
	Ceremony string `json:"ceremony" jsonschema:"code to send with the response"`
	Options  any    `json:"options" jsonschema:"WebAuthn options for the authenticator"`
	site     *ui.Site
}

// NewCeremony returns the response that begins a ceremony.
func NewCeremony(site *ui.Site, code string, options any) *Ceremony {
	return &Ceremony{code, options, site}
}

// ceremonyText is shown by browsers that do not run the script.
var ceremonyText = languages.Mark("Your browser should ask for your passkey. If it doesn't, sign in with your password.")

// Head implements Page.
func (p *Ceremony) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Passkey"), Description: ui.T(ctx, ceremonyText), Path: "/sign-in", NoIndex: true}
}

// Markdown implements Page.
func (p *Ceremony) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Passkey"), "").In(ctx)
	m.Paragraph(ui.T(ctx, ceremonyText))
	return m.Done(w)
}
