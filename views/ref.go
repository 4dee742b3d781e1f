package views

import (
	"path"
	"strings"
)

// Ref refers to something on the site by the paths of its JSON and of its page.
type Ref struct {
	Href string `json:"href"`
	Page string `json:"page"`
}

// newRef returns the reference to a page and to its JSON.
func newRef(page string) Ref { return Ref{JSONPath(page), page} }

// listingRef returns the reference to a listing.
func listingRef(id string) Ref {
	page := listingPath(id)
	return Ref{"/api" + page, page}
}

// apiPrefixes maps the paths of pages to those in the API. The first pattern that matches
// counts; the API's path has what follows the first "/*" of the pattern. Pages without a
// prefix are not in the API.
var apiPrefixes = []struct{ pages, api string }{
	{"/listings", "/api/listings/search"},
	{"/listings/*", "/api/listings"},
	{"/gear", "/api/gear"},
	{"/gear/*", "/api/gear"},
	{"/gear/*/*", "/api/trends"},
	{"/sellers/*", "/api/sellers"},
	{"/portfolio", "/api/portfolio"},
	{"/portfolio/*", "/api/portfolio"},
	{"/portfolio/*/*", "/api/portfolio"},
	{editorPath, "/api/admin/portfolio"},
	{editorPath + "/*", "/api/admin/portfolio"},
	{checklistPath, "/api/admin/checklist"},
	{heldWordsPath, "/api/held-words"},
	{"/admin/site", "/api/admin/site"},
	{adminPath, "/api/admin"},
	{auditPath, "/api/audit"},
	{membersPath, "/api/admin/members"},
	{jobsPath, "/api/admin/jobs"},
	{textsPath, "/api/admin/pages"},
	{textsPath + "/*/*/*", "/api/admin/pages"},
	{adminCatalogPath, "/api/admin/catalog"},
	{adminCatalogPath + "/new", ""},
	{adminCatalogPath + "/*", "/api/admin/catalog"},
	{adminCatalogPath + "/*/*", "/api/admin/catalog"},
	{adminImportsPath, "/api/admin/imports"},
	{adminImportsPath + "/*", "/api/admin/imports"},
	{adminContactPath, "/api/admin/contact"},
	{adminMailPath, "/api/admin/mail"},
	{adminBackupsPath, "/api/admin/backups"},
	{"/prices", "/api/prices"},
	{accuracyPath, "/api/prices/accuracy"},
	{"/prices/*/*", "/api/prices"},
	{"/kit", "/api/kit"},
	{myKitPath + "/new", ""},
	{myKitPath, "/api/me/kit"},
	{myKitPath + "/*", "/api/me/kit"},
	{myListingsPath, "/api/me/listings"},
	{myListingsPath + "/*/watchers", "/api/listings"},
	{"/stolen", "/api/stolen-reports"},
	{offersPath, "/api/offers"},
	{offersPath + "/*", "/api/offers"},
	{messagesPath, "/api/conversations"},
	{messagesPath + "/*", "/api/conversations"},
	{watchlistPath, "/api/watchlist"},
	{searchesPath + "/new", ""},
	{searchesPath, "/api/searches"},
	{searchesPath + "/*", "/api/searches"},
	{tokensPath, "/api/tokens"},
	{tokensPath + "/*", "/api/tokens"},
	{connectionsPath, "/api/connections"},
	{blocksPath, "/api/blocks"},
	{"/account/moderation", "/api/reports"},
	{"/account/moderation/checks", "/api/checks"},
	{"/account/moderation/sales", "/api/sales"},
}

// JSONPath returns the path of a page's JSON: in the API, or that of the page with the
// suffix .json if the API does not have it. Other formats of a page have the same JSON.
func JSONPath(page string) string {
	page, _ = cutBefore(page, '#')
	at, query := cutBefore(page, '?')
	if ext := path.Ext(at); ext == ".csv" || ext == ".svg" {
		at = strings.TrimSuffix(at, ext)
	}
	for _, p := range apiPrefixes {
		if matches, _ := path.Match(p.pages, at); !matches {
			continue
		}
		if p.api == "" {
			break
		}
		fixed, _, _ := strings.Cut(p.pages, "/*")
		if fixed == p.pages {
			return p.api + query
		}
		return p.api + at[len(fixed):] + query
	}
	return formatPath(at+query, ".json")
}
