package delivery

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// mailServer is a minimal SMTP server that records the messages it receives.
type mailServer struct {
	address string
	tls     *tls.Config // offers STARTTLS; nil for none
	// implicit begins with TLS.
	implicit bool
	// answer returns the reply to a command, or "" for the default reply.
	answer func(line string) string

	mu     sync.Mutex
	mails  []receivedMail
	logins []string
}

type receivedMail struct {
	from, to, data string
	secure         bool
}

func newMailServer(t *testing.T, change ...func(*mailServer)) *mailServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &mailServer{address: l.Addr().String(), answer: func(string) string { return "" }}
	for _, c := range change {
		c(s)
	}
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if s.implicit {
				conn = tls.Server(conn, s.tls)
			}
			group.Go(func() { s.serve(conn, s.implicit) })
		}
	})
	t.Cleanup(func() { l.Close(); group.Wait() })
	return s
}

func (s *mailServer) received() []receivedMail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]receivedMail(nil), s.mails...)
}

// serve handles one connection.
func (s *mailServer) serve(conn net.Conn, secure bool) {
	defer func() { conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	r := bufio.NewReader(conn)
	say := func(format string, args ...any) { fmt.Fprintf(conn, format+"\r\n", args...) }
	say("220 mail.test ESMTP")
	var m receivedMail
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		word := strings.ToUpper(strings.SplitN(line, " ", 2)[0])
		if answer := s.answer(line); answer != "" {
			say("%s", answer)
			continue
		}
		switch word {
		case "EHLO":
			say("250-mail.test")
			if s.tls != nil && !secure {
				say("250-STARTTLS")
			}
			say("250-AUTH PLAIN")
			say("250 8BITMIME")
		case "STARTTLS":
			say("220 go on")
			upgraded := tls.Server(conn, s.tls)
			if upgraded.Handshake() != nil {
				return
			}
			conn, r, secure = upgraded, bufio.NewReader(upgraded), true
		case "AUTH":
			credentials, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(line, "AUTH PLAIN "))
			s.mu.Lock()
			s.logins = append(s.logins, string(credentials))
			s.mu.Unlock()
			say("235 welcome")
		case "MAIL":
			m = receivedMail{from: line, secure: secure}
			say("250 ok")
		case "RCPT":
			m.to = line
			say("250 ok")
		case "DATA":
			say("354 go on")
			var data strings.Builder
			for {
				line, err := r.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				data.WriteString(strings.TrimPrefix(line, "."))
			}
			m.data = data.String()
			s.mu.Lock()
			s.mails = append(s.mails, m)
			s.mu.Unlock()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// certificate returns a server configuration with a certificate for 127.0.0.1 and the
// roots that trust it.
func certificate(t *testing.T) (server *tls.Config, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.ParseIP("127.0.0.1")}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AddCert(cert)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, roots
}
