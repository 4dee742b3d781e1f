package handlers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/views/ui"
)

// probe is a page that echoes its request, for tests of the contract.
type probe struct {
	Word  string   `json:"word" jsonschema:"the word asked for"`
	List  []string `json:"list" jsonschema:"the words asked for"`
	Limit int      `json:"limit"`
	Text  string   `json:"note" jsonschema:"what it says"`
	next  string
}

func (p *probe) Head(context.Context) ui.Head {
	return ui.Head{Title: "Probe " + p.Word, Description: "A probe.", Path: "/probes/" + p.Word}
}
func (p *probe) HTML() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := fmt.Fprintf(w, "<h1>%s</h1><p>%d %s</p>", templ.EscapeString(p.Word), p.Limit, p.Text)
		return err
	})
}
func (p *probe) Markdown(ctx context.Context, w io.Writer) error {
	_, err := fmt.Fprintf(w, "# %s\n\n%d %s\n", p.Word, p.Limit, p.Text)
	return err
}
func (p *probe) CSV(w io.Writer) error { _, err := io.WriteString(w, "word\n"+p.Word+"\n"); return err }
func (p *probe) SVG(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	return err
}
func (p *probe) Next(bool) string { return p.next }

type probeIn struct {
	Word   string   `json:"word" in:"path" jsonschema:"a word" example:"lens"`
	List   []string `json:"list,omitempty" jsonschema:"several words" example:"a,b"`
	Sort   string   `json:"sort,omitempty" jsonschema:"order" enum:"newest,price,-price" default:"newest" example:"price"`
	Limit  int      `json:"limit,omitempty" jsonschema:"how many" min:"1" max:"100" default:"24" example:"12"`
	Budget string   `json:"budget_max,omitempty" jsonschema:"highest price" example:"800"`
	Fresh  bool     `json:"fresh,omitempty" jsonschema:"only new ones" example:"true"`
}

// testOperations are operations that the site itself has none of: with every kind
// of parameter and more formats, and those that fail.
func testOperations() []web.Operation {
	do := func(_ context.Context, in *probeIn) (*probe, error) {
		switch in.Word {
		case "panic":
			panic(webtest.Cause)
		case "missing":
			return nil, &problem.Error{Kind: problem.NotFound, Code: "gear_not_found", Message: problem.Textf("No gear is called missing."), Cause: errors.New(webtest.Cause),
				Links: []problem.Link{{Href: "/gear", Label: "All gear"}}}
		case "busy":
			return nil, &problem.Error{Kind: problem.Unavailable, Code: "unavailable", Message: problem.Textf("Not now.")}
		}
		text := ""
		if in.Word == "long" {
			text = strings.Repeat("a long page compresses well ", 200)
		}
		return &probe{Word: in.Word, List: append([]string{}, in.List...), Limit: in.Limit, Text: text, next: "/probes/next?cursor=1"}, nil
	}
	return []web.Operation{
		web.Op[probeIn, *probe]{
			Name: "get_probe", Path: "/api/probes/{word}", Page: "/probes/{word}", Tag: "Service",
			Title: "A probe", Summary: "Says how it was asked.", Description: "For tests.",
			Errors: []string{"gear_not_found"}, Formats: []web.Format{web.CSV, web.SVG}, Do: do,
		}.Operation(),
		web.Op[struct {
			Keyword string `json:"keyword" jsonschema:"what to look for" example:"r6"`
		}, *probe]{
			Name: "find_probes", Path: "/api/probes", Page: "/probes", Tag: "Service",
			Title: "Probes", Summary: "Finds probes.", Description: "For tests.",
			Do: func(context.Context, *struct {
				Keyword string `json:"keyword" jsonschema:"what to look for" example:"r6"`
			}) (*probe, error) {
				return &probe{Word: "found", List: []string{}, Limit: 24}, nil
			},
		}.Operation(),
	}
}
