package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// errWrongCursor is the error for a cursor that is not one of this database.
var errWrongCursor = &problem.Error{Kind: problem.Invalid, Code: "invalid_cursor",
	Message: problem.Programf("The cursor isn't valid for the change feed."),
	Hint:    problem.Programf("Copy next_cursor, or the cursor of a change, without changes. GET /api/changes?since=now returns the current cursor."),
	Fields:  []problem.FieldError{{Field: "since", Code: "invalid_cursor", Message: problem.Programf("is not a cursor of the change feed")}}}

// Errors of Follow, after which the caller must load everything again from a new mark.
var (
	ErrReload   = errors.New("changes were pruned: reload everything")
	ErrReplaced = errors.New("the database was replaced by another or older one: reload everything")
)

// errIncomplete is the error of a database that is being restored.
var errIncomplete = errors.New("the database is not complete: it is being restored, or was never migrated")

// changeLog is the part of an engine that orders and announces changes.
type changeLog interface {
	// appendChanges adds the changes of a transaction as its last step. row returns the
	// values of the ith, as in changeColumns.
	appendChanges(ctx context.Context, t *tx, row func(i int) []any) error
	// committed returns the position of the last change of a transaction, once the
	// transaction has committed and readers see the change; 0 if that is uncertain.
	// Positions are in the order of the commits: a reader who sees a row sees all
	// before it, forever. It announces the changes to other processes.
	committed(t *tx) models.Position
	// settle gives positions to committed changes that have none.
	settle(ctx context.Context, db *database) error
	// watch returns a channel that receives after announcements, and the
	// interval at which to poll in any case.
	watch(ctx context.Context) (woken <-chan struct{}, patience time.Duration, stop func(), err error)
}

// changed records a change that only the server's copies of the data depend on.
func (t *tx) changed(kind models.ChangeKind, subject string) {
	t.happened(models.Entry{Change: models.Change{Kind: kind, Subject: subject}})
}

// happened records a change, to be logged when the transaction commits.
func (t *tx) happened(e models.Entry) { t.changes = append(t.changes, e) }

// listingHappened records an event of a listing.
func (t *tx) listingHappened(event models.Event, l *models.Listing) {
	t.happened(models.Entry{Change: models.Change{Kind: models.ListingChanged, Subject: l.ID}, Event: event, MemberID: l.SellerID, Version: l.Version})
}

// sellerUpdated records an event of a member's public profile.
func (t *tx) sellerUpdated(memberID string) {
	t.happened(models.Entry{Change: models.Change{Kind: models.MemberChanged, Subject: memberID}, Event: models.SellerUpdated})
}

// logChanges writes the recorded changes to the change log.
func (t *tx) logChanges(ctx context.Context) error {
	if len(t.changes) == 0 {
		return nil
	}
	at := t.db.now()
	return t.db.engine.appendChanges(ctx, t, func(i int) []any {
		e := &t.changes[i]
		return []any{e.Kind, e.Subject, e.Event, e.MemberID, e.Version, at}
	})
}

const changeColumns = `kind, subject, event, member_id, version, at`

// Position returns the position of the last change. Take it before a full load, so
// that no change is missed.
func (db *database) Position(ctx context.Context) (models.Position, error) {
	var last sql.NullInt64
	if err := db.read.GetContext(ctx, &last, `SELECT MAX(seq) FROM changes`); err != nil {
		return 0, err
	}
	_, pruned, err := db.changeLogState(ctx) // they may all be pruned
	return max(models.Position(last.Int64), pruned), err
}

// Mark is a position in the change log of a database, with what distinguishes the database
// from an older copy of it. What is not set is not compared.
type Mark struct {
	models.Position
	Log  string       // id of the change log
	Last models.Entry // at the position; the zero Entry if it was pruned or there is none
}

// Mark returns the mark of the last change. Take it before a full load, so that no change
// is missed.
func (db *database) Mark(ctx context.Context) (m Mark, err error) {
	if err := db.read.GetContext(ctx, &m.Last, selectEntries+` ORDER BY seq DESC LIMIT 1`); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Mark{}, err
	}
	var pruned models.Position
	if m.Log, pruned, err = db.changeLogState(ctx); err != nil {
		return Mark{}, err
	}
	if m.Log == "" {
		return Mark{}, errIncomplete
	}
	m.Position = max(m.Last.Position, pruned)
	return m, nil
}

// MarkAt returns the mark of a change, without the change if it was pruned but none after it
// was. It fails if changes after it were pruned, or it was never made.
func (db *database) MarkAt(ctx context.Context, at models.Position) (m Mark, err error) {
	err = db.read.GetContext(ctx, &m.Last, selectEntries+` WHERE seq = $1`, at)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Mark{}, err
	}
	log, pruned, stateErr := db.changeLogState(ctx)
	switch {
	case stateErr != nil:
		return Mark{}, stateErr
	case err != nil && at != pruned:
		return Mark{}, fmt.Errorf("read the change at %d: %w", at, err)
	}
	m.Position, m.Log = at, log
	return m, nil
}

// Advance moves the mark to an entry.
func (m *Mark) Advance(e models.Entry) { m.Position, m.Last = e.Position, e }

// changeLogState returns the id of the change log and the newest pruned position, once the changes that
// were read before are on the disk: others would get their positions if the power failed.
func (db *database) changeLogState(ctx context.Context) (id string, pruned models.Position, err error) {
	if err := db.engine.persist(); err != nil {
		return "", 0, err
	}
	var rows []struct{ Name, Value string }
	err = db.read.SelectContext(ctx, &rows, `SELECT name, value FROM settings WHERE name IN ($1, $2)`, models.LogSetting, models.PrunedSetting)
	for _, row := range rows {
		if row.Name == models.LogSetting {
			id = row.Value
		} else if n, err := strconv.ParseInt(row.Value, 10, 64); err == nil {
			pruned = models.Position(n)
		}
	}
	return id, pruned, err
}

// renewChangeLog gives the change log a new id, which makes the cursors of all readers
// outdated, unless it has one and keep is set. The site gets a new id, too.
func (t *tx) renewChangeLog(ctx context.Context, keep bool) error {
	if !keep {
		if _, err := t.ExecContext(ctx, `DELETE FROM settings WHERE name IN ($1, $2, $3)`, models.LogSetting, models.PrunedSetting, siteIDSetting); err != nil {
			return err
		}
	}
	_, err := t.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, models.LogSetting, models.NewSecret()[:8])
	return err
}

const selectEntries = `SELECT seq AS position, kind, subject, event, member_id, version, at FROM changes`

// entries returns up to limit changes after a position, in order. public selects the
// published ones. It returns ErrReload if changes after the position were pruned.
func (db *database) entries(ctx context.Context, after models.Position, public bool, limit int) ([]models.Entry, error) {
	query := selectEntries + ` WHERE seq > $1`
	if public {
		query += ` AND ` + isPublished
	}
	var entries []models.Entry
	if err := db.read.SelectContext(ctx, &entries, query+` ORDER BY seq LIMIT $2`, after, limit); err != nil {
		return nil, err
	}
	// After the rows were read, so that none of them was pruned before.
	if _, pruned, err := db.changeLogState(ctx); err != nil || after < pruned {
		return nil, errors.Join(err, ErrReload)
	}
	return entries, nil
}

// entriesAfter returns up to limit changes after a mark, in order, with the errors of
// Follow.
func (db *database) entriesAfter(ctx context.Context, m Mark, limit int) ([]models.Entry, error) {
	var entries []models.Entry
	if err := db.read.SelectContext(ctx, &entries, selectEntries+` WHERE seq >= $1 ORDER BY seq LIMIT $2`, m.Position, limit+1); err != nil {
		return nil, err
	}
	// After the rows were read, so that none of them was pruned before.
	log, pruned, err := db.changeLogState(ctx)
	found := len(entries) > 0 && entries[0].Position == m.Position
	known := m.Last != models.Entry{}
	switch {
	case err != nil:
		return nil, err
	case log == "":
		return nil, errIncomplete
	case m.Log != "" && log != m.Log, known && found && entries[0] != m.Last, known && !found && pruned < m.Position:
		return nil, ErrReplaced
	case m.Position < pruned:
		return nil, ErrReload
	case found:
		return entries[1:], nil
	}
	return entries[:min(len(entries), limit)], nil
}

// replaced forgets what was remembered of a database that was replaced since a mark was
// taken, and gives the change log a new id unless another server has done so.
func (db *database) replaced(ctx context.Context, since Mark) error {
	db.trends.Gear.Clear()
	db.sitemaps.clear()
	return db.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE settings SET value = $3 WHERE name = $1 AND value = $2`, models.LogSetting, since.Log, models.NewSecret()[:8])
		return err
	})
}

// isPublished is the condition of changes that everybody may see.
const isPublished = `event <> '' AND kind IN ('listing', 'gear', 'member')`

// Entries returns up to limit changes after a position, private ones included, in
// order. It returns ErrReload if changes after the position were pruned.
func (s *Store) Entries(ctx context.Context, after models.Position, limit int) ([]models.Entry, error) {
	return s.entries(ctx, after, false, limit)
}

// PublicChanges returns up to limit published changes after a cursor, in an order that
// never changes, and the cursor after them. If there are fewer than limit, that is the
// cursor of the present. The cursor "" is that of the oldest change. The error is
// changes_expired for a cursor older than the oldest stored change, or of
// another database, and invalid_cursor for others.
func (s *Store) PublicChanges(ctx context.Context, since string, limit int) (changes []models.Entry, next string, err error) {
	id, pruned, err := s.changeLogState(ctx)
	if err != nil {
		return nil, "", err
	}
	after := pruned
	if since != "" {
		if after, err = s.ReadCursor(ctx, since); err != nil {
			return nil, "", err
		}
	}
	now, err := s.Position(ctx) // before the rows: all up to it are visible to them
	if err != nil {
		return nil, "", err
	}
	changes, err = s.entries(ctx, after, true, limit)
	if errors.Is(err, ErrReload) {
		return nil, "", models.ErrChangesExpired
	}
	if err != nil {
		return nil, "", err
	}
	position := max(after, now)
	if len(changes) > 0 && (len(changes) == limit || changes[len(changes)-1].Position > now) {
		position = changes[len(changes)-1].Position
	}
	return changes, models.Cursor(id, position), nil
}

// ReadCursor returns the position of a cursor, with the errors of PublicChanges.
func (s *Store) ReadCursor(ctx context.Context, cursor string) (models.Position, error) {
	log, at, ok := models.ParseCursor(cursor)
	if !ok {
		return 0, errWrongCursor
	}
	id, pruned, err := s.changeLogState(ctx)
	if err != nil {
		return 0, err
	}
	now, err := s.Position(ctx)
	if err != nil {
		return 0, err
	}
	if log != id || at < pruned || at > now { // after now: an older copy of the database was put in place
		return 0, models.ErrChangesExpired
	}
	return at, nil
}

// ChangeLog returns the id of the change log, which is part of each cursor, and the
// position of the last change.
func (db *database) ChangeLog(ctx context.Context) (id string, last models.Position, err error) {
	if id, _, err = db.changeLogState(ctx); err != nil {
		return "", 0, err
	}
	last, err = db.Position(ctx)
	return id, last, err
}

// Follow calls deliver with the changes of all processes after a mark, in
// order and in batches. Changes usually arrive within milliseconds of the commit
// on PostgreSQL and in this process, and within half a second between processes
// on SQLite.
//
// It returns when ctx is done, when deliver returns an error, or with ErrReload or
// ErrReplaced. If the database is unavailable it retries.
func (db *database) Follow(ctx context.Context, from Mark, deliver func(context.Context, []models.Entry) error) error {
	woken, pollInterval, stop, err := db.engine.watch(ctx)
	if err != nil {
		return contextError(ctx, err)
	}
	defer stop()
	committed, unsubscribe := db.wake.subscribe()
	defer unsubscribe()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()

	at, nextPrune, unavailable := from, time.Time{}, false
	for {
		if now := time.Now(); now.After(nextPrune) {
			if err := db.prune(ctx); err != nil && ctx.Err() == nil {
				db.log.WarnContext(ctx, "prune changes failed", "err", err, "retry_in", models.PruneInterval)
			}
			nextPrune = now.Add(models.PruneInterval)
		}
		err := db.deliverAfter(ctx, &at, deliver)
		if errors.Is(err, ErrReplaced) {
			err = cmp.Or(db.replaced(ctx, at), err)
		}
		var failed *deliverError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &failed):
			return failed.error
		case errors.Is(err, ErrReload), errors.Is(err, ErrReplaced):
			return err
		case err != nil && !unavailable:
			db.log.WarnContext(ctx, "read changes failed, retrying", "err", err, "position", at.Position)
		case err == nil:
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
			if err := db.engine.settle(ctx, db); err != nil && ctx.Err() == nil && !unavailable {
				db.log.WarnContext(ctx, "order changes failed, retrying", "err", err)
			}
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

// deliverAfter delivers the changes after a mark and advances it.
func (db *database) deliverAfter(ctx context.Context, at *Mark, deliver func(context.Context, []models.Entry) error) error {
	for {
		batch, err := db.entriesAfter(ctx, *at, models.ChangesBatch)
		if err != nil || len(batch) == 0 {
			return err
		}
		if err := deliver(ctx, batch); err != nil {
			return &deliverError{err}
		}
		at.Advance(batch[len(batch)-1])
		if len(batch) < models.ChangesBatch {
			return nil
		}
	}
}

// prune deletes the changes up to the newest that is older than ChangeRetention, in
// batches, and stores its position.
func (db *database) prune(ctx context.Context) error {
	var last sql.NullInt64
	if err := db.read.GetContext(ctx, &last, lastExpiredChange, models.TimeOf(db.clock().Add(-models.ChangeRetention))); err != nil || !last.Valid {
		return err
	}
	for {
		more := false
		err := db.update(ctx, func(t *tx) (err error) {
			more, err = t.pruneBatch(ctx, last.Int64)
			return err
		})
		if err != nil || !more {
			return err
		}
	}
}

const lastExpiredChange = `SELECT MAX(seq) FROM (SELECT seq FROM changes WHERE at < $1 ORDER BY at DESC LIMIT 1) AS expired`

// pruneBatch deletes the oldest changes up to a position. It returns false if there was
// none. The stored position never decreases, although several servers prune.
func (t *tx) pruneBatch(ctx context.Context, last int64) (some bool, err error) {
	var to sql.NullInt64
	err = t.GetContext(ctx, &to, `SELECT MAX(seq) FROM (SELECT seq FROM changes WHERE seq <= $1 ORDER BY seq LIMIT $2) AS batch`, last, models.PruneRows)
	if err != nil || !to.Valid {
		return false, err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM changes WHERE seq <= $1`, to.Int64); err != nil {
		return false, err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
		WHERE CAST(settings.value AS BIGINT) < CAST(excluded.value AS BIGINT)`, models.PrunedSetting, strconv.FormatInt(to.Int64, 10))
	return true, err
}
