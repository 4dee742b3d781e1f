// Package apps renders the documents in which chat clients show results of tools.
package apps

import (
	"context"
	_ "embed"
	"regexp"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// notCode matches comments and indentation, which the document leaves out.
var notCode = regexp.MustCompile(`(?m)^\s*(//.*\n\s*)*| // .*$`)

// Script and style sheet of the apps, which chat clients load without the site's own.
var (
	//go:embed app.js
	appScript string
	//go:embed app.css
	appStyle string
)

// appSite is what the script of an app knows about the site.
type appSite struct {
	Name       string                       `json:"name"`
	URL        string                       `json:"url"`
	Symbols    map[string]string            `json:"symbols"`
	Conditions map[models.Condition]string  `json:"conditions"`
	Functional map[models.Functional]string `json:"functional"`
	Defects    map[models.Defect]string     `json:"defects"`
}

// AppDocument returns an HTML document in which a chat client shows the results of a tool:
// a search, a listing or a price trend. It contains its script, its style sheet and the
// words of the site, and no data: the client passes it the result.
func AppDocument(site *ui.Site, title string) string {
	words := appSite{
		Name: site.Name(), URL: site.BaseURL, Symbols: languages.Symbols,
		Conditions: labelsOf(models.Conditions, models.Condition.Label),
		Functional: labelsOf(models.Functionals, models.Functional.Label),
		Defects:    labelsOf(models.Defects, models.Defect.Label),
	}
	var document strings.Builder
	if err := appDocument(site, title, words).Render(context.Background(), &document); err != nil {
		panic(err) // a strings.Builder takes everything
	}
	return document.String()
}

// labelsOf returns the labels of codes.
func labelsOf[C ~string](codes []C, label func(C) string) map[C]string {
	labels := map[C]string{}
	for _, code := range codes {
		labels[code] = label(code)
	}
	return labels
}
