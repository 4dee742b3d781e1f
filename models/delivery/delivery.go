// Package delivery sends queued email and webhooks. Email goes out by SMTP or is
// written to a folder; webhooks are signed and sent to public addresses only.
package delivery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/mail"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

// Config configures a Sender.
type Config struct {
	Store  *store.Store
	Log    *slog.Logger
	Clock  models.Clock        // nil means time.Now
	SMTP   *SMTP               // mail server; nil for that of Server
	Outbox string              // folder for email when there is no mail server
	From   func() mail.Address // sender of email
	// Server returns the mail server that the owner has set, with the address of the sender, and nil
	// if they have set none. It may be nil.
	Server    func(context.Context) (*SMTP, string, error)
	Guard     *Guard // decides where webhooks may go; nil allows public addresses
	UserAgent string // of webhooks, such as "Secondlight (https://shop.example)"
	// Attempted is called after every attempt, with nil or why it failed. It may be nil.
	Attempted    func(ctx context.Context, kind models.DeliveryKind, started time.Time, took time.Duration, err error)
	PollInterval time.Duration // how often the queue is read; 0 means one second
}

// Sender sends queued deliveries. Several senders may share a database: each
// delivery is claimed by one of them.
type Sender struct {
	Config
	hooks    *hooks
	recorded atomic.Bool // whether this process has recorded that email works
}

// New returns a Sender. It sends nothing until Run or SendDue is called.
func New(cfg Config) *Sender {
	if cfg.PollInterval == 0 {
		cfg.PollInterval = time.Second
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.Guard == nil {
		cfg.Guard = &Guard{}
	}
	return &Sender{Config: cfg, hooks: newHooks(cfg.Guard, cfg.UserAgent, cfg.Clock)}
}

// Run sends queued deliveries until ctx ends. Email and webhooks are sent
// independently, so that slow webhook receivers do not delay email.
func (s *Sender) Run(ctx context.Context) error {
	var group sync.WaitGroup
	group.Go(func() { s.poll(ctx, models.Mail, maxMails) })
	group.Go(func() { s.poll(ctx, models.Webhook, maxWebhooks) })
	group.Wait()
	return nil
}

// poll sends deliveries of one kind until ctx ends, at most limit at a time.
func (s *Sender) poll(ctx context.Context, kind models.DeliveryKind, limit int) {
	attempts, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ticker := time.NewTicker(s.PollInterval)
	defer ticker.Stop()
	ended := make(chan struct{}, limit) // receives when an attempt ends
	running := 0
	var group sync.WaitGroup
	for ctx.Err() == nil {
		claimed, err := s.Store.Deliveries.ClaimDeliveries(ctx, limit-running, kind)
		if err != nil && ctx.Err() == nil {
			s.Log.Error("claim deliveries", "kind", kind, "err", err)
		}
		for i := range claimed {
			running++
			group.Go(func() { s.attempt(attempts, &claimed[i]); ended <- struct{}{} })
		}
		if len(claimed) > 0 && running < limit { // there may be more
			continue
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		case <-ended: // the next turn of its member and host
			running--
		}
		for len(ended) > 0 {
			<-ended
			running--
		}
	}
	timeout := time.AfterFunc(stopTimeout, stop)
	defer timeout.Stop()
	group.Wait()
}

// SendDue attempts every delivery that is due and returns how many it attempted.
func (s *Sender) SendDue(ctx context.Context) (attempted int, err error) {
	for {
		claimed, err := s.Store.Deliveries.ClaimDeliveries(ctx, maxMails+maxWebhooks)
		if err != nil || len(claimed) == 0 {
			return attempted, err
		}
		var group sync.WaitGroup
		for i := range claimed {
			group.Go(func() { s.attempt(ctx, &claimed[i]) })
		}
		group.Wait()
		attempted += len(claimed)
	}
}

// attempt sends a delivery once and records the outcome. Of the recipient it logs the domain, and
// nothing of the content.
func (s *Sender) attempt(ctx context.Context, d *models.Delivery) {
	sending, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	var err error
	served := false // by a mail server
	started, begin := s.Clock(), time.Now()
	switch d.Kind {
	case models.Webhook:
		err = s.hooks.post(sending, d)
	case models.Mail:
		served, err = s.sendMail(sending, d)
	}
	ctx = context.WithoutCancel(ctx) // record the outcome even when the sender is stopping
	if s.Attempted != nil {
		s.Attempted(ctx, d.Kind, started, time.Since(begin), err)
	}
	log := s.Log.With("delivery", d.ID, "kind", d.Kind, "attempt", d.Attempts)
	if _, domain, ok := strings.Cut(d.Recipient, "@"); ok && d.Kind == models.Mail {
		log = log.With("domain", domain)
	}
	if d.Dropped > 0 {
		log.Warn("queue was full, older deliveries were dropped", "search", d.SearchID, "dropped", d.Dropped)
	}
	if err == nil {
		if err := s.Store.Deliveries.Delivered(ctx, d.ID); err != nil {
			log.Error("mark delivery as sent", "err", err)
		}
		if served && !s.recorded.Swap(true) {
			if err := s.Store.Site.RecordMail(ctx); err != nil {
				log.Error("record that email works", "err", err)
			}
		}
		return
	}
	givenUp, storeErr := s.Store.Deliveries.Failed(ctx, d, err.Error(), errors.Is(err, errPermanent))
	if storeErr != nil {
		log.Error("mark delivery as failed", "err", storeErr)
	}
	if givenUp {
		log.Warn("delivery failed permanently", "err", err)
	} else {
		log.Warn("delivery failed, will retry", "err", err)
	}
}

// sendMail composes and sends the email of a delivery. served says whether a mail server takes it.
func (s *Sender) sendMail(ctx context.Context, d *models.Delivery) (served bool, err error) {
	server, from := s.SMTP, s.From()
	if server == nil && s.Server != nil {
		var sender string
		if server, sender, err = s.Server(ctx); err != nil {
			return false, err
		}
		from.Address = cmp.Or(sender, from.Address)
	}
	m, err := s.compose(d, from)
	if err != nil {
		return false, err
	}
	if server == nil {
		return false, outbox(s.Outbox).send(ctx, m, d.ID)
	}
	return true, server.send(ctx, m, d.ID)
}

// compose builds a message of text, and of HTML if there is any. The result is the same at each
// attempt.
func (s *Sender) compose(d *models.Delivery, from mail.Address) (*gomail.Msg, error) {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent(), gomail.WithBoundary(d.ID))
	from.Address = asciiDomain(from.Address)
	if err := m.FromFormat(from.Name, from.Address); err != nil {
		return nil, errors.New("invalid sender address")
	}
	if err := m.To(asciiDomain(d.Recipient)); err != nil {
		return nil, fmt.Errorf("invalid recipient address: %w", errPermanent)
	}
	if d.ReplyTo != "" {
		if err := m.ReplyTo(asciiDomain(d.ReplyTo)); err != nil {
			return nil, fmt.Errorf("invalid address for replies: %w", errPermanent)
		}
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	m.SetMessageIDWithValue(d.ID + "@" + domain)
	m.SetDateWithValue(d.CreatedAt.Std())
	m.Subject(oneLine(d.Subject))
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	if d.Secret != "" { // the unsubscribe URL, RFC 8058
		m.SetGenHeaderPreformatted(gomail.HeaderListUnsubscribe, "<"+d.Secret+">")
		m.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	m.SetBodyString(gomail.TypeTextPlain, d.Body)
	if d.HTML != "" {
		m.AddAlternativeString(gomail.TypeTextHTML, d.HTML)
	}
	return m, nil
}

// asciiDomain returns an email address with its domain as ASCII (xn--…), which every mail
// server takes. An address whose domain has no such form stays as it is.
func asciiDomain(address string) string {
	at := strings.LastIndexByte(address, '@')
	if domain, err := idna.Lookup.ToASCII(address[at+1:]); err == nil && at >= 0 {
		return address[:at+1] + domain
	}
	return address
}

// OneLine returns text with every run of white space replaced by one space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
