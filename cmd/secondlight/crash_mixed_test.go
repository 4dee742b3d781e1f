//go:build unix && !race

package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
)

// mixed makes writes other than the steps of a trade: it creates, publishes, edits and
// illustrates listings, writes messages, imports listings and signs members up. Each
// thing it writes has a state, which must be the last acknowledged one or the one that a
// request in progress leads to.
type mixed struct {
	c       *crash
	members []string // tokens; a member may have 1,000 open listings

	visitors atomic.Int32
	mailed   []string // addresses whose email is acknowledged and was not seen in the outbox yet
	mu       sync.Mutex
	states   map[string]*writtenState // by name of the thing
}

// writtenState is the state of a thing; "" if it does not exist.
type writtenState struct{ acked, pending string }

// request is a write by the member of a token, or anonymous.
type request struct {
	method, path, token string
	body                any // JSON, or the values of a form
}

// write sends a request that leads a thing to a state. It returns errKilled if the
// program was killed before it responded; check has recorded the state then.
func (m *mixed) write(t *testing.T, thing, next string, r request) (answer map[string]any, err error) {
	m.c.gate.RLock()
	life := m.c.lives.Load()
	m.mu.Lock()
	state := m.states[thing]
	if state == nil {
		state = &writtenState{}
		m.states[thing] = state
	}
	state.pending = next
	m.mu.Unlock()
	status, answer := m.send(r)
	if status/100 == 2 {
		m.mu.Lock()
		state.acked, state.pending = next, ""
		m.mu.Unlock()
		m.c.acknowledged.Add(1)
	} else if !lost(status) {
		t.Errorf("%s %s is %d: %v", r.method, r.path, status, answer)
	}
	m.c.gate.RUnlock()
	if !lost(status) {
		return answer, nil
	}
	m.c.awaitKill(t, life, r)
	return nil, errKilled
}

func (m *mixed) send(r request) (status int, answer map[string]any) {
	contentType, body := "application/json", []byte(nil)
	if form, ok := r.body.(url.Values); ok {
		contentType, body = "application/x-www-form-urlencoded", []byte(form.Encode())
	} else if r.body != nil {
		body, _ = json.Marshal(r.body) // maps of strings
	}
	req, err := http.NewRequest(r.method, m.c.address+r.path, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Accept", "application/json, */*;q=0.1")
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
		req.Header.Set("If-Match", "*")
	} else { // everybody signs up from an address of their own
		n := m.visitors.Add(1)
		req.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255))
	}
	resp, err := m.c.client.Do(req)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, nil
	}
	_ = json.Unmarshal(text, &answer) // a form's response may be a page
	m.c.count(resp.StatusCode)
	return resp.StatusCode, answer
}

// run writes until ctx ends.
func (m *mixed) run(ctx context.Context, t *testing.T, worker int) {
	for i := 0; ctx.Err() == nil && !t.Failed(); i++ {
		name := fmt.Sprintf("mixed-%d-%d", worker, i)
		_ = m.sell(t, name, worker*10_000+i) // continue with the next after a kill
		if ctx.Err() == nil {
			_, _ = m.write(t, name+"-import", "20 rows", request{"POST", "/api/me/listings", m.members[(worker+i)%len(m.members)], map[string]any{"file": importOf(name, 20)}})
		}
		if i%5 == 0 && ctx.Err() == nil {
			_ = m.signUp(t, name)
		}
	}
}

// sell creates a listing, publishes it, adds a photograph, lowers its price, writes a
// message about it and ends it.
func (m *mixed) sell(t *testing.T, name string, n int) error {
	seller := m.members[n%len(m.members)]
	created, err := m.write(t, name, "draft 90000 0", request{"POST", "/api/listings", seller, map[string]any{"gear": "canon/eos-r6", "title": name, "condition": "good",
		"functional": "fully_working", "region": "DE", "price": map[string]string{"amount": "900.00", "currency": "EUR"}}})
	if err != nil {
		return err
	}
	id, _ := created["id"].(string)
	path := "/api/listings/" + id
	if _, err := m.write(t, name, "active 90000 0", request{"POST", path + "/publish", seller, nil}); err != nil {
		return err
	}
	if _, err := m.write(t, name, "active 90000 1", request{"POST", path + "/photos", seller, map[string]any{"photo": []string{photographOf(n)}}}); err != nil {
		return err
	}
	if _, err := m.write(t, name, "active 80000 1", request{"PATCH", path, seller, map[string]any{"price": map[string]string{"amount": "800.00", "currency": "EUR"}}}); err != nil {
		return err
	}
	if _, err = m.write(t, name+"-message", "sent", request{"POST", path + "/messages", m.c.buyers[n%len(m.c.buyers)], map[string]any{"text": name + "-message"}}); err != nil {
		return err
	}
	_, err = m.write(t, name, "ended 80000 1", request{"POST", path + "/end", seller, map[string]any{"reason": "kept"}})
	return err
}

// photographOf returns a small photograph, different for every n, in base64.
func photographOf(n int) string {
	img := image.NewRGBA(image.Rect(0, 0, 48, 32))
	for y := range 32 {
		for x := range 48 {
			img.Set(x, y, color.RGBA{uint8(n + 5*x), uint8(n>>8 + 3*y), uint8(n >> 4), 255})
		}
	}
	var b bytes.Buffer
	_ = jpeg.Encode(&b, img, nil) // to memory
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// importOf returns a CSV file of n listings, in base64.
func importOf(name string, n int) string {
	var b strings.Builder
	b.WriteString("external_id,title,condition,price,region\n")
	for i := range n {
		fmt.Fprintf(&b, "%s-import:%d,Canon EOS R6,good,900,DE\n", name, i)
	}
	return base64.StdEncoding.EncodeToString([]byte(b.String()))
}

var confirmCode = regexp.MustCompile(`/sign-up/confirm\?code=([\w-]+)`)

// signUp signs a member up and confirms the address with the code of the email.
func (m *mixed) signUp(t *testing.T, name string) error {
	email := name + "@example.org"
	form := url.Values{"handle": {name}, "email": {email}, "password": {"correct horse battery " + name}}
	if _, err := m.write(t, email, "signed up", request{"POST", "/sign-up", "", form}); err != nil {
		return err
	}
	m.mu.Lock()
	m.mailed = append(m.mailed, email)
	m.mu.Unlock()
	code := ""
	for range 20 {
		time.Sleep(100 * time.Millisecond)
		if found := confirmCode.FindStringSubmatch(m.c.mailTo(t, email)); found != nil {
			code = found[1]
			break
		}
	}
	if code == "" {
		return nil // the attempt to send it was killed, and the next one is minutes later
	}
	_, err := m.write(t, email, "member", request{"POST", "/sign-up/confirm", "", url.Values{"code": {code}, "password": form["password"]}})
	return err
}

// check compares what is stored with what was acknowledged while the program is not
// running, and checks that every email to a new member is queued or sent, and every
// photograph of a listing is stored in every width.
func (m *mixed) check(t *testing.T, db *sql.DB) {
	m.mu.Lock()
	defer m.mu.Unlock()
	stored := m.read(t, db)
	for name, state := range m.states {
		if got := stored[name]; got != state.acked && (state.pending == "" || got != state.pending) {
			t.Errorf("%s is %q, acknowledged was %q, in progress %q", name, got, state.acked, state.pending)
		} else {
			state.acked, state.pending = got, ""
		}
		delete(stored, name)
	}
	for name, state := range stored {
		t.Errorf("%s is %q and was never written", name, state)
	}
	queued := map[string]bool{}
	var address string
	each(t, db, `SELECT recipient FROM deliveries`, []any{&address}, func() { queued[address] = true })
	m.mailed = slices.DeleteFunc(m.mailed, func(address string) bool {
		sent := m.c.mailTo(t, address) != ""
		if !sent && !queued[address] {
			t.Errorf("the email to %s is lost", address)
		}
		return sent
	})
	var key string
	each(t, db, `SELECT DISTINCT key FROM listing_photos`, []any{&key}, func() {
		for _, width := range models.PhotoWidths {
			name := filepath.Join(m.c.files, "photos", fmt.Sprintf("%s-%d.jpg", key, width))
			if info, err := os.Stat(name); err != nil || info.Size() == 0 {
				t.Errorf("a photograph is missing or empty: %s, %v", name, err)
			}
		}
	})
}

// read returns the states of all things.
func (m *mixed) read(t *testing.T, db *sql.DB) map[string]string {
	stored := map[string]string{}
	var name, state string
	var n int
	each(t, db, `SELECT title, status || ' ' || CAST(price AS TEXT) || ' ' || CAST((SELECT COUNT(*) FROM listing_photos p WHERE p.listing_id = l.id) AS TEXT)
		FROM listings l WHERE title LIKE 'mixed-%'`, []any{&name, &state}, func() { stored[name] += state })
	each(t, db, `SELECT text, 'sent' FROM messages WHERE text LIKE 'mixed-%'`, []any{&name, &state}, func() { stored[name] += state })
	each(t, db, `SELECT payload, 'signed up' FROM codes WHERE purpose = 'sign_up'`, []any{&name, &state}, func() {
		var pending struct{ Email string }
		if err := json.Unmarshal([]byte(name), &pending); err != nil {
			t.Error(err)
		}
		stored[pending.Email] += state
	})
	each(t, db, `SELECT email, 'member' FROM accounts WHERE email LIKE 'mixed-%-%'`, []any{&name, &state}, func() { stored[name] += state })
	rows := map[string]int{}
	each(t, db, `SELECT external_id, 1 FROM listings WHERE external_id LIKE 'mixed-%'`, []any{&name, &n}, func() {
		file, _, _ := strings.Cut(name, ":")
		rows[file]++
	})
	for file, n := range rows {
		stored[file] = fmt.Sprintf("%d rows", n)
	}
	return stored
}
