// Package codes has the error codes of the site.
package codes

import (
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/problem"
)

// All are the error codes of the site, in addition to the common codes of
// package web. A code never changes its meaning.
var All = []web.ErrorCode{
	{Code: "invalid_client", Status: 400, Title: problem.Textf("Unknown app"), Meaning: problem.Programf("The app that wants to connect to your account can't be identified by its client_id."), Repair: problem.Textf("Go back to the app and connect it again.").And(problem.Programf("See /auth.md for what a client_id may be."))},
	{Code: "invalid_redirect_uri", Status: 400, Title: problem.Textf("Unknown return address"), Meaning: problem.Textf("The app tried to send you to an address it hasn't registered, so we stopped it."), Repair: problem.Textf("Go back to the app and connect it again.")},
	{Code: "sign_in_failed", Status: 401, Title: problem.Textf("Sign-in failed"), Meaning: problem.Textf("The email address or password is incorrect."), Repair: problem.Programf("Try again, or reset your password at /reset-password.")},
	{Code: "passkey_refused", Status: 401, Title: problem.Textf("Passkey rejected"), Meaning: problem.Textf("We couldn't verify this passkey, or it isn't registered here."), Repair: problem.Programf("Try again, or sign in with your password at /sign-in.")},
	{Code: "consent_invalid", Status: 403, Title: problem.Textf("Page expired"), Meaning: problem.Textf("The page that asked you to connect an app has expired, was already used, or belongs to another session."), Repair: problem.Textf("Go back to the app and connect it again.")},
	{Code: "not_yours", Status: 403, Title: problem.Textf("Not yours"), Meaning: problem.Textf("This belongs to another member."), Repair: problem.Textf("You can only change your own.").And(problem.Programf("GET /api/me/listings returns your listings."))},
	{Code: "own_listing", Status: 403, Title: problem.Textf("Your own listing"), Meaning: problem.Textf("You can't do this with your own listing."), Repair: problem.Textf("Choose another member's listing.")},
	{Code: "blocked", Status: 403, Title: problem.Textf("Blocked"), Meaning: problem.Textf("One of you has blocked the other."), Repair: problem.Textf("You can't contact this member. Search for another listing.")},
	{Code: "not_your_turn", Status: 403, Title: problem.Textf("Not your turn"), Meaning: problem.Textf("It's the other member's turn, or the offer is closed."), Repair: problem.Programf("Get it with GET /api/offers; steps lists what you can do.")},
	{Code: "proposal_not_found", Status: 404, Title: problem.Textf("Proposal not found"), Meaning: problem.Textf("There's no open proposal with this id."), Repair: problem.Programf("List them with GET /api/admin/catalog-proposals.")},
	{Code: "passkey_not_found", Status: 404, Title: problem.Textf("Passkey not found"), Meaning: problem.Programf("You don't have a passkey with this id."), Repair: problem.Programf("Your passkeys are listed at /account/passkeys.")},
	{Code: "listing_not_found", Status: 404, Title: problem.Textf("Listing not found"), Meaning: problem.Programf("There is no public listing with this id."), Repair: problem.Programf("Search with GET /api/listings/search?keyword=…")},
	{Code: "gear_not_found", Status: 404, Title: problem.Textf("Gear not found"), Meaning: problem.Textf("The catalogue has no model with this brand and slug."), Repair: problem.Programf("Use one of the links, or find the slug with GET /api/gear?keyword=…")},
	{Code: "no_estimate", Status: 404, Title: problem.Textf("No price estimate"), Meaning: problem.Textf("We don't have enough data to estimate a price for this model."), Repair: problem.Programf("Get its sales with GET /api/trends/{brand}/{model}.")},
	{Code: "brand_not_found", Status: 404, Title: problem.Textf("Brand not found"), Meaning: problem.Programf("The catalogue has no brand with this slug."), Repair: problem.Programf("GET /api/gear lists all brands.")},
	{Code: "seller_not_found", Status: 404, Title: problem.Textf("Seller not found"), Meaning: problem.Textf("There's no seller with this username."), Repair: problem.Textf("Use the seller link of a listing.")},
	{Code: "project_not_found", Status: 404, Title: problem.Textf("Project not found"), Meaning: problem.Programf("The portfolio has no project with this slug."), Repair: problem.Programf("GET /api/portfolio lists all projects.")},
	{Code: "guide_not_found", Status: 404, Title: problem.Textf("Guide not found"), Meaning: problem.Textf("There's no guide with this name."), Repair: problem.Textf("Use one of the links.")},
	{Code: "entry_not_found", Status: 404, Title: problem.Textf("Journal entry not found"), Meaning: problem.Textf("There's no journal entry with this name."), Repair: problem.Textf("Use one of the links.").And(problem.Programf("/journal lists all entries."))},
	{Code: "error_not_found", Status: 404, Title: problem.Textf("Error code not found"), Meaning: problem.Textf("There's no error with this code."), Repair: problem.Programf("/errors lists all codes.")},
	{Code: "operation_not_found", Status: 404, Title: problem.Textf("Operation not found"), Meaning: problem.Textf("There's no operation with this name."), Repair: problem.Programf("/developers lists all operations.")},
	{Code: "photo_not_found", Status: 404, Title: problem.Textf("Photo not found"), Meaning: problem.Programf("There is no photo at this URL."), Repair: problem.Textf("Use the photo URLs from a listing or a project.")},
	{Code: "member_not_found", Status: 404, Title: problem.Textf("Member not found"), Meaning: problem.Textf("There's no member with this username."), Repair: problem.Textf("Use the username from a listing, an offer or a conversation.")},
	{Code: "offer_not_found", Status: 404, Title: problem.Textf("Offer not found"), Meaning: problem.Programf("You haven't made or received an offer with this id."), Repair: problem.Programf("GET /api/offers lists your offers.")},
	{Code: "conversation_not_found", Status: 404, Title: problem.Textf("Conversation not found"), Meaning: problem.Programf("You don't have a conversation with this id."), Repair: problem.Programf("GET /api/conversations lists your conversations.")},
	{Code: "report_not_found", Status: 404, Title: problem.Textf("Report not found"), Meaning: problem.Programf("There is no report with this id."), Repair: problem.Programf("GET /api/reports lists the open reports.")},
	{Code: "stolen_report_not_found", Status: 404, Title: problem.Textf("Report not found"), Meaning: problem.Programf("There is no report of a stolen serial number with this id."), Repair: problem.Programf("GET /api/checks lists the reports that wait.")},
	{Code: "sale_not_found", Status: 404, Title: problem.Textf("Sale not found"), Meaning: problem.Programf("There is no sale with this id."), Repair: problem.Programf("GET /api/sales lists the sales to review; add member=… for all sales of a member.")},
	{Code: "search_not_found", Status: 404, Title: problem.Textf("Saved search not found"), Meaning: problem.Programf("You don't have a saved search with this id."), Repair: problem.Programf("GET /api/searches lists your saved searches.")},
	{Code: "kit_item_not_found", Status: 404, Title: problem.Textf("Item not found"), Meaning: problem.Programf("Your kit has no item with this id."), Repair: problem.Programf("GET /api/me/kit lists your kit.")},
	{Code: "token_not_found", Status: 404, Title: problem.Programf("Token not found"), Meaning: problem.Programf("You don't have a token with this id."), Repair: problem.Programf("GET /api/tokens lists your tokens.")},
	{Code: "connection_not_found", Status: 404, Title: problem.Textf("Connection not found"), Meaning: problem.Programf("You haven't connected an app with this id."), Repair: problem.Programf("GET /api/connections lists the apps you connected.")},
	{Code: "contact_message_not_found", Status: 404, Title: problem.Textf("Message not found"), Meaning: problem.Programf("There is no message to the owner with this id."), Repair: problem.Textf("It may have been deleted.").And(problem.Programf("GET /api/admin/contact lists all messages."))},
	{Code: "delivery_not_found", Status: 404, Title: problem.Textf("Webhook not found"), Meaning: problem.Programf("Your account has no webhook, or none with this id was sent in the last 14 days."), Repair: problem.Programf("Take an id from deliveries of GET /api/me/webhook.")},
	{Code: "email_not_found", Status: 404, Title: problem.Textf("Email not found"), Meaning: problem.Programf("There is no failed email with this id."), Repair: problem.Textf("It may have been sent meanwhile.").And(problem.Programf("GET /api/admin/mail lists the emails that are not sent."))},
	{Code: "backup_not_found", Status: 404, Title: problem.Textf("Backup not found"), Meaning: problem.Textf("There's no backup with this name, or you aren't signed in as an operator."), Repair: problem.Programf("GET /api/admin/backups lists the backups.")},
	{Code: "code_invalid", Status: 404, Title: problem.Textf("Invalid code"), Meaning: problem.Textf("The link is incomplete, has expired, or was already used."), Repair: problem.Textf("Request a new link.")},
	{Code: "no_photos", Status: 409, Title: problem.Textf("No photos"), Meaning: problem.Textf("The form asks for confirmation before publishing a listing without photos."), Repair: problem.Textf("Add photos, or choose to publish without. The API doesn't ask.")},
	{Code: "wrong_status", Status: 409, Title: problem.Textf("Wrong status"), Meaning: problem.Textf("The current status doesn't allow this action."), Repair: problem.Textf("Fetch it again: status and steps show what you can do.")},
	{Code: "no_buy_now", Status: 409, Title: problem.Textf("Buy now not available"), Meaning: problem.Textf("The seller doesn't offer “Buy now” for this listing."), Repair: problem.Programf("Make an offer with POST /api/listings/{id}/offers. Listings with buy_now confirm or instant can be bought.")},
	{Code: "not_for_sale", Status: 409, Title: problem.Textf("Not for sale"), Meaning: problem.Textf("This listing isn't for sale."), Repair: problem.Programf("Search for another listing with GET /api/listings/search?keyword=…")},
	{Code: "offer_accepted", Status: 409, Title: problem.Textf("Offer accepted"), Meaning: problem.Textf("This listing is reserved for a buyer, so you can't edit it or change its status."), Repair: problem.Textf("Mark it as sold, or decline or withdraw first.")},
	{Code: "possession_code_expired", Status: 409, Title: problem.Textf("Code expired"), Meaning: problem.Textf("The code to put beside the item has expired."), Repair: problem.Programf("Get a new one with POST /api/listings/{id}/possession, and take the photo again.")},
	{Code: "handover_changed", Status: 409, Title: problem.Textf("Delivery details changed"), Meaning: problem.Textf("The delivery details have changed since you fetched them."), Repair: problem.Programf("Read it again with GET /api/offers/{id}, and send the number of the new proposal.")},
	{Code: "too_much_evidence", Status: 409, Title: problem.Textf("Too many statements"), Meaning: problem.Textf("You've reached the limit of statements for this problem."), Repair: problem.Textf("Wait for our decision.")},
	{Code: "offer_exists", Status: 409, Title: problem.Textf("Offer exists"), Meaning: problem.Textf("You already have an open offer on this listing."), Repair: problem.Textf("Continue with that offer, or withdraw it first.")},
	{Code: "too_many_rounds", Status: 409, Title: problem.Textf("Counter-offer limit reached"), Meaning: problem.Textf("This offer has reached the maximum number of counter-offers."), Repair: problem.Programf("Accept or decline the offer.")},
	{Code: "rated_already", Status: 409, Title: problem.Textf("Already rated"), Meaning: problem.Textf("You've already rated this sale."), Repair: problem.Textf("Ratings can't be changed.")},
	{Code: "reported_already", Status: 409, Title: problem.Textf("Already reported"), Meaning: problem.Textf("You've already reported this listing, and the report is still open."), Repair: problem.Textf("Wait until we've reviewed it.")},
	{Code: "handle_taken", Status: 409, Title: problem.Textf("Username taken"), Meaning: problem.Textf("This username is already taken."), Repair: problem.Textf("Choose another username.")},
	{Code: "email_taken", Status: 409, Title: problem.Textf("Email address taken"), Meaning: problem.Textf("An account with this email address already exists."), Repair: problem.Textf("Use another address, or reset the password of that account.")},
	{Code: "too_many_passkeys", Status: 409, Title: problem.Textf("Too many passkeys"), Meaning: problem.Textf("You've reached the maximum number of passkeys, or this one is already registered."), Repair: problem.Programf("Remove a passkey you no longer use at /account/passkeys.")},
	{Code: "too_many_tokens", Status: 409, Title: problem.Programf("Too many tokens"), Meaning: problem.Programf("You've reached the maximum number of tokens."), Repair: problem.Programf("Revoke a token you no longer use.")},
	{Code: "too_many_watches", Status: 409, Title: problem.Textf("Watchlist full"), Meaning: problem.Textf("You've reached the maximum number of listings on your watchlist."), Repair: problem.Textf("Remove a listing from your watchlist.")},
	{Code: "too_many_searches", Status: 409, Title: problem.Textf("Too many saved searches"), Meaning: problem.Textf("You've reached the maximum number of saved searches."), Repair: problem.Textf("Delete a saved search.")},
	{Code: "too_many_kit_items", Status: 409, Title: problem.Textf("Kit full"), Meaning: problem.Textf("You've reached the maximum number of items in your kit."), Repair: problem.Textf("Remove an item from your kit.")},
	{Code: "too_many_offers", Status: 409, Title: problem.Textf("Too many offers"), Meaning: problem.Textf("You've reached the maximum number of open offers."), Repair: problem.Textf("Withdraw an offer, or wait for a reply.")},
	{Code: "not_answered", Status: 409, Title: problem.Textf("No reply yet"), Meaning: problem.Textf("You've already written to this member about this listing."), Repair: problem.Textf("Wait until they reply, or make you another offer.")},
	{Code: "no_new_watchers", Status: 409, Title: problem.Textf("No new watchers"), Meaning: problem.Textf("No one has started watching the listing since your last message to its watchers."), Repair: problem.Textf("Wait until more people watch it.")},
	{Code: "too_many_listings", Status: 409, Title: problem.Textf("Too many listings"), Meaning: problem.Textf("You've reached the maximum number of open listings."), Repair: problem.Textf("End or discard a listing.")},
	{Code: "photo_storage_full", Status: 409, Title: problem.Textf("Photo storage full"), Meaning: problem.Textf("You've used all your photo storage."), Repair: problem.Textf("Remove photos from your drafts and open listings, or contact us.")},
	{Code: "last_operator", Status: 409, Title: problem.Textf("Last operator"), Meaning: problem.Textf("This is the site's only operator."), Repair: problem.Textf("Make another member an operator first.")},
	{Code: "nothing_to_do", Status: 409, Title: problem.Textf("Nothing to do"), Meaning: problem.Textf("The job has nothing to do, or another server is running it."), Repair: problem.Programf("Look at its last run with GET /api/admin/jobs.")},
	{Code: "form_expired", Status: 409, Title: problem.Textf("Form expired"), Meaning: problem.Textf("The form is more than a day old, or was sent already."), Repair: problem.Textf("If you haven't sent it yet, send it now. Your text is still here.")},
	{Code: "backup_running", Status: 409, Title: problem.Textf("Backup running"), Meaning: problem.Textf("A backup is in progress."), Repair: problem.Textf("Wait until it's done.").And(problem.Programf("GET /api/admin/backups says when."))},
	{Code: "disk_full", Status: 409, Title: problem.Textf("Disk full"), Meaning: problem.Textf("There isn't enough disk space for another backup."), Repair: problem.Programf("Download and delete old backups, or set BACKUP_DIR to a folder on another disk.")},
	{Code: "currency_fixed", Status: 409, Title: problem.Textf("Currency fixed"), Meaning: problem.Textf("The currency of a published listing can't change: its offers and previous prices are in it."), Repair: problem.Textf("End the listing and create a new one in the other currency.")},
	{Code: "currency_in_use", Status: 409, Title: problem.Textf("Currency in use"), Meaning: problem.Textf("The currency of the site can't change once there are listings or sales."), Repair: problem.Textf("Leave the currency as it is.")},
	{Code: "gear_in_use", Status: 409, Title: problem.Textf("Gear in use"), Meaning: problem.Textf("This model has listings or sales, so it can't be removed."), Repair: problem.Textf("Edit the model instead.")},
	{Code: "too_many_corrections", Status: 409, Title: problem.Textf("Too many corrections"), Meaning: problem.Textf("The catalogue has the maximum number of corrections."), Repair: problem.Textf("Remove corrections that are now in the standard catalogue.")},
	{Code: "import_running", Status: 409, Title: problem.Textf("Import running"), Meaning: problem.Textf("An import is running. Only one can run at a time."), Repair: problem.Textf("Wait until it's done, or cancel it.")},
	{Code: "import_ended", Status: 409, Title: problem.Textf("Import ended"), Meaning: problem.Textf("The import has ended, so it can't be cancelled."), Repair: problem.Textf("See its report.")},
	{Code: "import_not_found", Status: 404, Title: problem.Textf("Import not found"), Meaning: problem.Programf("There is no import with this id."), Repair: problem.Programf("List the imports with GET /api/admin/imports.")},
	{Code: "gallery_ended", Status: 410, Title: problem.Textf("Gallery closed"), Meaning: problem.Textf("The gallery was open until a day that has passed."), Repair: problem.Textf("Ask the photographer to open it again.")},
	{Code: "set_up_already", Status: 410, Title: problem.Textf("Already set up"), Meaning: problem.Textf("The site is already set up. The setup link only works once."), Repair: problem.Textf("Sign in as an operator to change the settings.")},
	{Code: "changes_expired", Status: 410, Title: problem.Textf("Changes expired"), Meaning: problem.Programf("The changes after this cursor are no longer available."), Repair: problem.Programf("Take the current cursor from GET /api/changes?since=now, load everything again, and follow the changes after that cursor.")},
	{Code: "listing_changed", Status: 412, Title: problem.Textf("Listing changed"), Meaning: problem.Textf("The listing has changed since you read it."), Repair: problem.Programf("Read it again and send its new ETag in If-Match.")},
	{Code: "text_not_found", Status: 404, Title: problem.Textf("Text not found"), Meaning: problem.Programf("The site has no text with this section and slug."), Repair: problem.Programf("GET /api/admin/pages lists all texts.")},
	{Code: "text_changed", Status: 412, Title: problem.Textf("Text changed"), Meaning: problem.Textf("The text has changed since you read it."), Repair: problem.Programf("Read it again with GET /api/admin/pages/{section}/{slug}/{language} and send its new version.")},
	{Code: "address_in_use", Status: 409, Title: problem.Textf("Address in use"), Meaning: problem.Textf("Another page uses this address, or used to."), Repair: problem.Textf("Choose another address.")},
	{Code: "site_changed", Status: 412, Title: problem.Textf("Settings changed"), Meaning: problem.Textf("The settings of the site have changed since you read them."), Repair: problem.Programf("Read them again with GET /api/admin/site and send their new version.")},
	{Code: "held_words_changed", Status: 412, Title: problem.Textf("List changed"), Meaning: problem.Textf("The blocked words have changed since you fetched them."), Repair: problem.Programf("Read them again with GET /api/held-words and send their new version.")},
	{Code: "search_changed", Status: 412, Title: problem.Textf("Saved search changed"), Meaning: problem.Textf("The saved search has changed since you read it."), Repair: problem.Programf("Read it again and send its new ETag in If-Match.")},
	{Code: "kit_item_changed", Status: 412, Title: problem.Textf("Item changed"), Meaning: problem.Textf("The item of your kit has changed since you read it."), Repair: problem.Programf("Read it again and send its new ETag or version in If-Match.")},
	{Code: "too_many_changes", Status: 429, Title: problem.Textf("Too many changes"), Meaning: problem.Textf("You've changed your password or email address too many times."), Repair: problem.Textf("Try again in a few days, or reset your password.")},
	{Code: "too_many_guesses", Status: 429, Title: problem.Textf("Too many attempts"), Meaning: problem.Textf("There were too many failed sign-in attempts."), Repair: problem.Textf("Wait as long as the message says, or reset your password.")},
	{Code: "too_many_messages", Status: 429, Title: problem.Textf("Too many messages"), Meaning: problem.Textf("You've reached the maximum number of messages per day."), Repair: problem.Textf("Wait for replies, or try again tomorrow.")},
	{Code: "too_many_proposals", Status: 429, Title: problem.Textf("Too many corrections proposed"), Meaning: problem.Textf("You've proposed as many corrections of the catalogue as you can within a day."), Repair: problem.Programf("Wait as long as Retry-After says.")},
	{Code: "too_many_stolen_reports", Status: 429, Title: problem.Textf("Too many reports"), Meaning: problem.Textf("You've reported as many stolen items as you can within 30 days."), Repair: problem.Programf("Wait as long as Retry-After says, or contact the operator.")},
	{Code: "form_too_fast", Status: 429, Title: problem.Textf("Sent too quickly"), Meaning: problem.Textf("The form was submitted too quickly, as bots do."), Repair: problem.Textf("Wait a few seconds and try again.")},
	{Code: "too_many_today", Status: 429, Title: problem.Textf("Daily limit reached"), Meaning: problem.Textf("New accounts have a daily limit, and you've reached it."), Repair: problem.Textf("Try again tomorrow. The limit is lifted a week after you join.")},
	{Code: "too_many_tests", Status: 429, Title: problem.Textf("Too many webhook tests"), Meaning: problem.Textf("You've reached the maximum number of webhook tests per hour."), Repair: problem.Programf("Wait the number of seconds in Retry-After and try again.")},
	{Code: "backups_unavailable", Status: 503, Title: problem.Textf("No folder for backups"), Meaning: problem.Textf("The server has no folder for backups."), Repair: problem.Programf("Set DATA_DIR or BACKUP_DIR.")},
	{Code: "bulk_files_missing", Status: 503, Title: problem.Textf("Bulk files missing"), Meaning: problem.Textf("The server has just started. Bulk files aren't ready yet."), Repair: problem.Textf("Try again in a minute.")},
	{Code: "passkeys_unavailable", Status: 501, Title: problem.Textf("Passkeys unavailable"), Meaning: problem.Textf("Passkeys need a domain name, but this site is accessed by IP address."), Repair: problem.Textf("Sign in with your password.")},
}

// New returns an error with one of the site's codes, and its documentation as
// message and hint. It panics on any other code.
func New(code string) *problem.Error {
	for _, c := range All {
		if c.Code == code {
			return c.New()
		}
	}
	panic("error code " + code + " is not in All")
}
