package views

import (
	"net/url"
	"strings"

	"github.com/secondlight/secondlight/models/portfolio"
)

func listingPath(id string) string { return "/listings/" + id }

func sellerPath(handle string) string { return "/sellers/" + handle }

func gearPath(slug string) string { return "/gear/" + slug }

// accuracyPath is the path of the page that says how accurate price estimates are.
const accuracyPath = "/prices/accuracy"

// searchPath and searchAPIPath are the paths of the search, as a page and in the API.
const (
	searchPath    = "/listings"
	searchAPIPath = "/api/listings/search"
)

// messagesPath is the path of the page of a member's conversations.
const messagesPath = "/account/messages"

func conversationPath(id string) string { return messagesPath + "/" + id }

// offersPath is the path of the page of a member's offers.
const offersPath = "/account/offers"

func offerPath(id string) string { return offersPath + "/" + id }

// Paths of the contact form and of its messages.
const (
	contactPath      = "/contact"
	adminContactPath = adminPath + "/contact"
)

// Paths of administration.
const (
	adminPath     = "/admin"
	adminSitePath = adminPath + "/site"
)

// Paths of pages of administration.
const (
	membersPath = adminPath + "/members"
	jobsPath    = adminPath + "/jobs"
)

// adminBackupsPath is the path of the page of backups.
const adminBackupsPath = adminPath + "/backups"

const adminCatalogPath = adminPath + "/catalog"

const adminImportsPath = adminPath + "/imports"

// adminMailPath is the path of the page about email.
const adminMailPath = adminPath + "/mail"

// checksPath is the path of the page of what operators check.
const checksPath = moderationPath + "/checks"

// Paths of the moderation queue and of the audit trail.
const (
	moderationPath = "/account/moderation"
	auditPath      = adminPath + "/audit"
)

// salesPath is the path of the page that lists sales for operators.
const salesPath = moderationPath + "/sales"

// editorPath is the path of the page that edits the portfolio.
const editorPath = "/account/portfolio"

const textsPath = adminPath + "/pages"

// heldWordsPath is the path of the words that hold a listing.
const heldWordsPath = moderationPath + "/words"

const checklistPath = adminPath + "/checklist"

// blocksPath is the path of the page of blocked members.
const blocksPath = "/account/blocks"

// connectionsPath is the path of the page of the apps that a member connected.
const connectionsPath = "/account/connections"

// myKitPath is the path of the page of a member's kit.
const myKitPath = "/account/kit"

// myListingsPath is the path of the page of a member's own listings.
const myListingsPath = "/account/listings"

// searchesPath is the path of the page of a member's saved searches.
const searchesPath = "/account/searches"

// tokensPath is the path of the page of a member's tokens.
const tokensPath = "/account/tokens"

// watchlistPath is the path of the page of a member's watchlist.
const watchlistPath = "/account/watchlist"

// watchersPath returns the path of the page of a listing's watchers.
func watchersPath(listing string) string { return myListingsPath + "/" + listing + "/watchers" }

// advancedPath is the path of the page of what programs use.
const advancedPath = "/account/advanced"

func searchWebhookPath(id string) string { return advancedPath + "/webhooks/" + id }

// stolenPath is the path of the page where members report thefts.
const stolenPath = "/stolen"

// editListingPath returns the path of the page where a seller edits a listing.
func editListingPath(id string) string { return "/sell/" + id }

// priceWorkingPath returns the path of the page of a gear.
func priceWorkingPath(gear string) string { return "/prices/" + gear }

const valuationPath = "/prices/valuation"

// pricesPath returns the path of the price guide. Every argument may be "".
func pricesPath(gear, condition, price string) string {
	q := url.Values{}
	for name, value := range map[string]string{"gear": gear, "condition": condition, "price": price} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return "/prices"
	}
	return "/prices?" + strings.ReplaceAll(q.Encode(), "%2F", "/")
}

// comparePath returns the path of the comparison of gear.
func comparePath(slugs ...string) string {
	if len(slugs) == 0 {
		return "/compare"
	}
	return "/compare?gear=" + strings.Join(slugs, ",")
}

// sellPath returns the path of the form for gear with a title. Either may be "".
func sellPath(gear, title string) string {
	q := url.Values{}
	for name, value := range map[string]string{"gear": gear, "title": title} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return "/sell"
	}
	return "/sell?" + q.Encode()
}

// journalPath returns the path of a journal entry, or of the list with a tag.
func journalPath(slug, tag string) string {
	switch {
	case slug != "":
		return "/journal/" + slug
	case tag != "":
		return "/journal?tag=" + string(appendEscaped(nil, tag))
	}
	return "/journal"
}

func photoPath(p *portfolio.Photo) string { return projectPath(p.Project.Slug) + "/" + p.Slug }

func projectPath(slug string) string { return "/portfolio/" + slug }

// filterPath returns the path of the photos that match a filter.
func filterPath(f portfolio.Filter) string {
	q := url.Values{}
	for name, value := range map[string]string{"subject": f.Subject, "tag": f.Tag, "camera": f.Camera, "lens": f.Lens, "focal": f.Focal.String()} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return "/portfolio"
	}
	return "/portfolio?" + strings.ReplaceAll(q.Encode(), "%2F", "/")
}

// gearPicturePath returns the path of a picture of gear.
func gearPicturePath(name string) string { return "/gear-pictures/" + name + ".jpg" }

// photoFormPath returns the path of the photos in the form of a listing, which suggests
// gear unless it is "".
func photoFormPath(id, gear string) string {
	path := editListingPath(id)
	if gear != "" {
		path += "?suggested_gear=" + url.QueryEscape(gear)
	}
	return path + "#photographs"
}

const chartsPath = "/prices/charts/"

// possessionPath returns the path that asks for a code for a listing.
func possessionPath(id string) string { return editListingPath(id) + "/possession" }

// signInPath returns the path of the sign-in page that leads back to a path
// afterwards.
func signInPath(back string) string { return withNext("/sign-in", back) }

// signUpPath returns the path of the sign-up page that leads back to a page.
func signUpPath(back string) string { return withNext("/sign-up", back) }

func withNext(path, back string) string {
	if back == "" {
		return path
	}
	return path + "?next=" + url.QueryEscape(back)
}

// themePreviewPath returns the path of the preview of a theme, in a light unless it is "".
func themePreviewPath(theme, light string) string {
	path := adminSitePath + "/preview?theme=" + url.QueryEscape(theme)
	if light != "" {
		path += "&light=" + light
	}
	return path
}
