package delivery

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// tarpit is an HTTP server for hosts that never answer, tarpit.example and those below
// it, and for others, which answer at once.
type tarpit struct {
	port    string
	release chan struct{} // closed to answer all requests

	mu      sync.Mutex
	held    map[string]int // requests without an answer by host
	max     int            // of these for any host
	started int            // requests to hosts that never answer
	arrived chan string    // hosts of the requests that were answered
}

// anyHost resolves every name to this machine.
type anyHost struct{}

func (anyHost) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

func newTarpit(tb testing.TB) *tarpit {
	tb.Helper()
	p := &tarpit{release: make(chan struct{}), held: map[string]int{}, arrived: make(chan string, 1000)}
	server := httptest.NewServer(p)
	tb.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		tb.Fatal(err)
	}
	p.port = u.Port()
	return p
}

func (p *tarpit) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ":")
	if !strings.HasSuffix(host, "tarpit.example") {
		p.arrived <- host
		return
	}
	_, _ = io.Copy(io.Discard, r.Body) // for the context to end with the connection
	p.hold(host, 1)
	defer p.hold(host, -1)
	select {
	case <-p.release:
	case <-r.Context().Done():
	}
}

func (p *tarpit) hold(host string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held[host] += n
	p.max = max(p.max, p.held[host])
	if n > 0 {
		p.started++
	}
}

// webhook returns a delivery to a host of the tarpit.
func (p *tarpit) webhook(memberID, host string) models.Delivery {
	return models.Delivery{Kind: models.Webhook, MemberID: memberID, Recipient: "http://" + host + ":" + p.port + "/", Body: "{}"}
}

func newMember(tb testing.TB, s *store.Store, name string) string {
	tb.Helper()
	m, err := s.Accounts.CreateAccount(tb.Context(), models.Registration{Email: name + "@example.org", Handle: name, Name: name, Region: "DE", Password: "correct horse battery"}, models.RoleMember)
	if err != nil {
		tb.Fatal(err)
	}
	return m.ID
}

// fill queues n deliveries of each of the members to a host that never answers: the
// same for all, or one of their own.
func (p *tarpit) fill(tb testing.TB, s *store.Store, members []string, n int, hostOf func(i int) string) {
	tb.Helper()
	for i, member := range members {
		batch := make([]models.Delivery, n)
		for j := range batch {
			batch[j] = p.webhook(member, hostOf(i))
		}
		if err := s.Deliveries.Queue(tb.Context(), batch...); err != nil {
			tb.Fatal(err)
		}
	}
}

// start runs the sender until the function it returns is called.
func (s *Sender) start(ctx context.Context, p *tarpit) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Run(ctx) }()
	return func() { cancel(); close(p.release); <-done }
}

// TestTarpitDelaysNobody checks that webhooks of other members overtake a queue of
// 10,000 to a host that never answers: they arrive while the first two attempts of
// that queue are still waiting for an answer.
func TestTarpitDelaysNobody(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		p := newTarpit(t)
		b := newBench(t, databaseURL, func(cfg *Config) {
			cfg.Guard.Resolver, cfg.PollInterval = anyHost{}, time.Millisecond
		})
		b.hooks.client.Timeout = 0 // the attempts last until attemptTimeout
		p.fill(t, b.Store, []string{newMember(t, b.Store, "greedy"), newMember(t, b.Store, "other")}, 5000, func(int) string { return "tarpit.example" })
		stop := b.start(t.Context(), p)
		for i := range 10 {
			name := fmt.Sprintf("stranger-%d", i)
			b.queue(t, p.webhook(newMember(t, b.Store, name), name+".example"))
			select {
			case <-p.arrived:
			case <-time.After(time.Minute):
				t.Fatal("a stranger's webhook did not arrive")
			}
		}
		p.mu.Lock()
		started := p.started
		p.mu.Unlock()
		stop()
		if started > store.MaxConcurrentWebhooks {
			t.Errorf("%d attempts of the long queue were made before the others arrived, want at most %d", started, store.MaxConcurrentWebhooks)
		}
	})
}

// BenchmarkTarpit measures the time from queueing to arrival of strangers' webhooks,
// one a second for half a minute, while 10,000 webhooks of ten members wait for hosts
// that never answer. It fails if one takes 5 s.
func BenchmarkTarpit(b *testing.B) {
	for name, database := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		for hosts, hostOf := range map[string]func(int) string{
			"one host":  func(int) string { return "tarpit.example" },
			"ten hosts": func(i int) string { return fmt.Sprintf("%d.tarpit.example", i) },
		} {
			b.Run(name+"/"+hosts, func(b *testing.B) {
				for b.Loop() {
					b.ReportMetric(float64(tarpitDelay(b, database(b), hostOf).Milliseconds()), "max-delay-ms")
				}
			})
		}
	}
}

// tarpitDelay returns the longest delay of a stranger's webhook.
func tarpitDelay(b *testing.B, databaseURL string, hostOf func(int) string) (longest time.Duration) {
	p, db := newTarpit(b), storetest.Open(b, databaseURL, nil)
	sender := New(Config{Store: db, Log: slog.New(slog.DiscardHandler), Outbox: b.TempDir(), Guard: &Guard{Resolver: anyHost{}, Allow: func(netip.AddrPort) bool { return true }}})
	var members []string
	for i := range 10 {
		members = append(members, newMember(b, db, fmt.Sprintf("greedy-%d", i)))
	}
	p.fill(b, db, members, 1000, hostOf)
	defer sender.start(b.Context(), p)()
	for i := range 30 {
		name := fmt.Sprintf("stranger-%d", i)
		stranger := p.webhook(newMember(b, db, name), name+".example")
		queued := time.Now()
		if err := db.Deliveries.Queue(b.Context(), stranger); err != nil {
			b.Fatal(err)
		}
		select {
		case <-p.arrived:
		case <-time.After(5 * time.Second):
			b.Fatal("a stranger's webhook was delayed by 5 s")
		}
		longest = max(longest, time.Since(queued))
		time.Sleep(time.Second)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.max > store.MaxConcurrentWebhooks {
		b.Errorf("%d webhooks at once to a host", p.max)
	}
	return longest
}
