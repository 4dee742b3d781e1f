package handlers

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/trade"
	"github.com/secondlight/secondlight/models"
)

// sellOne publishes a listing of the member, without waiting for the index.
func (m *testMember) sellOne(t testing.TB, title string) string {
	t.Helper()
	l := []models.Listing{{SellerID: m.ID, Gear: "canon/eos-r6", Title: title, Text: "Used at weekends.", Item: models.Item{Condition: "good", Functional: models.FullyWorking},
		Category: "mirrorless", Price: 90000, Region: "DE", Status: models.StatusActive}}
	if err := m.server.store.Listings.InsertListings(context.Background(), l); err != nil {
		t.Fatal(err)
	}
	return l[0].ID
}

// noticesByRecipient removes and returns the queued emails by recipient.
func (s *testServer) noticesByRecipient(t testing.TB) map[string][]models.Delivery {
	t.Helper()
	all := map[string][]models.Delivery{}
	due, err := s.store.Deliveries.ClaimDeliveries(context.Background(), 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range due {
		all[d.Recipient] = append(all[d.Recipient], d)
		must(s.store.Deliveries.Delivered(context.Background(), d.ID))
	}
	return all
}

// get returns the value in an API response at a path such as "messages.0.text".
func get(t testing.TB, answer map[string]any, path string) any {
	t.Helper()
	var value any = answer
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(v) {
				t.Fatalf("there is no %s in %v", path, answer)
			}
			value = v[i]
		default:
			t.Fatalf("there is no %s in %v", path, answer)
		}
	}
	return value
}

// TestMessages tests a conversation from the first message to a block, by the API and
// by forms.
func TestMessages(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben, eve := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember), s.join(t, "eve", models.RoleMember)
	id := ann.sellOne(t, "Canon EOS R6")
	first := ben.ask(t, "POST", "/api/listings/"+id+"/messages", `{"text":"Is it <b>quiet</b>?"}`, 201)
	at := "/api/conversations/" + first["id"].(string)
	if get(t, first, "messages.0.text") != "Is it <b>quiet</b>?" || get(t, first, "messages.0.mine") != true || get(t, first, "role") != "buyer" {
		t.Errorf("answer is %v", first)
	}
	ben.ask(t, "POST", at+"/messages", `{"text":"And boxed?"}`, 201)
	mails := s.noticesByRecipient(t)
	if len(mails) != 1 || len(mails["ann@example.org"]) != 1 || !strings.Contains(mails["ann@example.org"][0].Body, s.site.BaseURL+"/account/messages/"+first["id"].(string)) {
		t.Errorf("mails are %+v", mails)
	}
	list := ann.ask(t, "GET", "/api/conversations", "", 200)
	if get(t, list, "unread") != 2. || get(t, list, "conversations.0.unread") != 2. || get(t, list, "conversations.0.last_message") != "And boxed?" || get(t, list, "conversations.0.role") != "seller" {
		t.Errorf("list is %v", list)
	}
	if page := ann.read(t, "/"); !strings.Contains(page, ">2 to do<") {
		t.Error("the pages do not say that messages wait")
	}
	if page := ann.read(t, "/account/messages"); !strings.Contains(page, "2 new messages") || !strings.Contains(page, "And boxed?") {
		t.Errorf("the list is %s", page)
	}
	for _, method := range []string{"GET", "POST"} {
		path, body := at, ""
		if method == "POST" {
			path, body = at+"/messages", `{"text":"me too"}`
		}
		if answer := eve.ask(t, method, path, body, 404); answer["code"] != "conversation_not_found" {
			t.Errorf("a stranger gets %v", answer)
		}
	}
	page := ann.read(t, "/account/messages/"+first["id"].(string))
	if !strings.Contains(page, "Is it &lt;b&gt;quiet&lt;/b&gt;?") || strings.Contains(page, "@example.org") {
		t.Errorf("the thread is %s", page)
	}
	ann.ask(t, "GET", at, "", 200)
	if list := ann.ask(t, "GET", "/api/conversations", "", 200); list["unread"] != 2. || !strings.Contains(page, `action="/account/messages/`+first["id"].(string)+`/read"`) {
		t.Errorf("reading with GET leaves %v unread, on the page %s", list["unread"], page)
	}
	if answer := eve.ask(t, "POST", at+"/read", "", 404); answer["code"] != "conversation_not_found" {
		t.Errorf("a stranger gets %v", answer)
	}
	if answer := ann.ask(t, "POST", at+"/read", "", 200); answer["unread"] != 0. {
		t.Errorf("marked as read, the conversation has %v unread", answer["unread"])
	}
	if list := ann.ask(t, "GET", "/api/conversations", "", 200); list["unread"] != 0. {
		t.Errorf("what was marked as read is unread: %v", list)
	}
	resp, _ := ann.post(t, "/account/messages/"+first["id"].(string), "text="+url.QueryEscape("Very.\r\n\r\nCome & see."))
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/messages/"+first["id"].(string) {
		t.Errorf("the reply is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	ann.post(t, "/account/messages/"+first["id"].(string), "text=Tomorrow")
	if mails := s.noticesByRecipient(t); len(mails) != 1 || len(mails["ben@example.org"]) != 1 {
		t.Errorf("mails are %+v", mails)
	}
	resp, page = ann.post(t, "/account/messages/"+first["id"].(string), "text=+")
	if resp.StatusCode != 400 || !strings.Contains(page, "Text is required") || !strings.Contains(page, "Tomorrow") {
		t.Errorf("an empty reply is %d %s", resp.StatusCode, page)
	}
	resp, page = ann.post(t, "/listings/"+id+"/messages", "text=to+myself")
	if resp.StatusCode != 403 {
		t.Errorf("a message to oneself is %d %s", resp.StatusCode, page)
	}
	resp, _ = eve.post(t, "/listings/"+id+"/messages", "text=mine%21")
	if resp.StatusCode != 303 || !strings.HasPrefix(resp.Header.Get("Location"), "/account/messages/") {
		t.Errorf("a message from the listing is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if body := eve.read(t, "/listings/"+id); !strings.Contains(body, `action="/listings/`+id+`/messages"`) {
		t.Error("the listing has no form for a message")
	}

	blocked := ann.ask(t, "PUT", "/api/blocks/BEN", "", 200)
	if get(t, blocked, "members.0.handle") != "ben" {
		t.Errorf("blocked are %v", blocked)
	}
	if answer := ben.ask(t, "POST", at+"/messages", `{"text":"Hello?"}`, 403); answer["code"] != "blocked" {
		t.Errorf("a blocked member gets %v", answer)
	}
	if page := ann.read(t, "/account/messages/"+first["id"].(string)); !strings.Contains(page, "ve blocked ben") || !strings.Contains(page, "/account/blocks/ben/remove") {
		t.Errorf("the thread does not say that ben is blocked: %s", page)
	}
	if page := ann.read(t, "/account/blocks"); !strings.Contains(page, "/account/blocks/ben/remove") {
		t.Errorf("blocked are %s", page)
	}
	if resp, _ := ann.post(t, "/account/blocks/ben/remove", ""); resp.StatusCode != 303 {
		t.Errorf("unblocking is %d", resp.StatusCode)
	}
	ben.ask(t, "POST", at+"/messages", `{"text":"Hello?"}`, 201)
	if answer := ann.ask(t, "DELETE", "/api/blocks/ben", "", 200); len(answer["members"].([]any)) != 0 {
		t.Errorf("blocked are %v", answer)
	}
	ann.ask(t, "PUT", "/api/blocks/ann", "", 400)
	ann.ask(t, "PUT", "/api/blocks/nobody-here", "", 404)
}

// TestConversationsOnPages tests that lists of conversations and messages go on
// where a page ended, and that an invalid cursor is rejected.
func TestConversationsOnPages(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	op := s.join(t, "the-operator", models.RoleOperator) // without limits of a new account
	var ids []string
	for i := range trade.ConversationsShown + 2 {
		c, _, err := s.store.Trades.SendMessage(context.Background(), ann.sellOne(t, fmt.Sprint("Camera ", i)), ben.ID, "hello")
		must(err)
		ids = append(ids, c.ID)
	}
	page := ann.ask(t, "GET", "/api/conversations", "", 200)
	rest := ann.ask(t, "GET", "/api/conversations?cursor="+url.QueryEscape(page["next_cursor"].(string)), "", 200)
	seen := map[any]bool{}
	for _, c := range append(page["conversations"].([]any), rest["conversations"].([]any)...) {
		seen[c.(map[string]any)["id"]] = true
	}
	if len(seen) != len(ids) || len(rest["conversations"].([]any)) != 2 || rest["next_cursor"] != nil {
		t.Errorf("saw %d conversations of %d", len(seen), len(ids))
	}
	c, _, err := s.store.Trades.SendMessage(context.Background(), ann.sellOne(t, "Camera"), op.ID, "1")
	must(err)
	for i := range trade.MessagesShown {
		_, _, err := s.store.Trades.Reply(context.Background(), c.ID, op.ID, fmt.Sprint(i+2))
		must(err)
	}
	last := ann.ask(t, "GET", "/api/conversations/"+c.ID, "", 200)
	if get(t, last, "messages.0.text") != "2" || len(last["messages"].([]any)) != trade.MessagesShown {
		t.Errorf("the last messages are %v", last["messages"])
	}
	before := ann.ask(t, "GET", "/api/conversations/"+c.ID+"?cursor="+url.QueryEscape(last["next_cursor"].(string)), "", 200)
	if get(t, before, "messages.0.text") != "1" || len(before["messages"].([]any)) != 1 || before["next_cursor"] != nil {
		t.Errorf("the first messages are %v", before)
	}
	for _, cursor := range []string{"x", ".", "-1.", "zzzzzzzzzzzzzzzzzzzz.x", "1"} {
		if answer := ann.ask(t, "GET", "/api/conversations?cursor="+cursor, "", 400); answer["code"] != "invalid_cursor" {
			t.Errorf("cursor %q gets %v", cursor, answer)
		}
	}
}
