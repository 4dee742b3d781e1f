package delivery

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/mail"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
)

// outbox is a folder to which each message is written as an .eml file.
type outbox string

func (dir outbox) send(_ context.Context, m *gomail.Msg, id string) error {
	return durable.WriteFile(filepath.Join(string(dir), id+".eml"), func(w io.Writer) error {
		_, err := m.WriteTo(w)
		return err
	})
}

// OutboxPeriod is how long emails stay in an outbox.
const OutboxPeriod = 30 * 24 * time.Hour

// CleanOutbox deletes the emails in an outbox that were written before a time, and those to
// an address, if it is not "". Without a folder it does nothing.
func CleanOutbox(dir string, before time.Time, address string) error {
	if dir == "" {
		return nil
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	for _, name := range names {
		info, statErr := os.Stat(name)
		if statErr == nil && (info.ModTime().Before(before) || address != "" && isTo(name, address)) {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}

// isTo reports whether an email in a file is to an address.
func isTo(file, address string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	m, err := mail.ReadMessage(f)
	if err != nil {
		return false
	}
	to, err := mail.ParseAddress(m.Header.Get("To"))
	return err == nil && strings.EqualFold(to.Address, asciiDomain(address))
}

// SMTP is a mail server. Make one with ParseSMTP or NewSMTP.
type SMTP struct {
	host, user, password string
	port                 int
	implicit             bool // TLS from the first byte
	tls                  *tls.Config
}

// ParseSMTP parses the URL of a mail server. smtp://user:password@host:port uses
// STARTTLS, which is required when there is a user name; smtps:// uses TLS from the
// start. The default ports are 587 and 465.
func ParseSMTP(address string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("must be smtp://user:password@host:port, or smtps:// for implicit TLS")
	}
	s := &SMTP{host: u.Hostname(), port: 587, implicit: u.Scheme == "smtps", user: u.User.Username()}
	s.password, _ = u.User.Password()
	if s.implicit {
		s.port = 465
	}
	if p := u.Port(); p != "" {
		if s.port, err = strconv.Atoi(p); err != nil || s.port < 1 || s.port > 65535 {
			return nil, fmt.Errorf("%q is not a port number", p)
		}
	}
	return s, nil
}

// NewSMTP returns the mail server of m, with its password.
func NewSMTP(m *models.MailServer, password string) *SMTP {
	return &SMTP{host: m.Host, port: m.Port, implicit: m.TLS, user: m.User, password: password}
}

func (s *SMTP) client(dial gomail.DialContextFunc) (*gomail.Client, error) {
	options := []gomail.Option{gomail.WithPort(s.port), gomail.WithTimeout(attemptTimeout / 2), gomail.WithoutNoop()}
	switch {
	case s.implicit:
		options = append(options, gomail.WithSSL()) // sets its own dialer, so dial cannot be used
	case s.user != "":
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory), gomail.WithDialContextFunc(dial))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic), gomail.WithDialContextFunc(dial))
	}
	if s.user != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.user), gomail.WithPassword(s.password))
	}
	if s.tls != nil {
		options = append(options, gomail.WithTLSConfig(s.tls))
	}
	return gomail.NewClient(s.host, options...)
}

// Encryption returns how connections are encrypted: "tls" from the start, "starttls" always,
// or "opportunistic" if the mail server offers it.
func (s *SMTP) Encryption() string {
	switch {
	case s.implicit:
		return "tls"
	case s.user != "":
		return "starttls"
	}
	return "opportunistic"
}

// SignsIn reports whether there is a user name.
func (s *SMTP) SignsIn() bool { return s.user != "" }

// Host returns the host name of the mail server.
func (s *SMTP) Host() string { return s.host }

// Address returns the host and port of the mail server.
func (s *SMTP) Address() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

// Check connects to the mail server, starts TLS and signs in as it would to send a
// message, and sends none.
func (s *SMTP) Check(ctx context.Context) error {
	ctx, closeConn := context.WithCancel(ctx)
	defer closeConn()
	c, conn, err := s.connect(ctx)
	if err != nil {
		return err
	}
	_ = c.CloseWithSMTPClient(conn)
	return nil
}

// connect connects and signs in. The connection is closed when ctx ends, because the
// library leaves it open when the handshake fails.
func (s *SMTP) connect(ctx context.Context) (*gomail.Client, *smtp.Client, error) {
	c, err := s.client(func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(dialing, network, address)
		if err == nil {
			context.AfterFunc(ctx, func() { conn.Close() })
		}
		return conn, err
	})
	if err != nil {
		return nil, nil, err
	}
	conn, err := c.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return nil, nil, s.unreached(err)
	}
	return c, conn, nil
}

func (s *SMTP) send(ctx context.Context, m *gomail.Msg, _ string) error {
	ctx, closeConn := context.WithCancel(ctx)
	defer closeConn()
	c, conn, err := s.connect(ctx)
	if err != nil {
		return err
	}
	err = c.SendWithSMTPClient(conn, m)
	// The server has accepted or refused the message: an error on closing is irrelevant.
	_ = c.CloseWithSMTPClient(conn)
	var refused *gomail.SendError
	if errors.As(err, &refused) {
		err = errors.New("the mail server answered " + s.words(answerIn(refused)))
		if (refused.Reason == gomail.ErrSMTPRcptTo || refused.Reason == gomail.ErrSMTPDataClose) && refused.ErrorCode() >= 500 {
			err = fmt.Errorf("%w: %w", err, errPermanent)
		}
		return err
	}
	if err != nil {
		return errors.New("the mail server did not accept the message")
	}
	return nil
}

// answerIn returns what the mail server answered, such as "550 5.1.1 no such user". The library
// has it only within a text.
func answerIn(refused *gomail.SendError) string {
	answer := strings.TrimPrefix(refused.Error(), refused.Reason.String()+": ")
	answer, _, _ = strings.Cut(answer, ", affected recipient(s): ")
	answer, _, _ = strings.Cut(answer, ", affected message ID: ")
	if code, quoted, _ := strings.Cut(answer, " "); quoted != "" {
		if text, err := strconv.Unquote(quoted); err == nil {
			answer = code + " " + text
		}
	}
	return cmp.Or(answer, strconv.Itoa(refused.ErrorCode()))
}

// localPart matches an email address up to its domain.
var localPart = regexp.MustCompile(`[^\s<>()\[\]:;,"']+@`)

// maxWords is how much of a mail server's answer is logged and stored, in bytes.
const maxWords = 300

// words returns the words of the mail server on one line, without the user name, the password and
// the names of recipients that it may quote.
func (s *SMTP) words(answer string) string {
	answer = localPart.ReplaceAllString(oneLine(answer), "…@")
	for _, secret := range []string{s.password, s.user} {
		if secret != "" {
			answer = strings.ReplaceAll(answer, secret, "…")
		}
	}
	if len(answer) > maxWords {
		answer = strings.ToValidUTF8(answer[:maxWords], "") + "…"
	}
	return answer
}

// unreached returns the error that no message can be sent, with the server's answer if it gave one.
func (s *SMTP) unreached(err error) error {
	const what = "cannot reach the mail server"
	var answer *textproto.Error
	if !errors.As(err, &answer) {
		return redact(what, err)
	}
	text := "it answered"
	if answer.Code == 535 {
		text = "the user name or password is wrong:"
	}
	return fmt.Errorf("%s: %s %s", what, text, s.words(fmt.Sprint(answer.Code, " ", answer.Msg)))
}

// redact returns an error that says what failed and, where it is safe to log, why.
// It leaves out the text of err, which may quote addresses or credentials.
func redact(what string, err error) error {
	var dns *net.DNSError
	var network net.Error
	var cert *tls.CertificateVerificationError
	var protocol textproto.ProtocolError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &cert):
		return errors.New(what + ": invalid certificate")
	case errors.As(err, &dns) && dns.IsNotFound:
		return errors.New(what + ": unknown host")
	case errors.As(err, &network) && network.Timeout(), errors.Is(err, net.ErrClosed): // by connect, when its time was over
		return errors.New(what + ": timeout")
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New(what + ": connection refused")
	case errors.As(err, &record):
		return errors.New(what + ": no TLS on this port")
	case errors.As(err, &protocol):
		return errors.New(what + ": it doesn't speak SMTP")
	case errors.Is(err, gomail.ErrNoSupportedAuthDiscovered), strings.Contains(err.Error(), "does not support SMTP AUTH"):
		return errors.New(what + ": it offers no known way to sign in")
	case strings.Contains(err.Error(), "does not support STARTTLS"):
		return errors.New(what + ": it doesn't offer STARTTLS, which a password needs")
	}
	return errors.New(what)
}

// DefaultFrom returns the address, without a name, for a site on host when none is
// configured: no-reply@host, or no-reply@localhost when host is an IP address.
func DefaultFrom(host string) mail.Address {
	if net.ParseIP(host) != nil || host == "" {
		host = "localhost"
	}
	return mail.Address{Address: "no-reply@" + host}
}
