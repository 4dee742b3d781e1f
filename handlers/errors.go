package handlers

import (
	"context"
	"fmt"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/views"
)

// errorCodes are the error codes of the site, in addition to the common codes of
// package web. A code never changes its meaning.
var errorCodes = []web.ErrorCode{
	{Code: "invalid_client", Status: 400, Title: "Unknown app", Meaning: "The app that wants to connect to your account can't be identified by its client_id.", Repair: "Go back to the app and connect it again. See /auth.md for what a client_id may be."},
	{Code: "invalid_redirect_uri", Status: 400, Title: "Unknown return address", Meaning: "The app asked to return to an address that it has not registered, so you weren't sent there.", Repair: "Go back to the app and connect it again."},
	{Code: "sign_in_failed", Status: 401, Title: "Sign-in failed", Meaning: "The email address or the password is wrong.", Repair: "Try again, or reset your password at /reset-password."},
	{Code: "passkey_refused", Status: 401, Title: "Passkey rejected", Meaning: "This passkey isn't registered here, or it couldn't be verified.", Repair: "Try again, or sign in with your password at /sign-in."},
	{Code: "consent_invalid", Status: 403, Title: "Page expired", Meaning: "The page that asked you to connect an app has expired, was already used, or belongs to another session.", Repair: "Go back to the app and connect it again."},
	{Code: "not_yours", Status: 403, Title: "Not yours", Meaning: "This belongs to another member.", Repair: "You can change only your own. GET /api/me/listings returns your listings."},
	{Code: "own_listing", Status: 403, Title: "Your own listing", Meaning: "You can't do this with your own listing.", Repair: "Use a listing of another member."},
	{Code: "blocked", Status: 403, Title: "Blocked", Meaning: "One of you has blocked the other.", Repair: "You can't contact this member. Search for another listing."},
	{Code: "not_your_turn", Status: 403, Title: "Not your turn", Meaning: "The offer is waiting for the other member, or it is closed.", Repair: "Get it with GET /api/offers; steps lists what you can do."},
	{Code: "passkey_not_found", Status: 404, Title: "Passkey not found", Meaning: "You don't have a passkey with this id.", Repair: "Your passkeys are listed at /account/passkeys."},
	{Code: "listing_not_found", Status: 404, Title: "Listing not found", Meaning: "There is no public listing with this id.", Repair: "Search with GET /api/listings/search?keyword=…"},
	{Code: "gear_not_found", Status: 404, Title: "Gear not found", Meaning: "The catalogue has no gear with this brand and model.", Repair: "Use one of the links, or find the slug with GET /api/gear?keyword=…"},
	{Code: "no_estimate", Status: 404, Title: "No price estimate", Meaning: "Too little is known of the model to estimate its price.", Repair: "Get its sales with GET /api/trends/{brand}/{model}."},
	{Code: "brand_not_found", Status: 404, Title: "Brand not found", Meaning: "The catalogue has no brand with this slug.", Repair: "GET /api/gear lists all brands."},
	{Code: "seller_not_found", Status: 404, Title: "Seller not found", Meaning: "There is no seller with this handle.", Repair: "Use the seller link of a listing."},
	{Code: "project_not_found", Status: 404, Title: "Project not found", Meaning: "The portfolio has no project with this slug.", Repair: "GET /api/portfolio lists all projects."},
	{Code: "guide_not_found", Status: 404, Title: "Guide not found", Meaning: "There is no guide with this name.", Repair: "Use one of the links."},
	{Code: "entry_not_found", Status: 404, Title: "Journal entry not found", Meaning: "There is no journal entry with this name.", Repair: "Use one of the links. /journal lists all entries."},
	{Code: "error_not_found", Status: 404, Title: "Error code not found", Meaning: "There is no error with this code.", Repair: "/errors lists all codes."},
	{Code: "operation_not_found", Status: 404, Title: "Operation not found", Meaning: "There is no operation with this name.", Repair: "/developers lists all operations."},
	{Code: "photo_not_found", Status: 404, Title: "Photo not found", Meaning: "There is no photo at this URL.", Repair: "Use the photo URLs from a listing or a project."},
	{Code: "member_not_found", Status: 404, Title: "Member not found", Meaning: "There is no member with this handle.", Repair: "Use the handle from a listing, an offer or a conversation."},
	{Code: "offer_not_found", Status: 404, Title: "Offer not found", Meaning: "You haven't made or received an offer with this id.", Repair: "GET /api/offers lists your offers."},
	{Code: "conversation_not_found", Status: 404, Title: "Conversation not found", Meaning: "You don't have a conversation with this id.", Repair: "GET /api/conversations lists your conversations."},
	{Code: "report_not_found", Status: 404, Title: "Report not found", Meaning: "There is no report with this id.", Repair: "GET /api/reports lists the open reports."},
	{Code: "stolen_report_not_found", Status: 404, Title: "Report not found", Meaning: "There is no report of a stolen serial number with this id.", Repair: "GET /api/checks lists the reports that wait."},
	{Code: "sale_not_found", Status: 404, Title: "Sale not found", Meaning: "There is no sale with this id.", Repair: "GET /api/sales lists the sales to review; add member=… for all sales of a member."},
	{Code: "search_not_found", Status: 404, Title: "Saved search not found", Meaning: "You don't have a saved search with this id.", Repair: "GET /api/searches lists your saved searches."},
	{Code: "kit_item_not_found", Status: 404, Title: "Item not found", Meaning: "Your kit has no item with this id.", Repair: "GET /api/me/kit lists your kit."},
	{Code: "token_not_found", Status: 404, Title: "Token not found", Meaning: "You don't have a token with this id.", Repair: "GET /api/tokens lists your tokens."},
	{Code: "connection_not_found", Status: 404, Title: "Connection not found", Meaning: "You haven't connected an app with this id.", Repair: "GET /api/connections lists the apps you connected."},
	{Code: "contact_message_not_found", Status: 404, Title: "Message not found", Meaning: "There is no message to the owner with this id.", Repair: "It may have been deleted. GET /api/admin/contact lists all messages."},
	{Code: "email_not_found", Status: 404, Title: "Email not found", Meaning: "There is no failed email with this id.", Repair: "It may have been sent meanwhile. GET /api/admin/mail lists the emails that are not sent."},
	{Code: "backup_not_found", Status: 404, Title: "Backup not found", Meaning: "There is no backup with this name, or you aren't signed in as an operator.", Repair: "GET /api/admin/backups lists the backups."},
	{Code: "code_invalid", Status: 404, Title: "Invalid code", Meaning: "The link is incomplete, has expired, or was already used.", Repair: "Request a new one."},
	{Code: "no_photos", Status: 409, Title: "No photos", Meaning: "The form asks before it publishes a listing without photos.", Repair: "Add photos, or choose to publish without. Programs aren't asked."},
	{Code: "wrong_status", Status: 409, Title: "Wrong status", Meaning: "The current status doesn't allow this action.", Repair: "Read it again; status and steps show what you can do."},
	{Code: "not_for_sale", Status: 409, Title: "Not for sale", Meaning: "This listing is not for sale.", Repair: "Search for another listing with GET /api/listings/search?keyword=…"},
	{Code: "offer_accepted", Status: 409, Title: "Offer accepted", Meaning: "An offer on this listing has been accepted: the listing can't be edited, and its status follows the offer.", Repair: "Complete the sale, or release the buyer by withdrawing from the offer."},
	{Code: "possession_code_expired", Status: 409, Title: "Code expired", Meaning: "The code to put beside the item has expired.", Repair: "Get a new one with POST /api/listings/{id}/possession, and take the photo again."},
	{Code: "handover_changed", Status: 409, Title: "Hand-over changed", Meaning: "The hand-over has changed since you read it.", Repair: "Read it again with GET /api/offers/{id}, and send the number of the new proposal."},
	{Code: "too_much_evidence", Status: 409, Title: "Too many statements", Meaning: "You've added as many statements to this problem as you can.", Repair: "Wait for an operator to read them and decide."},
	{Code: "offer_exists", Status: 409, Title: "Offer exists", Meaning: "You already have an open offer on this listing.", Repair: "Continue with that offer, or withdraw it first."},
	{Code: "too_many_rounds", Status: 409, Title: "Counter-offer limit reached", Meaning: "This offer has reached the maximum number of counter-offers.", Repair: "Accept or decline the offer."},
	{Code: "rated_already", Status: 409, Title: "Already rated", Meaning: "You've already rated this sale.", Repair: "Ratings can't be changed."},
	{Code: "reported_already", Status: 409, Title: "Already reported", Meaning: "You've already reported this listing, and the report is still open.", Repair: "Wait for an operator to review it."},
	{Code: "handle_taken", Status: 409, Title: "Handle taken", Meaning: "This handle is already taken.", Repair: "Choose another handle."},
	{Code: "email_taken", Status: 409, Title: "Email address taken", Meaning: "An account with this email address already exists.", Repair: "Use another address, or reset the password of that account."},
	{Code: "too_many_passkeys", Status: 409, Title: "Too many passkeys", Meaning: "You've reached the maximum number of passkeys, or this one is already registered.", Repair: "Remove a passkey you no longer use at /account/passkeys."},
	{Code: "too_many_tokens", Status: 409, Title: "Too many tokens", Meaning: "You've reached the maximum number of tokens.", Repair: "Revoke a token you no longer use."},
	{Code: "too_many_watches", Status: 409, Title: "Watchlist full", Meaning: "You've reached the maximum number of listings on your watchlist.", Repair: "Remove a listing from your watchlist."},
	{Code: "too_many_searches", Status: 409, Title: "Too many saved searches", Meaning: "You've reached the maximum number of saved searches.", Repair: "Delete a saved search."},
	{Code: "too_many_kit_items", Status: 409, Title: "Kit full", Meaning: "You've reached the maximum number of items in your kit.", Repair: "Remove an item from your kit."},
	{Code: "too_many_offers", Status: 409, Title: "Too many offers", Meaning: "You've reached the maximum number of open offers.", Repair: "Withdraw an offer, or wait for an answer."},
	{Code: "not_answered", Status: 409, Title: "Not answered yet", Meaning: "You've already written to this member about this listing.", Repair: "Wait until they answer, or make you another offer."},
	{Code: "no_new_watchers", Status: 409, Title: "No new watchers", Meaning: "Nobody has started watching the listing since your last message to its watchers.", Repair: "Wait until more people watch it."},
	{Code: "too_many_listings", Status: 409, Title: "Too many listings", Meaning: "You've reached the maximum number of open listings.", Repair: "End or discard a listing."},
	{Code: "photo_storage_full", Status: 409, Title: "Photo storage full", Meaning: "Your photos have reached the maximum total size.", Repair: "Remove photos from your drafts and open listings, or contact the operator."},
	{Code: "last_operator", Status: 409, Title: "Last operator", Meaning: "The site has no other operator.", Repair: "Make another member an operator first."},
	{Code: "nothing_to_do", Status: 409, Title: "Nothing to do", Meaning: "The job has nothing to do now, or another server does it.", Repair: "Look at its last run with GET /api/admin/jobs."},
	{Code: "form_expired", Status: 409, Title: "Form expired", Meaning: "The form is more than a day old, or was sent already.", Repair: "If you haven't sent it yet, send it now: your text is still here."},
	{Code: "backup_running", Status: 409, Title: "Backup running", Meaning: "A backup is being made.", Repair: "Wait until it's done. GET /api/admin/backups says when."},
	{Code: "disk_full", Status: 409, Title: "Disk full", Meaning: "There's no room for another backup on the disk.", Repair: "Download and delete old backups, or set BACKUP_DIR to a folder on another disk."},
	{Code: "currency_fixed", Status: 409, Title: "Currency fixed", Meaning: "The currency of a published listing can't change: its offers and previous prices are in it.", Repair: "End the listing and create a new one in the other currency."},
	{Code: "currency_in_use", Status: 409, Title: "Currency in use", Meaning: "The currency of the site can't change once there are listings or sales.", Repair: "Leave the currency as it is."},
	{Code: "gear_in_use", Status: 409, Title: "Gear in use", Meaning: "Listings or sales are of the gear, so it can't leave the catalogue.", Repair: "Correct the gear instead."},
	{Code: "too_many_corrections", Status: 409, Title: "Too many corrections", Meaning: "The catalogue has the maximum number of corrections.", Repair: "Remove corrections that the shipped catalogue has by now."},
	{Code: "import_running", Status: 409, Title: "Import running", Meaning: "An import is running. There is one at a time.", Repair: "Wait until it is done, or cancel it."},
	{Code: "import_ended", Status: 409, Title: "Import ended", Meaning: "The import has ended, so it can't be cancelled.", Repair: "Read its report."},
	{Code: "import_not_found", Status: 404, Title: "Import not found", Meaning: "There is no import with this id.", Repair: "List the imports with GET /api/admin/imports."},
	{Code: "set_up_already", Status: 410, Title: "Set up already", Meaning: "The site is set up, and the link works once.", Repair: "Sign in as an operator to change the settings."},
	{Code: "changes_expired", Status: 410, Title: "Changes expired", Meaning: "The changes after this cursor are no longer available.", Repair: "Take the current cursor from GET /api/changes?since=now, load everything again, and follow the changes after that cursor."},
	{Code: "listing_changed", Status: 412, Title: "Listing changed", Meaning: "The listing has changed since you read it.", Repair: "Read it again and send its new ETag in If-Match."},
	{Code: "text_not_found", Status: 404, Title: "Text not found", Meaning: "The site has no text with this section and slug.", Repair: "GET /api/admin/pages lists all texts."},
	{Code: "text_changed", Status: 412, Title: "Text changed", Meaning: "The text has changed since you read it.", Repair: "Read it again with GET /api/admin/pages/{section}/{slug}/{language} and send its new version."},
	{Code: "address_in_use", Status: 409, Title: "Address in use", Meaning: "Another text has or had this address.", Repair: "Choose another address."},
	{Code: "site_changed", Status: 412, Title: "Settings changed", Meaning: "The settings of the site have changed since you read them.", Repair: "Read them again with GET /api/admin/site and send their new version."},
	{Code: "held_words_changed", Status: 412, Title: "List changed", Meaning: "The words that hold a listing have changed since you read them.", Repair: "Read them again with GET /api/held-words and send their new version."},
	{Code: "search_changed", Status: 412, Title: "Saved search changed", Meaning: "The saved search has changed since you read it.", Repair: "Read it again and send its new ETag in If-Match."},
	{Code: "kit_item_changed", Status: 412, Title: "Item changed", Meaning: "The item of your kit has changed since you read it.", Repair: "Read it again and send its new ETag or version in If-Match."},
	{Code: "too_many_changes", Status: 429, Title: "Too many changes", Meaning: "You've changed your password or email address too often.", Repair: "Try again in a few days, or reset your password."},
	{Code: "too_many_guesses", Status: 429, Title: "Too many attempts", Meaning: "There were too many failed sign-in attempts.", Repair: "Wait as long as the message says, or reset your password."},
	{Code: "too_many_messages", Status: 429, Title: "Too many messages", Meaning: "You've reached the maximum number of messages per day.", Repair: "Wait for replies, or try again tomorrow."},
	{Code: "too_many_stolen_reports", Status: 429, Title: "Too many reports", Meaning: "You've reported as many stolen items as you can within 30 days.", Repair: "Wait as long as Retry-After says, or contact the operator."},
	{Code: "form_too_fast", Status: 429, Title: "That was fast", Meaning: "The form was sent within seconds, as programs do.", Repair: "Wait a few seconds, and send it again."},
	{Code: "too_many_today", Status: 429, Title: "Daily limit reached", Meaning: "You've reached the daily limit for new accounts.", Repair: "Try again tomorrow. The limit ends a week after you joined."},
	{Code: "too_many_tests", Status: 429, Title: "Too many webhook tests", Meaning: "You've reached the maximum number of webhook tests per hour.", Repair: "Wait the number of seconds in Retry-After and try again."},
	{Code: "backups_unavailable", Status: 503, Title: "No folder for backups", Meaning: "The server has no folder for backups.", Repair: "Set DATA_DIR or BACKUP_DIR."},
	{Code: "bulk_files_missing", Status: 503, Title: "Bulk files missing", Meaning: "The server has just started and hasn't made the bulk files yet.", Repair: "Try again in a minute."},
	{Code: "passkeys_unavailable", Status: 501, Title: "Passkeys unavailable", Meaning: "Passkeys need a domain name, but this site is accessed by IP address.", Repair: "Sign in with your password."},
}

// newError returns an error with one of the site's codes, and its documentation as
// message and hint. It panics on any other code.
func newError(code string) *problem.Error {
	for _, c := range errorCodes {
		if c.Code == code {
			return c.New()
		}
	}
	panic("error code " + code + " is not in errorCodes")
}

const errorsPage = "/errors"

// listErrors returns the operation that lists the error codes.
func (s pageOps) listErrors() web.Operation {
	return web.Op[struct{}, *views.ErrorIndex]{
		Name:        "list_errors",
		Page:        errorsPage,
		Tag:         "Service",
		Title:       "Error codes",
		Summary:     "All error codes and what they mean.",
		Description: "Returns all error codes with their HTTP status and meaning.",
		Text:        true,
		Do: func(context.Context, *struct{}) (*views.ErrorIndex, error) {
			var codes []views.ErrorCode
			for _, c := range s.server.ErrorCodes() {
				codes = append(codes, viewsErrorCode(c))
			}
			return views.NewErrorIndex(&s.site, codes), nil
		},
	}.Operation()
}

// viewsErrorCode returns an error code as pages show it.
func viewsErrorCode(c web.ErrorCode) views.ErrorCode {
	return views.ErrorCode{Code: c.Code, Status: c.Status, Title: c.Title, Meaning: c.Meaning, Repair: c.Repair}
}

type getErrorIn struct {
	Code string `json:"code" in:"path" jsonschema:"error code" example:"listing_not_found"`
}

// getError returns the operation that explains an error code.
func (s pageOps) getError() web.Operation {
	return web.Op[getErrorIn, *views.ErrorCode]{
		Name:        "get_error",
		Page:        "/errors/{code}",
		Tag:         "Service",
		Title:       "Error code",
		Summary:     "What an error code means and how to fix the request.",
		Description: "Returns one error code: its HTTP status, what it means and what to do about it.",
		Errors:      []string{"error_not_found"},
		Do: func(_ context.Context, in *getErrorIn) (*views.ErrorCode, error) {
			var names []string
			for _, c := range s.server.ErrorCodes() {
				if c.Code == in.Code {
					page := viewsErrorCode(c)
					return page.On(&s.site), nil
				}
				names = append(names, c.Code)
			}
			e := &problem.Error{Kind: problem.NotFound, Code: "error_not_found", Message: fmt.Sprintf("There is no error with the code %q.", in.Code),
				Links: []problem.Link{{Href: errorsPage, Label: "All errors"}}}
			if near := fuzzy.NearestName(in.Code, names); near != "" {
				e.Hint = "Did you mean " + near + "?"
			}
			return nil, e
		},
	}.Operation()
}
