package views

import "github.com/secondlight/secondlight/content/languages"

// NewSetup returns the page that sets up the site with the secret of a one-time link.
func NewSetup(site *Site, token string) *FormPage {
	return newFormPage(site, "/setup", languages.Mark("Set up your site"), languages.Mark("Two minutes, and you can change everything later."), setupForm(site, token))
}
