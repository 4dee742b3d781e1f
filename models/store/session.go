package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/secondlight/secondlight/models"
)

// MaxSessionAge is the maximum lifetime of a session.
const MaxSessionAge = 365 * 24 * time.Hour

const (
	sessionIdleTimeout = 30 * 24 * time.Hour // ends unused sessions
	lastUseInterval    = time.Hour           // precision of the stored time of last use
)

// BeginSession starts a session of an account and returns the secret for the
// cookie. Every sign-in gets a new secret, which prevents session fixation. The
// agent is the browser's user agent, shown in the list of sessions, and the client
// its network address. It fails if the credentials of the account have ended since
// a was read.
func (s *Accounts) BeginSession(ctx context.Context, a *models.Account, agent, client string) (secret string, err error) {
	secret = models.NewSecret()
	now := s.now()
	err = s.update(ctx, func(t *tx) error {
		if err := lockAccount(ctx, t, a); err != nil {
			return err
		}
		if err := addNetwork(ctx, t, a.MemberID, client); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE member_id = $1 AND expires_at < $2`, a.MemberID, now); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `INSERT INTO sessions (hash, member_id, client, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $4, $5)`,
			models.SecretHash(secret), a.MemberID, truncate(agent, 200), now, now.Add(sessionIdleTimeout))
		return err
	})
	return secret, err
}

// truncate truncates text to at most n bytes at a character boundary. It
// returns "" for text that can't be stored.
func truncate(text string, n int) string {
	if !models.Storable(text) {
		return ""
	}
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xc0 == 0x80 { // not within a character
		n--
	}
	return text[:n]
}

// Session returns the identity of a session, or nil if the secret is unknown or
// expired.
func (s *Accounts) Session(ctx context.Context, secret string) (*models.Identity, error) {
	now := s.now()
	var memberID string
	var seen, created models.Time
	err := s.read.QueryRowxContext(ctx, `SELECT member_id, seen_at, created_at FROM sessions WHERE hash = $1 AND expires_at > $2`,
		models.SecretHash(secret), now).Scan(&memberID, &seen, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if now > seen.Add(lastUseInterval) {
		until := min(now.Add(sessionIdleTimeout), created.Add(MaxSessionAge))
		s.recordUse(ctx, `UPDATE sessions SET seen_at = $2, expires_at = $3 WHERE hash = $1`, models.SecretHash(secret), now, until)
	}
	id, err := s.identity(ctx, memberID)
	if id != nil {
		id.Session, id.Scopes = true, id.Account.Role.Scopes()
	}
	return id, err
}

// identity returns the identity of a member without credentials, or nil if the member
// has no account.
func (s *Accounts) identity(ctx context.Context, memberID string) (*models.Identity, error) {
	var m models.Member
	var a models.Account
	err := s.read.QueryRowxContext(ctx, `SELECT m.id, m.handle, m.name, m.region, m.bio, m.joined_at, m.demo,
			a.member_id, a.email, a.password, a.role, a.created_at, a.suspended_at, a.generation, a.language
		FROM accounts a JOIN members m ON m.id = a.member_id WHERE a.member_id = $1`, memberID).
		Scan(&m.ID, &m.Handle, &m.Name, &m.Region, &m.Bio, &m.JoinedAt, &m.Demo,
			&a.MemberID, &a.Email, &a.Password, &a.Role, &a.CreatedAt, &a.SuspendedAt, &a.Generation, &a.Language)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &models.Identity{Member: m, Account: a}, nil
}

// EndSession ends a session.
func (s *Accounts) EndSession(ctx context.Context, secret string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE hash = $1`, models.SecretHash(secret))
		return err
	})
}

// EndSessions ends all sessions of a member.
func (s *Accounts) EndSessions(ctx context.Context, memberID string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE member_id = $1`, memberID)
		return err
	})
}

// EndSessionsOf ends the sessions of a member with a user agent.
func (s *Accounts) EndSessionsOf(ctx context.Context, memberID, client string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE member_id = $1 AND client = $2`, memberID, client)
		return err
	})
}

// Sessions returns a member's open sessions, most recently used first.
func (s *Accounts) Sessions(ctx context.Context, memberID string) ([]models.OpenSession, error) {
	var list []models.OpenSession
	err := s.read.SelectContext(ctx, &list, `SELECT client, created_at, seen_at FROM sessions WHERE member_id = $1 AND expires_at > $2
		ORDER BY seen_at DESC, created_at DESC`, memberID, s.now())
	return list, err
}

const (
	lastUseTimeout = 2 * time.Second // of a write that a request waits for
	lastUsePause   = time.Minute     // after a write failed
)

// recordUse runs a statement that stores when a session or token was last used.
// It is best effort: a request must not fail because the database cannot be
// written. After a failure, which is logged, it does nothing for lastUsePause.
func (s *Accounts) recordUse(ctx context.Context, statement string, args ...any) {
	if failed := s.useFailed.Load(); failed != nil && time.Since(*failed) < lastUsePause {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lastUseTimeout)
	defer cancel()
	err := s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, statement, args...)
		return err
	})
	if err != nil {
		now := time.Now()
		s.useFailed.Store(&now)
		s.log.WarnContext(ctx, "record last use failed", "err", err, "retry_in", lastUsePause)
	}
}
