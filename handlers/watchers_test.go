package handlers

import (
	"net/url"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// TestWatchersByForm tests that a seller writes to those who watch a listing without
// learning who they are, and that a member can refuse such messages.
func TestWatchersByForm(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, wim, eve := s.join(t, "ann", models.RoleMember), s.join(t, "wim", models.RoleMember), s.join(t, "eve", models.RoleMember)
	id := ann.listed(t, "Canon EOS R6")
	page := "/account/listings/" + id + "/watchers"
	send := func(who *testMember, want int) string {
		t.Helper()
		resp, text := who.post(t, page, "text="+url.QueryEscape("It's <b>€50</b> less."))
		if resp.StatusCode != want {
			t.Fatalf("writing is %d, want %d: %s", resp.StatusCode, want, text)
		}
		return text
	}
	if text := ann.read(t, page); !strings.Contains(text, "watching yet") || strings.Contains(text, "<textarea") {
		t.Errorf("the page without watchers is %s", text)
	}
	send(ann, 409)
	for _, who := range []*testMember{wim, eve} {
		who.ask(t, "PUT", "/api/watchlist/"+id, "", 200)
	}
	if resp, _ := eve.post(t, "/account/settings", "name=Eve&seller_messages="); resp.StatusCode != 303 {
		t.Fatalf("the settings are saved with %d", resp.StatusCode)
	}
	if text := eve.read(t, "/account/settings"); strings.Contains(text, `name="seller_messages" value="true" checked`) {
		t.Errorf("eve's settings are %s", text)
	}
	if text := wim.read(t, "/account/settings"); !strings.Contains(text, `name="seller_messages" value="true" checked`) {
		t.Error("members get no messages of sellers unless they ask")
	}
	if text := ann.read(t, page); !strings.Contains(text, "2 people watching") || strings.Contains(text, "wim") {
		t.Errorf("the page is %s", text)
	}
	send(wim, 404)
	s.noticesByRecipient(t)
	send(ann, 303)
	if text := send(ann, 409); !strings.Contains(text, "no one has started watching") {
		t.Errorf("writing twice is %s", text)
	}
	mails := s.noticesByRecipient(t)
	if len(mails) != 1 || len(mails["wim@example.org"]) != 1 || strings.Contains(mails["wim@example.org"][0].Body, "€50") {
		t.Errorf("mails are %+v", mails)
	}
	talk := get(t, wim.ask(t, "GET", "/api/conversations", "", 200), "conversations.0").(map[string]any)
	at := talk["href"].(string)
	if talk["role"] != "buyer" || talk["last_message"] != "It's <b>€50</b> less." || len(eve.ask(t, "GET", "/api/conversations", "", 200)["conversations"].([]any)) != 0 {
		t.Errorf("the watcher has %v", talk)
	}
	ann.ask(t, "GET", at, "", 404)
	for _, path := range []string{page, page + ".json", page + ".md", "/account/messages", "/account", "/account/export.json"} {
		if _, text := s.do(t, "GET", path, "Cookie", ann.cookie); strings.Contains(text, "wim") || strings.Contains(text, wim.ID) || strings.Contains(text, talk["id"].(string)) {
			t.Errorf("%s says who watches", path)
		}
	}
	wim.ask(t, "POST", at+"/messages", `{"text":"Does it work?"}`, 201)
	if answer := ann.ask(t, "GET", at, "", 200); get(t, answer, "with.handle") != "wim" || get(t, answer, "messages.1.text") != "Does it work?" {
		t.Errorf("the seller reads %v", answer)
	}
}

// TestSellerWritesFirst tests the form on the page of an offer.
func TestSellerWritesFirst(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob, eve := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "eve", models.RoleMember)
	offer := bob.offers(t, ann.listed(t, "Canon EOS R6"), "1000")
	page := "/account/offers/" + offer
	if text := ann.read(t, page); !strings.Contains(text, `action="`+page+`/messages"`) || !strings.Contains(text, "You can send one message") {
		t.Errorf("the page of the offer is %s", text)
	}
	if resp, _ := eve.post(t, page+"/messages", "text=hi"); resp.StatusCode != 404 {
		t.Errorf("a stranger writes with %d", resp.StatusCode)
	}
	resp, _ := ann.post(t, page+"/messages", "text=Saturday%3F")
	to, _, _ := strings.Cut(resp.Header.Get("Location"), "?")
	if resp.StatusCode != 303 || !strings.HasPrefix(to, "/account/messages/") {
		t.Fatalf("writing leads to %d %s", resp.StatusCode, to)
	}
	if text := ann.read(t, page); strings.Contains(text, `action="`+page+`/messages"`) || !strings.Contains(text, to) {
		t.Error("the page of the offer has a form beside the conversation")
	}
	if resp, text := ann.post(t, to, "text=Hello%3F"); resp.StatusCode != 409 || !strings.Contains(text, "You can send another message once they reply.") {
		t.Errorf("writing twice is %d", resp.StatusCode)
	}
	bob.post(t, to, "text=Sunday")
	if resp, _ := ann.post(t, to, "text=Fine"); resp.StatusCode != 303 {
		t.Errorf("answering is %d", resp.StatusCode)
	}
	bob.ask(t, "PUT", "/api/blocks/ann", "", 200)
	if resp, _ := ann.post(t, page+"/messages", "text=Hello"); resp.StatusCode != 403 {
		t.Errorf("writing to somebody who blocks is %d", resp.StatusCode)
	}
}
