package models

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"time"
)

// ChangeKind is what a change is about.
type ChangeKind string

// The kinds of change.
const (
	ListingChanged ChangeKind = "listing" // Subject is the listing's id: read it again, it may be gone
	GearChanged    ChangeKind = "gear"    // Subject is the gear's slug: its trend was rolled up
	MemberChanged  ChangeKind = "member"  // Subject is the member's id
)

// Change says that something was written which readers that keep a copy must
// read again.
type Change struct {
	Kind    ChangeKind
	Subject string
}

// Position is a place in the log of changes of one database.
type Position int64

// ErrReload is returned to a follower whose position is so old that changes
// after it were pruned: it must load everything again, from a new position.
var ErrReload = errors.New("changes were pruned: load everything again")

const (
	changesKept   = 24 * time.Hour
	pruneInterval = time.Hour
	changesBatch  = 1000
	prunedSetting = "changes_pruned" // the newest position that was pruned
)

// follower is how an engine keeps the log of changes.
type follower interface {
	// notify announces a transaction's changes to other processes.
	notify(ctx context.Context, t *tx) error
	// watch gives a channel that receives after announcements, and how long to
	// wait for one before looking anyway.
	watch(ctx context.Context) (woken <-chan struct{}, patience time.Duration, stop func(), err error)
	// position is after every change that is visible now.
	position(ctx context.Context, db *database) (Position, error)
	// since hands over the changes from a cursor on, and where to go on.
	since(ctx context.Context, db *database, from cursor, each func(Change) error) (cursor, error)
	// prune is the statement that deletes changes from before $1 and returns
	// their positions. It spares what a position taken now is not past.
	prune() string
}

// cursor is how far a follower is: it was told of everything before position,
// and of the rows with these numbers after it.
type cursor struct {
	position Position
	told     map[int64]bool
}

// changed notes a change; update writes it with the transaction.
func (t *tx) changed(kind ChangeKind, subject string) {
	t.changes = append(t.changes, Change{kind, subject})
}

// logChanges writes the noted changes into the log of changes.
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

// Position is where to follow from so as to miss nothing that is not visible
// yet: take it before a full load.
func (db *database) Position(ctx context.Context) (Position, error) {
	return db.engine.position(ctx, db)
}

// Follow hands every change from a position on, of any process, to deliver, in
// batches without repeats, usually within milliseconds of the commit on
// PostgreSQL and in this process, and within half a second between processes on
// SQLite. A change may be told twice, never not at all.
//
// It returns when ctx ends, when deliver fails, or with ErrReload; it waits for
// a database that is away to come back.
func (db *database) Follow(ctx context.Context, from Position, deliver func(context.Context, []Change) error) error {
	woken, patience, stop, err := db.engine.watch(ctx)
	if err != nil {
		return ended(ctx, err)
	}
	defer stop()
	committed, leave := db.wake.join()
	defer leave()
	tick := time.NewTicker(patience)
	defer tick.Stop()

	at, nextPrune, away := cursor{position: from}, time.Time{}, false
	for {
		if now := time.Now(); now.After(nextPrune) {
			err := db.checkAndPrune(ctx, at.position)
			if errors.Is(err, ErrReload) {
				return err
			}
			if err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "pruning changes failed, trying again in an hour", "error", err)
			}
			nextPrune = now.Add(pruneInterval)
		}
		next, err := db.deliverSince(ctx, at, deliver)
		var refused *deliverError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refused):
			return refused.error
		case err != nil && !away:
			slog.WarnContext(ctx, "following changes: the database does not answer, trying again", "error", err)
		case err == nil:
			at = next
		}
		away = err != nil
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-woken:
		case <-committed:
		case <-tick.C:
		}
	}
}

// deliverError is a failure of the receiver, not of the database.
type deliverError struct{ error }

// deliverSince hands over what there is from a cursor on.
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

// checkAndPrune tells a follower that came too late, and drops old changes. A
// mark from the future came with a dump of another cluster and says nothing here.
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

// prune drops the changes nobody should still be behind, and remembers the
// newest of them.
func (db *database) prune(ctx context.Context) error {
	return db.update(ctx, func(t *tx) error {
		var gone []int64
		err := t.SelectContext(ctx, &gone, db.engine.prune(), TimeOf(db.clock().Add(-changesKept)))
		if err != nil || len(gone) == 0 {
			return err
		}
		return t.set(ctx, prunedSetting, strconv.FormatInt(slices.Max(gone), 10))
	})
}
