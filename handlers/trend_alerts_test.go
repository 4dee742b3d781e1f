package handlers

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/storetest"
)

// trendReceiver is a web server that receives webhooks.
type trendReceiver struct {
	port   string
	mu     sync.Mutex
	status int
	got    []trendWebhook
}

type trendWebhook struct {
	Event  string
	Search struct{ Name string }
	Trends []struct {
		Gear, Cursor, Href string
		Summary            struct{ Status string }
	}
	id, path string
}

func newTrendReceiver(t *testing.T) *trendReceiver {
	r := &trendReceiver{status: 200}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	_, r.port, _ = strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	return r
}

func (r *trendReceiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hook := trendWebhook{id: request.Header.Get(delivery.DeliveryHeader), path: request.URL.Path}
	body, _ := io.ReadAll(request.Body)
	if err := json.Unmarshal(body, &hook); err != nil {
		hook.Event = err.Error()
	}
	r.got = append(r.got, hook)
	w.WriteHeader(r.status)
}

// answer sets the status of the next responses, and returns the webhooks received so far
// and forgets them.
func (r *trendReceiver) answer(status int) []trendWebhook {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.got
	r.status, r.got = status, nil
	return got
}

func TestWebhooksAreSentChangedTrends(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	s, clock := newClockedMarketIn(t, url)
	ctx := context.Background()
	receiver := newTrendReceiver(t)
	local := &delivery.Guard{Resolver: hosts{"hook.example": "127.0.0.1"}, Allow: func(netip.AddrPort) bool { return true }}
	*s.cfg.Webhooks = *local
	ann := s.join(t, "ann", models.RoleMember)
	hook := "http://hook.example:" + receiver.port
	for path, query := range map[string]string{"/model": "model=canon/eos-r6", "/brand": "brand=canon&region=FR&budget=-1", "/all": "", "/word": "keyword=nikon+z6"} {
		ann.ask(t, "POST", "/api/searches", `{"query":"`+query+`","every":"instant","name":"`+path+`","webhook":"`+hook+path+`","webhook_events":["trends.changed"],"email":false}`, 201)
	}
	ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","every":"instant","name":"Listings","webhook":"`+hook+`/listings"}`, 201)
	daily := ann.ask(t, "POST", "/api/searches", `{"query":"brand=sony","name":"Daily","webhook":"`+hook+`/daily","webhook_events":["listings.published","trends.changed"]}`, 201)
	if got := daily["webhook_events"]; !reflect.DeepEqual(got, []any{"listings.published", "trends.changed"}) {
		t.Errorf("events %v", got)
	}
	ann.ask(t, "POST", "/api/searches", `{"query":"brand=sony","webhook":"`+hook+`/x","webhook_events":["trend_changed"]}`, 400)
	ann.ask(t, "PATCH", "/api/searches/"+daily["id"].(string), `{"webhook_events":[]}`, 400)

	price := models.Cents(100_00)
	sell := func(gear string) {
		t.Helper()
		price++
		_, _, err := s.store.Trades.ImportSales(ctx, []models.Sale{{Gear: gear, Condition: "good", Price: price, SoldAt: models.TimeOf(clock.now()), Region: "DE"}})
		must(err)
	}
	send := func(want ...string) (got []trendWebhook) {
		t.Helper()
		for range 2 { // as two servers do
			must(s.NotifyTrends(ctx))
			must(s.AlertNow(ctx))
		}
		sender := delivery.New(delivery.Config{Store: s.store, Clock: clock.now, Guard: local, Log: s.log, Outbox: t.TempDir()})
		_, err := sender.SendDue(ctx)
		must(err)
		var about []string
		got = receiver.answer(200)
		for _, hook := range got {
			for _, trend := range hook.Trends {
				about = append(about, hook.path+" "+trend.Gear)
				if hook.Event != "trends.changed" || hook.Search.Name != hook.path && hook.path != "/daily" || trend.Href != "/api/trends/"+trend.Gear || trend.Summary.Status != "insufficient_data" {
					t.Errorf("webhook %+v", hook)
				}
			}
		}
		slices.Sort(about)
		if !slices.Equal(about, want) {
			t.Errorf("webhooks about %q, want %q", about, want)
		}
		return got
	}
	send()
	sell("canon/eos-r6")
	sell("canon/eos-r6")
	got := send("/all canon/eos-r6", "/brand canon/eos-r6", "/model canon/eos-r6")
	var changes struct {
		Changes []struct{ Cursor, Kind string }
	}
	_, page := s.do(t, "GET", "/api/changes")
	must(json.Unmarshal([]byte(page), &changes))
	if last := changes.Changes[len(changes.Changes)-1]; last.Kind != "trend_changed" || last.Cursor != got[0].Trends[0].Cursor {
		t.Errorf("the webhook's cursor is %s, that of the change %+v", got[0].Trends[0].Cursor, last)
	}
	send()
	sell("canon/eos-r6") // waits for the interval
	sell("nikon/z-6")
	send("/all nikon/z-6", "/word nikon/z-6")
	sell("canon/eos-r6")
	sell("sony/alpha-7-iii")
	clock.add(6 * time.Minute)
	send("/all canon/eos-r6", "/all sony/alpha-7-iii", "/brand canon/eos-r6", "/daily sony/alpha-7-iii", "/model canon/eos-r6")
	sell("sony/alpha-7-iii")
	clock.add(6 * time.Minute)
	send("/all sony/alpha-7-iii")
	clock.add(24 * time.Hour)
	send("/daily sony/alpha-7-iii")

	// A receiver that fails is sent the same delivery again, and then the changes since in
	// one; the server may be restarted meanwhile.
	receiver.answer(503)
	sell("nikon/z-6")
	failed := send("/all nikon/z-6", "/word nikon/z-6")
	sell("nikon/z-6")
	restarted, _ := newClockedMarketIn(t, url)
	must(restarted.NotifyTrends(ctx))
	clock.add(6 * time.Minute)
	again := send("/all nikon/z-6", "/word nikon/z-6")
	ids := func(hooks []trendWebhook) (ids []string) {
		for _, hook := range hooks {
			ids = append(ids, hook.path+hook.id)
		}
		slices.Sort(ids)
		return ids
	}
	if !slices.Equal(ids(failed), ids(again)) {
		t.Errorf("deliveries %q were sent again as %q", ids(failed), ids(again))
	}
	send("/all nikon/z-6", "/word nikon/z-6")
	send()
}

// TestTrendWebhooksAreChosenInTheForm saves and edits a search in the browser.
func TestTrendWebhooksAreChosenInTheForm(t *testing.T) {
	t.Parallel()
	s, _ := newClockedMarket(t)
	ann := s.join(t, "ann", models.RoleMember)
	resp, _ := ann.post(t, "/account/searches", "query=brand%3Dcanon&name=Canon&every=instant&email=&webhook=https%3A%2F%2Fhook.example%2Fa&webhook_events=&webhook_events=trends.changed")
	if resp.StatusCode != 303 {
		t.Fatalf("saving is %d", resp.StatusCode)
	}
	path := resp.Header.Get("Location")
	edit := func(form string, status int, want ...models.WebhookEvent) {
		t.Helper()
		resp, body := ann.post(t, path, "name=Canon&every=instant&email=&webhook=https%3A%2F%2Fhook.example%2Fa&webhook_events="+form)
		if resp.StatusCode != status || status == 400 && !strings.Contains(body, "Choose at least one event.") {
			t.Errorf("editing with %q is %d", form, resp.StatusCode)
		}
		saved, err := s.store.Watches.Search(context.Background(), path[strings.LastIndexByte(path, '/')+1:], ann.ID)
		must(err)
		if !slices.Equal(saved.WebhookEvents, want) {
			t.Errorf("events %q, want %q", saved.WebhookEvents, want)
		}
	}
	edit("&webhook_events=trends.changed", 303, models.TrendsChanged)
	edit("", 400, models.TrendsChanged)
	edit("&webhook_events=trends.changed&webhook_events=listings.published", 303, models.ListingsPublished, models.TrendsChanged)
}
