package handlers

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// mountLLMs serves the site's index for language models, and everything it
// says in one file. Both are made of what changes only with the program, never
// of listings, so that their ETags stay.
func (s *Server) mountLLMs() {
	s.mountDocument("/llms.txt", plainText, s.llmsText)
	s.mountDocument("/llms-full.txt", plainText, s.llmsFull)
}

// llmsText is the index: https://llmstxt.org.
func (s *Server) llmsText(ctx context.Context) ([]byte, error) {
	var b strings.Builder
	s.writeLead(&b)
	fmt.Fprintf(&b, "\nEvery address answers Markdown, JSON and HTML: add `.md` or `.json` to a page, or send an Accept field. Reading needs no key; acting for a member needs their token: %[1]s/auth.md. How to ask well: %[1]s/agent.txt. All of this in one file: %[1]s/llms-full.txt. MCP: POST %[1]s%[2]s.\n", s.site.BaseURL, mcpPath)
	item := func(path, label, about string) {
		fmt.Fprintf(&b, "- [%s](%s%s): %s\n", label, s.site.BaseURL, views.MarkdownPath(path), about)
	}
	b.WriteString("\n## Pages\n\n")
	for i := range s.ops {
		if op := &s.ops[i]; op.Page != "" && op.Open() && len(pathNames(op.Page)) == 0 && op.neededQuery() == "" {
			item(op.Page, op.Title, op.Summary)
		}
	}
	item("/auth.md", "Authentication", "How a program acts for a member: tokens, scopes, safe writes. Reading needs none.")
	for i := range s.ops {
		op := &s.ops[i]
		if !op.Text || op.List == nil {
			continue
		}
		b.WriteString("\n## " + op.Tag + "\n\n")
		for _, l := range op.listed() {
			page, err := op.pageAt(ctx, l.Href)
			if err != nil {
				return nil, fmt.Errorf("%s in llms.txt: %w", l.Href, err)
			}
			item(l.Href, l.Label, page.Head().Description)
		}
	}
	b.WriteString("\n## API\n\n")
	for _, op := range s.publicAPI() {
		item("/developers#"+strings.ReplaceAll(op.Name, "_", "-"), op.Name, "`"+op.Method+" "+op.Path+"` "+op.Summary+op.neededScope())
	}
	b.WriteString("\n## Skills\n\n")
	for _, skill := range content.Skills() {
		item(skillPath(skill), skill.Name, skill.Description)
	}
	b.WriteString("\n## Optional\n\n")
	for _, brand := range s.catalog.Brands() {
		item("/gear/"+brand.Slug, brand.Name, "what "+gearCount(&brand)+" sold for.")
	}
	return []byte(b.String()), nil
}

// writeLead writes the site's name, what it is, and what is special about its data.
func (s *Server) writeLead(b *strings.Builder) {
	fmt.Fprintf(b, "# %s\n\n> Used cameras and lenses for sale, and what each model really sells for: price trends made of completed sales, never of asking prices.\n", s.site.Name)
	if s.site.Demo {
		b.WriteString("\n" + views.DemoNotice + "\n")
	}
}

func gearCount(brand *models.Brand) string {
	if len(brand.Gear) == 1 {
		return "1 model"
	}
	return fmt.Sprintf("%d models", len(brand.Gear))
}

// neededQuery is the pattern of the query without which the operation cannot be
// asked: "?keyword={keyword}", mostly "".
func (o *Operation) neededQuery() string {
	query := ""
	for i := range o.plan.params {
		if p := &o.plan.params[i]; p.Required && p.inQuery() && !o.plan.body {
			query += "&" + p.Name + "={" + p.Name + "}"
		}
	}
	return strings.Replace(query, "&", "?", 1)
}

// neededScope says which token the operation needs, mostly "".
func (o *Operation) neededScope() string {
	switch o.Access {
	case Members:
		return " (token: " + string(o.Scope) + ")"
	case Operators:
		return " (operator's token: " + string(o.Scope) + ")"
	}
	return ""
}

// llmsFull is every text of the site under one heading, and the names of all
// gear. The texts are the pages' own Markdown.
func (s *Server) llmsFull(ctx context.Context) ([]byte, error) {
	var b strings.Builder
	s.writeLead(&b)
	for i := range s.ops {
		op := &s.ops[i]
		if !op.Text {
			continue
		}
		for _, path := range op.texts() {
			page, err := op.pageAt(ctx, path)
			if err != nil {
				return nil, fmt.Errorf("%s in llms-full.txt: %w", path, err)
			}
			if err := s.writeText(&b, page, path); err != nil {
				return nil, fmt.Errorf("%s in llms-full.txt: %w", path, err)
			}
		}
	}
	if err := s.writeText(&b, s.stableReference(), "/developers"); err != nil {
		return nil, err
	}
	s.writeGearIndex(&b)
	return []byte(b.String()), nil
}

// writeText writes the Markdown of a page under the file's one heading.
func (s *Server) writeText(b *strings.Builder, page views.Page, path string) error {
	var text strings.Builder
	if err := page.Markdown(&text); err != nil {
		return err
	}
	b.WriteString("\n" + content.Nest(text.String(), 1, s.site.BaseURL) + "\nSource: " + s.site.BaseURL + views.MarkdownPath(path) + "\n")
	return nil
}

// indexed writes a page's Markdown with a word below its heading on where the
// index of the site is, for a model that came by another way.
type indexed struct {
	buf  *bytes.Buffer
	site *views.Site
	said bool
}

func (w *indexed) Write(p []byte) (int, error) {
	rest := p
	if end := bytes.IndexByte(p, '\n') + 1; end > 0 && !w.said {
		w.said = true
		w.buf.Write(p[:end])
		w.buf.WriteString("\n> Everything on this site: [llms.txt](" + w.site.BaseURL + "/llms.txt)\n")
		rest = p[end:]
	}
	w.buf.Write(rest)
	return len(p), nil
}

// stableReference is the API reference without what is only on the market today.
func (s *Server) stableReference() *views.Developers {
	page := s.reference(func(op *Operation) map[string]string { return op.plan.examples() })
	for i := range page.Operations {
		page.Operations[i].Curl = ""
	}
	return page
}

// maxListed is how many pages of one operation the texts for language models
// name, so that no journal makes them too long to read.
const maxListed = 100

// listed are the pages worth listing, the first of them if there are many.
func (o *Operation) listed() []views.Link {
	all := o.List()
	return all[:min(len(all), maxListed)]
}

// texts are the paths of an operation's pages.
func (o *Operation) texts() []string {
	if o.List == nil {
		return []string{o.Page}
	}
	var all []string
	for _, l := range o.listed() {
		all = append(all, l.Href)
	}
	return all
}

// pageAt is the operation's page at a path without a query.
func (o *Operation) pageAt(ctx context.Context, path string) (views.Page, error) {
	params := pathValues(o.Page, path)
	in, err := o.plan.bind(func(name string) string { return params[name] }, "", false)
	if err != nil {
		return nil, err
	}
	return o.Do(ctx, &in.in)
}

// writeGearIndex writes the catalogue, one line for each gear with its slug.
func (s *Server) writeGearIndex(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Every camera and lens by brand\n\nThe page of a model is %[1]s/gear/{brand}/{model}.md; what it sells for as JSON is %[1]s/api/trends/{brand}/{model}.\n", s.site.BaseURL)
	for _, brand := range s.catalog.Brands() {
		fmt.Fprintf(b, "\n### %s (`%s`)\n\n", brand.Name, brand.Slug)
		for _, g := range brand.Gear {
			_, model, _ := strings.Cut(g.Slug(), "/")
			fmt.Fprintf(b, "- `%s` %s\n", model, g.Model)
		}
	}
}
