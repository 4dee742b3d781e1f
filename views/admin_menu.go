package views

import (
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// adminMenu lists the entries of the menu that pages of administration share, each with
// the scope that its page needs.
var adminMenu = []adminEntry{
	{Link{adminPath, languages.Mark("Dashboard")}, models.Admin},
	{Link{adminSitePath, languages.Mark("Site")}, models.SiteWrite},
	{Link{editorPath, languages.Mark("Portfolio")}, models.SiteWrite},
	{Link{textsPath, languages.Mark("Texts")}, models.SiteWrite},
	{Link{membersPath, languages.Mark("Members")}, models.Admin},
	{Link{moderationPath, languages.Mark("Moderation")}, models.Moderation},
	{Link{adminContactPath, languages.Mark("Contact messages")}, models.Admin},
	{Link{adminCatalogPath, languages.Mark("Catalogue")}, models.Admin},
	{Link{adminImportsPath, languages.Mark("Imports")}, models.Admin},
	{Link{auditPath, languages.Mark("Audit trail")}, models.Moderation},
	{Link{jobsPath, languages.Mark("Jobs")}, models.Admin},
	{Link{adminMailPath, languages.Mark("Email")}, models.Admin},
	{Link{adminBackupsPath, languages.Mark("Backups")}, models.Admin},
}

// adminEntry is an entry of the menu of administration.
type adminEntry struct {
	Link
	scope models.Scope
}

// adminEntries returns the entries that a role may open, for a page at a path: none
// outside of administration. current is the path of the one that leads to the page.
func adminEntries(path string, role models.Role) (entries []Link, current string) {
	path, _, _ = strings.Cut(path, "?")
	for _, e := range adminMenu {
		if role.StaffScopes().Has(e.scope) {
			entries = append(entries, e.Link)
		}
		if e.leadsTo(path) && len(e.Href) > len(current) {
			current = e.Href
		}
	}
	if current == "" {
		return nil, ""
	}
	return entries, current
}
