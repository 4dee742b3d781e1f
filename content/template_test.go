package content

import (
	"strings"
	"testing"
	"text/template"
)

// TestExpand checks that templates have the text that package text/template makes of them.
func TestExpand(t *testing.T) {
	sources := []string{
		"", "plain", "{{.Site}} by {{.Owner}}", "{{/* note */}}a", "{{if .Email}}<{{.Email}}>{{else if .Address}}{{.Address}}{{else}}none{{end}}",
		"{{if and .Address .Email -}} both {{- end}}", "{{if not (and .Address .Email) -}}not both{{- else -}}both{{end}}",
		"{{if or .Fees .Shipping}}notes{{end}}", "{{with .Fees}}Fees: {{.}} of {{$.Site}}{{else}}no fees{{end}}", "{{if ne .Owner .Site}}a{{end}}",
		`{{if eq .Site "Shop" "Store"}}a{{end}}{{"b"}}`, "{{if .Demo}}demo{{end}}{{.Demo}}", "{{and .Fees .Site}}{{or .Fees .Site}}", "{{with .Fees}}{{else with .Site}}{{.}}{{end}}",
	}
	for _, facts := range []Facts{{}, {Site: "Shop", Owner: "Ada", Email: "ada@shop.example", Fees: "5%"}, {Site: "Shop", Owner: "Shop", Address: "1 Main St", Email: "a@b.example", Demo: true}} {
		for _, source := range sources {
			var want strings.Builder
			if err := template.Must(template.New("page").Parse(source)).Execute(&want, facts); err != nil {
				t.Fatal(err)
			}
			if got, err := expand("page", source, facts); got != want.String() || err != nil {
				t.Errorf("%s of %+v is %q, %v; want %q", source, facts, got, err, &want)
			}
		}
	}
	for _, wrong := range []string{"{{", "{{.Nobody}}", "{{index .Site 1000}}", "{{range .Site}}{{end}}", "{{.}}", "{{.Site.Owner}}", "{{$x := .Site}}", "{{with .Owner}}{{.Site}}{{end}}",
		`{{template "x"}}`, "{{.Site | not}}", "{{not .Site .Owner}}", "{{and}}", "{{eq .Site}}", "{{.Site .Owner}}", "{{nil}}"} {
		if got, err := expand("page", wrong, Facts{Site: "Shop", Owner: "Ada"}); err == nil {
			t.Errorf("%s is %q", wrong, got)
		}
	}
}
