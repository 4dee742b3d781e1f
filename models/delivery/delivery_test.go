package delivery

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

var testNow = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// bench is a Sender with a clock that the test sets and a log it can read.
type bench struct {
	*Sender
	now time.Time
	log bytes.Buffer
}

func newBench(t *testing.T, databaseURL string, change ...func(*Config)) *bench {
	t.Helper()
	b := &bench{now: testNow}
	clock := func() time.Time { return b.now }
	cfg := Config{Store: storetest.Open(t, databaseURL, clock), Clock: clock, Outbox: filepath.Join(t.TempDir(), "outbox"),
		From: func() mail.Address { return mail.Address{Name: "Secondlight", Address: "no-reply@shop.example"} }, UserAgent: "Secondlight (https://shop.example)",
		Guard: &Guard{Allow: func(netip.AddrPort) bool { return true }}}
	cfg.Log = slog.New(slog.NewTextHandler(&b.log, nil))
	for _, c := range change {
		c(&cfg)
	}
	b.Sender = New(cfg)
	return b
}

func (b *bench) queue(t *testing.T, d ...models.Delivery) {
	t.Helper()
	if err := b.Store.Deliveries.Queue(t.Context(), d...); err != nil {
		t.Fatal(err)
	}
}

// send sends due deliveries and returns how many were attempted.
func (b *bench) send(t *testing.T) int {
	t.Helper()
	n, err := b.SendDue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func someMail() models.Delivery {
	return models.Delivery{Kind: models.Mail, Recipient: "jane@example.org", Subject: "Canon EOS R6 – 1.049,00 €", Body: "Für dich:\n.\nhttps://shop.example/listings/1\n"}
}

func useSMTP(t *testing.T, address string, roots *tls.Config) func(*Config) {
	t.Helper()
	server, err := ParseSMTP(address)
	if err != nil {
		t.Fatal(err)
	}
	server.tls = roots
	return func(cfg *Config) { cfg.SMTP = server }
}

func readMail(t *testing.T, data string) (*mail.Message, string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	if m.Header.Get("Content-Transfer-Encoding") != "quoted-printable" {
		t.Fatalf("encoded as %q", m.Header.Get("Content-Transfer-Encoding"))
	}
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		t.Fatal(err)
	}
	return m, strings.ReplaceAll(string(body), "\r\n", "\n")
}

func TestSendMailSTARTTLS(t *testing.T) {
	certificates, roots := certificate(t)
	server := newMailServer(t, func(s *mailServer) { s.tls = certificates })
	b := newBench(t, storetest.SQLite(t), useSMTP(t, "smtp://shop:hunter2@"+server.address, &tls.Config{RootCAs: roots, ServerName: "127.0.0.1"}))
	d := someMail()
	d.Secret = "https://shop.example/unsubscribe/1/2"
	b.queue(t, d)
	if b.send(t) != 1 || b.send(t) != 0 {
		t.Error("not sent once")
	}
	got := server.received()
	if len(got) != 1 {
		t.Fatalf("%d messages received; %s", len(got), b.log.String())
	}
	if !got[0].secure || got[0].to != "RCPT TO:<jane@example.org>" || !strings.HasPrefix(got[0].from, "MAIL FROM:<no-reply@shop.example>") {
		t.Errorf("got %+v", got[0])
	}
	if !slices.Equal(server.logins, []string{"\x00shop\x00hunter2"}) {
		t.Errorf("signed in as %q", server.logins)
	}
	m, body := readMail(t, got[0].data)
	if strings.TrimSpace(body) != strings.TrimSpace(d.Body) {
		t.Errorf("body %q", body)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != d.Subject {
		t.Errorf("subject %q, %v", subject, err)
	}
	for name, want := range map[string]string{"Auto-Submitted": "auto-generated", "From": `"Secondlight" <no-reply@shop.example>`,
		"List-Unsubscribe": "<https://shop.example/unsubscribe/1/2>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "Date": "Sat, 21 Nov 2026 09:00:00 +0000"} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.HasSuffix(m.Header.Get("Message-ID"), "@shop.example>") {
		t.Errorf("Message-ID %q", m.Header.Get("Message-ID"))
	}
}

func TestSendMailImplicitTLS(t *testing.T) {
	certificates, roots := certificate(t)
	server := newMailServer(t, func(s *mailServer) { s.tls, s.implicit = certificates, true })
	b := newBench(t, storetest.SQLite(t), useSMTP(t, "smtps://shop:hunter2@"+server.address, &tls.Config{RootCAs: roots, ServerName: "127.0.0.1"}))
	b.queue(t, someMail())
	b.send(t)
	if got := server.received(); len(got) != 1 || !got[0].secure {
		t.Errorf("got %+v; %s", got, b.log.String())
	}
	stranger := newBench(t, storetest.SQLite(t), useSMTP(t, "smtps://shop:hunter2@"+server.address, nil))
	stranger.queue(t, someMail())
	stranger.send(t)
	if len(server.received()) != 1 || !strings.Contains(stranger.log.String(), "certificate") {
		t.Errorf("untrusted certificate accepted: %s", stranger.log.String())
	}
}

func TestPasswordRequiresTLS(t *testing.T) {
	server := newMailServer(t)
	b := newBench(t, storetest.SQLite(t), useSMTP(t, "smtp://shop:hunter2@"+server.address, nil))
	b.queue(t, someMail())
	b.send(t)
	if len(server.logins) != 0 || len(server.received()) != 0 {
		t.Errorf("signed in as %q", server.logins)
	}
	if log := b.log.String(); !strings.Contains(log, "will retry") || strings.Contains(log, "hunter2") || strings.Contains(log, "jane") {
		t.Errorf("log: %s", log)
	}
}

func TestMailIsRetried(t *testing.T) {
	for _, c := range []struct {
		name, word, answer string
		again              bool
	}{
		{"busy", "RCPT", "451 jane@example.org: later", true},
		{"unknown", "RCPT", "550 jane@example.org: nobody here", false},
		{"shut", "MAIL", "550 jane@example.org: not you", true},
		{"spam", "DATA", "421 jane@example.org: going down", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			refuse := true
			server := newMailServer(t, func(s *mailServer) {
				s.answer = func(line string) string {
					if refuse && strings.HasPrefix(line, c.word) {
						return c.answer
					}
					return ""
				}
			})
			b := newBench(t, storetest.SQLite(t), useSMTP(t, "smtp://"+server.address, nil))
			b.queue(t, someMail())
			if b.send(t) != 1 {
				t.Fatal("not attempted")
			}
			refuse = false
			if b.send(t) != 0 {
				t.Error("retried immediately")
			}
			b.now = b.now.Add(time.Hour)
			b.send(t)
			if got := len(server.received()); got == 1 != c.again {
				t.Errorf("%d messages received", got)
			}
			if strings.Contains(b.log.String(), "jane") {
				t.Errorf("log: %s", b.log.String())
			}
		})
	}
}

// TestASCIIDomain tests that no header or envelope needs a mail server with SMTPUTF8 because
// of a domain.
func TestASCIIDomain(t *testing.T) {
	for address, want := range map[string]string{"anna@exämple.org": "anna@xn--exmple-cua.org", "anna@EXÄMPLE.org": "anna@xn--exmple-cua.org", "anna@例え.jp": "anna@xn--r8jz45g.jp",
		"anna@example.org": "anna@example.org", "anna@xn--exmple-cua.org": "anna@xn--exmple-cua.org", "no-reply@localhost": "no-reply@localhost", "a@[192.0.2.1]": "a@[192.0.2.1]"} {
		if got := asciiDomain(address); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	s := New(Config{From: func() mail.Address { return mail.Address{Name: "Foto", Address: "post@exämple.org"} }})
	m, err := s.compose(&models.Delivery{ID: "1", Recipient: "anna@exämple.org", ReplyTo: "ben@exämple.org", Subject: "x", Body: "x", Secret: "https://shop.example/x"}, s.From())
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if _, err := m.WriteTo(&text); err != nil || strings.Count(text.String(), "@xn--exmple-cua.org") < 4 || strings.Contains(text.String(), "ämple") {
		t.Errorf("the email is %v\n%s", err, text.String())
	}
}

// TestHTMLEmail tests that an email with HTML has its text first, and is the same at each attempt.
func TestHTMLEmail(t *testing.T) {
	s := New(Config{From: func() mail.Address { return mail.Address{Address: "post@example.org"} }})
	d := models.Delivery{ID: "019aa7d2-7c00-7000-8000-000000000000", Recipient: "anna@example.org", Subject: "x", Body: "€5 for it\n", HTML: "<p>€5 for <b>it</b></p>"}
	var attempts [2]bytes.Buffer
	for i := range attempts {
		m, err := s.compose(&d, s.From())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.WriteTo(&attempts[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(attempts[0].Bytes(), attempts[1].Bytes()) {
		t.Errorf("the second attempt sends %q, not %q", attempts[1].String(), attempts[0].String())
	}
	m, err := mail.ReadMessage(&attempts[0])
	if err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("the email is %s, %v", kind, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for _, want := range []struct{ kind, body string }{{"text/plain", d.Body}, {"text/html", d.HTML}} {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(part)
		if kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); err != nil || kind != want.kind || strings.ReplaceAll(string(body), "\r\n", "\n") != want.body {
			t.Errorf("a part is %s, %q, %v, want %s, %q", kind, body, err, want.kind, want.body)
		}
	}
}

func TestOutbox(t *testing.T) {
	b := newBench(t, storetest.SQLite(t))
	d := someMail()
	d.Subject = "one\r\nBcc: all@example.org\r\n\r\ntwo"
	b.queue(t, d, models.Delivery{Kind: models.Mail, Recipient: "jane@example.org>\r\nRCPT TO:<x@example.org", Subject: "no"})
	b.send(t)
	files, err := filepath.Glob(filepath.Join(b.Outbox, "*"))
	if err != nil || len(files) != 1 || filepath.Ext(files[0]) != ".eml" {
		t.Fatalf("%q, %v", files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	m, body := readMail(t, string(data))
	if m.Header.Get("Bcc") != "" || m.Header.Get("Subject") != "one Bcc: all@example.org two" || !strings.Contains(body, "Für dich") {
		t.Errorf("%v %s", m.Header, body)
	}
	b.now = b.now.Add(100 * time.Hour)
	if b.send(t) != 0 {
		t.Error("the queue is not empty")
	}
}

// receiver is an HTTP server that records the webhooks it receives.
type receiver struct {
	mu     sync.Mutex
	bodies []string
	header []http.Header
	status int

	location string // of a redirect
}

func portText(to netip.AddrPort) string { return strconv.Itoa(int(to.Port())) }

func newReceiver(t *testing.T) (*receiver, string) {
	t.Helper()
	r := &receiver{status: 204}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.bodies, r.header = append(r.bodies, string(body)), append(r.header, req.Header)
		if r.status/100 == 3 {
			w.Header().Set("Location", r.location)
		}
		w.WriteHeader(r.status)
	}))
	t.Cleanup(server.Close)
	return r, strings.Replace(server.URL, "127.0.0.1", "hook.example", 1)
}

// names is a Resolver with fixed answers. Each lookup of a name returns its next addresses.
type names map[string][][]string

func (n names) LookupNetIP(_ context.Context, _, host string) (addrs []netip.Addr, err error) {
	answers := n[host]
	if len(answers) == 0 {
		return nil, fmt.Errorf("no host %s", host)
	}
	if len(answers) > 1 {
		n[host] = answers[1:]
	}
	for _, a := range answers[0] {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	return addrs, nil
}

func TestWebhookSignature(t *testing.T) {
	got, address := newReceiver(t)
	b := newBench(t, storetest.SQLite(t), func(cfg *Config) { cfg.Guard.Resolver = names{"hook.example": {{"127.0.0.1"}}} })
	b.queue(t, models.Delivery{Kind: models.Webhook, Recipient: address + "/alerts?key=k3y", Body: `{"listings":["ü"]}`, Secret: "whsec_1"})
	got.status = 500
	b.send(t)
	b.now = b.now.Add(time.Hour)
	got.status = 200
	b.send(t)
	b.now = b.now.Add(100 * time.Hour)
	b.send(t)
	if len(got.bodies) != 2 {
		t.Fatalf("%d webhooks received; %s", len(got.bodies), b.log.String())
	}
	for i, body := range got.bodies {
		h := got.header[i]
		var at int64
		var v1 string
		if _, err := fmt.Sscanf(h.Get("Secondlight-Signature"), "t=%d,v1=%s", &at, &v1); err != nil {
			t.Fatal(err)
		}
		if v1 != Sign("whsec_1", at, body) || v1 == Sign("whsec_2", at, body) || at != testNow.Add(time.Duration(i)*time.Hour).Unix() {
			t.Errorf("signature %q", h.Get("Secondlight-Signature"))
		}
		if err := Verify("whsec_1", h, body, time.Unix(at, 0)); err != nil || Verify("whsec_2", h, body, time.Unix(at, 0)) == nil || Verify("whsec_1", h, body, time.Unix(at, 0).Add(Tolerance+time.Second)) == nil || h.Get("Webhook-Id") != h.Get("Secondlight-Delivery") {
			t.Errorf("the standard signature: %v, %v", err, h)
		}
		if id := h.Get("Secondlight-Delivery"); id == "" || id != got.header[0].Get("Secondlight-Delivery") {
			t.Errorf("delivery %q", id)
		}
		if h.Get("Content-Type") != "application/json" || h.Get("User-Agent") != "Secondlight (https://shop.example)" {
			t.Errorf("header %v", h)
		}
	}
	if log := b.log.String(); strings.Contains(log, "k3y") || strings.Contains(log, "whsec") || strings.Contains(log, "hook.example") || !strings.Contains(log, "answered 500") {
		t.Errorf("log: %s", log)
	}
}

// The documented signature, computed with OpenSSL:
// printf '1795000000.{}' | openssl dgst -sha256 -hmac whsec_test
func TestSignMatchesDocumentation(t *testing.T) {
	if got := Sign("whsec_test", 1795000000, "{}"); got != "f50cd36baaae795dac63f86cd686693bcb16ea422cd6f180232b0f6ed3a6367d" {
		t.Errorf("signature %s", got)
	}
}

// TestStandardSignature computes the test vector of Standard Webhooks, and accepts the secrets of
// earlier releases.
func TestStandardSignature(t *testing.T) {
	for secret, want := range map[string]string{
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw":       "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	} {
		if got := StandardSignature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, `{"test": 2432232314}`); got != want {
			t.Errorf("%s: %s", secret, got)
		}
	}
	if a, b := secretKey("whsec_-_8"), secretKey("whsec_+/8="); !bytes.Equal(a, b) {
		t.Errorf("keys %x and %x", a, b)
	}
}

// TestStandardWebhooksLibrary verifies a webhook with the npm library of Standard Webhooks, which
// refuses another body, another secret, and one that is too old.
func TestStandardWebhooksLibrary(t *testing.T) {
	const program = `const { Webhook } = require('standardwebhooks')
const { Secret, Headers, Body } = JSON.parse(require('fs').readFileSync(0))
const refused = (secret, body, headers) => { try { new Webhook(secret).verify(body, headers) } catch (err) { return err.name } }
const wrong = [refused(Secret, Body, Headers), refused(Secret, Body + ' ', Headers), refused('whsec_AAAA', Body, Headers), refused(Secret, Body, { ...Headers, 'webhook-timestamp': '1600000000' })]
console.log(wrong.map(String).join())`
	e2e := filepath.Join("..", "..", "e2e")
	if err := exec.Command("node", "--version").Run(); err != nil {
		t.Skip("node is not installed")
	}
	installed := exec.Command("node", "-e", "require('standardwebhooks')")
	installed.Dir = e2e
	if err := installed.Run(); err != nil {
		t.Skip("the package standardwebhooks is not installed: npm --prefix e2e ci")
	}
	got, address := newReceiver(t)
	b := newBench(t, storetest.SQLite(t), func(cfg *Config) { cfg.Guard.Resolver = names{"hook.example": {{"127.0.0.1"}}} })
	b.now = time.Now() // the library compares it with its clock
	secret := models.NewWebhookSecret()
	b.queue(t, models.Delivery{Kind: models.Webhook, Recipient: address, Body: `{"event":"offer.made","title":"Leica M6 – schön"}`, Secret: secret})
	b.send(t)
	headers := map[string]string{}
	for name := range got.header[0] {
		headers[strings.ToLower(name)] = got.header[0].Get(name)
	}
	input, err := json.Marshal(struct {
		Secret, Body string
		Headers      map[string]string
	}{secret, got.bodies[0], headers})
	if err != nil {
		t.Fatal(err)
	}
	verify := exec.Command("node", "-e", program)
	verify.Dir, verify.Stdin = e2e, bytes.NewReader(input)
	out, err := verify.CombinedOutput()
	if want := "undefined,WebhookVerificationError,WebhookVerificationError,WebhookVerificationError\n"; err != nil || string(out) != want {
		t.Errorf("%v: %s, want %s", err, out, want)
	}
}

func TestWebhookBackoff(t *testing.T) {
	got, address := newReceiver(t)
	got.status = 503
	b := newBench(t, storetest.SQLite(t), func(cfg *Config) { cfg.Guard.Resolver = names{"hook.example": {{"127.0.0.1"}}} })
	b.queue(t, models.Delivery{Kind: models.Webhook, Recipient: address, Body: "{}"})
	var pauses []time.Duration
	last := b.now
	for range 5000 {
		if b.send(t) > 0 {
			pauses = append(pauses, b.now.Sub(last))
			last = b.now
		}
		b.now = b.now.Add(time.Minute)
	}
	if len(pauses) != store.MaxAttempts || len(got.bodies) != store.MaxAttempts {
		t.Fatalf("attempted %d times", len(pauses))
	}
	for i := 2; i < len(pauses); i++ {
		if pauses[i] <= pauses[i-1] {
			t.Errorf("delays %v do not increase", pauses)
		}
	}
	if !strings.Contains(b.log.String(), "failed permanently") {
		t.Errorf("log: %s", b.log.String())
	}
}

func TestWebhookResponseStatus(t *testing.T) {
	for status, times := range map[int]int{410: 1, 204: 1, 301: 2, 307: 2, 404: 2, 429: 2} {
		got, address := newReceiver(t)
		got.status = status
		b := newBench(t, storetest.SQLite(t), func(cfg *Config) { cfg.Guard.Resolver = names{"hook.example": {{"127.0.0.1"}}} })
		b.queue(t, models.Delivery{Kind: models.Webhook, Recipient: address, Body: "{}"})
		b.send(t)
		b.now = b.now.Add(time.Hour)
		b.send(t)
		if len(got.bodies) != times {
			t.Errorf("status %d: %d attempts, want %d", status, len(got.bodies), times)
		}
	}
}

func TestSenderStops(t *testing.T) {
	b := newBench(t, storetest.SQLite(t), func(cfg *Config) { cfg.PollInterval = time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	for range 3 * maxMails {
		b.queue(t, someMail())
	}
	deadline := time.Now().Add(time.Minute)
	for {
		files, err := filepath.Glob(filepath.Join(b.Outbox, "*.eml"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 3*maxMails {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d were sent", len(files), 3*maxMails)
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestReplicasSendEachDeliveryOnce(t *testing.T) {
	url := storetest.Postgres(t)
	server := newMailServer(t)
	a := newBench(t, url, useSMTP(t, "smtp://"+server.address, nil))
	b := newBench(t, url, useSMTP(t, "smtp://"+server.address, nil))
	const n = 60
	for i := range n {
		d := someMail()
		d.Recipient = fmt.Sprintf("member-%d@example.org", i)
		a.queue(t, d)
	}
	var group sync.WaitGroup
	for _, s := range []*bench{a, b} {
		for range 2 {
			group.Go(func() {
				if _, err := s.SendDue(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	times := map[string]int{}
	for _, m := range server.received() {
		times[m.to]++
	}
	if len(times) != n {
		t.Errorf("%d of %d members received email", len(times), n)
	}
	for to, k := range times {
		if k != 1 {
			t.Errorf("%s received it %d times", to, k)
		}
	}
}

// TestCheckMailServer checks the findings about servers that can't send mail, and that
// nothing is sent.
func TestCheckMailServer(t *testing.T) {
	config, roots := certificate(t)
	secure := func(s *mailServer) { s.tls = config }
	answers := func(command, answer string) func(*mailServer) {
		return func(s *mailServer) {
			s.answer = func(line string) string {
				if strings.HasPrefix(line, command) {
					return answer
				}
				return ""
			}
		}
	}
	for _, c := range []struct {
		name, scheme string
		change       []func(*mailServer)
		want         string // part of the error; "" for none
	}{
		{"works", "smtp://shop:hunter2@", []func(*mailServer){secure}, ""},
		{"without a password", "smtp://", nil, ""},
		{"no TLS", "smtp://shop:hunter2@", nil, "STARTTLS"},
		{"wrong password", "smtp://shop:hunter2@", []func(*mailServer){secure, answers("AUTH", "535 hunter2 is wrong")}, "password is wrong: 535 … is wrong"},
		{"TLS on the wrong port", "smtps://shop:hunter2@", nil, "no TLS on this port"},
		{"busy", "smtp://", []func(*mailServer){answers("EHLO", "421 busy"), answers("", "421 busy")}, "421"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := newMailServer(t, c.change...)
			s, err := ParseSMTP(c.scheme + server.address)
			if err != nil {
				t.Fatal(err)
			}
			s.tls = &tls.Config{RootCAs: roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12}
			err = s.Check(t.Context())
			if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2")) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if len(server.received()) != 0 {
				t.Error("a message was sent")
			}
		})
	}
}

// TestFailedMailIsLogged tests that the log says of every failed email why, in the words of the
// mail server, and to which domain, without the recipient and the password.
func TestFailedMailIsLogged(t *testing.T) {
	answers := func(command, answer string) string {
		return newMailServer(t, func(s *mailServer) {
			s.answer = func(line string) string {
				if strings.HasPrefix(line, command) {
					return answer
				}
				return ""
			}
		}).address
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, c := range []struct{ name, address, want string }{
		{"unknown recipient", answers("RCPT", "550 5.1.1 <jane@example.org>: no such user, jane@example.org"), "550 5.1.1 <…@example.org>: no such user, …@example.org"},
		{"sender refused", answers("MAIL", "451 4.7.1 try again later"), "451 4.7.1 try again later"},
		{"content refused", answers("DATA", "554 spam"), "554 spam"},
		{"busy", answers("", "421 too many connections"), "421 too many connections"},
		{"down", "127.0.0.1:1", "connection refused"},
		{"hangs", silent.Addr().String(), "timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, storetest.SQLite(t), useSMTP(t, "smtp://"+c.address, nil))
			b.queue(t, someMail())
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, _ = b.SendDue(ctx) // ends with ctx
			line := b.log.String()
			if !strings.Contains(line, "level=WARN") || !strings.Contains(line, c.want) || !strings.Contains(line, "domain=example.org") || strings.Contains(line, "jane") {
				t.Errorf("%q, want %q", line, c.want)
			}
		})
	}
}
