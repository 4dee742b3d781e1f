// Package delivery takes what is queued on its way: mail by SMTP, or as files
// into a folder, and signed webhooks to addresses that are public.
package delivery

import (
	"context"
	"errors"
	"log/slog"
	"net/mail"
	"sync"
	"time"

	"github.com/secondlight/secondlight/models"
)

// Config is what a Sender is made of.
type Config struct {
	Store *models.Store
	Log   *slog.Logger
	Clock models.Clock
	// SMTP sends mail; nil writes it into the folder Outbox.
	SMTP   *SMTP
	Outbox string
	From   mail.Address // of mail
	// Guard says where webhooks may go; nil is to public addresses.
	Guard *Guard
	// Agent is what webhooks are sent by, such as "Secondlight (https://shop.example)".
	Agent string
	// Pause is the time between two looks into the queue; 0 is a second.
	Pause time.Duration
}

// Bounds of what goes out at once. An attempt ends well within the time for
// which a delivery is claimed.
const (
	mailsAtOnce    = 4
	webhooksAtOnce = 8
	attemptTime    = 30 * time.Second
	stopTime       = 5 * time.Second // that running attempts have when the sender is stopped
)

// Sender sends what is queued. Any number of them may run on one database: each
// delivery is claimed by one.
type Sender struct {
	Config
	mail  mailer
	hooks *hooks
}

// New makes a sender.
func New(cfg Config) *Sender {
	if cfg.Pause == 0 {
		cfg.Pause = time.Second
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.Guard == nil {
		cfg.Guard = &Guard{}
	}
	s := &Sender{Config: cfg, hooks: newHooks(cfg.Guard, cfg.Agent, cfg.Clock)}
	if cfg.SMTP != nil {
		s.mail = cfg.SMTP
	} else {
		s.mail = outbox(cfg.Outbox)
	}
	return s
}

// Run sends until ctx ends. Mail and webhooks have queues of their own, so that
// slow receivers of webhooks hold up no mail.
func (s *Sender) Run(ctx context.Context) error {
	var group sync.WaitGroup
	group.Go(func() { s.follow(ctx, models.Mail, mailsAtOnce) })
	group.Go(func() { s.follow(ctx, models.Webhook, webhooksAtOnce) })
	group.Wait()
	return nil
}

// follow claims as many deliveries of a kind as it has hands free.
func (s *Sender) follow(ctx context.Context, kind models.DeliveryKind, hands int) {
	attempts, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	free := make(chan struct{}, hands)
	for range hands {
		free <- struct{}{}
	}
	look := time.NewTicker(s.Pause)
	defer look.Stop()
	var group sync.WaitGroup
	for ctx.Err() == nil {
		n := len(free)
		claimed, err := s.Store.ClaimDeliveries(ctx, n, kind)
		if err != nil && ctx.Err() == nil {
			s.Log.Error("the queue of deliveries is not read", "kind", kind, "err", err)
		}
		for i := range claimed {
			<-free
			group.Go(func() { s.attempt(attempts, &claimed[i]); free <- struct{}{} })
		}
		if len(claimed) == n { // and there may be more: go on with the next free hand
			select {
			case <-ctx.Done():
			case <-free:
				free <- struct{}{}
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-look.C:
		}
	}
	grace := time.AfterFunc(stopTime, stop)
	defer grace.Stop()
	group.Wait()
}

// Once sends what is due now, and reports how many deliveries it tried.
func (s *Sender) Once(ctx context.Context) (tried int, err error) {
	for {
		claimed, err := s.Store.ClaimDeliveries(ctx, mailsAtOnce+webhooksAtOnce)
		if err != nil || len(claimed) == 0 {
			return tried, err
		}
		var group sync.WaitGroup
		for i := range claimed {
			group.Go(func() { s.attempt(ctx, &claimed[i]) })
		}
		group.Wait()
		tried += len(claimed)
	}
}

// errPermanent marks what no further attempt would change.
var errPermanent = errors.New("for good")

// attempt sends a delivery once. What is logged names neither the receiver nor
// what was sent.
func (s *Sender) attempt(ctx context.Context, d *models.Delivery) {
	sending, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	var err error
	switch d.Kind {
	case models.Webhook:
		err = s.hooks.post(sending, d)
	case models.Mail:
		err = s.sendMail(sending, d)
	}
	ctx = context.WithoutCancel(ctx) // what came of it is kept, whatever ends meanwhile
	log := s.Log.With("delivery", d.ID, "kind", d.Kind, "attempt", d.Attempts)
	if err == nil {
		if err := s.Store.Delivered(ctx, d.ID); err != nil {
			log.Error("a delivery went out and stays in the queue", "err", err)
		}
		return
	}
	if errors.Is(err, errPermanent) {
		d.Attempts = models.MaxAttempts
	}
	givenUp, keepErr := s.Store.Failed(ctx, d)
	if keepErr != nil {
		log.Error("a delivery that failed stays in the queue", "err", keepErr)
	}
	if givenUp {
		log.Warn("a delivery is given up", "err", err)
	} else {
		log.Info("a delivery will be tried again", "err", err)
	}
}
