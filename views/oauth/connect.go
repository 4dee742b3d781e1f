package oauth

import (
	"context"
	"io"
	"strconv"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/views/ui"
)

// Connect is the page that says how to connect a chat app.
type Connect struct {
	Address string    `json:"address" jsonschema:"address of the MCP server to paste into a chat app"`
	Member  string    `json:"member_address" jsonschema:"the same for apps that don't ask to sign in by themselves"`
	Apps    []ChatApp `json:"apps" jsonschema:"what to do in each chat app"`
	Links   []ui.Link `json:"links"`
	site    *ui.Site
}

// ChatApp is a chat app, with what to do to connect it.
type ChatApp struct {
	Name  string   `json:"name" jsonschema:"name of the chat app"`
	Steps []string `json:"steps" jsonschema:"what to do"`
	File  string   `json:"file,omitempty" jsonschema:"what to write into its file of settings"`
}

// NewConnect returns the page. address is that of the MCP server, and member that which asks to
// sign in.
func NewConnect(site *ui.Site, address, member string) *Connect {
	allow := languages.Mark("Ask it to do something here. It opens this site: sign in, and choose what it may do.")
	return &Connect{Address: address, Member: member, Apps: []ChatApp{
		{Name: "Claude", Steps: []string{languages.Mark("Open Settings, then Connectors."), languages.Mark("Choose “Add custom connector” and paste the address."), allow}},
		{Name: "ChatGPT", Steps: []string{languages.Mark("Open Settings, then Apps & Connectors, then Advanced, and turn on developer mode."), languages.Mark("Choose “Create” and paste the address."), allow}},
		{Name: "VS Code", Steps: []string{languages.Mark("Open the command palette and choose “MCP: Add Server”."), languages.Mark("Choose HTTP and paste the address."), allow}},
		{Name: "Cursor", Steps: []string{languages.Mark("Open Settings, then MCP, and choose “Add new MCP server”."), languages.Mark("Paste this into the file that opens, and save it."), allow},
			File: `{"mcpServers": {"secondlight": {"url": ` + strconv.Quote(address) + `}}}`},
	}, Links: []ui.Link{{Href: ui.ConnectionsPath, Label: "Connected apps"}, {Href: "/docs/first-agent", Label: languages.Mark("More clients, and building your own")}, {Href: "/help", Label: "Help"}}, site: site}
}

var connectLead = languages.Mark("Claude, ChatGPT and others can search here for you, check prices and, if you allow it, sell and buy in your name.")

// connectRules say what a chat app may do.
var connectRules = []string{
	languages.Mark("Without signing in, it can only read what everyone can: listings, prices, guides."),
	languages.Mark("When you connect it, you choose what it may do: make offers, write messages, edit your listings. It never sees your password."),
	languages.Mark("Before it offers, buys or publishes anything, it has to ask you."),
	languages.Mark("You can disconnect it at any time under Connected apps."),
}

// Head implements Page.
func (p *Connect) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Connect a chat app"), Description: ui.T(ctx, connectLead), Path: ui.ConnectPath}
}

// Markdown implements Page.
func (p *Connect) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Connect a chat app"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, connectLead))
	m.Paragraph(ui.T(ctx, "Address") + ": `" + p.Address + "`")
	m.Paragraph(ui.T(ctx, "If an app never asks you to sign in, use this address instead:") + " `" + p.Member + "`")
	for _, app := range p.Apps {
		m.Section(app.Name)
		for i, step := range app.Steps {
			m.Raw("\n", strconv.Itoa(i+1), ". ", ui.MarkdownText(ui.T(ctx, step)))
		}
		m.Raw("\n")
		if app.File != "" {
			m.Paragraph("`" + app.File + "`")
		}
	}
	m.Section("What it may do")
	for _, rule := range connectRules {
		m.Raw("\n- ", ui.MarkdownText(ui.T(ctx, rule)))
	}
	m.Raw("\n")
	m.Links(p.Links)
	return m.Done(w)
}
