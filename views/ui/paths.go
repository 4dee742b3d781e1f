package ui

import (
	"net/url"
	"strings"

	"github.com/secondlight/secondlight/models/portfolio"
)

func ListingPath(id string) string { return "/listings/" + id }

func SellerPath(handle string) string { return "/sellers/" + handle }

func GearPath(slug string) string { return "/gear/" + slug }

// AccuracyPath is the path of the page that says how accurate price estimates are.
const AccuracyPath = "/prices/accuracy"

// SearchPath and SearchAPIPath are the paths of the search, as a page and in the API.
const (
	SearchPath    = "/listings"
	SearchAPIPath = "/api/listings/search"
)

// MessagesPath is the path of the page of a member's conversations.
const MessagesPath = "/account/messages"

func ConversationPath(id string) string { return MessagesPath + "/" + id }

// OffersPath is the path of the page of a member's offers.
const OffersPath = "/account/offers"

func OfferPath(id string) string { return OffersPath + "/" + id }

// Paths of the contact form and of its messages.
const (
	ContactPath      = "/contact"
	AdminContactPath = AdminPath + "/contact"
)

// Paths of administration.
const (
	AdminPath     = "/admin"
	AdminSitePath = AdminPath + "/site"
	LookPath      = AdminPath + "/look"
)

// Paths of pages of administration.
const (
	MembersPath = AdminPath + "/members"
	JobsPath    = AdminPath + "/jobs"
)

// AdminBackupsPath is the path of the page of backups.
const AdminBackupsPath = AdminPath + "/backups"

const AdminCatalogPath = AdminPath + "/catalog"

// GearProposalsPath is the path of the proposed corrections of the catalogue.
const GearProposalsPath = AdminPath + "/catalog-proposals"

const AdminImportsPath = AdminPath + "/imports"

// AdminMailPath is the path of the page about email.
const AdminMailPath = AdminPath + "/mail"

// ChecksPath is the path of the page of what operators check.
const ChecksPath = ModerationPath + "/checks"

// Paths of the moderation queue and of the audit trail.
const (
	ModerationPath = "/account/moderation"
	AuditPath      = AdminPath + "/audit"
)

// SalesPath is the path of the page that lists sales for operators.
const SalesPath = ModerationPath + "/sales"

// EditorPath is the path of the page that edits the portfolio.
const EditorPath = "/account/portfolio"

const TextsPath = AdminPath + "/pages"

// HeldWordsPath is the path of the words that hold a listing.
const HeldWordsPath = ModerationPath + "/words"

const ChecklistPath = AdminPath + "/checklist"

// BlocksPath is the path of the page of blocked members.
const BlocksPath = "/account/blocks"

// ConnectionsPath is the path of the page of the apps that a member connected.
const ConnectionsPath = "/account/connections"

// ConnectPath is the path of the page that says how to connect a chat app.
const ConnectPath = "/account/connect"

// MyKitPath is the path of the page of a member's kit.
const MyKitPath = "/account/kit"

// MyListingsPath is the path of the page of a member's own listings.
const MyListingsPath = "/account/listings"

// SearchesPath is the path of the page of a member's saved searches.
const SearchesPath = "/account/searches"

// TokensPath is the path of the page of a member's tokens.
const TokensPath = "/account/tokens"

// WatchlistPath is the path of the page of a member's watchlist.
const WatchlistPath = "/account/watchlist"

// WatchersPath returns the path of the page of a listing's watchers.
func WatchersPath(listing string) string { return MyListingsPath + "/" + listing + "/watchers" }

// AdvancedPath is the path of the page of what programs use.
const AdvancedPath = "/account/advanced"

// OEmbedPath is the path of the answers to consumers of oEmbed.
const OEmbedPath = "/oembed"

// AccountWebhookPath is the path of the webhook of the reader's account.
const AccountWebhookPath = AdvancedPath + "/webhook"

func SearchWebhookPath(id string) string { return AdvancedPath + "/webhooks/" + id }

// StolenPath is the path of the page where members report thefts.
const StolenPath = "/stolen"

// EditListingPath returns the path of the page where a seller edits a listing.
func EditListingPath(id string) string { return "/sell/" + id }

// PriceWorkingPath returns the path of the page of a gear.
func PriceWorkingPath(gear string) string { return "/prices/" + gear }

const ValuationPath = "/prices/valuation"

// PricesPath returns the path of the price guide. Every argument may be "".
func PricesPath(gear, condition, price string) string {
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

// ComparePath returns the path of the comparison of gear.
func ComparePath(slugs ...string) string {
	if len(slugs) == 0 {
		return "/compare"
	}
	return "/compare?gear=" + strings.Join(slugs, ",")
}

// SellPath returns the path of the form for gear with a title. Either may be "".
func SellPath(gear, title string) string {
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

// JournalPath returns the path of a journal entry, or of the list with a tag.
func JournalPath(slug, tag string) string {
	switch {
	case slug != "":
		return "/journal/" + slug
	case tag != "":
		return "/journal?tag=" + string(AppendEscaped(nil, tag))
	}
	return "/journal"
}

func PhotoPath(p *portfolio.Photo) string { return p.Path() }

func ProjectPath(slug string) string { return "/portfolio/" + slug }

// GalleryArchivePath returns the path of the ZIP of all photos of the gallery at an address: their
// originals, or those of a size that loads fast.
func GalleryArchivePath(address string, web bool) string {
	name := "all.zip"
	if web {
		name = "web.zip"
	}
	return "/gallery-photos/" + address + "/" + name
}

// FilterPath returns the path of the photos that match a filter.
func FilterPath(f portfolio.Filter) string {
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

// GearPicturePath returns the path of a picture of gear.
func GearPicturePath(name string) string { return "/gear-pictures/" + name + ".jpg" }

// PhotoFormPath returns the path of the photos in the form of a listing, which suggests
// gear unless it is "".
func PhotoFormPath(id, gear string) string {
	path := EditListingPath(id)
	if gear != "" {
		path += "?suggested_gear=" + url.QueryEscape(gear)
	}
	return path + "#photographs"
}

const ChartsPath = "/prices/charts/"

// PossessionPath returns the path that asks for a code for a listing.
func PossessionPath(id string) string { return EditListingPath(id) + "/possession" }

// SignInPath returns the path of the sign-in page that leads back to a path
// afterwards.
func SignInPath(back string) string { return withNext("/sign-in", back) }

// SignUpPath returns the path of the sign-up page that leads back to a page.
func SignUpPath(back string) string { return withNext("/sign-up", back) }

func withNext(path, back string) string {
	if back == "" {
		return path
	}
	return path + "?next=" + url.QueryEscape(back)
}

// ThemePreviewPath returns the path of the preview of a theme, in a light unless it is "".
func ThemePreviewPath(theme, light string) string {
	path := AdminSitePath + "/preview?theme=" + url.QueryEscape(theme)
	if light != "" {
		path += "&light=" + light
	}
	return path
}
