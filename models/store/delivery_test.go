package store_test

import (
	"errors"
	"fmt"
	"maps"
	neturl "net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestDeliveryRetries(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		must(t, s.Deliveries.Queue(ctx, models.Delivery{Kind: models.Webhook, Recipient: "https://example.org", Body: "1"}, models.Delivery{Kind: models.Mail, Recipient: "jane@example.org", Body: "2"}))
		first, err := s.Deliveries.ClaimDeliveries(ctx, 10)
		must(t, err)
		again, err := s.Deliveries.ClaimDeliveries(ctx, 10)
		must(t, err)
		if len(first) != 2 || len(again) != 0 {
			t.Fatalf("claimed %d, then %d", len(first), len(again))
		}
		must(t, s.Deliveries.Delivered(ctx, first[0].ID))
		attempts := 0
		for range 72 {
			now = now.Add(time.Hour)
			due, err := s.Deliveries.ClaimDeliveries(ctx, 10)
			must(t, err)
			if len(due) == 0 {
				continue
			}
			attempts = due[0].Attempts
			if due[0].ID != first[1].ID {
				t.Errorf("got %+v", due)
			}
			if _, err := s.Deliveries.Failed(ctx, &due[0], "timeout", false); err != nil {
				t.Fatal(err)
			}
		}
		if attempts != 12 {
			t.Errorf("given up after %d attempts", attempts)
		}
	})
}

// webhookSearch saves an instant search of a member with a webhook.
func webhookSearch(t *testing.T, s *store.Store, memberID, webhook string) *models.SavedSearch {
	t.Helper()
	search := &models.SavedSearch{MemberID: memberID, Name: "r6", Query: "keyword=r6", Every: models.Instant, Webhook: webhook}
	_, err := s.Watches.AddSearch(t.Context(), search)
	must(t, err)
	return search
}

func alertOf(search *models.SavedSearch) models.Delivery {
	return models.Delivery{Kind: models.Webhook, Recipient: search.Webhook, MemberID: search.MemberID, SearchID: search.ID, Body: "{}"}
}

// TestWebhooksTakeTurns checks with two servers that a long queue takes no more than
// two deliveries at a time for each member and host, whichever server claims them, and that
// members take turns.
func TestWebhooksTakeTurns(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		clock := func() time.Time { return now }
		s, ctx := storetest.Open(t, url, clock), t.Context()
		servers := []*store.Store{s, storetest.Open(t, url, clock)}
		greedy, member := account(t, s, "greedy").ID, map[string]string{}
		for i := range 20 { // more alerts of one member than are read for a claim
			search := webhookSearch(t, s, greedy, fmt.Sprintf("https://%d.tarpit.example/", i%3))
			for range 50 {
				must(t, s.Deliveries.Queue(ctx, alertOf(search)))
			}
		}
		for _, name := range []string{"ann", "bob", "eve"} {
			now = now.Add(time.Second)
			member[name] = account(t, s, name).ID
			for range 3 {
				must(t, s.Deliveries.Queue(ctx, alertOf(webhookSearch(t, s, member[name], "https://"+name+".example/"))))
			}
		}
		claims := func() (all []models.Delivery) {
			var mu sync.Mutex
			var group sync.WaitGroup
			for i := range 8 {
				group.Go(func() {
					claimed, err := servers[i%2].Deliveries.ClaimDeliveries(ctx, 3, models.Webhook)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					all = append(all, claimed...)
				})
			}
			group.Wait()
			return all
		}
		sending := claims()
		for range 3 {
			sending = append(sending, claims()...)
		}
		count := map[string]int{}
		for _, d := range sending {
			count[d.MemberID]++
		}
		if len(count) != 4 || len(sending) != 8 {
			t.Fatalf("webhooks being sent: %v, want 2 of each member", count)
		}
		// A finished webhook gives its place to the next of the member, and to nobody else's.
		for _, d := range sending {
			if d.MemberID == member["ann"] {
				must(t, s.Deliveries.Delivered(ctx, d.ID))
			}
		}
		next := claims()
		if len(next) != 1 || next[0].MemberID != member["ann"] {
			t.Errorf("the next turns are %+v", next)
		}
		// A server that dies gives its places back.
		now = now.Add(3 * time.Minute)
		if again := claims(); len(again) < 4 {
			t.Errorf("%d places after their servers died", len(again))
		}
	})
}

// TestLongestWaitingMemberIsNext checks that one place goes around among members.
func TestLongestWaitingMemberIsNext(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		names := map[string]string{}
		for i, name := range []string{"ann", "bob", "eve"} {
			id := account(t, s, name).ID
			names[id] = name
			for range 5 - i { // the first comes first, with the most
				must(t, s.Deliveries.Queue(ctx, alertOf(webhookSearch(t, s, id, "https://"+name+".example/"))))
			}
			now = now.Add(time.Minute)
		}
		var order []string
		for range 12 {
			now = now.Add(time.Second)
			claimed, err := s.Deliveries.ClaimDeliveries(ctx, 1, models.Webhook)
			must(t, err)
			for _, d := range claimed {
				order = append(order, names[d.MemberID])
				must(t, s.Deliveries.Delivered(ctx, d.ID))
			}
		}
		if got, want := strings.Join(order, " "), "ann bob eve ann bob eve ann bob eve ann bob ann"; got != want {
			t.Errorf("turns were %s, want %s", got, want)
		}
	})
}

// TestMembersShareAHost checks that a host gets two webhooks at a time, from all members,
// and that members who wait for it are not held up at other hosts.
func TestMembersShareAHost(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		for _, name := range []string{"ann", "bob", "eve", "joe"} {
			id := account(t, s, name).ID
			for i := range 3 {
				must(t, s.Deliveries.Queue(ctx, alertOf(webhookSearch(t, s, id, fmt.Sprintf("https://Shared.example:%d/%s", 8000+i, name)))))
			}
			must(t, s.Deliveries.Queue(ctx, alertOf(webhookSearch(t, s, id, "https://"+name+".example/"))))
		}
		hosts := map[string]int{}
		for range 10 {
			claimed, err := s.Deliveries.ClaimDeliveries(ctx, 10, models.Webhook)
			must(t, err)
			for _, d := range claimed {
				u, err := neturl.Parse(d.Recipient)
				must(t, err)
				hosts[strings.ToLower(u.Hostname())]++
			}
		}
		want := map[string]int{"shared.example": 2, "ann.example": 1, "bob.example": 1, "eve.example": 1, "joe.example": 1}
		if !maps.Equal(hosts, want) {
			t.Errorf("webhooks being sent by host: %v, want %v", hosts, want)
		}
	})
}

// TestFailingWebhookPauses checks that a failure postpones everything queued for the
// webhook, longer each time, and that a success resumes it.
func TestFailingWebhookPauses(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := account(t, s, "jane").ID
		failing, other := webhookSearch(t, s, jane, "https://hook.example/a"), webhookSearch(t, s, jane, "https://hook.example/b")
		for range 5 {
			must(t, s.Deliveries.Queue(ctx, alertOf(failing)))
		}
		due := func() []models.Delivery {
			t.Helper()
			claimed, err := s.Deliveries.ClaimDeliveries(ctx, 10)
			must(t, err)
			return claimed
		}
		fail := func(all []models.Delivery) {
			t.Helper()
			for i := range all {
				_, err := s.Deliveries.Failed(ctx, &all[i], "timeout", false)
				must(t, err)
			}
		}
		for _, pause := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute} {
			both := due()
			if len(both) != 2 {
				t.Fatalf("%d attempts at a time, want 2", len(both))
			}
			fail(both)
			must(t, s.Deliveries.Queue(ctx, alertOf(failing), alertOf(other))) // one more has to wait, too
			others := due()
			if len(others) != 1 || others[0].SearchID != other.ID {
				t.Fatalf("right after a failure %+v are due", others)
			}
			must(t, s.Deliveries.Delivered(ctx, others[0].ID))
			now = now.Add(pause - time.Millisecond)
			if early := due(); len(early) != 0 {
				t.Errorf("tried again within %v", pause)
			}
			now = now.Add(time.Millisecond)
		}
		fail(due())
		must(t, s.Watches.TestWebhook(ctx, failing, "test"))
		tests := due()
		if len(tests) != 1 || tests[0].Body != "test" {
			t.Fatalf("the test of a failing webhook is not due: %+v", tests)
		}
		must(t, s.Deliveries.Delivered(ctx, tests[0].ID))
		if resumed := due(); len(resumed) != 2 {
			t.Errorf("%d are due after a success, want 2", len(resumed))
		}
		// Another address starts anew.
		_, err := s.Watches.EditSearch(ctx, failing.ID, jane, 0, func(search *models.SavedSearch) error { search.Webhook = "https://new.example/"; return nil })
		must(t, err)
		now = now.Add(time.Hour)
		if left := due(); len(left) != 0 {
			t.Errorf("queued for the former address: %+v", left)
		}
	})
}

// TestQueueOfASearchIsBounded checks that the oldest deliveries of a full queue are
// dropped and counted.
func TestQueueOfASearchIsBounded(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		jane := account(t, s, "jane").ID
		search := webhookSearch(t, s, jane, "https://hook.example/")
		const more = 7
		for i := range store.MaxQueuedAlerts + more {
			d := alertOf(search)
			d.Body = fmt.Sprint(i)
			must(t, s.Deliveries.Queue(ctx, d))
		}
		dropped, bodies := 0, map[string]bool{}
		for {
			claimed, err := s.Deliveries.ClaimDeliveries(ctx, 10)
			must(t, err)
			if len(claimed) == 0 {
				break
			}
			for _, d := range claimed {
				dropped += d.Dropped
				bodies[d.Body] = true
				must(t, s.Deliveries.Delivered(ctx, d.ID))
			}
		}
		if len(bodies) != store.MaxQueuedAlerts || dropped != more || bodies["6"] || !bodies["7"] {
			t.Errorf("%d deliveries, %d dropped, the oldest stored: %v", len(bodies), dropped, bodies["6"])
		}
		must(t, s.Deliveries.Queue(ctx, alertOf(search)))
		must(t, s.Watches.DeleteSearch(ctx, search.ID, jane))
		if left, err := s.Deliveries.ClaimDeliveries(ctx, 10); len(left) != 0 || err != nil {
			t.Errorf("deliveries of a deleted search: %+v, %v", left, err)
		}
	})
}

func TestWebhookTestLimit(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		clock := func() time.Time { return now }
		s, ctx := storetest.Open(t, url, clock), t.Context()
		servers := []*store.Store{s, storetest.Open(t, url, clock)}
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		search := webhookSearch(t, s, jane, "https://hook.example/")
		var accepted atomic.Int64
		var group sync.WaitGroup
		for i := range 16 {
			group.Go(func() {
				err := servers[i%2].Watches.TestWebhook(ctx, search, "{}")
				var e *problem.Error
				switch {
				case err == nil:
					accepted.Add(1)
				case !errors.As(err, &e) || e.Code != "too_many_tests" || e.Wait <= 0 || e.Wait > 3601:
					t.Errorf("error %v", err)
				}
			})
		}
		group.Wait()
		if accepted.Load() != store.MaxWebhookTests {
			t.Errorf("%d tests were accepted, want %d", accepted.Load(), store.MaxWebhookTests)
		}
		must(t, s.Watches.TestWebhook(ctx, webhookSearch(t, s, john, "https://hook.example/"), "{}"))
		now = now.Add(time.Hour + time.Second)
		must(t, s.Watches.TestWebhook(ctx, search, "{}"))
	})
}

// TestLease checks that one of two servers holds a lease, until it gives it up or dies.
func TestLease(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		clock := func() time.Time { return now }
		servers := []*store.Store{storetest.Open(t, url, clock), storetest.Open(t, url, clock)}
		ctx := t.Context()
		holds := func(i int) bool {
			t.Helper()
			held, err := servers[i].Lease(ctx, "alerts", fmt.Sprint(i), time.Minute)
			must(t, err)
			return held
		}
		var holders atomic.Int64
		var group sync.WaitGroup
		for i := range 10 {
			group.Go(func() {
				if held, err := servers[i%2].Lease(ctx, "alerts", fmt.Sprint(i), time.Minute); err != nil {
					t.Error(err)
				} else if held {
					holders.Add(1)
				}
			})
		}
		group.Wait()
		if holders.Load() != 1 {
			t.Fatalf("%d holders of a lease", holders.Load())
		}
		now = now.Add(time.Minute)
		if !holds(0) || holds(1) || !holds(0) {
			t.Error("an expired lease is not held by the first to ask")
		}
		must(t, servers[1].ReleaseLease(ctx, "alerts", "1")) // not its own
		if holds(1) {
			t.Error("another server ended a lease")
		}
		must(t, servers[0].ReleaseLease(ctx, "alerts", "0"))
		if !holds(1) {
			t.Error("a lease that was given up is held")
		}
	})
}

// TestSameEmailToMany checks that an email to very many recipients is queued for each, beside others.
func TestSameEmailToMany(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		want := map[string]string{} // text by recipient
		var all []models.Delivery
		for i := range 120 {
			d := models.Delivery{Kind: models.Mail, Recipient: fmt.Sprintf(`"%d"@example.org`, i), Subject: "Price drop", Body: "It's cheaper.", HTML: strings.Repeat("<p>It's cheaper.</p>", 500)}
			if i%10 == 0 {
				d.Body = fmt.Sprint("Es ist günstiger, um ", i, " €.")
			}
			want[d.Recipient] = d.Body
			all = append(all, d)
		}
		must(t, s.Deliveries.Queue(ctx, all...))
		got, err := s.Deliveries.ClaimDeliveries(ctx, 200, models.Mail)
		must(t, err)
		ids := map[string]bool{}
		for _, d := range got {
			if ids[d.ID] = true; d.Body != want[d.Recipient] || d.Subject != "Price drop" {
				t.Errorf("queued %q for %s, want %q", d.Body, d.Recipient, want[d.Recipient])
			}
			delete(want, d.Recipient)
		}
		if len(want) != 0 || len(ids) != len(all) {
			t.Errorf("%d emails with %d ids, not queued: %v", len(got), len(ids), want)
		}
	})
}
