package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// TestAddressIsPrivate follows a trade by shipping, and checks at each step who reads the
// buyer's address where: the buyer, and the seller once shipping is agreed, on the page of
// the offer and nowhere else.
func TestAddressIsPrivate(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob, eve, op := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "eve", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	listing := ann.listed(t, "Canon EOS R6")
	offer := bob.offers(t, listing, "1000")
	const secret = "Unter den Linden"
	at := "/api/offers/" + offer

	var written []string // responses to writes
	write := func(who *testMember, path, body string) {
		t.Helper()
		for range 2 { // the second response is the stored one
			resp, text := s.send(t, "POST", at+path, body, "Authorization", "Bearer "+who.token, "Content-Type", "application/json", "Idempotency-Key", path+who.Handle)
			if resp.StatusCode != 200 {
				t.Fatalf("%s is %d: %s", path, resp.StatusCode, text)
			}
			written = append(written, text)
		}
	}
	check := func(step string, annReads bool) {
		t.Helper()
		for _, reader := range []struct {
			who   *testMember
			may   bool
			reads bool
		}{{bob, true, true}, {ann, true, annReads}, {eve, false, false}, {op, false, false}, {nil, false, false}} {
			for _, page := range []struct{ path, accept string }{
				{at, "application/json"}, {at, "text/markdown"}, {"/account/offers/" + offer, "text/html"}, {"/account/offers/" + offer + ".md", ""}, {"/account/offers/" + offer + ".json", ""}} {
				header, name := []string{"Accept", page.accept}, "nobody"
				if reader.who != nil {
					header, name = append(header, "Cookie", reader.who.cookie), reader.who.Handle
					if strings.HasPrefix(page.path, "/api") {
						header = append(header[:2], "Authorization", "Bearer "+reader.who.token)
					}
				}
				resp, text := s.do(t, "GET", page.path, header...)
				if (resp.StatusCode == 200) != reader.may || strings.Contains(text, secret) != reader.reads {
					t.Errorf("%s: %s as %s for %s is %d, with the address: %t", step, page.path, page.accept, name, resp.StatusCode, strings.Contains(text, secret))
				}
				if cache := resp.Header.Get("Cache-Control"); reader.may && !strings.Contains(cache, "private") && !strings.Contains(cache, "no-store") {
					t.Errorf("%s for %s is cached: %q", page.path, name, cache)
				}
			}
			if reader.who == nil {
				continue
			}
			tool := s.readByTool(t, reader.who, offer)
			if strings.Contains(tool, secret) != reader.reads {
				t.Errorf("%s: the tool's result for %s is %s", step, reader.who.Handle, tool)
			}
		}
		for _, elsewhere := range []string{"/account/offers", "/account", "/account/messages", "/api/offers", "/api/me", "/api/changes?since=0", "/api/sales", "/account/moderation/sales", "/admin/audit", "/listings/" + listing, "/account/export.json"} {
			for _, who := range []*testMember{ann, bob, eve, op} {
				if who == bob && elsewhere == "/account/export.json" {
					continue // it's bob's
				}
				if _, text := s.do(t, "GET", elsewhere, "Cookie", who.cookie, "Accept", "application/json"); strings.Contains(text, secret) {
					t.Errorf("%s: %s has the address for %s", step, elsewhere, who.Handle)
				}
			}
		}
		for _, mail := range s.mails(t) {
			if strings.Contains(fmt.Sprint(mail), secret) || strings.Contains(fmt.Sprint(mail), "DE02") {
				t.Errorf("%s: an email has what is private: %v", step, mail)
			}
		}
	}
	write(ann, "/accept", "")
	write(bob, "/handover", `{"method":"shipping","address":"Bob Buyer\n`+secret+` 1\n10117 Berlin"}`)
	check("proposed", false)
	write(ann, "/handover/agree", `{"proposal":1}`)
	write(ann, "/payment", `{"payment":"To DE02 1203 0000"}`)
	check("agreed", true)
	write(ann, "/complete", `{"carrier":"DHL"}`)
	write(bob, "/dispute", `{"text":"It's empty."}`)
	write(ann, "/evidence", `{"text":"It was not."}`)
	check("disputed", true)
	for _, text := range written {
		if strings.Contains(text, secret) {
			t.Errorf("a response to a write has the address: %s", text)
		}
	}
	if _, text := s.do(t, "GET", "/account/export.json", "Cookie", bob.cookie); !strings.Contains(text, secret) {
		t.Error("the buyer's export lacks the address")
	}
	if _, text := s.do(t, "GET", "/account/moderation/sales", "Cookie", op.cookie, "Accept", "text/html"); !strings.Contains(text, "It was not.") || !strings.Contains(text, "not received") {
		t.Errorf("the operator reads %s", text)
	}
}

// readByTool reads an offer by tool and returns the whole response.
func (s *testServer) readByTool(t testing.TB, who *testMember, offer string) string {
	t.Helper()
	_, text := s.send(t, http.MethodPost, web.MCPPath, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_offers","arguments":{"action":"get","id":"`+offer+`"}}}`,
		"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Authorization", "Bearer "+who.token)
	return text
}

// TestWaitingCount tests the count in the header of every page, also of one that comes
// from the cache, and the list on the account page.
func TestWaitingCount(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	listing := ann.listed(t, "Canon EOS R6")
	want := func(who *testMember, n int, text string) {
		t.Helper()
		for _, path := range []string{"/", "/listings/" + listing, "/", "/account"} {
			page := who.read(t, path)
			if has := strings.Contains(page, `class="waiting"`); has != (n > 0) || n > 0 && !strings.Contains(page, fmt.Sprint(">", n, " to do<")) {
				t.Errorf("%s of %s does not say that %d wait", path, who.Handle, n)
			}
		}
		if page := who.read(t, "/account"); text != "" && !strings.Contains(page, text) {
			t.Errorf("the account of %s lacks %q", who.Handle, text)
		}
	}
	for range 3 { // so that it is cached
		s.do(t, "GET", "/", "Accept", "text/html")
	}
	want(ann, 0, "")
	offer := bob.offers(t, listing, "1000")
	want(ann, 1, "Reply to the offer")
	want(bob, 0, "")
	ann.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
	want(ann, 1, "Agree collection or postage")
	want(bob, 1, "Agree collection or postage")
	bob.ask(t, "POST", "/api/listings/"+listing+"/messages", `{"text":"When do you send it?"}`, 201)
	want(ann, 2, "1 new message")
	if _, page := s.do(t, "GET", "/", "Accept", "text/html"); strings.Contains(page, `class="waiting"`) {
		t.Error("the page of nobody says that something waits")
	}
}

// TestPostageOfListings tests a seller's default postage and that of a listing.
func TestPostageOfListings(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	listing := ann.listed(t, "Canon EOS R6")
	read := func() string {
		t.Helper()
		_, text := s.do(t, "GET", "/listings/"+listing+".md")
		return text
	}
	if text := read(); strings.Contains(text, "Postage") {
		t.Errorf("postage before it was set: %s", text)
	}
	resp, _ := ann.post(t, "/account/settings", "name=Ann&postage=DE+6.90%2C+world+29")
	if resp.StatusCode != 303 {
		t.Fatalf("settings are %d", resp.StatusCode)
	}
	if text := read(); !strings.Contains(text, "Postage (Germany)") || !strings.Contains(text, "1,255.90 in total") || !strings.Contains(text, "Worldwide") {
		t.Errorf("the seller's default: %s", text)
	}
	rows := url.Values{"name": {"Ann"}, "postage": {models.PostageRows}, "postage_to": {"DE", "EU", "WORLD", "Schweiz", ""}, "postage_price": {" 7,50 €", "", "29", "18.90", ""}}
	if resp, body := ann.post(t, "/account/settings", rows.Encode()); resp.StatusCode != 303 {
		t.Fatalf("rows of postage are %d: %s", resp.StatusCode, body)
	}
	if text := read(); !strings.Contains(text, "1,256.50 in total") || !strings.Contains(text, "Postage (Switzerland)") || strings.Contains(text, "European Union") {
		t.Errorf("the rows of a form: %s", text)
	}
	if page := ann.read(t, "/account/settings"); !strings.Contains(page, `name="postage_to" value="Switzerland"`) || !strings.Contains(page, `name="postage_price" value="7.50"`) {
		t.Errorf("the form has lost the rows: %s", page)
	}
	rows["postage_to"], rows["postage_price"] = []string{"DE", ""}, []string{"7.50", "5"}
	if resp, body := ann.post(t, "/account/settings", rows.Encode()); resp.StatusCode != 400 || !strings.Contains(body, `name="postage_price" value="5"`) || !strings.Contains(body, `id="edit-profile-postage-fault"`) {
		t.Errorf("a price without a country is %d: %s", resp.StatusCode, body)
	}
	for text, want := range map[string]string{"pickup": `"pickup_only":true`, "EU 5": `"total_price":{"amount":"1254.00","currency":"EUR"}`, "": `"to":"WORLD"`} {
		resp, body := s.send(t, "PATCH", "/api/listings/"+listing, encode(map[string]any{"postage": text}), "Authorization", "Bearer "+ann.token, "Content-Type", "application/json", "If-Match", "*")
		if resp.StatusCode != 200 || !strings.Contains(body, want) {
			t.Errorf("postage %q is %d: %s", text, resp.StatusCode, body)
		}
	}
	if e := ann.ask(t, "PATCH", "/api/listings/"+listing, `{"postage":"Atlantis 5"}`, 400, "If-Match", "*"); !strings.Contains(fmt.Sprint(e["errors"]), "field:postage") {
		t.Errorf("wrong postage is %v", e)
	}
}

// TestEvidencePhotos adds photos to a dispute, and checks who can open them and that
// nothing of what the camera wrote is in them.
func TestEvidencePhotos(t *testing.T) {
	t.Parallel()
	s, dir := photoMarket(t)
	ann, bob, eve, op := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "eve", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	offer := bob.offers(t, ann.listed(t, "Canon EOS R6"), "1000")
	page := "/account/offers/" + offer
	ifd0, exif := picturetest.Tags(picturetest.Exposure)
	proof := part{"photo", "IMG_1.JPG", string(picturetest.With(picturetest.JPEG(t, 900, 1400), picturetest.EXIF(ifd0, exif, picturetest.Munich)))}
	add := func(who *testMember, want int, parts ...part) string {
		t.Helper()
		resp, text := who.postParts(t, page+"/evidence", append(parts, part{name: "text", content: "The top plate is dented."})...)
		if resp.StatusCode != want {
			t.Fatalf("evidence of %s is %d, want %d: %s", who.Handle, resp.StatusCode, want, text)
		}
		return text
	}
	ann.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
	ann.ask(t, "POST", "/api/offers/"+offer+"/complete", "", 200)
	add(bob, 409, proof)
	bob.ask(t, "POST", "/api/offers/"+offer+"/dispute", `{"text":"It's dented."}`, 200)
	add(eve, 404, proof)
	if text := add(bob, 400, proof, part{"photo", "notes.txt", "no picture"}); !strings.Contains(text, "notes.txt") {
		t.Errorf("a text file is refused with %s", text)
	}
	if text := add(bob, 400, slices.Repeat([]part{proof}, models.MaxEvidencePhotos+1)...); !strings.Contains(text, "at most 4 photos") {
		t.Errorf("too many photos are refused with %s", text)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.jpg")); len(files) != 0 {
		t.Errorf("refused photos are stored: %q", files)
	}
	add(bob, 303, proof, jpegPart(t, "2.jpg", 640, 480))
	add(ann, 303)

	read := bob.ask(t, "GET", "/api/offers/"+offer, "", 200)
	evidence := read["evidence"].([]any)
	photos := read["evidence_photos"].([]any)
	if len(evidence) != 2 || len(photos) != 2 {
		t.Fatalf("evidence %v", evidence)
	}
	must(s.uploads.Sweep(t.Context(), true))
	src := strings.TrimPrefix(photos[0].(map[string]any)["src"].(string), s.site.BaseURL)
	for _, reader := range []struct {
		who  *testMember
		want int
	}{{ann, 200}, {bob, 200}, {op, 200}, {eve, 404}, {nil, 404}} {
		var header []string
		if reader.who != nil {
			header = []string{"Cookie", reader.who.cookie}
		}
		resp, body := s.do(t, "GET", src, header...)
		if resp.StatusCode != reader.want || resp.StatusCode == 200 && !strings.Contains(resp.Header.Get("Cache-Control"), "private") {
			t.Errorf("%+v gets the photo with %d, %s", reader.who, resp.StatusCode, resp.Header.Get("Cache-Control"))
		}
		for _, never := range []string{"Exif", "SERIAL", "Canon", "GPS"} {
			if strings.Contains(body, never) {
				t.Errorf("the photo carries %s", never)
			}
		}
	}
	for who, at := range map[*testMember]string{ann: page, bob: page, op: "/account/moderation/sales"} {
		if text := who.read(t, at); !strings.Contains(text, src) || !strings.Contains(text, `alt="Buyer’s photo 1 of the problem"`) {
			t.Errorf("%s of %s lacks the photo", at, who.Handle)
		}
	}
	for who, want := range map[*testMember]bool{ann: true, bob: true, eve: false} {
		_, text := s.do(t, "GET", "/account/export.json", "Cookie", who.cookie)
		key, _, _ := strings.Cut(strings.TrimPrefix(src, "/photos/"), "-")
		if strings.Contains(text, key) != want {
			t.Errorf("the export of %s has the photo: %t", who.Handle, !want)
		}
	}
}
