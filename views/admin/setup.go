package admin

import (
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/views/ui"
)

// NewSetup returns the page that sets up the site with the secret of a one-time link. demo
// offers demonstration data.
func NewSetup(site *ui.Site, token string, demo bool) *ui.FormPage {
	return ui.NewFormPage(site, "/setup", languages.Mark("Set up your site"), languages.Mark("It takes two minutes, and you can change everything later."), setupForm(site, token, demo))
}

// startChoices are what a new site may start with.
var startChoices = []ui.Choice{
	{Value: "empty", Label: languages.Mark("Empty"), Meaning: languages.Mark("For your own photographs and listings.")},
	{Value: "demo", Label: languages.Mark("Demonstration data"), Meaning: languages.Mark("5,000 made-up listings with prices and photographs, so you can look around. You can't mix them with real ones: start again with an empty folder before you open.")},
}
