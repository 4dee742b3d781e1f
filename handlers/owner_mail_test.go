package handlers

import (
	"bufio"
	"fmt"
	"net"
	"net/mail"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/sealed"
)

// smtpServer receives emails on the loopback interface, without encryption. It returns its port, and
// what was sent to it so far.
func smtpServer(t testing.TB) (port string, received func() string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	var group sync.WaitGroup
	t.Cleanup(func() { l.Close(); group.Wait() })
	var mu sync.Mutex
	var all strings.Builder
	serve := func(conn net.Conn) {
		defer conn.Close()
		fmt.Fprint(conn, "220 mail.test ESMTP\r\n")
		lines := bufio.NewScanner(conn)
		for inMessage := false; lines.Scan(); {
			line := lines.Text()
			mu.Lock()
			all.WriteString(line + "\n")
			mu.Unlock()
			switch {
			case inMessage && line != ".":
				continue
			case line == "DATA":
				inMessage = true
				fmt.Fprint(conn, "354 go on\r\n")
				continue
			}
			inMessage = false
			fmt.Fprint(conn, "250 fine\r\n")
			if line == "QUIT" {
				return
			}
		}
	}
	group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			group.Go(func() { serve(conn) })
		}
	})
	_, port, err = net.SplitHostPort(l.Addr().String())
	must(err)
	return port, func() string { mu.Lock(); defer mu.Unlock(); return all.String() }
}

// TestSetUpMail tests that an owner sets the mail server in the browser, that email is sent through it
// from then on, and that its password is stored encrypted and never shown.
func TestSetUpMail(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newMarketServer(t, func(c *Config) { c.DataDir, c.MailFrom = dir, mail.Address{Address: "no-reply@shop.example"} })
	op := s.join(t, "the-operator", models.RoleOperator)
	port, received := smtpServer(t)
	if page := op.read(t, "/admin/mail"); !strings.Contains(page, "No mail server is set up") || !strings.Contains(page, "smtp.gmail.com") {
		t.Error("without a mail server the page doesn't say so")
	}
	for form, want := range map[string]string{
		"mail_server=127.0.0.1&port=1":                                    "connection refused",
		"mail_server=https://mail.example/":                               "the name of a server",
		"mail_server=127.0.0.1&port=70000":                                "65535",
		"mail_server=127.0.0.1&sender_address=nobody":                     "Enter an email address",
		"mail_server=127.0.0.1&user_name=x&password=hunter2&port=" + port: "STARTTLS", // no password without encryption
	} {
		if _, page := op.post(t, "/admin/mail", form); !strings.Contains(page, want) || strings.Contains(page, "hunter2") {
			t.Errorf("%s is answered without %q", form, want)
		}
	}
	resp, page := op.post(t, "/admin/mail", "preset=own&mail_server=127.0.0.1&port="+port+"&sender_address=shop%40shop.example")
	if resp.StatusCode != 303 {
		t.Fatalf("saved with %d: %s", resp.StatusCode, page)
	}
	op.ask(t, "POST", "/api/admin/mail/test", "", 200)
	sender := delivery.New(delivery.Config{Store: s.store, Log: s.log, Outbox: filepath.Join(dir, "outbox"), Server: s.MailServer, From: func() mail.Address { return mail.Address{Name: "Shop", Address: "no-reply@shop.example"} }})
	must1(sender.SendDue(t.Context()))
	if got := received(); !strings.Contains(got, "shop@shop.example") || !strings.Contains(got, "the-operator@example.org") || !strings.Contains(got, "Sending email works") {
		t.Errorf("the mail server received %s", got)
	}
	if outbox, _ := filepath.Glob(filepath.Join(dir, "outbox", "*")); len(outbox) > 0 {
		t.Errorf("the outbox has %v", outbox)
	}
	for _, step := range op.ask(t, "GET", "/api/admin/checklist", "", 200)["steps"].([]any) {
		if step := step.(map[string]any); step["step"] == "mail" && step["done"] != true {
			t.Error("the checklist says that email doesn't work")
		}
	}

	// A password.
	box := sealed.Box{File: filepath.Join(dir, "secret.key")}
	password, err := box.Seal("mail server", "hunter2")
	must(err)
	must(s.store.Site.SetOwnerSetting(t.Context(), op.ID, models.MailServerSetting, &models.MailServer{Host: "127.0.0.1", Port: 1, User: "postrider", Password: password}))
	server, _, err := s.MailServer(t.Context())
	if err != nil || !server.SignsIn() {
		t.Errorf("the mail server is %v (%v)", server, err)
	}
	for _, accept := range []string{"text/html", "application/json", "text/markdown"} {
		if _, text := s.do(t, "GET", "/admin/mail", "Cookie", op.cookie, "Accept", accept); strings.Contains(text, "hunter2") || strings.Contains(text, password) {
			t.Errorf("the page as %s has the password", accept)
		}
	}
	must(s.store.Site.SetOwnerSetting(t.Context(), op.ID, models.MailServerSetting, &models.MailServer{Host: "mail.example", Port: 587, User: "postrider", Password: "of another key"}))
	if page := op.read(t, "/admin/mail"); !strings.Contains(page, "key of this server has changed") {
		t.Error("the page doesn't say that the password can't be read")
	}
	op.ask(t, "PUT", "/api/admin/mail", `{}`, 200)
	if server, _, err := s.MailServer(t.Context()); server != nil || err != nil {
		t.Errorf("after the removal the mail server is %v (%v)", server, err)
	}
}
