package handlers

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// eventTime is how long after its commit an event must arrive. The limit is one second;
// tests allow more on a busy machine.
const eventTime = 30 * time.Second

// sentEvent is an event that a client has received.
type sentEvent struct {
	Name, ID string
	Data     map[string]any
}

// eventClient reads a stream of events.
type eventClient struct {
	events chan sentEvent // closed at the end of the stream
	last   string         // id of the last event read by next
	close  func()
}

// listen opens the stream of events.
func (s *testServer) listen(t testing.TB, header ...string) *eventClient {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, "GET", "http://secondlight.example"+watch.EventsPath, nil)
	must(err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.client.Do(req)
	must(err)
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || got != "text/event-stream" {
		t.Fatalf("the stream of events is %d %s", resp.StatusCode, got)
	}
	c := &eventClient{events: make(chan sentEvent, 1000)}
	opened := make(chan struct{})
	c.close = sync.OnceFunc(func() { cancel(); resp.Body.Close() })
	t.Cleanup(c.close)
	go func() {
		defer close(c.events)
		var e sentEvent
		lines := bufio.NewScanner(resp.Body)
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.Name = value
			case "id":
				if e.ID = value; e.Name == "" {
					select {
					case <-opened:
					default:
						close(opened)
					}
				}
			case "data":
				must(json.Unmarshal([]byte(value), &e.Data))
			case "":
				if e.Name != "" {
					c.events <- e
				}
				e = sentEvent{}
			}
		}
	}()
	select {
	case <-opened:
	case <-time.After(patience):
		t.Fatal("the stream doesn't begin")
	}
	return c
}

// listen opens the member's stream of events.
func (m *testMember) listen(t testing.TB, header ...string) *eventClient {
	return m.server.listen(t, append(header, "Authorization", "Bearer "+m.token)...)
}

// next returns the next event.
func (c *eventClient) next(t testing.TB) sentEvent {
	t.Helper()
	select {
	case e, ok := <-c.events:
		if !ok {
			t.Fatal("the stream has ended")
		}
		if e.ID != "" {
			c.last = e.ID
		}
		return e
	case <-time.After(eventTime):
		t.Fatal("no event arrives")
		return sentEvent{}
	}
}

// expect reads events until one of a kind has the values, and returns it.
func (c *eventClient) expect(t testing.TB, kind string, values ...string) sentEvent {
	t.Helper()
	for {
		e := c.next(t)
		match := e.Name == kind
		for i := 0; i < len(values); i += 2 {
			match = match && e.Data[values[i]] == values[i+1]
		}
		if match {
			return e
		}
	}
}

// open waits for an event or the end of the stream, and reports whether it is an event.
func (c *eventClient) open() bool {
	_, more := <-c.events
	return more
}

// atEnd waits for the end of the stream.
func (c *eventClient) atEnd(t testing.TB) {
	t.Helper()
	for end := time.After(patience); ; {
		select {
		case _, ok := <-c.events:
			if !ok {
				return
			}
		case <-end:
			t.Fatal("the stream does not end")
		}
	}
}

// TestEventsReachEveryServer follows the events of two servers on one PostgreSQL: what
// is written through one reaches the clients of both, in the same order, and private
// events reach their member only.
func TestEventsReachEveryServer(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	servers := []*testServer{newReplica(t, url), newReplica(t, url)}
	ann, bob := servers[0].join(t, "ann", models.RoleMember), servers[0].join(t, "bob", models.RoleMember)
	var public, anns []*eventClient
	for _, s := range servers {
		public = append(public, s.listen(t))
		anns = append(anns, (&testMember{Member: ann.Member, server: s, token: ann.token}).listen(t))
	}
	began := time.Now()
	id := ann.sells(t, "Canon EOS R6", "canon/eos-r6", 100000)
	bob.ask(t, "POST", "/api/listings/"+id+"/messages", `{"text":"Hello"}`, 201)
	bob.offers(t, id, "900")
	_, err := servers[1].store.Listings.Advance(t.Context(), id, models.Move{Step: models.End, Seller: ann.ID})
	must(err)
	var ids [][]string
	for _, c := range public {
		var all []string
		for e := (sentEvent{}); e.Name != "listing_ended"; {
			e = c.next(t)
			all = append(all, e.ID)
			if strings.HasPrefix(e.Name, "offer") || strings.HasPrefix(e.Name, "message") {
				t.Errorf("everybody gets %v", e)
			}
			if e.Data["id"] == id && e.Data["href"] != "/api/listings/"+id {
				t.Errorf("event %v", e)
			}
		}
		ids = append(ids, all)
	}
	for _, c := range anns {
		c.expect(t, "listing_published", "id", id, "reason", "own")
		c.expect(t, "message_received")
		c.expect(t, "offer_made")
		c.expect(t, "listing_ended", "id", id)
	}
	t.Logf("events of five writes reached two servers within %v", time.Since(began).Round(time.Millisecond))
	if !slices.Equal(ids[0], ids[1]) {
		t.Errorf("two servers sent %v and %v", ids[0], ids[1])
	}
}

// TestMemberEvents checks which events a member gets, and that a client which resumes gets
// what it missed, each event once.
func TestMemberEvents(t *testing.T) {
	t.Parallel()
	s, _ := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	first := ann.sells(t, "Canon EOS R6", "canon/eos-r6", 100000)
	other := ann.sells(t, "Leica M6", "leica/m6", 200000)
	bob.ask(t, "PUT", "/api/watchlist/"+first, "", 200)
	search := bob.ask(t, "POST", "/api/searches", `{"keyword":"nikon z6","every":"weekly","name":"Z6"}`, 201)["id"].(string)
	c := bob.listen(t)
	price := func(id string, cents models.Cents) {
		t.Helper()
		_, err := s.store.Listings.EditListing(context.Background(), id, ann.ID, 0, func(l *models.Listing) error { l.Price = cents; return nil })
		must(err)
	}
	price(other, 190000)
	price(first, 90000)
	if e := c.next(t); e.Name != "listing_price_changed" || e.Data["id"] != first || e.Data["reason"] != "watched" {
		t.Errorf("the first event is %v", e)
	}
	match := ann.sells(t, "Nikon Z6", "nikon/z6", 70000)
	if e := c.next(t); e.Name != "search_matched" || e.Data["id"] != match || e.Data["search"] != search {
		t.Errorf("a new match is %v", e)
	}
	offer := bob.offers(t, first, "800")
	ann.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
	// In the order of one transaction: the notice of the answer and the listing.
	if e := c.next(t); e.Name != "offer_accepted" || e.Data["offer"] != offer || e.Data["href"] != "/api/offers/"+offer {
		t.Errorf("the answer is %v", e)
	}
	if e := c.next(t); e.Name != "listing_reserved" || e.Data["id"] != first {
		t.Errorf("the listing is %v", e)
	}
	c.close()
	price(other, 180000)
	for i := range 3 {
		talk, _, err := s.store.Trades.SendMessage(context.Background(), other, bob.ID, fmt.Sprint("Hello ", i))
		must(err)
		_, _, err = s.store.Trades.Reply(context.Background(), talk.ID, ann.ID, "Yes.")
		must(err)
	}
	again := bob.listen(t, "Last-Event-ID", c.last)
	for range 3 {
		if e := again.next(t); e.Name != "message_received" {
			t.Errorf("after resuming: %v", e)
		}
	}
	ann.ask(t, "POST", "/api/listings/"+other+"/end", `{"reason":"other"}`, 200)
	ann.sells(t, "Nikon Z6 too", "nikon/z6", 60000)
	if e := again.next(t); e.Name != "search_matched" {
		t.Errorf("after the messages: %v", e)
	}
}

// TestEventStreamsEnd checks the limits and the ends of streams.
func TestEventStreamsEnd(t *testing.T) {
	t.Parallel()
	s, _ := newClockedMarket(t)
	ann := s.join(t, "ann", models.RoleMember)
	ask := func(status int, code string, header ...string) {
		t.Helper()
		resp, body := s.do(t, "GET", watch.EventsPath, header...)
		if resp.StatusCode != status || !strings.Contains(body, `"code":"`+code+`"`) {
			t.Errorf("with %q: %d %s, want %d %s", header, resp.StatusCode, body, status, code)
		}
	}
	ask(401, "invalid_token", "Authorization", "Bearer sl_nonsense")
	ask(400, "invalid_cursor", "Last-Event-ID", "nonsense")
	ask(410, "changes_expired", "Last-Event-ID", "nonsense.1")
	weak, err := s.store.Tokens.CreateToken(t.Context(), ann.ID, &models.Token{Name: "weak", Scopes: models.Scopes{models.WatchWrite}})
	must(err)
	ask(403, "insufficient_scope", "Authorization", "Bearer "+weak)

	token := &models.Token{Name: "short", Scopes: models.Scopes{models.AccountRead}}
	secret, err := s.store.Tokens.CreateToken(t.Context(), ann.ID, token)
	must(err)
	c := s.listen(t, "Authorization", "Bearer "+secret)
	must(s.store.Tokens.RevokeToken(t.Context(), ann.ID, token.ID))
	id := ann.sells(t, "Canon EOS R6", "canon/eos-r6", 100000)
	eventually(t, "a stream ends with its token, which it checks once a second", func() bool { return !c.open() })

	var open []*eventClient
	for range 8 {
		open = append(open, ann.listen(t))
	}
	ask(429, "too_many_streams", "Authorization", "Bearer "+ann.token)
	open[0].close()
	eventually(t, "one may be opened when one is closed", func() bool {
		resp, err := s.tryEvents(ann.token)
		return err == nil && resp == 200
	})
	_, err = s.store.Listings.Advance(t.Context(), id, models.Move{Step: models.End, Seller: ann.ID})
	must(err)
	open[1].expect(t, "listing_ended", "id", id)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	must(s.Shutdown(ctx))
	for _, c := range open[1:] {
		c.atEnd(t)
	}
}

// tryEvents opens a stream, closes it and returns the status.
func (s *testServer) tryEvents(token string) (status int, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", "http://secondlight.example"+watch.EventsPath, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, nil
}
