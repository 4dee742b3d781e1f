package handlers

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/store"
)

// scene makes what a request of the matrix is about, new for each: of ann, who
// sells, and bob, who buys.
type scene struct {
	*testing.T
	s        *testServer
	ann, bob *testMember
	eve      *testMember // makes offers where it is ann who acts: new members have a daily limit
	caller   *testMember // who asks; nil for nobody
	operator *testMember
	made     int
}

type args = map[string]any

func (c *scene) draft() string  { return c.ann.draft(c.T, models.StatusDraft) }
func (c *scene) active() string { return c.ann.draft(c.T, models.StatusActive) }

// buyable returns a listing that can be bought.
func (c *scene) buyable() string {
	id := c.active()
	_, err := c.s.store.Listings.EditListing(context.Background(), id, c.ann.ID, 0, func(l *models.Listing) error { l.BuyNow = models.BuyConfirm; return nil })
	must(err)
	return id
}

func (c *scene) offer(answers ...store.Answer) string { return c.offerBy(c.bob, answers...) }

func (c *scene) offerBy(buyer *testMember, answers ...store.Answer) string {
	o, err := c.s.store.Trades.MakeOffer(context.Background(), c.active(), buyer.ID, 80000, "", models.DeliveryRequest{})
	must(err)
	for _, a := range answers {
		_, err := c.s.store.Trades.AnswerOffer(context.Background(), o.ID, a)
		must(err)
	}
	return o.ID
}

func (c *scene) accepted() string { return c.offer(store.Answer{Step: models.Accept, By: c.ann.ID}) }
func (c *scene) completed() string {
	return c.offer(store.Answer{Step: models.Accept, By: c.ann.ID}, store.Answer{Step: models.Complete, By: c.ann.ID})
}

// handedOver returns an offer that is accepted, and then goes through steps.
func (c *scene) handedOver(buyer *testMember, steps ...string) string {
	id, ctx := c.offerBy(buyer, store.Answer{Step: models.Accept, By: c.ann.ID}), context.Background()
	for _, step := range steps {
		var err error
		switch step {
		case "propose":
			_, err = c.s.store.Trades.MoveHandover(ctx, id, models.HandoverMove{Step: models.ProposeHandover, By: buyer.ID, Method: models.Shipping, Address: "1 High Street"})
		case "agree":
			_, err = c.s.store.Trades.MoveHandover(ctx, id, models.HandoverMove{Step: models.AgreeHandover, By: c.ann.ID, Proposal: 1})
		case "send":
			_, err = c.s.store.Trades.AnswerOffer(ctx, id, store.Answer{Step: models.Complete, By: c.ann.ID})
		case "dispute":
			_, err = c.s.store.Trades.AnswerOffer(ctx, id, store.Answer{Step: models.Dispute, By: buyer.ID, Message: "It is scratched."})
		}
		must(err)
	}
	return id
}

func (c *scene) conversation() string {
	talk, _, err := c.s.store.Trades.SendMessage(context.Background(), c.active(), c.bob.ID, "hello")
	must(err)
	return talk.ID
}

// watched returns a listing of ann that bob watches.
func (c *scene) watched() string {
	id := c.active()
	must(c.s.store.Watches.AddWatch(context.Background(), c.bob.ID, id))
	return id
}

// kitItem returns an item of ann's kit.
func (c *scene) kitItem() string {
	item := &models.KitItem{MemberID: c.ann.ID, Gear: "canon/eos-r6", Name: "Canon EOS R6"}
	must(c.s.store.Watches.AddKitItem(context.Background(), item))
	return item.ID
}

func (c *scene) token() string {
	t := &models.Token{Name: "spare", Scopes: models.Scopes{models.TokensWrite}}
	_, err := c.s.store.Tokens.CreateToken(context.Background(), c.ann.ID, t)
	must(err)
	return t.ID
}

// connection returns a grant of ann to a client.
func (c *scene) connection() string {
	_, session, _ := strings.Cut(c.ann.cookie, "=")
	by, err := c.s.store.Accounts.Session(context.Background(), session)
	must(err)
	g := &models.Grant{ClientID: "https://chat.example/client.json", Scopes: models.DefaultScopes, Challenge: s256(oauthVerifier)}
	_, err = c.s.store.Tokens.CreateGrant(context.Background(), by, g)
	must(err)
	return g.ID
}

// estimated returns the gear of a price estimate, which is fitted at the first call.
func (c *scene) estimated() args {
	ctx, store, gear := context.Background(), c.s.store, testCatalog().Gear("canon/eos-r6")
	if working, _, err := store.Prices.PriceWorking(ctx, gear.Slug()); err != nil || working == nil {
		must(err)
		var sales []models.Sale
		for i := range models.Time(40) {
			sales = append(sales, models.Sale{Gear: gear.Slug(), Condition: models.ConditionGood, Price: models.Cents(90_000 + 100*i), SoldAt: store.Now() - (i+1)*7*24*3600*1000, Region: "DE"})
		}
		_, _, err := store.Trades.ImportSales(ctx, sales)
		must(err)
		must(store.Prices.FitPrices(ctx, []*catalog.Gear{gear}))
	}
	return args{"brand": gear.BrandSlug, "model": gear.ModelSlug}
}

func (c *scene) search() string {
	search := &models.SavedSearch{MemberID: c.ann.ID, Name: "r6", Query: "keyword=r6", Every: models.Daily}
	_, err := c.s.store.Watches.AddSearch(context.Background(), search)
	must(err)
	return search.ID
}

func (c *scene) report() string {
	r := &models.Report{ListingID: c.active(), ReporterID: c.bob.ID, Reason: "spam"}
	must(c.s.store.Moderation.AddReport(context.Background(), r))
	return r.ID
}

// photographed returns a draft with a photo, and the key of the photo.
func (c *scene) photographed() (id, key string) {
	id = c.draft()
	answer := c.ann.ask(c.T, "POST", "/api/listings/"+id+"/photos", `{"photo":["`+c.picture()+`"]}`, 201)
	keys, _ := keysOf(answer)
	return id, keys[0]
}

// possession returns a draft whose seller has sent a photo of the item beside its code.
func (c *scene) possession() string {
	id := c.draft()
	_, err := c.s.store.Listings.StartPossession(context.Background(), id, c.ann.ID)
	must(err)
	_, err = c.s.store.Listings.SendPossession(context.Background(), id, c.ann.ID, models.Photo{Key: "6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1"}, false)
	must(err)
	return id
}

// heldListing returns a listing of a new member with a serial number that eve has for sale.
func (c *scene) heldListing() string {
	c.made++
	serial := func(l *models.Listing) { l.Serial = fmt.Sprint("SN-4711-", c.made) }
	c.eve.draft(c.T, models.StatusActive, serial)
	seller := c.s.join(c.T, fmt.Sprint("seller-", c.made), models.RoleMember)
	id := seller.draft(c.T, models.StatusDraft, serial)
	seller.publish(c.T, id)
	return id
}

// contact returns a message to the owner.
func (c *scene) contact() string {
	m := &models.ContactMessage{Name: "Vera", Email: "vera@example.org", Topic: models.ContactOther, Text: "Hello", Status: models.ContactSpam}
	must(c.s.store.Site.AddContactMessage(context.Background(), m, nil))
	return m.ID
}

// failedEmail returns an email that failed.
func (c *scene) failedEmail() string {
	ctx := context.Background()
	for {
		due := must1(c.s.store.Deliveries.ClaimDeliveries(ctx, 1, models.Mail))
		if len(due) == 0 {
			must(c.s.store.Deliveries.Queue(ctx, models.Delivery{Kind: models.Mail, Recipient: "vera@example.org", Subject: "Hello", Body: "Text"}))
			continue
		}
		must1(c.s.store.Deliveries.Failed(ctx, &due[0], "the mail server answered 550", true))
		return due[0].ID
	}
}

// theft returns a report of eve.
func (c *scene) theft() string {
	c.made++
	who := c.s.join(c.T, fmt.Sprint("victim-", c.made), models.RoleMember)
	r := &models.StolenReport{ReporterID: who.ID, Name: "Canon EOS R6", Serial: fmt.Sprint("SN-0815-", c.made), StolenOn: "2026-11-14", Place: "Berlin", Police: "1-2-3", Photo: "none"}
	must(c.s.store.Listings.ReportStolen(context.Background(), r))
	return r.ID
}

// notedListing returns a listing of ann with a note on a photo.
func (c *scene) notedListing() string {
	id, ctx := c.active(), context.Background()
	must(c.s.store.Listings.AddPhotoFacts(ctx, id, []models.PhotoFacts{{Key: "generated", Generated: true}}))
	_, err := c.s.store.Listings.AddPhotos(ctx, id, c.ann.ID, []models.Photo{{Key: "generated"}})
	must(err)
	return id
}

// newHandle returns a handle that nobody has.
func (c *scene) newHandle() string {
	c.made++
	return fmt.Sprint("somebody-else-", c.made)
}

func (c *scene) picture() string {
	return base64.StdEncoding.EncodeToString(picturetest.JPEG(c.T, 30, 20))
}

// some returns a member to be blocked or moderated.
func (c *scene) some() string {
	c.made++
	m := []models.Member{{Handle: fmt.Sprint("somebody-", c.made), Name: "Somebody"}}
	must(c.s.store.Accounts.InsertMembers(context.Background(), m))
	return m[0].Handle
}

func (c *scene) password() string {
	if c.caller == nil {
		return "correct horse battery"
	}
	return "correct horse battery " + c.caller.Handle
}

// The callers of the matrix, in the order of its columns.
var matrixCallers = []string{"nobody", "wrong member", "right member", "without scope", "suspended", "operator", "moderator", "editor"}

// Rows of the matrix that many operations share. Rows of operations that are not for
// staff have no columns of moderators and editors, who are members like others there.
const (
	everybody   = "200 200 200 200 200 200"
	nowhere     = "404 404 404 404 404 404"
	lists       = "401 200 200 403 200 200" // everybody's own
	reads       = "401 404 200 403 404 404" // one's own
	writes      = "401 404 200 403 403 404"
	creates     = "401 201 201 403 403 201"
	sessions    = "401 200 200 403 200 200" // for sessions; the token is without them
	moderates   = "401 403 403 403 403 200 200 403"
	edits       = "401 403 403 403 403 200 403 200"
	administers = "401 403 403 403 403 200 403 403"
)

// matrixRow is an operation: who the right member is, the request, and the
// status for each caller.
type matrixRow struct {
	right string
	ask   func(*scene) args
	want  string
}

func none(*scene) args { return nil }

func of(name string, make func(*scene) string, more ...any) func(*scene) args {
	return func(c *scene) args {
		a := args{name: make(c)}
		for i := 0; i < len(more); i += 2 {
			a[more[i].(string)] = more[i+1]
		}
		return a
	}
}

func fixed(pairs ...any) func(*scene) args {
	return func(*scene) args {
		a := args{}
		for i := 0; i < len(pairs); i += 2 {
			a[pairs[i].(string)] = pairs[i+1]
		}
		return a
	}
}

var matrix = map[string]matrixRow{
	// Public.
	"search_listings":         {"ann", none, everybody},
	"get_listing":             {"ann", of("id", (*scene).active), everybody},
	"get_listings":            {"ann", of("id", (*scene).active), everybody},
	"list_changes":            {"ann", none, everybody},
	"suggest_searches":        {"ann", fixed("q", "canon"), everybody},
	"search":                  {"ann", fixed("query", "canon"), everybody},
	"fetch":                   {"ann", fixed("id", "/gear/canon/eos-r6"), everybody},
	"find_gear":               {"ann", none, everybody},
	"get_brand":               {"ann", fixed("brand", "canon"), everybody},
	"get_trend":               {"ann", fixed("brand", "canon", "model", "eos-r6"), everybody},
	"get_badge":               {"ann", fixed("brand", "canon", "model", "eos-r6"), everybody},
	"get_price":               {"ann", fixed("gear", "canon/eos-r6", "condition", "good"), everybody},
	"show_prices":             {"ann", none, everybody},
	"get_price_accuracy":      {"ann", none, everybody},
	"explain_estimate":        {"ann", (*scene).estimated, everybody},
	"get_price_chart":         {"ann", fixed("chart", "kinds"), everybody},
	"value_gear":              {"ann", fixed("items", "Canon EOS R6, good"), everybody},
	"show_valuation":          {"ann", none, everybody},
	"compare_gear":            {"ann", fixed("gear", "canon/eos-r6,sony/alpha-7-iii"), everybody},
	"show_comparison":         {"ann", none, everybody},
	"get_seller":              {"ann", fixed("handle", "ann"), everybody},
	"list_portfolio":          {"ann", none, everybody},
	"get_project":             {"ann", fixed("project", "no-such-project"), nowhere},
	"get_photo":               {"ann", fixed("project", "no-such-project", "photo", "none"), nowhere},
	"show_gallery":            {"ann", fixed("gallery", "none"), nowhere},
	"enter_gallery":           {"ann", fixed("gallery", "none", "name", "Vera", "password", "nonsense"), nowhere},
	"show_gallery_photo":      {"ann", fixed("gallery", "none", "photo", "none"), nowhere},
	"mark_gallery_photo":      {"ann", fixed("gallery", "none", "photo", "none"), nowhere},
	"choose_favourites":       {"ann", fixed("gallery", "none", "shown", []string{"none"}), nowhere},
	"get_kit":                 {"ann", none, everybody},
	"get_home":                {"ann", none, everybody},
	"list_guides":             {"ann", none, everybody},
	"get_guide":               {"ann", fixed("slug", "condition-grades"), everybody},
	"list_docs":               {"ann", none, everybody},
	"get_doc":                 {"ann", fixed("slug", "install"), everybody},
	"list_journal":            {"ann", none, everybody},
	"get_journal_entry":       {"ann", fixed("slug", "pictures-older-than-their-prices"), nowhere}, // the journal of this site is empty
	"get_about":               {"ann", none, everybody},
	"get_help":                {"ann", none, everybody},
	"get_buying":              {"ann", none, everybody},
	"get_fees":                {"ann", none, everybody},
	"get_shipping":            {"ann", none, everybody},
	"get_safety":              {"ann", none, everybody},
	"get_privacy":             {"ann", none, everybody},
	"get_terms":               {"ann", none, everybody},
	"get_imprint":             {"ann", none, everybody},
	"show_offline":            {"ann", none, everybody},
	"read_reference":          {"ann", none, everybody},
	"list_errors":             {"ann", none, everybody},
	"get_operation":           {"ann", fixed("operation", "search_listings"), everybody},
	"get_error":               {"ann", fixed("code", "invalid_token"), everybody},
	"check_health":            {"ann", none, everybody},
	"browse_category":         {"ann", fixed("section", "lenses"), everybody},
	"browse_part_of_category": {"ann", fixed("section", "lenses", "part", "canon-ef"), everybody},

	// Setting up.
	"show_setup":  {"ann", none, "410 410 410 410 410 410"},
	"set_up_site": {"ann", fixed("token", "nonsense", "site_name", "Mine", "purpose", "shop", "name", "Eve", "handle", "eve-1", "email", "eve-1@example.org", "password", "correct horse battery"), "410 410 410 410 410 410"},

	// Signing up and in.
	"show_sign_up": {"ann", none, everybody},
	"sign_up": {"ann", func(c *scene) args {
		n := c.some()
		return args{"handle": "new-" + n, "email": n + "@example.net", "password": "correct horse battery"}
	}, everybody},
	"show_sign_up_sent":     {"ann", none, everybody},
	"show_confirm_sign_up":  {"ann", fixed("code", "nonsense"), everybody},
	"confirm_sign_up":       {"ann", fixed("code", "nonsense", "password", "nonsense"), nowhere},
	"show_sign_in":          {"ann", none, everybody},
	"sign_in":               {"ann", fixed("email", "ann@example.org", "password", "correct horse battery ann"), everybody},
	"sign_out":              {"ann", none, everybody},
	"show_reset_password":   {"ann", none, everybody},
	"ask_new_password":      {"ann", fixed("email", "nonsense"), "400 400 400 400 400 400"},
	"show_reset_sent":       {"ann", none, everybody},
	"show_new_password":     {"ann", fixed("code", "nonsense"), everybody},
	"set_password":          {"ann", fixed("code", "nonsense", "password", "correct horse battery"), nowhere},
	"show_confirm_email":    {"ann", fixed("code", "nonsense"), everybody},
	"confirm_email":         {"ann", fixed("code", "nonsense", "password", "nonsense"), nowhere},
	"show_undo_change":      {"ann", fixed("code", "nonsense"), everybody},
	"undo_change":           {"ann", fixed("code", "nonsense"), nowhere},
	"begin_passkey_sign_in": {"ann", none, everybody},
	"sign_in_with_passkey":  {"ann", fixed("ceremony", "nonsense", "credential", "{}"), nowhere},

	// The account.
	"get_me":              {"ann", none, lists},
	"show_account":        {"ann", none, lists},
	"show_advanced":       {"ann", none, sessions},
	"get_webhook":         {"ann", none, lists},
	"set_webhook":         {"ann", fixed("webhook", ""), "401 200 200 403 403 200"},
	"test_webhook":        {"ann", none, "401 400 400 403 403 400"},
	"redeliver_webhook":   {"ann", fixed("id", "no-such-delivery"), "401 404 404 403 403 404"},
	"show_search_webhook": {"ann", of("id", (*scene).search), reads},
	"set_search_webhook":  {"ann", of("id", (*scene).search, "webhook_events", "listings.published"), writes},
	"show_settings":       {"ann", none, sessions},
	"sign_out_device":     {"ann", fixed("device", "0123456789abcdef"), sessions},
	"edit_profile":        {"ann", fixed("name", "Jane"), "401 200 200 403 403 200"},
	"edit_trade_settings": {"ann", fixed("delivery_address", "1 High Street"), "401 200 200 403 403 200"},
	"change_email":        {"ann", func(c *scene) args { return args{"email": c.some() + "@example.net", "password": c.password()} }, sessions},
	"change_password":     {"ann", func(c *scene) args { return args{"old_password": c.password(), "password": "another horse battery"} }, sessions},
	"export_account":      {"ann", none, sessions},
	"show_delete_account": {"ann", none, sessions},
	"delete_account":      {"ann", func(c *scene) args { return args{"password": c.password()} }, sessions},
	"sign_out_everywhere": {"ann", none, sessions},
	"list_passkeys":       {"ann", none, sessions},
	"begin_passkey":       {"ann", func(c *scene) args { return args{"password": c.password()} }, sessions},
	"add_passkey":         {"ann", fixed("ceremony", "nonsense", "credential", "{}", "name", "phone"), "401 404 404 403 404 404"},
	"keep_passkey":        {"ann", fixed("id", "nonsense"), "401 404 404 403 404 404"},
	"remove_passkey":      {"ann", fixed("id", "nonsense"), "401 404 404 403 404 404"},
	"list_tokens":         {"ann", none, lists},
	"get_token":           {"ann", of("id", (*scene).token), reads},
	"create_token":        {"ann", fixed("name", "new", "scopes", []string{"tokens:write"}), creates},
	"revoke_token":        {"ann", of("id", (*scene).token), writes},
	"list_connections":    {"ann", none, lists},
	"end_connection":      {"ann", of("id", (*scene).connection), writes},

	// Selling. Others can see that a public listing exists, but not change it.
	"start_listing":   {"ann", none, lists},
	"create_listing":  {"ann", fixed("gear", "canon/eos-r6", "price", "900", "condition", "good", "region", "DE"), creates},
	"prepare_listing": {"ann", of("id", (*scene).draft), reads},
	"edit_listing":    {"ann", of("id", (*scene).draft, "if_match", "1", "price", "800"), writes},
	"save_listing":    {"ann", of("id", (*scene).draft, "price", "800"), writes},
	"publish_draft":   {"ann", of("id", (*scene).draft, "without_photos", "true"), writes},
	"publish_listing": {"ann", of("id", (*scene).draft), writes},
	"reserve_listing": {"ann", of("id", (*scene).active), "401 403 200 403 403 403"},
	"mark_sold":       {"ann", of("id", (*scene).active, "price", "800"), "401 403 200 403 403 403"},
	"end_listing":     {"ann", of("id", (*scene).active, "reason", "kept"), "401 403 200 403 403 403"},
	"relist_listing": {"ann", func(c *scene) args {
		id := c.active()
		_, err := c.s.store.Listings.Advance(context.Background(), id, models.Move{Step: models.End, Seller: c.ann.ID, Reason: "kept"})
		must(err)
		return args{"id": id}
	}, "401 403 200 403 403 403"},
	"list_my_listings": {"ann", none, lists},
	"discard_draft":    {"ann", of("id", (*scene).draft), writes},
	"import_listings": {"ann", fixed("file", base64.StdEncoding.EncodeToString([]byte("external_id,title,condition,price,region\nshop-1,Canon EOS R6,good,900.00,DE\n"))),
		"401 200 200 403 403 200"},
	"list_photos": {"ann", of("id", (*scene).draft), reads},
	"add_photos":  {"ann", func(c *scene) args { return args{"id": c.draft(), "photo": []string{c.picture()}} }, "401 404 201 403 403 404"},
	"arrange_photos": {"ann", func(c *scene) args {
		id, key := c.photographed()
		return args{"id": id, "photos": []string{key}, "alt": []string{"front"}}
	}, writes},
	"remove_photo":     {"ann", func(c *scene) args { id, key := c.photographed(); return args{"id": id, "photo": key} }, writes},
	"get_possession":   {"ann", of("id", (*scene).draft), reads},
	"start_possession": {"ann", of("id", (*scene).draft), writes},
	"send_possession": {"ann", func(c *scene) args {
		id := c.draft()
		_, err := c.s.store.Listings.StartPossession(context.Background(), id, c.ann.ID)
		must(err)
		return args{"id": id, "photo": c.picture()}
	}, "401 404 201 403 403 404"},
	"identify_gear": {"ann", func(c *scene) args { return args{"photo": c.picture()} }, "401 400 400 403 403 400"}, // no camera took the picture

	// Offers: bob makes them to ann.
	"make_offer":       {"bob", of("id", (*scene).active, "amount", "800"), creates},
	"buy_listing":      {"bob", of("id", (*scene).buyable, "delivery", "pickup"), creates},
	"list_offers":      {"bob", none, lists},
	"get_offer":        {"bob", of("id", func(c *scene) string { return c.offer() }), reads},
	"accept_offer":     {"ann", of("id", func(c *scene) string { return c.offerBy(c.eve) }), writes},
	"counter_offer":    {"ann", of("id", func(c *scene) string { return c.offerBy(c.eve) }, "amount", "850"), writes},
	"decline_offer":    {"ann", of("id", func(c *scene) string { return c.offerBy(c.eve) }), writes},
	"withdraw_offer":   {"bob", of("id", func(c *scene) string { return c.offer() }), writes},
	"propose_handover": {"bob", of("id", (*scene).accepted, "method", "shipping", "address", "1 High Street"), writes},
	"agree_handover":   {"ann", of("id", func(c *scene) string { return c.handedOver(c.eve, "propose") }, "proposal", 1), writes},
	"set_payment":      {"ann", of("id", func(c *scene) string { return c.handedOver(c.eve) }, "payment", "cash"), writes},
	"complete_offer":   {"ann", of("id", func(c *scene) string { return c.handedOver(c.eve) }), writes},
	"set_tracking":     {"ann", of("id", func(c *scene) string { return c.handedOver(c.eve, "propose", "agree", "send") }, "carrier", "DHL"), writes},
	"receive_item":     {"bob", of("id", func(c *scene) string { return c.handedOver(c.bob, "propose", "agree", "send") }), writes},
	"add_evidence":     {"bob", of("id", func(c *scene) string { return c.handedOver(c.bob, "propose", "agree", "send", "dispute") }, "text", "See photo 3."), writes},
	"confirm_offer":    {"bob", of("id", (*scene).completed), writes},
	"dispute_offer":    {"bob", of("id", (*scene).completed, "text", "The meter is dead."), writes},
	"rate_trade":       {"bob", of("id", (*scene).completed, "stars", 5), "401 404 201 403 403 404"},

	// Messages.
	"write_message":          {"bob", of("id", (*scene).active, "text", "hello"), creates},
	"list_conversations":     {"bob", none, lists},
	"get_conversation":       {"bob", of("id", (*scene).conversation), reads},
	"reply_message":          {"ann", of("id", (*scene).conversation, "text", "hello"), "401 404 201 403 403 404"},
	"mark_conversation_read": {"ann", of("id", (*scene).conversation), writes},
	"message_trader":         {"ann", of("id", func(c *scene) string { return c.offerBy(c.eve) }, "text", "hello"), "401 404 201 403 403 404"},
	"get_watchers":           {"ann", of("id", (*scene).watched), reads},
	"message_watchers":       {"ann", of("id", (*scene).watched, "text", "hello"), writes},
	"list_blocks":            {"ann", none, lists},
	"block_member":           {"ann", of("handle", (*scene).some), "401 200 200 403 403 200"},
	"unblock_member":         {"ann", of("handle", (*scene).some), "401 200 200 403 403 200"},

	// Ratings and reports.
	"show_correction":    {"bob", fixed("brand", "canon", "model", "eos-r6"), sessions},
	"propose_correction": {"bob", fixed("brand", "canon", "model", "eos-r6", "field", "year", "value", "2019"), "401 201 201 403 403 201"},
	"report_listing":     {"bob", of("id", (*scene).active, "reason", "spam"), creates},
	"list_reports":       {"ann", none, moderates},
	"close_report":       {"ann", of("id", (*scene).report), moderates},
	"moderate_reports": {"ann", func(c *scene) args {
		return args{"reports": []string{c.report()}, "action": "close_report"}
	}, moderates},
	"hide_listing": {"ann", of("id", (*scene).active), moderates},
	"restore_listing": {"ann", func(c *scene) args {
		id := c.active()
		c.made++
		op := c.s.join(c.T, fmt.Sprint("judge-", c.made), models.RoleOperator)
		op.ask(c.T, "POST", "/api/listings/"+id+"/hide", `{}`, 200)
		return args{"id": id}
	}, moderates},
	"suspend_member": {"ann", of("handle", func(c *scene) string {
		c.made++
		return c.s.join(c.T, fmt.Sprint("bad-", c.made), models.RoleMember).Handle
	}), moderates},
	"reinstate_member":    {"ann", fixed("handle", "dora"), moderates},
	"list_audit":          {"ann", none, moderates},
	"list_kit":            {"ann", none, lists},
	"new_kit_item":        {"ann", none, sessions},
	"add_to_kit":          {"ann", fixed("name", "Canon EOS R6"), creates},
	"get_kit_item":        {"ann", of("id", (*scene).kitItem), reads},
	"edit_kit_item":       {"ann", of("id", (*scene).kitItem, "note", "Boxed"), writes},
	"remove_from_kit":     {"ann", of("id", (*scene).kitItem), writes},
	"export_kit":          {"ann", none, lists},
	"list_stolen_reports": {"ann", none, lists},
	"report_stolen": {"ann", func(c *scene) args {
		return args{"gear": "Canon EOS R6", "serial": "SN-4711", "stolen_on": "2026-11-14", "place": "Berlin", "police_report": "1-2-3", "photo": c.picture()}
	}, creates},
	"list_checks":     {"ann", none, moderates},
	"get_held_words":  {"ann", none, moderates},
	"edit_held_words": {"ann", fixed("version", 99, "words", []string{"replica"}), "401 403 403 403 403 412 412 403"},

	// The portfolio.
	"edit_portfolio":        {"ann", none, edits},
	"create_project":        {"ann", fixed("title", "Iceland"), "401 403 403 403 403 503 403 503"}, // the site of this test has no portfolio
	"edit_project":          {"ann", fixed("project", "none"), "401 403 403 403 403 404 403 404"},
	"edit_gallery":          {"ann", fixed("project", "none"), "401 403 403 403 403 404 403 404"},
	"save_gallery":          {"ann", fixed("project", "none"), "401 403 403 403 403 404 403 404"},
	"delete_gallery":        {"ann", fixed("project", "none"), "401 403 403 403 403 404 403 404"},
	"update_project":        {"ann", fixed("project", "none", "title", "Iceland", "visibility", "public"), "401 403 403 403 403 404 403 404"},
	"update_project_photo":  {"ann", fixed("project", "none", "photo", "a.jpg"), "401 403 403 403 403 404 403 404"},
	"update_project_photos": {"ann", fixed("project", "none", "photos", "a.jpg"), "401 403 403 403 403 404 403 404"},
	"upload_project_photos": {"ann", fixed("project", "none", "name", "a.jpg", "size", 10), "401 403 403 403 403 404 403 404"},
	"review_possession":     {"ann", of("id", (*scene).possession, "decision", "verify"), moderates},
	"review_hold":           {"ann", of("id", (*scene).heldListing, "decision", "release"), moderates},
	"review_stolen_report":  {"ann", of("id", (*scene).theft, "decision", "accept"), moderates},
	"close_photo_notes":     {"ann", of("id", (*scene).notedListing), moderates},
	"list_sales":            {"ann", none, moderates},
	"approve_sale":          {"ann", fixed("id", "019aa7d2-7c00-7000-8000-00000000ffff"), "401 403 403 403 403 404 404 403"},
	"void_sale":             {"ann", fixed("id", "019aa7d2-7c00-7000-8000-00000000ffff"), "401 403 403 403 403 404 404 403"},

	// Administration.
	"get_checklist":    {"ann", none, administers},
	"get_site":         {"ann", none, edits},
	"preview_site":     {"ann", none, edits},
	"get_look":         {"ann", none, edits},
	"edit_look":        {"ann", fixed("version", 0), edits},
	"edit_site":        {"ann", fixed("version", 0), edits},
	"set_site_picture": {"ann", fixed("kind", "logo"), edits},
	"get_dashboard":    {"ann", none, administers},
	"list_members":     {"ann", none, administers},
	"set_role": {"ann", func(c *scene) args {
		return args{"handle": c.s.join(c.T, c.newHandle(), models.RoleMember).Handle, "role": "editor"}
	}, administers},
	"send_password_reset": {"ann", of("handle", func(c *scene) string { return c.s.join(c.T, c.newHandle(), models.RoleMember).Handle }), administers},
	"export_member":       {"ann", of("handle", func(c *scene) string { return c.s.join(c.T, c.newHandle(), models.RoleMember).Handle }), administers},
	"replace_email": {"ann", func(c *scene) args {
		return args{"handle": c.s.join(c.T, c.newHandle(), models.RoleMember).Handle, "email": c.newHandle() + "@new.example"}
	}, administers},
	"end_sessions": {"ann", of("handle", func(c *scene) string { return c.s.join(c.T, c.newHandle(), models.RoleMember).Handle }), administers},
	"delete_member": {"ann", func(c *scene) args {
		return args{"handle": c.s.join(c.T, c.newHandle(), models.RoleMember).Handle, "note": "Asked in writing."}
	}, administers},
	"list_jobs":        {"ann", none, administers},
	"run_job":          {"ann", fixed("job", "cleanup"), administers},
	"list_texts":       {"ann", none, edits},
	"create_text":      {"ann", fixed("section", "journal", "title", "Winter"), "401 403 403 403 403 201 403 201"},
	"get_text":         {"ann", fixed("section", "pages", "slug", "about", "language", "en"), edits},
	"edit_text":        {"ann", fixed("section", "pages", "slug", "about", "language", "en", "title", "About us"), edits},
	"reset_text":       {"ann", fixed("section", "pages", "slug", "help", "language", "en"), "401 403 403 403 403 404 403 404"},
	"preview_text":     {"ann", fixed("section", "pages", "slug", "about", "language", "en", "title", "About us"), edits},
	"add_text_picture": {"ann", func(c *scene) args { return args{"picture": []string{c.picture()}} }, edits},
	"search_catalog":   {"ann", none, administers},
	"export_catalog":   {"ann", none, administers},
	"new_gear":         {"ann", none, administers},
	"get_gear":         {"ann", fixed("brand_slug", "canon", "model_slug", "eos-r6"), administers},
	"add_gear": {"ann", func(c *scene) args {
		c.made++
		return args{"brand": "Canon", "model": fmt.Sprintf("Prototype %d", c.made), "category": "mirrorless"}
	}, "401 403 403 403 403 201 403 403"},
	"correct_gear":          {"ann", fixed("brand_slug", "canon", "model_slug", "eos-r6", "year", "2020"), administers},
	"remove_correction":     {"ann", fixed("brand_slug", "canon", "model_slug", "eos-r6"), administers},
	"list_gear_proposals":   {"ann", none, administers},
	"decide_gear_proposal":  {"ann", fixed("id", "none", "decision", "reject"), "401 403 403 403 403 404 403 403"},
	"import_gear_proposals": {"ann", fixed("file", base64.StdEncoding.EncodeToString([]byte("{}"))), "401 403 403 403 403 400 403 403"},
	"list_imports":          {"ann", none, administers},
	"start_import": {"ann", func(c *scene) args {
		return args{"file": base64.StdEncoding.EncodeToString([]byte("external_id,title,condition,price,region\n"))}
	}, "401 403 403 403 403 201 403 403"},
	"get_import":        {"ann", fixed("id", "none"), "401 403 403 403 403 404 403 403"},
	"run_import":        {"ann", fixed("id", "none"), "401 403 403 403 403 404 403 403"},
	"add_import_photos": {"ann", fixed("id", "none"), "401 403 403 403 403 400 403 403"},
	"cancel_import":     {"ann", fixed("id", "none"), "401 403 403 403 403 404 403 403"},

	"list_contact_messages":  {"ann", none, administers},
	"edit_contact_message":   {"ann", of("id", (*scene).contact, "status", "done"), administers},
	"delete_contact_message": {"ann", of("id", (*scene).contact), administers},
	"get_mail":               {"ann", none, administers},
	"edit_mail":              {"ann", none, administers},
	"send_test_email":        {"ann", none, administers},
	"resend_email":           {"ann", of("id", (*scene).failedEmail), administers},
	"list_backups":           {"ann", none, administers},
	"make_backup":            {"ann", none, administers},
	"edit_backups":           {"ann", none, administers},
	"delete_backup":          {"ann", fixed("name", "none"), "401 403 403 403 403 404 403 403"},

	// Writing to the owner.
	"show_connect":         {"ann", none, everybody},
	"show_contact":         {"ann", none, everybody},
	"send_contact_form":    {"ann", fixed("name", "Vera", "email", "vera@example.org", "topic", "print", "text", "A print?"), "409 409 409 409 409 409"}, // without a stamp
	"show_contact_sent":    {"ann", none, everybody},
	"send_contact_message": {"ann", fixed("name", "Ann", "email", "ann@example.org", "topic", "job", "text", "A job"), creates},

	// Watching.
	"get_watchlist":         {"bob", none, lists},
	"watch_listing":         {"bob", of("listing", (*scene).active), "401 200 200 403 403 200"},
	"unwatch_listing":       {"bob", of("listing", (*scene).active), "401 200 200 403 403 200"},
	"list_searches":         {"ann", none, lists},
	"new_search":            {"ann", none, sessions},
	"save_search":           {"ann", fixed("keyword", "canon r6", "name", "r6"), creates},
	"get_search":            {"ann", of("id", (*scene).search), reads},
	"edit_search":           {"ann", of("id", (*scene).search, "name", "mine"), writes},
	"delete_search":         {"ann", of("id", (*scene).search), writes},
	"rotate_search_secrets": {"ann", of("id", (*scene).search), writes},
	"test_search_webhook":   {"ann", of("id", (*scene).search), "401 404 400 403 403 404"},
}

// TestAuthorisation calls every operation as every kind of caller, each time with new
// data, and compares the status with the matrix.
func TestAuthorisation(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newMarketServer(t)
	people := map[string]*testMember{}
	join := func(handle string, role models.Role) *testMember {
		people[handle] = s.join(t, handle, role)
		return people[handle]
	}
	ann, bob, op := join("ann", models.RoleMember), join("bob", models.RoleMember), join("the-operator", models.RoleOperator)
	join("carl", models.RoleMember)
	join("the-moderator", models.RoleModerator)
	join("the-editor", models.RoleEditor)
	suspend := func(m *testMember) {
		_, err := s.store.Moderation.ModerateMember(context.Background(), op.ID, m.ID, true, "")
		must(err)
	}
	suspend(join("dora", models.RoleMember))
	c := &scene{T: t, s: s, ann: ann, bob: bob, eve: join("eve", models.RoleMember)}

	for _, o := range s.Operations() {
		row, ok := matrix[o.Name]
		if !ok {
			t.Errorf("%s is not in the matrix", o.Name)
			continue
		}
		want := strings.Fields(row.want)
		callers := matrixCallers
		if o.Access != web.Operators {
			callers = callers[:len(callers)-2]
		}
		if len(want) != len(callers) {
			t.Fatalf("%s has %d statuses", o.Name, len(want))
		}
		for column, name := range callers {
			who := map[string]*testMember{"wrong member": people["carl"], "right member": people[row.right], "without scope": people[row.right],
				"suspended": people["dora"], "operator": op, "moderator": people["the-moderator"], "editor": people["the-editor"]}[name]
			if o.Access == web.Operators && name == "without scope" {
				who = op
			}
			if o.Access == web.SignedIn && who != nil { // it may end the session, or the member
				c.made++
				role := models.RoleMember
				if name == "operator" {
					role = models.RoleOperator
				}
				if who = s.join(t, fmt.Sprint("member-", c.made), role); name == "suspended" {
					suspend(who) // which ends the session; they may begin another
					who.beginSession()
				}
			}
			c.caller = who
			resp, text := s.request(t, o, row.ask(c), c.proof(o, name)...)
			if fmt.Sprint(resp.StatusCode) != want[column] {
				t.Errorf("%s for %s is %d, want %s: %.300s", o.Name, name, resp.StatusCode, want[column], text)
			}
			if o.Name == "reinstate_member" && resp.StatusCode == 200 {
				suspend(people["dora"])
			}
		}
	}
	for name := range matrix {
		if !slices.ContainsFunc(s.Operations(), func(o *web.Operation) bool { return o.Name == name }) {
			t.Errorf("%s is in the matrix, and no operation", name)
		}
	}
}

// proof returns the credentials of a caller: a token with only the operation's scope, or
// with all of the role that lacks it, or a session if the operation requires one.
func (c *scene) proof(o *web.Operation, name string) []string {
	if c.caller == nil {
		return nil
	}
	if o.Access == web.SignedIn && name != "without scope" {
		return []string{"Cookie", c.caller.cookie}
	}
	scope, scopes := models.Scope(o.Scope), c.caller.role.Scopes()
	switch {
	case name == "without scope":
		scopes = slices.DeleteFunc(scopes, func(s models.Scope) bool { return s == scope })
	case scopes.Has(scope):
		scopes = models.Scopes{scope}
	}
	token := &models.Token{Name: "of " + o.Name, Scopes: scopes}
	secret, err := c.s.store.Tokens.CreateToken(context.Background(), c.caller.ID, token)
	must(err)
	c.spare(token.ID)
	return []string{"Authorization", "Bearer " + secret}
}

// spare revokes all tokens of the caller except the newest, to stay below the limit.
func (c *scene) spare(newest string) {
	tokens, err := c.s.store.Tokens.Tokens(context.Background(), c.caller.ID)
	must(err)
	for _, t := range tokens {
		if t.ID != newest && strings.HasPrefix(t.Name, "of ") {
			must(c.s.store.Tokens.RevokeToken(context.Background(), c.caller.ID, t.ID))
		}
	}
}
