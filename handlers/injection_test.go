package handlers

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/plain"
	"github.com/secondlight/secondlight/views/viewstest"
)

// TestInjectionsInSamples checks that the Markdown of members' pages delimits what
// others wrote, and that it changes nothing but text.
func TestInjectionsInSamples(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for _, op := range s.Operations() {
		if op.Sample == nil {
			continue
		}
		render := func(text string) string {
			page := op.Sample()
			viewstest.Fill(page, text)
			markdown, err := s.Render(page, web.Markdown)
			must(err)
			return string(markdown)
		}
		plain := viewstest.Structure(render(viewstest.Mark + " text"))
		for _, text := range viewstest.Injections {
			markdown := render(text)
			for _, wrong := range viewstest.CheckMarkdown(markdown, testSite.BaseURL) {
				t.Errorf("%s with %q: %s", op.Name, text, wrong)
			}
			if got := viewstest.Structure(markdown); !maps.Equal(got, plain) {
				t.Errorf("%s with %q is made of %v, not %v", op.Name, text, got, plain)
			}
		}
	}
}

// injected is a market whose members wrote viewstest.Injections everywhere.
type injected struct {
	*testServer
	seller, buyer *testMember
	titles        map[string]string // by listing
	offer         string
	kit           string // an item of the buyer's
	disputed      string // another offer
	conversation  string
	search        string
}

// newInjected writes the texts into every field that the API offers.
func newInjected(t *testing.T) *injected {
	s := &injected{testServer: newMarketServer(t, func(c *Config) { c.RateLimit = 1 << 20 }), titles: map[string]string{}}
	s.seller, s.buyer = s.join(t, "ann", models.RoleOperator), s.join(t, "ben", models.RoleOperator) // who have no daily limits
	for _, m := range []*testMember{s.seller, s.buyer} {
		resp, _ := m.post(t, "/account/settings", url.Values{"name": {"=<b>zqx</b> https://evil.example"}, "region": {"DE"}, "bio": {joined(40, 45)}}.Encode())
		if resp.StatusCode != 303 {
			t.Fatalf("settings are %d", resp.StatusCode)
		}
	}
	var ids []string
	for _, text := range viewstest.Injections {
		resp, answer := s.send(t, "POST", "/api/listings", encode(map[string]any{"title": text, "description": text, "included": []string{strings.NewReplacer(";", "", "|", "").Replace(text)}, "gear": "canon/eos-r6", "condition": "good",
			"functional": "untested", "price": models.Money{Amount: "900.00", Currency: "EUR"}, "region": "DE"}), "Authorization", "Bearer "+s.seller.token, "Content-Type", "application/json")
		var listing struct{ ID, Title string }
		if resp.StatusCode != 201 {
			if strings.ContainsFunc(text, unicode.IsControl) || len(text) > models.MaxItem {
				continue
			}
			t.Fatalf("%q is %d: %s", text, resp.StatusCode, answer)
		}
		must(json.Unmarshal([]byte(answer), &listing))
		s.seller.ask(t, "POST", "/api/listings/"+listing.ID+"/publish", "", 200)
		s.titles[listing.ID], ids = listing.Title, append(ids, listing.ID)
	}
	if len(ids) < 100 {
		t.Fatalf("only %d listings", len(ids))
	}
	for i := 0; i < len(viewstest.Injections); i += 10 {
		c := s.buyer.ask(t, "POST", "/api/listings/"+ids[0]+"/messages", encode(map[string]any{"text": joined(i, i+10)}), 201)
		s.conversation = c["id"].(string)
		offer := s.buyer.ask(t, "POST", "/api/listings/"+ids[i/10]+"/offers", encode(map[string]any{"amount": models.Money{Amount: "800.00", Currency: "EUR"}, "message": joined(i, i+10)}), 201)
		s.offer = offer["id"].(string)
		s.buyer.ask(t, "POST", "/api/listings/"+ids[i]+"/report", encode(map[string]any{"reason": "other", "text": joined(i, i+10)}), 201)
		saved := s.buyer.ask(t, "POST", "/api/searches", encode(map[string]any{"name": strings.TrimSpace(viewstest.Injections[i/2]), "query": "keyword=" + url.QueryEscape("zqx evil.com")}), 201)
		s.search = saved["id"].(string)
		item := s.buyer.ask(t, "POST", "/api/me/kit", encode(map[string]any{"name": strings.TrimSpace(viewstest.Injections[i/2]), "serial": "<b>1</b>", "note": strings.TrimSpace(viewstest.Injections[i/2+1])}), 201)
		s.kit = item["id"].(string)
	}
	s.seller.ask(t, "POST", "/api/conversations/"+s.conversation+"/messages", encode(map[string]any{"text": joined(30, 60)}), 201)
	s.seller.ask(t, "POST", "/api/offers/"+s.offer+"/accept", "", 200, "If-Match", "*")
	s.handOver(t)
	return s
}

// handOver writes the texts into the fields of two hand-overs: a pick-up that is agreed
// on, and a parcel whose buyer reports a problem.
func (s *injected) handOver(t *testing.T) {
	post := func(m *testMember, offer, path string, body map[string]any) {
		t.Helper()
		m.ask(t, "POST", "/api/offers/"+offer+"/"+path, encode(body), 200)
	}
	short := func(from, length int) string {
		text := []rune(input.OneLine(joined(from, from+30)))
		return strings.TrimSpace(string(text[:min(len(text), length)]))
	}
	post(s.seller, s.offer, "handover", map[string]any{"method": "pickup", "place": short(0, models.MaxPlace), "meet_at": s.store.Now().Std().Add(72 * time.Hour).Format(models.MeetLayout)})
	post(s.buyer, s.offer, "handover/agree", map[string]any{"proposal": 1})
	post(s.seller, s.offer, "payment", map[string]any{"payment": short(30, models.MaxPayment), "payment_link": "https://pay.example/ann"})

	offers := s.buyer.ask(t, "GET", "/api/offers?status=pending&limit=100", "", 200)["offers"].([]any)
	s.disputed = offers[len(offers)-1].(map[string]any)["id"].(string)
	post(s.seller, s.disputed, "accept", nil)
	post(s.buyer, s.disputed, "handover", map[string]any{"method": "shipping", "address": joined(60, 70)[:200]})
	post(s.seller, s.disputed, "handover/agree", map[string]any{"proposal": 1})
	post(s.seller, s.disputed, "complete", map[string]any{"carrier": short(80, models.MaxCarrier), "tracking": short(90, models.MaxTracking), "tracking_url": "https://carrier.example/(x)[y]*z*"})
	post(s.buyer, s.disputed, "dispute", map[string]any{"text": joined(0, 20)})
	post(s.seller, s.disputed, "evidence", map[string]any{"text": joined(20, 40)})
}

// joined joins some of the texts into one of many lines.
func joined(from, to int) string {
	return plainText(strings.Join(viewstest.Injections[from:min(to, len(viewstest.Injections))], "\n\n"))
}

// plainText removes the control characters that the API refuses.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return -1
		}
		return r
	}, plain.Directions(s))
}

func encode(v any) string {
	b, err := json.Marshal(v)
	must(err)
	return string(b)
}

// TestInjections writes texts that try to be more than text wherever members can
// write, and reads every page with them in every format.
func TestInjections(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newInjected(t)
	eventually(t, "the index has every listing", func() bool {
		return s.seller.ask(t, "GET", "/api/listings/search?seller=ann", "", 200)["total"].(float64) >= float64(len(s.titles)-2) // one is reserved, one sold
	})
	pages := []string{"/listings?keyword=zqx&limit=100", "/listings?seller=ann&limit=100&sort=newest", "/", "/sellers/ann", "/gear/canon/eos-r6", "/listings?keyword=%3Cb%3Eevil.example%3C/b%3E+zqx",
		"/account", "/account/settings", "/account/listings", "/account/listings?status=active", "/account/messages", "/account/messages/" + s.conversation, "/account/offers", "/account/offers/" + s.offer, "/account/offers/" + s.disputed, "/account/moderation/sales",
		"/account/searches", "/account/searches/" + s.search, "/account/moderation", "/admin/audit", "/account/export", "/account/watchlist", "/account/blocks", "/account/kit", "/account/kit/export", "/account/kit/" + s.kit}
	for _, id := range slices.Sorted(maps.Keys(s.titles)) {
		pages = append(pages, "/listings/"+id)
	}
	for _, page := range pages {
		for _, m := range []*testMember{s.seller, s.buyer} {
			resp, markdown := s.do(t, "GET", page, "Cookie", m.cookie, "Accept", "text/markdown")
			if resp.StatusCode != 200 && !strings.HasPrefix(page, "/account/searches/") && !strings.HasPrefix(page, "/account/kit/") {
				t.Errorf("%s for %s is %d", page, m.Handle, resp.StatusCode)
			}
			for _, wrong := range viewstest.CheckMarkdown(markdown, testSite.BaseURL) {
				t.Errorf("%s for %s: %s", page, m.Handle, wrong)
			}
			_, html := s.do(t, "GET", page, "Cookie", m.cookie, "Accept", "text/html")
			count(t, page, html, false)
			if _, body := s.do(t, "GET", page, "Cookie", m.cookie, "Accept", "application/json"); !json.Valid([]byte(body)) {
				t.Errorf("%s for %s is not JSON", page, m.Handle)
			}
			if strings.HasPrefix(page, "/listings") {
				break // the same for both
			}
		}
	}
	t.Run("unchanged", s.checkUnchanged)
	t.Run("feeds", s.checkFeeds)
	t.Run("tools", s.checkTools)
	t.Run("emails", s.checkEmails)
	t.Run("spreadsheet", s.checkSpreadsheet)
}

// checkUnchanged checks that JSON has every title as it was written.
func (s *injected) checkUnchanged(t *testing.T) {
	for id, title := range s.titles {
		if got := s.buyer.ask(t, "GET", "/api/listings/"+id, "", 200)["title"]; got != title {
			t.Errorf("%q is read back as %q", title, got)
		}
	}
}

// checkFeeds checks that feeds are valid and that their HTML has only their own links.
func (s *injected) checkFeeds(t *testing.T) {
	_, atom := s.do(t, "GET", "/listings.atom?seller=ann&limit=100")
	var feed struct {
		Entries []struct {
			Title   string `xml:"title"`
			Content string `xml:"content"`
		} `xml:"entry"`
	}
	must(xml.Unmarshal([]byte(atom), &feed))
	_, body := s.do(t, "GET", "/listings.feed.json?seller=ann&limit=100")
	var items struct {
		Items []struct {
			HTML string `json:"content_html"`
		} `json:"items"`
	}
	must(json.Unmarshal([]byte(body), &items))
	if len(feed.Entries) < 100 || len(items.Items) != len(feed.Entries) {
		t.Fatalf("%d entries, %d items", len(feed.Entries), len(items.Items))
	}
	for i := range feed.Entries {
		count(t, feed.Entries[i].Title, feed.Entries[i].Content, false)
		count(t, feed.Entries[i].Title, items.Items[i].HTML, false)
	}
}

// checkTools checks the text and the links of tool results.
func (s *injected) checkTools(t *testing.T) {
	for tool, arguments := range map[string]string{"search_listings": `{"seller":"ann","limit":100}`, "get_seller": `{"handle":"ann"}`, "read_offers": `{"action":"get","id":"` + s.offer + `"}`,
		"read_messages": `{"action":"get","id":"` + s.conversation + `"}`, "get_listing": `{"id":"` + slices.Sorted(maps.Keys(s.titles))[3] + `"}`} {
		_, body := s.send(t, "POST", web.MCPPath, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`,
			"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Authorization", "Bearer "+s.buyer.token)
		var message struct {
			Result struct {
				Content []struct{ Type, Text, Title, URI string }
			}
		}
		if i := strings.IndexByte(body, '{'); i < 0 || json.Unmarshal([]byte(body[i:]), &message) != nil || len(message.Result.Content) == 0 {
			t.Fatalf("%s: %.300s", tool, body)
		}
		for _, c := range message.Result.Content {
			if c.Type == "resource_link" {
				if strings.Contains(c.Title, viewstest.Mark) && !(strings.HasPrefix(c.Title, "«") && strings.HasSuffix(c.Title, "»")) || !strings.HasPrefix(c.URI, testSite.BaseURL) {
					t.Errorf("%s links to %q at %s", tool, c.Title, c.URI)
				}
				continue
			}
			for _, wrong := range viewstest.CheckMarkdown(c.Text, testSite.BaseURL) {
				t.Errorf("%s: %s", tool, wrong)
			}
		}
	}
}

// linked matches what a mail client makes a link, in folded text.
var linked = regexp.MustCompile(`\w:/|//|www\.|@|mailto:|tel:|javascript:|evil\S*\.\w|\d\.\d+\.\d`)

// checkEmails checks that emails have no links but those of the site.
func (s *injected) checkEmails(t *testing.T) {
	sent := 0
	for {
		emails := s.noticesByRecipient(t)
		if len(emails) == 0 {
			break
		}
		for recipient, all := range emails {
			for _, e := range all {
				sent++
				text := strings.ReplaceAll(e.Subject+"\n"+e.Body, testSite.BaseURL, "")
				text = norm.NFKC.String(strings.ToLower(strings.ReplaceAll(text, "。", ".")))
				if found := linked.FindString(text); found != "" {
					t.Errorf("the email to %s has %q: %s", recipient, found, text)
				}
			}
		}
	}
	if sent < 12 {
		t.Errorf("only %d emails", sent)
	}
}

// checkSpreadsheet checks that no cell of the export is a formula, and that importing
// it changes nothing.
func (s *injected) checkSpreadsheet(t *testing.T) {
	_, file := s.do(t, "GET", "/account/listings.csv", "Cookie", s.seller.cookie)
	rows := must1(csv.NewReader(strings.NewReader(file)).ReadAll())
	for _, cell := range slices.Concat(rows...) {
		if strings.IndexAny(cell, "=+-@\t\r") == 0 {
			t.Errorf("the export has the formula %q", cell)
		}
	}
	report := s.seller.importFile(t, file, 200)
	if report["rows"] != float64(len(s.titles)) || report["updated"] != 0.0 || report["inserted"] != 0.0 || report["unchanged"].(float64) < 100 {
		t.Errorf("the import of the export of %d listings is %v", len(s.titles), report)
	}
}
