package models

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"time"
)

// ChangeKind is the kind of object that changed.
type ChangeKind string

// The kinds of changes.
const (
	ListingChanged ChangeKind = "listing" // Subject is the id of a listing, which may be deleted
	GearChanged    ChangeKind = "gear"    // Subject is the slug of a gear whose trend changed
	MemberChanged  ChangeKind = "member"  // Subject is the id of a member
)

// Change identifies an object that was written. Readers with a copy of it must
// read it again.
type Change struct {
	Kind    ChangeKind
	Subject string
}

// Position is a position in the change log of a database.
type Position int64

// ErrReload is returned by Follow if changes after the given position were
// pruned. The caller must reload everything from a new position.
var ErrReload = errors.New("changes were pruned: reload everything")

const (
	changeRetention = 24 * time.Hour
	pruneInterval   = time.Hour
	changesBatch    = 1000
	prunedSetting   = "changes_pruned" // the newest pruned position
)

// changeLog is the part of an engine that stores and reads the change log.
type changeLog interface {
	// notify announces the changes of a transaction to other processes.
	notify(ctx context.Context, t *tx) error
	// watch returns a channel that receives after announcements, and the
	// interval at which to poll in any case.
	watch(ctx context.Context) (woken <-chan struct{}, patience time.Duration, stop func(), err error)
	// position returns a position after all changes that are visible now.
	position(ctx context.Context, db *database) (Position, error)
	// since calls each for the changes after a cursor and returns the next
	// cursor.
	since(ctx context.Context, db *database, from cursor, each func(Change) error) (cursor, error)
	// prune returns the statement that deletes changes older than $1 and
	// returns their positions. It must keep changes after the current position.
	prune() string
}

// cursor records the progress of a follower. Changes before position, and those
// with the given sequence numbers after it, have been delivered.
type cursor struct {
	position  Position
	delivered map[int64]bool
}

// changed records a change to be logged when the transaction commits.
func (t *tx) changed(kind ChangeKind, subject string) {
	t.changes = append(t.changes, Change{kind, subject})
}

// logChanges writes the recorded changes to the change log.
func (t *tx) logChanges(ctx context.Context) error {
	if len(t.changes) == 0 {
		return nil
	}
	at := t.db.now()
	err := t.insert(ctx, "changes (kind, subject, at)", "", len(t.changes), func(i int) []any {
		return []any{t.changes[i].Kind, t.changes[i].Subject, at}
	})
	if err != nil {
		return err
	}
	return t.db.engine.notify(ctx, t)
}

// Position returns the position to follow from. Take it before a full load, so
// that no change is missed.
func (db *database) Position(ctx context.Context) (Position, error) {
	return db.engine.position(ctx, db)
}

// Follow calls deliver with the changes of all processes from a position on, in
// batches without duplicates. Changes usually arrive within milliseconds of the
// commit on PostgreSQL and in this process, and within half a second between
// processes on SQLite. Delivery is at least once.
//
// It returns when ctx is done, when deliver returns an error, or with
// ErrReload. If the database is unavailable it retries.
func (db *database) Follow(ctx context.Context, from Position, deliver func(context.Context, []Change) error) error {
	woken, pollInterval, stop, err := db.engine.watch(ctx)
	if err != nil {
		return contextError(ctx, err)
	}
	defer stop()
	committed, unsubscribe := db.wake.subscribe()
	defer unsubscribe()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()

	at, nextPrune, unavailable := cursor{position: from}, time.Time{}, false
	for {
		if now := time.Now(); now.After(nextPrune) {
			err := db.checkAndPrune(ctx, at.position)
			if errors.Is(err, ErrReload) {
				return err
			}
			if err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "prune changes failed", "error", err, "retry_in", pruneInterval)
			}
			nextPrune = now.Add(pruneInterval)
		}
		next, err := db.deliverSince(ctx, at, deliver)
		var failed *deliverError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &failed):
			return failed.error
		case err != nil && !unavailable:
			slog.WarnContext(ctx, "read changes failed, retrying", "error", err, "position", at.position)
		case err == nil:
			at = next
			now := time.Now()
			db.followed.Store(&now)
		}
		unavailable = err != nil
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-woken:
		case <-committed:
		case <-tick.C:
		}
	}
}

// Lag returns for how long changes may not have been delivered by Follow. It is
// below two seconds normally, and 0 before Follow has started.
func (db *database) Lag() time.Duration {
	if at := db.followed.Load(); at != nil {
		return time.Since(*at)
	}
	return 0
}

// deliverError is an error returned by the deliver function, as opposed to the
// database.
type deliverError struct{ error }

// deliverSince delivers the changes after a cursor and returns the next cursor.
func (db *database) deliverSince(ctx context.Context, from cursor, deliver func(context.Context, []Change) error) (cursor, error) {
	var batch []Change
	inBatch := map[Change]bool{}
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := deliver(ctx, batch); err != nil {
			return &deliverError{err}
		}
		batch = nil
		clear(inBatch)
		return nil
	}
	next, err := db.engine.since(ctx, db, from, func(c Change) error {
		if inBatch[c] {
			return nil
		}
		inBatch[c] = true
		if batch = append(batch, c); len(batch) < changesBatch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return from, err
	}
	return next, flush()
}

// checkAndPrune returns ErrReload if changes after the position were pruned,
// and prunes old changes. A pruned position in the future comes from a dump of
// another cluster and is ignored.
func (db *database) checkAndPrune(ctx context.Context, at Position) error {
	value, err := db.setting(ctx, prunedSetting)
	if err != nil {
		return err
	}
	now, err := db.engine.position(ctx, db)
	if err != nil {
		return err
	}
	pruned, err := strconv.ParseInt(value, 10, 64)
	if err == nil && at <= Position(pruned) && Position(pruned) < now {
		return ErrReload
	}
	return db.prune(ctx)
}

// prune deletes changes older than changeRetention and stores the newest
// deleted position.
func (db *database) prune(ctx context.Context) error {
	return db.update(ctx, func(t *tx) error {
		var gone []int64
		err := t.SelectContext(ctx, &gone, db.engine.prune(), TimeOf(db.clock().Add(-changeRetention)))
		if err != nil || len(gone) == 0 {
			return err
		}
		return t.setSetting(ctx, prunedSetting, strconv.FormatInt(slices.Max(gone), 10))
	})
}
