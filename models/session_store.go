package models

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// SessionMost is how long a session lasts at the most.
const SessionMost = 365 * 24 * time.Hour

const (
	sessionIdle = 30 * 24 * time.Hour // how long a session lasts unused
	seenEvery   = time.Hour           // how often a use is written down
)

// Identity is who makes a request, by session or by token.
type Identity struct {
	Member  Member
	Account Account
	Scopes  Scopes // of the token; every scope in a session
	Session bool   // signed in with a browser, not with a token
	TokenID string // of the token; "" in a session
}

// BeginSession signs a member in and is the secret for the browser's cookie; a
// new one at each signing in, so that nobody can hand out one beforehand. The
// client is what the browser calls itself, for the member's list of sessions.
func (s *AccountStore) BeginSession(ctx context.Context, memberID, client string) (secret string, err error) {
	secret = NewSecret()
	now := s.now()
	err = s.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE member_id = $1 AND expires_at < $2`, memberID, now); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `INSERT INTO sessions (hash, member_id, client, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $4, $5)`,
			secretHash(secret), memberID, shorten(client, 200), now, now+Time(sessionIdle.Milliseconds()))
		return err
	})
	return secret, err
}

// shorten cuts text to at most n bytes of what a database takes.
func shorten(text string, n int) string {
	if !storable(text) {
		return ""
	}
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xc0 == 0x80 { // not inside a character
		n--
	}
	return text[:n]
}

// Session is who a session's secret belongs to; nil when it is unknown or over.
func (s *AccountStore) Session(ctx context.Context, secret string) (*Identity, error) {
	now := s.now()
	var memberID string
	var seen, created Time
	err := s.read.QueryRowxContext(ctx, `SELECT member_id, seen_at, created_at FROM sessions WHERE hash = $1 AND expires_at > $2`,
		secretHash(secret), now).Scan(&memberID, &seen, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if now-seen > Time(seenEvery.Milliseconds()) {
		until := min(now+Time(sessionIdle.Milliseconds()), created+Time(SessionMost.Milliseconds()))
		err := s.update(ctx, func(t *tx) error {
			_, err := t.ExecContext(ctx, `UPDATE sessions SET seen_at = $2, expires_at = $3 WHERE hash = $1`, secretHash(secret), now, until)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	id, err := s.identity(ctx, memberID)
	if id != nil {
		id.Session, id.Scopes = true, AllScopes
	}
	return id, err
}

func (s *AccountStore) identity(ctx context.Context, memberID string) (*Identity, error) {
	account, err := s.accountBy(ctx, "member_id", memberID)
	if err != nil || account == nil {
		return nil, err
	}
	m, err := memberBy(ctx, s.read, "id", memberID)
	if err != nil {
		return nil, err
	}
	return &Identity{Member: *m, Account: *account}, nil
}

// EndSession signs one browser out.
func (s *AccountStore) EndSession(ctx context.Context, secret string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE hash = $1`, secretHash(secret))
		return err
	})
}

// EndSessions signs a member out everywhere.
func (s *AccountStore) EndSessions(ctx context.Context, memberID string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE member_id = $1`, memberID)
		return err
	})
}

// OpenSession is a browser a member is signed in with.
type OpenSession struct {
	Client    string // what the browser calls itself
	CreatedAt Time
	SeenAt    Time // last use, to the hour
}

// Sessions are the browsers a member is signed in with, the last used first.
func (s *AccountStore) Sessions(ctx context.Context, memberID string) ([]OpenSession, error) {
	var list []OpenSession
	err := s.read.SelectContext(ctx, &list, `SELECT client, created_at, seen_at FROM sessions WHERE member_id = $1 AND expires_at > $2
		ORDER BY seen_at DESC, created_at DESC`, memberID, s.now())
	return list, err
}
