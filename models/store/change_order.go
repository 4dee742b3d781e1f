package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
)

// orderTimeout is how long a transaction waits, after its commit, for the positions of
// its changes.
const orderTimeout = 2 * time.Second

// orderer gives changes their positions on PostgreSQL. Transactions add them to
// unordered_changes, from which a second transaction moves all that are committed to
// changes, one such transaction at a time. It also announces them. So the
// transactions of many writers commit together, and the changes of all that committed
// meanwhile are moved at once.
type orderer struct {
	pool *sqlx.DB // of one connection

	mu      sync.Mutex
	next    *ordering // that the next commits join; nil if none wait
	running bool
}

// ordering is one move of changes.
type ordering struct {
	done chan struct{}   // closed at the end
	last models.Position // of all changes; 0 if it failed
}

// join returns the next ordering, which includes everything committed before the call.
func (o *orderer) join() *ordering {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.next == nil {
		o.next = &ordering{done: make(chan struct{})}
	}
	if !o.running {
		o.running = true
		go o.run()
	}
	return o.next
}

// run orders changes until no commit waits.
func (o *orderer) run() {
	for {
		o.mu.Lock()
		batch := o.next
		o.next, o.running = nil, batch != nil
		o.mu.Unlock()
		if batch == nil {
			return
		}
		batch.last, _ = o.order() // if it fails, followers order the changes
		close(batch.done)
	}
}

// orderStatements are one transaction. A statement sees what was committed when it
// begins, so that the second sees all that was moved before the lock was taken. pg_notify
// comes last, since PostgreSQL makes transactions that announce something commit one at
// a time.
var orderStatements = fmt.Sprintf(`SELECT 0, pg_advisory_xact_lock(%d);
	WITH moved AS (DELETE FROM unordered_changes RETURNING id, %[2]s)
		INSERT INTO changes (%[2]s) SELECT %[2]s FROM moved ORDER BY id;
	SELECT COALESCE(MAX(seq), 0), pg_notify('%[3]s', '') FROM changes`, changesLock, changeColumns, changesChannel)

// order moves the committed changes and returns the last position.
func (o *orderer) order() (last models.Position, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), orderTimeout)
	defer cancel()
	rows, err := o.pool.QueryContext(ctx, orderStatements)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for next := true; next; next = rows.NextResultSet() {
		for rows.Next() {
			var void string
			if err := rows.Scan(&last, &void); err != nil {
				return 0, err
			}
		}
	}
	return last, rows.Err()
}

func (p postgres) appendChanges(ctx context.Context, t *tx, row func(i int) []any) error {
	return t.insert(ctx, `unordered_changes (`+changeColumns+`)`, "", len(t.changes), row)
}

func (p postgres) committed(*tx) models.Position {
	batch := p.orderer.join()
	<-batch.done
	return batch.last
}

// settle orders the changes that a process left which ended after a commit.
func (p postgres) settle(ctx context.Context, db *database) error {
	var left bool
	err := db.read.GetContext(ctx, &left, `SELECT EXISTS (SELECT 1 FROM unordered_changes)`)
	if err == nil && left {
		p.orderer.join()
	}
	return err
}
