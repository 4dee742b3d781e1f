//go:build unix && !race

package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

var (
	crashes   = flag.Int("crashes", 2, "kills of the program on each engine in TestNothingIsLostWhenKilled")
	crashSeed = flag.Uint64("crash-seed", 20261121, "seed of the trades and moments in TestNothingIsLostWhenKilled")
)

// TestNothingIsLostWhenKilled drives trades and other writes over HTTP against the real program,
// kills it with SIGKILL at random moments, and compares the database with what
// was acknowledged before every restart. Every trade must be in the state of its last
// acknowledged step or of the step in progress, completely: there are no partial
// steps, no two winners, no sale without its listing, and no step without its email. More
// than 10 kills are followed by as many of each command that writes much.
func TestNothingIsLostWhenKilled(t *testing.T) {
	kills := *crashes
	if testing.Short() {
		kills = 3
	}
	trades := kills * 6
	program := buildProgram(t)
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		c := newCrash(t, program, url, t.TempDir(), trades, 2+kills/10)
		n := c.run(t, func(ctx context.Context) int { return c.killer(ctx, t, kills) })
		t.Logf("%d trades, %d acknowledged writes, %d kills, %d of them during steps, %d crashes of the database; %d other things written", trades, c.acknowledged.Load(), n, c.interrupted, c.databaseCrashes, len(c.mixed.states))
		if n < kills/2 || c.interrupted == 0 {
			t.Errorf("killed %d times, %d of them during steps: too few to be conclusive", n, c.interrupted)
		}
		if kills > 10 {
			c.killCommands(t, kills, emptyLike(t, url))
		}
	})
}

// run starts the program, writes until all trades are done or kill returns, and compares what
// is stored with what was acknowledged. It returns what kill returns.
func (c *crash) run(t *testing.T, kill func(context.Context) int) int {
	c.start(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	killed := make(chan int, 1)
	go func() { killed <- kill(ctx); cancel() }()
	var next atomic.Int32
	var workers sync.WaitGroup
	for range 6 {
		workers.Go(func() {
			c.writing.Add(1)
			defer c.writing.Add(-1)
			for i := int(next.Add(1)) - 1; i < len(c.trades) && ctx.Err() == nil && !t.Failed(); i = int(next.Add(1)) - 1 {
				c.drive(t, c.trades[i])
			}
		})
	}
	for i := range 2 {
		workers.Go(func() {
			c.writing.Add(1)
			defer c.writing.Add(-1)
			c.mixed.run(ctx, t, i)
		})
	}
	workers.Wait()
	cancel()
	n := <-killed
	c.kill()
	c.check(t)
	c.start(t)
	c.compareOverHTTP(t)
	c.kill()
	out, err := c.command("trends", "rebuild").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "1 trends checked against the raw sales, 0 repaired") {
		t.Errorf("trends rebuild: %v\n%s", err, out)
	}
	return n
}

// offerNow is the state of an offer.
type offerNow struct {
	Status string
	Rounds int
	Amount int64
}

// tradeNow is the state of a trade: its listing and the offers of its two buyers. The
// zero offerNow means no offer.
type tradeNow struct {
	Listing string
	Sold    int64 // sale price of the listing, which equals that of the only sale
	Offers  [2]offerNow
}

// trade is a listing and two buyers who make offers on it.
type trade struct {
	listing string
	buyers  [2]int // indexes in crash.buyers
	seller  int
	random  *rand.Rand

	mu      sync.Mutex
	ids     [2]string // of the acknowledged offers
	acked   tradeNow
	pending []tradeNow // possible states after the steps in progress
}

// crash runs a program that is killed repeatedly.
type crash struct {
	program, url, address string // address is http://…, and changes with every start
	data                  string // DATA_DIR
	files                 string // DATA_DIR where its files can be read even if the disk fails
	env                   []string
	sellers, buyers       []string // tokens
	buyerIDs              map[string]int
	trades                []*trade
	mixed                 *mixed
	client                *http.Client
	random                *rand.Rand

	// Requests hold gate for reading. The killer holds it for writing until the
	// program serves again.
	gate         sync.RWMutex
	lives        atomic.Int32 // number of starts of the program
	process      *exec.Cmd
	log          *os.File
	acknowledged atomic.Int32
	unavailable  atomic.Int32 // responses with 503
	writing      atomic.Int32 // writers
	waiting      atomic.Int32 // writers that wait for the next start
	interrupted  int

	databaseCrashes int

	mailsMu sync.Mutex
	sent    map[string]string // emails in the outbox by delivery id
}

func newCrash(t *testing.T, program, url, data string, trades, members int) *crash {
	t.Helper()
	// Accounts created last year are not subject to the limits of new accounts.
	then := time.Now().AddDate(-1, 0, 0)
	now := time.Now
	clock := func() time.Time { return then }
	if strings.HasPrefix(url, "postgres") {
		acknowledgeDurably(t, url)
	}
	s := storetest.Open(t, url, func() time.Time { return clock() })
	ctx := t.Context()
	c := &crash{program: program, url: url, buyerIDs: map[string]int{}, sent: map[string]string{}, random: rand.New(rand.NewPCG(*crashSeed, 0)),
		// Idle connections are closed before the server would close them.
		client: &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 32, IdleConnTimeout: 20 * time.Second}}}
	member := func(handle string) (id, token string) {
		m, err := s.Accounts.CreateAccount(ctx, models.Registration{Handle: handle, Email: handle + "@example.org", Password: "correct horse battery " + handle}, models.RoleMember)
		if err != nil {
			t.Fatal(err)
		}
		token, err = s.Tokens.CreateToken(ctx, m.ID, &models.Token{Name: "test", Scopes: models.RoleMember.Scopes()})
		if err != nil {
			t.Fatal(err)
		}
		return m.ID, token
	}
	var sellerIDs []string
	for i := range 3 {
		id, token := member(fmt.Sprintf("seller-%d", i))
		sellerIDs, c.sellers = append(sellerIDs, id), append(c.sellers, token)
	}
	for i := range 8 + members { // one may have 50 open offers, and some trades stay open
		id, token := member(fmt.Sprintf("buyer-%d", i))
		c.buyerIDs[id], c.buyers = i, append(c.buyers, token)
	}
	c.mixed = &mixed{c: c, states: map[string]*writtenState{}}
	for i := range members {
		_, token := member(fmt.Sprintf("mixed-%d", i))
		c.mixed.members = append(c.mixed.members, token)
	}
	clock = now
	listings := make([]models.Listing, trades)
	for i := range listings {
		listings[i] = models.Listing{SellerID: sellerIDs[i%len(sellerIDs)], Gear: "canon/eos-r6", Category: "mirrorless", Title: fmt.Sprintf("Canon EOS R6 number %d", i),
			Item: models.Item{Condition: models.Conditions[i%len(models.Conditions)], Functional: models.FullyWorking}, Price: 124900, Region: "DE", Status: models.StatusDraft}
	}
	if err := s.Listings.InsertListings(ctx, listings); err != nil {
		t.Fatal(err)
	}
	for i := range listings {
		if _, err := s.Listings.Advance(ctx, listings[i].ID, models.Move{Step: models.Publish}); err != nil {
			t.Fatal(err)
		}
		b := i % len(c.buyers)
		c.trades = append(c.trades, &trade{listing: listings[i].ID, seller: i % len(sellerIDs), buyers: [2]int{b, (b + 1 + i%3) % len(c.buyers)},
			random: rand.New(rand.NewPCG(*crashSeed, uint64(i)+1)), acked: tradeNow{Listing: "active"}})
	}
	if err := s.Close(); err != nil { // before the server crashes
		t.Fatal(err)
	}
	c.data, c.files = data, data
	c.env = append(os.Environ(), "DATABASE_URL="+url, "DATA_DIR="+c.data, "LISTEN_ADDR=127.0.0.1:0", "BASE_URL=", "LOG_FORMAT=text", "DEMO=false", "RATE_LIMIT=1000000", "TRUSTED_PROXIES=127.0.0.1")
	var err error
	if c.log, err = os.Create(filepath.Join(t.TempDir(), "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.kill()
		c.log.Close()
		if said, err := os.ReadFile(c.log.Name()); err == nil && t.Failed() {
			t.Logf("log of the program:\n%s", said[max(0, len(said)-4000):])
		}
	})
	return c
}

func (c *crash) command(args ...string) *exec.Cmd {
	cmd := exec.Command(c.program, args...)
	cmd.Env = c.env
	return cmd
}

// serving matches the log message with the address of the server.
var serving = regexp.MustCompile(`msg=serving address=(\S+) `)

// start starts the program on a free port and waits until it serves.
func (c *crash) start(t *testing.T) {
	from, err := c.log.Seek(0, io.SeekCurrent) // the start of the new log
	if err != nil {
		t.Error(err)
		return
	}
	c.process = c.command("serve")
	c.process.Stdout, c.process.Stderr = c.log, c.log
	if err := c.process.Start(); err != nil {
		t.Error(err)
		return
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		said, err := os.ReadFile(c.log.Name())
		if err != nil {
			t.Error(err)
			return
		}
		found := serving.FindSubmatch(said[from:])
		if found == nil {
			continue
		}
		c.address = string(found[1])
		if resp, err := c.client.Get(c.address + "/api/health"); err == nil {
			resp.Body.Close()
			c.lives.Add(1)
			return
		}
	}
	t.Error("the program did not start to serve")
}

// kill kills the program with SIGKILL.
func (c *crash) kill() {
	if c.process != nil {
		_ = c.process.Process.Kill() // an error means that it has exited, which the following check detects
		_ = c.process.Wait()
		c.process = nil
	}
}

// writesPerKill is the average number of acknowledged writes between two kills.
const writesPerKill = 30

// killer kills the program the given number of times, at random moments. Each time it
// checks the database and starts the program again. It returns the number of kills.
func (c *crash) killer(ctx context.Context, t *testing.T, kills int) int {
	const every = writesPerKill
	for i := range kills {
		aim := c.acknowledged.Load() + int32(every/2+c.random.IntN(every))
		for c.acknowledged.Load() < aim {
			if ctx.Err() != nil || t.Failed() {
				return i
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(c.random.IntN(15_000)) * time.Microsecond)
		if c.random.IntN(4) == 0 && strings.HasPrefix(c.url, "postgres") {
			c.crashDatabase(t)
		}
		c.kill()
		c.gate.Lock() // every request has ended
		c.check(t)
		c.start(t)
		c.gate.Unlock()
		if (i+1)%50 == 0 {
			t.Logf("%d kills", i+1)
		}
	}
	return kills
}

// post is a request of a trade and the state that it leads to, nil if the request must
// be refused.
type post struct {
	token, path, body string
	to                *tradeNow
	offer             int // index of the offer in the response
}

// errKilled reports that the program was killed before it responded.
var errKilled = errors.New("killed")

// send sends a request. The status is 0 if there was no response.
func (c *crash) send(r post) (status int, answer map[string]any) {
	req, err := http.NewRequest(http.MethodPost, c.address+r.path, strings.NewReader(r.body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.client.Do(req)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || json.Unmarshal(body, &answer) != nil {
		return 0, nil
	}
	c.count(resp.StatusCode)
	return resp.StatusCode, answer
}

// count counts a response that says that the site is unavailable.
func (c *crash) count(status int) {
	if status == http.StatusServiceUnavailable {
		c.unavailable.Add(1)
	}
}

// step sends requests of a trade concurrently, of which at most one may succeed, and
// records the new state. If the program was killed meanwhile, check has recorded the
// state, and step returns errKilled.
func (c *crash) step(t *testing.T, tr *trade, calls ...post) error {
	c.gate.RLock()
	life := c.lives.Load()
	tr.mu.Lock()
	before := tr.acked
	for _, r := range calls {
		if r.to != nil {
			tr.pending = append(tr.pending, *r.to)
		}
	}
	tr.mu.Unlock()
	statuses, answers := make([]int, len(calls)), make([]map[string]any, len(calls))
	var group sync.WaitGroup
	for i, r := range calls {
		group.Go(func() { statuses[i], answers[i] = c.send(r) })
	}
	group.Wait()
	taken, lostCalls := 0, 0
	tr.mu.Lock()
	for i, r := range calls {
		switch status := statuses[i]; {
		case lost(status):
			lostCalls++
		case status/100 == 2 && r.to != nil:
			taken++
			tr.acked, tr.ids[r.offer] = *r.to, answers[i]["id"].(string)
			c.acknowledged.Add(1)
		case status != http.StatusConflict:
			t.Errorf("%s from %+v is %d: %v", r.path, before, status, answers[i])
		}
	}
	if lostCalls == 0 || taken > 0 {
		tr.pending = nil
	}
	wanted := 0
	for _, r := range calls {
		if r.to != nil {
			wanted = 1
		}
	}
	if taken > wanted || lostCalls == 0 && taken < wanted {
		t.Errorf("%d of %d steps from %+v were taken: %v", taken, len(calls), before, answers)
	}
	tr.mu.Unlock()
	c.gate.RUnlock()
	if lostCalls == 0 {
		return nil
	}
	c.awaitKill(t, life, calls)
	return errKilled
}

// lost reports whether a response leaves open whether the request was done: there is
// none, or the database server crashed.
func lost(status int) bool { return status == 0 || status == http.StatusServiceUnavailable }

// awaitKill waits until the program, which did not respond to a request, has been started
// again.
func (c *crash) awaitKill(t *testing.T, life int32, requests any) {
	c.waiting.Add(1)
	defer c.waiting.Add(-1)
	for deadline := time.Now().Add(2 * patience); c.lives.Load() == life; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("no answer from a program that was not killed: %v", requests)
			return
		}
	}
}

// acknowledgeDurably makes a temporary database, which does not wait for the disk, write
// its log before it acknowledges a commit, so that commits survive a crash of the server.
func acknowledgeDurably(t *testing.T, url string) {
	t.Helper()
	_, err := rawDatabase(t, url).Exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`)
	if err != nil {
		t.Fatal(err)
	}
}

// crashDatabase kills a server process of the temporary PostgreSQL cluster, upon which
// the server ends all others and recovers. Half of the times it waits until the program
// has connected again.
func (c *crash) crashDatabase(t *testing.T) {
	if os.Getenv("TEST_DATABASE_URL") != "" {
		return
	}
	db := rawDatabase(t, c.url)
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Errorf("connect to the database: %v", err)
		return
	}
	defer conn.Close()
	var pid int
	if err := conn.QueryRowContext(t.Context(), `SELECT pid FROM pg_stat_activity WHERE application_name = 'secondlight' AND datname = current_database() AND pid <> pg_backend_pid() LIMIT 1`).Scan(&pid); err != nil {
		t.Errorf("find a server process: %v", err)
		return
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("kill a server process: %v", err)
		return
	}
	c.databaseCrashes++
	for conn.PingContext(t.Context()) == nil { // until the server has ended this session as well
		time.Sleep(time.Millisecond)
	}
	awaitDatabase(t, db)
	if c.random.IntN(2) == 0 {
		return
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		resp, err := c.client.Get(c.address + "/api/sellers/seller-0")
		if err != nil || time.Now().After(deadline) {
			t.Errorf("the program does not serve after a crash of the database: %v", err)
			return
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return
		}
		if resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("after a crash of the database a page is %d", resp.StatusCode)
		}
	}
}

// awaitDatabase waits until the server accepts connections.
func awaitDatabase(t *testing.T, db *sql.DB) {
	for deadline := time.Now().Add(patience); db.Ping() != nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Error("the database server did not recover")
			return
		}
	}
}

// drive performs random steps of a trade until it ends.
func (c *crash) drive(t *testing.T, tr *trade) {
	withdrawals, refusals := 0, 0
	for !t.Failed() {
		tr.mu.Lock()
		now := tr.acked
		tr.mu.Unlock()
		var calls []post
		switch {
		case now.Offers[0].Rounds == 0:
			calls = []post{c.offer(tr, now, 0)}
		case now.Offers[1].Rounds == 0:
			calls = []post{c.offer(tr, now, 1)}
		case now.Listing == "reserved":
			winner := 0
			if now.Offers[1].Status == "accepted" {
				winner = 1
			}
			switch other := 1 - winner; {
			case refusals == 0 && now.Offers[other].Status == "pending":
				refusals++
				calls = []post{{token: c.sellers[tr.seller], path: c.path(t, tr, other, "accept")}}
			case tr.random.IntN(10) == 0:
				return // leave it reserved
			case withdrawals == 0 && tr.random.IntN(4) == 0:
				withdrawals++
				calls = []post{c.answer(t, tr, now, winner, "withdraw", tr.random.IntN(2) == 0)}
			default:
				calls = []post{c.answer(t, tr, now, winner, "complete", true)}
			}
		case now.Listing == "sold" && (now.Offers[0].Status == "completed" || now.Offers[1].Status == "completed"):
			winner := 0
			if now.Offers[1].Status == "completed" {
				winner = 1
			}
			if tr.random.IntN(4) == 0 {
				return // leave it unconfirmed
			}
			calls = []post{c.answer(t, tr, now, winner, "confirm", false)}
		case now.Listing != "active":
			return
		default:
			calls = c.negotiate(t, tr, now)
		}
		if len(calls) == 0 {
			return
		}
		if err := c.step(t, tr, calls...); err != nil && !errors.Is(err, errKilled) {
			t.Error(err)
		}
	}
}

// negotiate performs the next step of a trade whose listing is active: it counters or
// accepts an offer, or tries several steps concurrently.
func (c *crash) negotiate(t *testing.T, tr *trade, now tradeNow) []post {
	first, second := now.Offers[0], now.Offers[1]
	switch {
	case first.Status == "pending" && second.Status == "pending" && tr.random.IntN(3) == 0: // accept both concurrently
		return []post{c.answer(t, tr, now, 0, "accept", true), c.answer(t, tr, now, 1, "accept", true)}
	case first.Status == "pending" && first.Rounds < 3 && tr.random.IntN(2) == 0:
		return []post{c.counter(t, tr, now, 0, true)}
	case first.Status == "countered" && first.Rounds < 3 && tr.random.IntN(2) == 0:
		return []post{c.counter(t, tr, now, 0, false)}
	case first.Status == "pending":
		return []post{c.answer(t, tr, now, 0, "accept", true)}
	case first.Status == "countered":
		return []post{c.answer(t, tr, now, 0, "accept", false)}
	case second.Status == "pending":
		return []post{c.answer(t, tr, now, 1, "accept", true)}
	}
	return nil // both were withdrawn
}

// token returns the token of the seller or of a buyer of the trade.
func (c *crash) token(tr *trade, i int, seller bool) string {
	if seller {
		return c.sellers[tr.seller]
	}
	return c.buyers[tr.buyers[i]]
}

func (c *crash) path(t *testing.T, tr *trade, i int, step string) string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if tr.ids[i] == "" {
		t.Errorf("an offer on %s has no id", tr.listing)
	}
	return "/api/offers/" + tr.ids[i] + "/" + step
}

func money(amount int64) string {
	return fmt.Sprintf(`{"amount":{"amount":"%d.%02d","currency":"EUR"},"message":"what about that?"}`, amount/100, amount%100)
}

func (c *crash) offer(tr *trade, now tradeNow, i int) post {
	amount := 80000 + tr.random.Int64N(40000)
	now.Offers[i] = offerNow{"pending", 1, amount}
	return post{token: c.token(tr, i, false), path: "/api/listings/" + tr.listing + "/offers", body: money(amount), to: &now, offer: i}
}

func (c *crash) counter(t *testing.T, tr *trade, now tradeNow, i int, seller bool) post {
	amount := 80000 + tr.random.Int64N(40000)
	now.Offers[i] = offerNow{map[bool]string{true: "countered", false: "pending"}[seller], now.Offers[i].Rounds + 1, amount}
	return post{token: c.token(tr, i, seller), path: c.path(t, tr, i, "counter"), body: money(amount), to: &now, offer: i}
}

// answer returns a step without a body and the state it leads to.
func (c *crash) answer(t *testing.T, tr *trade, now tradeNow, i int, step string, seller bool) post {
	o := &now.Offers[i]
	switch step {
	case "accept":
		o.Status, now.Listing = "accepted", "reserved"
	case "withdraw":
		o.Status, now.Listing = "withdrawn", "active"
	case "complete":
		o.Status, now.Listing, now.Sold = "completed", "sold", o.Amount
		if other := &now.Offers[1-i]; other.Status == "pending" || other.Status == "countered" {
			other.Status = "declined"
		}
	case "confirm":
		o.Status = "confirmed"
	}
	return post{token: c.token(tr, i, seller), path: c.path(t, tr, i, step), to: &now, offer: i}
}

// check compares the database with what was acknowledged while the program is not
// running, and records the outcome of steps that were in progress.
func (c *crash) check(t *testing.T) {
	found, ids := c.read(t)
	underWay := false
	for _, tr := range c.trades {
		tr.mu.Lock()
		got, fits := found[tr.listing], false
		for _, may := range append(tr.pending, tr.acked) {
			fits = fits || got == may
		}
		if !fits {
			t.Errorf("listing %s is\n%+v\nacknowledged was\n%+v\nunder way was %+v", tr.listing, got, tr.acked, tr.pending)
		}
		underWay = underWay || len(tr.pending) > 0
		tr.acked, tr.pending, tr.ids = got, nil, ids[tr.listing]
		tr.mu.Unlock()
	}
	if underWay {
		c.interrupted++
	}
}

// read reads the state of every trade from the database and fails the test on
// inconsistent rows.
func (c *crash) read(t *testing.T) (found map[string]tradeNow, ids map[string][2]string) {
	db := rawDatabase(t, c.url)
	defer db.Close()
	if strings.HasPrefix(c.url, "postgres") {
		awaitDatabase(t, db)
		settle(t, db)
	}
	found, ids = map[string]tradeNow{}, map[string][2]string{}
	var listing, status string
	var sold int64
	each(t, db, `SELECT id, status, sold_price FROM listings`, []any{&listing, &status, &sold}, func() {
		found[listing] = tradeNow{Listing: status, Sold: sold}
	})
	buyers := map[string][2]int{}
	for _, tr := range c.trades {
		buyers[tr.listing] = tr.buyers
	}
	var id, buyer string
	var o offerNow
	each(t, db, `SELECT id, listing_id, buyer_id, status, rounds, amount FROM offers`, []any{&id, &listing, &buyer, &o.Status, &o.Rounds, &o.Amount}, func() {
		side := 0
		if buyers[listing][1] == c.buyerIDs[buyer] {
			side = 1
		}
		now, known := found[listing], ids[listing]
		if known[side] != "" {
			t.Errorf("the offer on %s is there twice", listing)
		}
		now.Offers[side], known[side] = o, id
		found[listing], ids[listing] = now, known
	})
	for name, query := range map[string]string{
		"accepted offers whose listing is not reserved": `SELECT COUNT(*) FROM offers o JOIN listings l ON l.id = o.listing_id WHERE o.status = 'accepted' AND l.status <> 'reserved'`,
		"reserved listings without one accepted offer":  `SELECT COUNT(*) FROM listings l WHERE status = 'reserved' AND (SELECT COUNT(*) FROM offers o WHERE o.listing_id = l.id AND o.status = 'accepted') <> 1`,
		"sold listings without one completed offer of their price": `SELECT COUNT(*) FROM listings l WHERE status = 'sold'
			AND (SELECT COUNT(*) FROM offers o WHERE o.listing_id = l.id AND o.status IN ('completed', 'confirmed') AND o.amount = l.sold_price) <> 1`,
		"completed offers whose listing is not sold":       `SELECT COUNT(*) FROM offers o JOIN listings l ON l.id = o.listing_id WHERE o.status IN ('completed', 'confirmed') AND l.status <> 'sold'`,
		"sales that are confirmed when their offer is not": `SELECT COUNT(*) FROM sales s JOIN offers o ON o.id = s.offer_id WHERE (s.status = 'confirmed') <> (o.status = 'confirmed')`,
		"accepted or sold offers without an agreement":     `SELECT COUNT(*) FROM offers o WHERE o.status IN ('accepted', 'completed', 'confirmed') AND NOT EXISTS (SELECT 1 FROM agreements a WHERE a.offer_id = o.id AND a.amount = o.amount)`,
		"sold listings without one sale of their price": `SELECT COUNT(*) FROM listings l WHERE status = 'sold'
			AND (SELECT COUNT(*) FROM sales s WHERE s.listing_id = l.id AND s.price = l.sold_price) <> 1`,
		"sales of listings that are not sold":     `SELECT COUNT(*) FROM sales s LEFT JOIN listings l ON l.id = s.listing_id WHERE l.id IS NULL OR l.status <> 'sold'`,
		"listings with two winners":               `SELECT COUNT(*) FROM (SELECT listing_id FROM offers WHERE status IN ('accepted', 'completed', 'confirmed') GROUP BY listing_id HAVING COUNT(*) > 1) AS w`,
		"open offers on listings that are closed": `SELECT COUNT(*) FROM offers o JOIN listings l ON l.id = o.listing_id WHERE o.status IN ('pending', 'countered') AND l.status NOT IN ('active', 'reserved')`,
		"offers whose rounds are not all there": `SELECT COUNT(*) FROM offers o WHERE rounds <> (SELECT COUNT(*) FROM offer_rounds r WHERE r.offer_id = o.id)
			OR amount <> (SELECT amount FROM offer_rounds r WHERE r.offer_id = o.id AND r.round = o.rounds)`,
	} {
		var n int
		if err := db.QueryRow(query).Scan(&n); err != nil || n != 0 {
			t.Errorf("%d %s (%v)", n, name, err)
		}
	}
	c.checkMails(t, db, found, ids)
	c.mixed.check(t, db)
	return found, ids
}

// checkMails checks that every step has its email, queued or in the outbox, and that
// there is no other email.
func (c *crash) checkMails(t *testing.T, db *sql.DB, found map[string]tradeNow, ids map[string][2]string) {
	mails := c.mails(t) // an email may be sent and still be queued
	var id, body string
	each(t, db, `SELECT id, body FROM deliveries`, []any{&id, &body}, func() { mails[id] = body })
	heard := map[string]int{}
	for _, mail := range mails {
		_, rest, _ := strings.Cut(mail, "/account/offers/")
		heard[rest[:min(36, len(rest))]]++
	}
	for listing, now := range found {
		for i, o := range now.Offers {
			if want := o.Rounds + stepsAfter[o.Status]; o.Rounds > 0 && heard[ids[listing][i]] != want {
				t.Errorf("of an offer that is %+v %d mails tell, want %d", o, heard[ids[listing][i]], want)
			}
		}
	}
}

// mails returns the emails in the outbox by delivery id.
func (c *crash) mails(t *testing.T) map[string]string {
	files, err := filepath.Glob(filepath.Join(c.files, "outbox", "*.eml"))
	if err != nil {
		t.Error(err)
	}
	c.mailsMu.Lock()
	defer c.mailsMu.Unlock()
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), ".eml")
		if _, known := c.sent[id]; known {
			continue
		}
		mail, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		c.sent[id] = strings.ReplaceAll(strings.ReplaceAll(string(mail), "=\r\n", ""), "=3D", "=") // quoted-printable
	}
	return maps.Clone(c.sent)
}

// mailTo returns an email to an address in the outbox, or "" if there is none.
func (c *crash) mailTo(t *testing.T, address string) string {
	for _, mail := range c.mails(t) {
		if strings.Contains(mail, "<"+address+">") {
			return mail
		}
	}
	return ""
}

// stepsAfter is the number of steps, besides proposals, that led to a status. In
// these trades an offer is accepted before it is withdrawn or completed.
var stepsAfter = map[string]int{"accepted": 1, "withdrawn": 2, "completed": 2, "confirmed": 3, "declined": 1}

// settle waits until the database server has finished the last statements of the
// killed program, which may be commits.
func settle(t *testing.T, db *sql.DB) {
	busy := 1
	for deadline := time.Now().Add(patience); busy > 0; time.Sleep(2 * time.Millisecond) {
		err := db.QueryRow(`SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
			AND backend_type = 'client backend' AND state <> 'idle'`).Scan(&busy)
		if err != nil || time.Now().After(deadline) {
			t.Errorf("%d sessions of the killed program are still active (%v)", busy, err)
			return
		}
	}
}

// each scans every row of a query into the same destinations and calls do.
func each(t *testing.T, db *sql.DB, query string, into []any, do func()) {
	rows, err := db.Query(query)
	if err != nil {
		t.Error(err)
		return
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Error(err)
			return
		}
		do()
	}
	if err := rows.Err(); err != nil {
		t.Error(err)
	}
}

// compareOverHTTP checks that the API returns the state in the database.
func (c *crash) compareOverHTTP(t *testing.T) {
	for _, tr := range c.trades {
		var l struct {
			Status    string
			SoldPrice *models.Money `json:"sold_price"`
		}
		c.get(t, "", "/api/listings/"+tr.listing, &l)
		sold := ""
		if l.SoldPrice != nil {
			sold = strings.ReplaceAll(l.SoldPrice.Amount, ".", "")
		}
		want := "" // until the buyer has confirmed the sale
		for _, o := range tr.acked.Offers {
			if o.Status == "confirmed" {
				want = fmt.Sprint(o.Amount)
			}
		}
		if l.Status != tr.acked.Listing || sold != want {
			t.Errorf("listing %s reads %+v and is %+v", tr.listing, l, tr.acked)
		}
		for i, id := range tr.ids {
			if id == "" {
				continue
			}
			var o struct {
				Status string
				Rounds []json.RawMessage
				Amount models.Money
			}
			c.get(t, c.token(tr, i, false), "/api/offers/"+id, &o)
			want := tr.acked.Offers[i]
			if o.Status != want.Status || len(o.Rounds) != want.Rounds || strings.ReplaceAll(o.Amount.Amount, ".", "") != fmt.Sprint(want.Amount) {
				t.Errorf("offer %s reads %+v and is %+v", id, o, want)
			}
		}
	}
}

func (c *crash) get(t *testing.T, token, path string, into any) {
	req, err := http.NewRequest(http.MethodGet, c.address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(resp.Body); err != nil || resp.StatusCode != http.StatusOK || json.Unmarshal(body.Bytes(), into) != nil {
		t.Errorf("%s is %d: %s", path, resp.StatusCode, body.String())
	}
}
