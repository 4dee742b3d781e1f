package store

import (
	"context"
	"log/slog"
	"time"
)

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
		slog.WarnContext(ctx, "record last use failed", "err", err, "retry_in", lastUsePause)
	}
}
