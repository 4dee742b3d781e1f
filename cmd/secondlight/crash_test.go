//go:build !race

package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestNothingIsLostWhenKilled drives trades over HTTP against the real program,
// kills it with SIGKILL at random moments, and compares the database with what
// was acknowledged, each time before it is started again: every trade is exactly
// where its last acknowledged step led, or where the one under way leads, as a
// whole. No half step, no two winners, no sale without its listing, no step
// without its mail.
func TestNothingIsLostWhenKilled(t *testing.T) {
	trades, kills := 200, 12
	if testing.Short() {
		trades, kills = 40, 3
	}
	program := filepath.Join(t.TempDir(), "secondlight")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		c := newCrash(t, program, url, trades)
		c.start(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		killed := make(chan int, 1)
		go func() { killed <- c.killer(ctx, t, kills, trades) }()
		var next atomic.Int32
		var workers sync.WaitGroup
		for range 6 {
			workers.Go(func() {
				for i := int(next.Add(1)) - 1; i < trades && !t.Failed(); i = int(next.Add(1)) - 1 {
					c.drive(t, c.trades[i])
				}
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
		t.Logf("%d trades, %d acknowledged writes, %d kills, %d of them while steps were under way", trades, c.acknowledged.Load(), n, c.interrupted)
		if n < kills/2 || c.interrupted == 0 {
			t.Errorf("killed %d times, %d of them while steps were under way: too seldom to tell anything", n, c.interrupted)
		}
	})
}

// offerNow is an offer as both the test and the database know it.
type offerNow struct {
	Status string
	Rounds int
	Amount int64
}

// tradeNow is a trade as a whole: its listing and the offers of its two buyers.
// No offer is the zero offerNow.
type tradeNow struct {
	Listing string
	Sold    int64 // the price it was sold for, and of the one sale there is
	Offers  [2]offerNow
}

// trade is a listing that two buyers want.
type trade struct {
	listing string
	buyers  [2]int // of crash.buyers
	seller  int
	random  *rand.Rand

	mu      sync.Mutex
	ids     [2]string // of the offers, as far as they were acknowledged
	acked   tradeNow
	pending []tradeNow // where the steps under way lead
}

// crash is a program that is killed again and again.
type crash struct {
	program, url, address string // the address is http://…, another in each life
	data                  string // its folder
	env                   []string
	sellers, buyers       []string // their tokens
	buyerIDs              map[string]int
	trades                []*trade
	client                *http.Client
	random                *rand.Rand

	// Requests hold gate to read; whoever has killed the program holds it to write
	// until the program serves again.
	gate         sync.RWMutex
	lives        atomic.Int32 // how often the program was started
	process      *exec.Cmd
	log          *os.File
	acknowledged atomic.Int32
	interrupted  int
}

const crashSeed = 20261121

// patience is how long anything may take that has to happen.
const patience = 3 * time.Minute

func newCrash(t *testing.T, program, url string, trades int) *crash {
	t.Helper()
	// Accounts of last year have no limits of new ones.
	then := time.Now().AddDate(-1, 0, 0)
	now := time.Now
	clock := func() time.Time { return then }
	s := storetest.Open(t, url, func() time.Time { return clock() })
	ctx := t.Context()
	c := &crash{program: program, url: url, buyerIDs: map[string]int{}, random: rand.New(rand.NewPCG(crashSeed, 0)),
		// A connection is let go before the program may close it under a request.
		client: &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 32, IdleConnTimeout: 20 * time.Second}}}
	member := func(handle string) (id, token string) {
		m, err := s.CreateAccount(ctx, models.Registration{Handle: handle, Email: handle + "@example.org", Password: "correct horse battery " + handle}, models.RoleMember)
		if err != nil {
			t.Fatal(err)
		}
		token, err = s.CreateToken(ctx, m.ID, &models.Token{Name: "test", Scopes: models.AllScopes})
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
	for i := range 8 {
		id, token := member(fmt.Sprintf("buyer-%d", i))
		c.buyerIDs[id], c.buyers = i, append(c.buyers, token)
	}
	clock = now
	listings := make([]models.Listing, trades)
	for i := range listings {
		listings[i] = models.Listing{SellerID: sellerIDs[i%len(sellerIDs)], Gear: "canon/eos-r6", Category: "mirrorless", Title: fmt.Sprintf("Canon EOS R6 number %d", i),
			Condition: models.Conditions[i%len(models.Conditions)], Functional: models.FullyWorking, Price: 124900, Region: "DE", Status: models.StatusDraft}
	}
	if err := s.InsertListings(ctx, listings); err != nil {
		t.Fatal(err)
	}
	for i := range listings {
		if _, err := s.Advance(ctx, listings[i].ID, models.Move{Step: models.Publish}); err != nil {
			t.Fatal(err)
		}
		b := i % len(c.buyers)
		c.trades = append(c.trades, &trade{listing: listings[i].ID, seller: i % len(sellerIDs), buyers: [2]int{b, (b + 1 + i%3) % len(c.buyers)},
			random: rand.New(rand.NewPCG(crashSeed, uint64(i)+1)), acked: tradeNow{Listing: "active"}})
	}
	c.data = t.TempDir()
	c.env = append(os.Environ(), "DATABASE_URL="+url, "DATA_DIR="+c.data, "LISTEN_ADDR=127.0.0.1:0", "BASE_URL=", "LOG_FORMAT=text", "DEMO=false", "RATE_LIMIT=1000000")
	var err error
	if c.log, err = os.Create(filepath.Join(c.data, "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.kill()
		c.log.Close()
		if said, err := os.ReadFile(c.log.Name()); err == nil && t.Failed() {
			t.Logf("the program said:\n%s", said[max(0, len(said)-4000):])
		}
	})
	return c
}

func (c *crash) command(args ...string) *exec.Cmd {
	cmd := exec.Command(c.program, args...)
	cmd.Env = c.env
	return cmd
}

// serving is what the program says when it serves, and where.
var serving = regexp.MustCompile(`msg=serving address=(\S+) `)

// start starts the program and waits until it serves, in every life at another
// port, so that nobody can have taken it meanwhile.
func (c *crash) start(t *testing.T) {
	from, err := c.log.Seek(0, io.SeekCurrent) // where what it says now begins
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
	t.Error("the program does not serve")
}

// kill ends the program as a power cut would.
func (c *crash) kill() {
	if c.process != nil {
		_ = c.process.Process.Kill() // SIGKILL; the program may have ended by itself, which the check after it tells
		_ = c.process.Wait()
		c.process = nil
	}
}

// killer kills the program so often, at random moments spread over the trades,
// checks the database, and starts it again. It returns how often it did.
func (c *crash) killer(ctx context.Context, t *testing.T, kills, trades int) int {
	every := trades * 5 / kills // a trade has about six writes
	for i := range kills {
		aim := c.acknowledged.Load() + int32(every/2+c.random.IntN(every))
		for c.acknowledged.Load() < aim {
			if ctx.Err() != nil || t.Failed() {
				return i
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(c.random.IntN(15_000)) * time.Microsecond)
		c.kill()
		c.gate.Lock() // every request has ended
		c.check(t)
		c.start(t)
		c.gate.Unlock()
	}
	return kills
}

// post is a request of a trade, and where the trade is after it. One that is to
// be refused leads nowhere.
type post struct {
	token, path, body string
	to                *tradeNow
	offer             int // that the answer shows
}

// errKilled says that the program was killed before it answered.
var errKilled = errors.New("killed")

// send sends a request; the status is 0 when no answer came.
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
	return resp.StatusCode, answer
}

// step makes calls of a trade at once, of which one is taken at most, and
// notes where it is then. Where the program was killed meanwhile, the check has
// noted it, and errKilled is returned.
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
	taken, lost := 0, 0
	tr.mu.Lock()
	for i, r := range calls {
		switch status := statuses[i]; {
		case status == 0:
			lost++
		case status/100 == 2 && r.to != nil:
			taken++
			tr.acked, tr.ids[r.offer] = *r.to, answers[i]["id"].(string)
			c.acknowledged.Add(1)
		case status != http.StatusConflict:
			t.Errorf("%s from %+v is %d: %v", r.path, before, status, answers[i])
		}
	}
	if lost == 0 || taken > 0 {
		tr.pending = nil
	}
	wanted := 0
	for _, r := range calls {
		if r.to != nil {
			wanted = 1
		}
	}
	if taken > wanted || lost == 0 && taken < wanted {
		t.Errorf("%d of %d steps from %+v were taken: %v", taken, len(calls), before, answers)
	}
	tr.mu.Unlock()
	c.gate.RUnlock()
	if lost == 0 {
		return nil
	}
	for deadline := time.Now().Add(2 * patience); c.lives.Load() == life; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("no answer from a program that was not killed: %v", calls)
			break
		}
	}
	return errKilled
}

// drive takes a trade from its listing to its end, step by step, each chosen by
// where it is now.
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
				return // and stays reserved
			case withdrawals == 0 && tr.random.IntN(4) == 0:
				withdrawals++
				calls = []post{c.answer(t, tr, now, winner, "withdraw", tr.random.IntN(2) == 0)}
			default:
				calls = []post{c.answer(t, tr, now, winner, "complete", tr.random.IntN(2) == 0)}
			}
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

// negotiate is the next step of a trade whose listing is for sale: another price,
// or that one is agreed to, or several at once.
func (c *crash) negotiate(t *testing.T, tr *trade, now tradeNow) []post {
	first, second := now.Offers[0], now.Offers[1]
	switch {
	case first.Status == "pending" && second.Status == "pending" && tr.random.IntN(3) == 0: // both at once
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

// token is that of the seller, or of a buyer of the trade.
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

// answer is a step with nothing to say, and what it makes of the whole trade.
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
	}
	return post{token: c.token(tr, i, seller), path: c.path(t, tr, i, step), to: &now, offer: i}
}

// check compares the database with what was acknowledged, while the program is
// dead, and notes what became of the steps that were under way.
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

// read reads every trade from the database, and counts what must not be.
func (c *crash) read(t *testing.T) (found map[string]tradeNow, ids map[string][2]string) {
	driver, source := "postgres", c.url
	if file, ok := strings.CutPrefix(c.url, "sqlite:"); ok {
		driver, source = "sqlite", file
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Error(err)
		return nil, nil
	}
	defer db.Close()
	if driver == "postgres" {
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
			AND (SELECT COUNT(*) FROM offers o WHERE o.listing_id = l.id AND o.status = 'completed' AND o.amount = l.sold_price) <> 1`,
		"completed offers whose listing is not sold": `SELECT COUNT(*) FROM offers o JOIN listings l ON l.id = o.listing_id WHERE o.status = 'completed' AND l.status <> 'sold'`,
		"sold listings without one sale of their price": `SELECT COUNT(*) FROM listings l WHERE status = 'sold'
			AND (SELECT COUNT(*) FROM sales s WHERE s.listing_id = l.id AND s.price = l.sold_price) <> 1`,
		"sales of listings that are not sold":     `SELECT COUNT(*) FROM sales s LEFT JOIN listings l ON l.id = s.listing_id WHERE l.id IS NULL OR l.status <> 'sold'`,
		"listings with two winners":               `SELECT COUNT(*) FROM (SELECT listing_id FROM offers WHERE status IN ('accepted', 'completed') GROUP BY listing_id HAVING COUNT(*) > 1) AS w`,
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
	return found, ids
}

// checkMails holds that every step has its mail, on its way or in the outbox, and
// that there is none of a step that was not taken.
func (c *crash) checkMails(t *testing.T, db *sql.DB, found map[string]tradeNow, ids map[string][2]string) {
	mails := map[string]string{} // by the id of the delivery, which may be done and still in the queue
	var id, body string
	each(t, db, `SELECT id, body FROM deliveries`, []any{&id, &body}, func() { mails[id] = body })
	files, err := filepath.Glob(filepath.Join(c.data, "outbox", "*.eml"))
	if err != nil {
		t.Error(err)
	}
	for _, file := range files {
		mail, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		mails[strings.TrimSuffix(filepath.Base(file), ".eml")] = strings.ReplaceAll(string(mail), "=\r\n", "") // lines are broken so
	}
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

// stepsAfter are the steps beside the prices named that led an offer of these
// trades where it is: one is withdrawn or completed when it was accepted.
var stepsAfter = map[string]int{"accepted": 1, "withdrawn": 2, "completed": 2, "declined": 1}

// settle waits until the server is done with what the dead program asked of it
// last, which may be to commit.
func settle(t *testing.T, db *sql.DB) {
	busy := 1
	for deadline := time.Now().Add(patience); busy > 0; time.Sleep(2 * time.Millisecond) {
		err := db.QueryRow(`SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
			AND backend_type = 'client backend' AND state <> 'idle'`).Scan(&busy)
		if err != nil || time.Now().After(deadline) {
			t.Errorf("%d sessions of the dead program are still at work (%v)", busy, err)
			return
		}
	}
}

// each reads every row into the same places.
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

// compareOverHTTP holds that what the database has is what everybody reads.
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
		if l.Status != tr.acked.Listing || sold != strings.TrimPrefix(fmt.Sprint(tr.acked.Sold), "0") {
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
