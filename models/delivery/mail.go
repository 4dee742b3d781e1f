package delivery

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"github.com/secondlight/secondlight/models"
)

// mailer takes one mail on its way.
type mailer interface {
	send(ctx context.Context, m *gomail.Msg, id string) error
}

// sendMail writes a mail and sends it.
func (s *Sender) sendMail(ctx context.Context, d *models.Delivery) error {
	m, err := s.compose(d)
	if err != nil {
		return err
	}
	return s.mail.send(ctx, m, d.ID)
}

// compose writes a mail in plain text, the same at each attempt.
func (s *Sender) compose(d *models.Delivery) (*gomail.Msg, error) {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := m.FromFormat(s.From.Name, s.From.Address); err != nil {
		return nil, errors.New("the sender's address is none")
	}
	if err := m.To(d.Recipient); err != nil {
		return nil, fmt.Errorf("the recipient's address is none: %w", errPermanent)
	}
	_, domain, _ := strings.Cut(s.From.Address, "@")
	m.SetMessageIDWithValue(d.ID + "@" + domain)
	m.SetDateWithValue(d.CreatedAt.Std())
	m.Subject(oneLine(d.Subject))
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	if d.Secret != "" { // the address that ends mail like this, RFC 8058
		m.SetGenHeaderPreformatted(gomail.HeaderListUnsubscribe, "<"+d.Secret+">")
		m.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	m.SetBodyString(gomail.TypeTextPlain, d.Body)
	return m, nil
}

// oneLine is a text without what would begin a line of its own.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// outbox is a folder into which mails are written, each a file of its own.
type outbox string

func (dir outbox) send(_ context.Context, m *gomail.Msg, id string) error {
	if err := os.MkdirAll(string(dir), 0o700); err != nil {
		return err
	}
	part, err := os.CreateTemp(string(dir), ".*.part") // readable by nobody else
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	if _, err := m.WriteTo(part); err != nil {
		return errors.Join(err, part.Close())
	}
	if err := part.Close(); err != nil {
		return err
	}
	return os.Rename(part.Name(), filepath.Join(string(dir), id+".eml"))
}

// SMTP is a server that takes mail.
type SMTP struct {
	host, user, password string
	port                 int
	implicit             bool // TLS from the first byte
	tls                  *tls.Config
}

// ParseSMTP reads the address of a mail server: smtp://user:password@host:port,
// where TLS begins with STARTTLS, as it must when there is a password, or smtps://.
func ParseSMTP(address string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("write smtp://user:password@host:port, or smtps:// for TLS from the first byte")
	}
	s := &SMTP{host: u.Hostname(), port: 587, implicit: u.Scheme == "smtps", user: u.User.Username()}
	s.password, _ = u.User.Password()
	if s.implicit {
		s.port = 465
	}
	if p := u.Port(); p != "" {
		if s.port, err = strconv.Atoi(p); err != nil || s.port < 1 || s.port > 65535 {
			return nil, fmt.Errorf("%q is not a port", p)
		}
	}
	return s, nil
}

func (s *SMTP) client(dial gomail.DialContextFunc) (*gomail.Client, error) {
	options := []gomail.Option{gomail.WithPort(s.port), gomail.WithTimeout(attemptTime / 2), gomail.WithoutNoop()}
	switch {
	case s.implicit:
		options = append(options, gomail.WithSSL()) // dials by itself, else it does not know of the TLS
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

func (s *SMTP) send(ctx context.Context, m *gomail.Msg, _ string) error {
	// The library does not hang up when what follows the dialling fails.
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	c, err := s.client(func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(dialing, network, address)
		if err == nil {
			context.AfterFunc(ctx, func() { conn.Close() })
		}
		return conn, err
	})
	if err != nil {
		return err
	}
	conn, err := c.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return told("the mail server is not reached", err)
	}
	err = c.SendWithSMTPClient(conn, m)
	// The server has the mail, or has refused it: how the two part changes nothing.
	_ = c.CloseWithSMTPClient(conn)
	var refused *gomail.SendError
	if errors.As(err, &refused) {
		err = fmt.Errorf("the mail server answered %d", refused.ErrorCode())
		if (refused.Reason == gomail.ErrSMTPRcptTo || refused.Reason == gomail.ErrSMTPDataClose) && refused.ErrorCode() >= 500 {
			err = fmt.Errorf("%w: %w", err, errPermanent)
		}
		return err
	}
	if err != nil {
		return errors.New("the mail server did not take it")
	}
	return nil
}

// told is an error without what it may quote of the other side or of us.
func told(what string, err error) error {
	var dns *net.DNSError
	var network net.Error
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &cert):
		return errors.New(what + ": its certificate is not valid for it")
	case errors.As(err, &dns) && dns.IsNotFound:
		return errors.New(what + ": its name is not known")
	case errors.As(err, &network) && network.Timeout():
		return errors.New(what + " in time")
	}
	return errors.New(what)
}

// From is the address mail is sent from where nobody set one: nobody's, at the
// site's own host.
func From(name, host string) mail.Address {
	if net.ParseIP(host) != nil || host == "" {
		host = "localhost"
	}
	return mail.Address{Name: name, Address: "no-reply@" + host}
}
