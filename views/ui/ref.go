package ui

import (
	"path"
	"strings"
)

// Ref refers to something on the site by the paths of its JSON and of its page.
type Ref struct {
	Href string `json:"href"`
	Page string `json:"page"`
}

// NewRef returns the reference to a page and to its JSON.
func NewRef(page string) Ref { return Ref{JSONPath(page), page} }

// ListingRef returns the reference to a listing.
func ListingRef(id string) Ref {
	page := ListingPath(id)
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
	{EditorPath, "/api/admin/portfolio"},
	{EditorPath + "/*", "/api/admin/portfolio"},
	{ChecklistPath, "/api/admin/checklist"},
	{HeldWordsPath, "/api/held-words"},
	{"/admin/site", "/api/admin/site"},
	{AdminPath, "/api/admin"},
	{AuditPath, "/api/audit"},
	{MembersPath, "/api/admin/members"},
	{JobsPath, "/api/admin/jobs"},
	{TextsPath, "/api/admin/pages"},
	{TextsPath + "/*/*/*", "/api/admin/pages"},
	{AdminCatalogPath, "/api/admin/catalog"},
	{AdminCatalogPath + "/new", ""},
	{AdminCatalogPath + "/*", "/api/admin/catalog"},
	{AdminCatalogPath + "/*/*", "/api/admin/catalog"},
	{GearProposalsPath, "/api/admin/catalog-proposals"},
	{AdminImportsPath, "/api/admin/imports"},
	{AdminImportsPath + "/*", "/api/admin/imports"},
	{AdminContactPath, "/api/admin/contact"},
	{AdminMailPath, "/api/admin/mail"},
	{AdminBackupsPath, "/api/admin/backups"},
	{"/prices", "/api/prices"},
	{AccuracyPath, "/api/prices/accuracy"},
	{"/prices/*/*", "/api/prices"},
	{"/kit", "/api/kit"},
	{MyKitPath + "/new", ""},
	{MyKitPath, "/api/me/kit"},
	{MyKitPath + "/*", "/api/me/kit"},
	{MyListingsPath, "/api/me/listings"},
	{MyListingsPath + "/*/watchers", "/api/listings"},
	{"/stolen", "/api/stolen-reports"},
	{OffersPath, "/api/offers"},
	{OffersPath + "/*", "/api/offers"},
	{MessagesPath, "/api/conversations"},
	{MessagesPath + "/*", "/api/conversations"},
	{WatchlistPath, "/api/watchlist"},
	{SearchesPath + "/new", ""},
	{SearchesPath, "/api/searches"},
	{SearchesPath + "/*", "/api/searches"},
	{AccountWebhookPath, "/api/me/webhook"},
	{TokensPath, "/api/tokens"},
	{TokensPath + "/*", "/api/tokens"},
	{ConnectionsPath, "/api/connections"},
	{BlocksPath, "/api/blocks"},
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
