package ui

import (
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// AdminMenu lists the entries of the menu that pages of administration share, each with
// the scope that its page needs.
var AdminMenu = []adminEntry{
	{Link{AdminPath, languages.Mark("Dashboard")}, models.Admin},
	{Link{AdminSitePath, languages.Mark("Site")}, models.SiteWrite},
	{Link{EditorPath, languages.Mark("Portfolio")}, models.SiteWrite},
	{Link{TextsPath, languages.Mark("Texts")}, models.SiteWrite},
	{Link{MembersPath, languages.Mark("Members")}, models.Admin},
	{Link{ModerationPath, languages.Mark("Moderation")}, models.Moderation},
	{Link{AdminContactPath, languages.Mark("Contact messages")}, models.Admin},
	{Link{AdminCatalogPath, languages.Mark("Catalogue")}, models.Admin},
	{Link{AdminImportsPath, languages.Mark("Imports")}, models.Admin},
	{Link{AuditPath, languages.Mark("Audit log")}, models.Moderation},
	{Link{JobsPath, languages.Mark("Jobs")}, models.Admin},
	{Link{AdminMailPath, languages.Mark("Email")}, models.Admin},
	{Link{AdminBackupsPath, languages.Mark("Backups")}, models.Admin},
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
	for _, e := range AdminMenu {
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
