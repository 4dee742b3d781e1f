package ui

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// AdminMenu lists the entries of the menu that pages of administration share, in groups.
var AdminMenu = []adminGroup{
	{languages.Mark("Today"), []adminEntry{
		{Link{AdminPath, languages.Mark("Dashboard")}, models.Admin},
		{Link{ChecklistPath, languages.Mark("Make it yours")}, models.Admin},
		{Link{AdminContactPath, languages.Mark("Contact messages")}, models.Admin},
	}},
	{languages.Mark("Site"), []adminEntry{
		{Link{LookPath, languages.Mark("Look")}, models.SiteWrite},
		{Link{AdminSitePath, languages.Mark("Details")}, models.SiteWrite},
		{Link{TextsPath, languages.Mark("Pages and journal")}, models.SiteWrite},
		{Link{EditorPath, languages.Mark("Portfolio")}, models.SiteWrite},
	}},
	{languages.Mark("Shop"), []adminEntry{
		{Link{MyListingsPath, languages.Mark("Your listings")}, models.Admin},
		{Link{MembersPath, languages.Mark("Members")}, models.Admin},
		{Link{ModerationPath, languages.Mark("Moderation")}, models.Moderation},
		{Link{SalesPath, languages.Mark("Sales to review")}, models.Moderation},
		{Link{AdminImportsPath, languages.Mark("Imports")}, models.Admin},
		{Link{AdminCatalogPath, languages.Mark("Catalogue")}, models.Admin},
	}},
	{languages.Mark("System"), []adminEntry{
		{Link{AdminMailPath, languages.Mark("Email")}, models.Admin},
		{Link{AdminBackupsPath, languages.Mark("Backups")}, models.Admin},
		{Link{JobsPath, languages.Mark("Jobs")}, models.Admin},
		{Link{AuditPath, languages.Mark("Audit log")}, models.Moderation},
		{Link{TokensPath, languages.Mark("Tokens for programs")}, models.Admin},
	}},
}

// adminGroup is a part of the menu of administration.
type adminGroup struct {
	Label   string
	Entries []adminEntry
}

// adminEntry is an entry of the menu of administration, with the scope that its page needs.
type adminEntry struct {
	Link
	scope models.Scope
}

// AdminLinks returns the entries of the menu that a role may open.
func AdminLinks(role models.Role) (links []Link) {
	for _, g := range adminGroups(role) {
		for _, e := range g.Entries {
			links = append(links, e.Link)
		}
	}
	return links
}

// adminGroups returns the menu with the entries that a role may open.
func adminGroups(role models.Role) (groups []adminGroup) {
	scopes := role.StaffScopes()
	for _, g := range AdminMenu {
		g.Entries = slices.DeleteFunc(slices.Clone(g.Entries), func(e adminEntry) bool { return !scopes.Has(e.scope) })
		if len(g.Entries) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// ofMember reports whether a page is every member's, too: it has no menu of administration.
func (e *adminEntry) ofMember() bool { return e.Href == MyListingsPath || e.Href == TokensPath }

// adminEntries returns the menu for a page at a path: none outside of administration. current is
// the entry that leads to the page.
func adminEntries(path string, role models.Role) (groups []adminGroup, current Link) {
	path, _, _ = strings.Cut(path, "?")
	for _, g := range AdminMenu {
		for _, e := range g.Entries {
			if !e.ofMember() && e.leadsTo(path) && len(e.Href) > len(current.Href) {
				current = e.Link
			}
		}
	}
	if current.Href == "" {
		return nil, current
	}
	return adminGroups(role), current
}
