package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"go.opentelemetry.io/otel/trace"

	"github.com/secondlight/secondlight/models"
)

// postgres is the engine for PostgreSQL.
type postgres struct {
	address string
	link    *link
	orderer *orderer
}

const (
	postgresConnections = 12
	scanConnections     = 4 // that read whole tables
)

func (db *database) openPostgres(address string, o Options) error {
	u, err := parsePostgres(address)
	if err != nil {
		return err
	}
	setDefaults(u, map[string]string{"connect_timeout": "3"}) // of each host
	if o.LockTimeout > 0 {
		setDefaults(u, map[string]string{"lock_timeout": milliseconds(o.LockTimeout)})
	}
	db.link = newLink()
	if db.order, err = postgresDB(u, db.link, 1, 1, nil); err != nil {
		return err
	}
	db.engine = postgres{u.String(), db.link, newOrderer(db.order)}
	if db.scan, err = postgresDB(u, db.link, scanConnections, 0, o.Tracing); err != nil {
		return err
	}
	if o.StatementTimeout > 0 {
		setDefaults(u, map[string]string{"statement_timeout": milliseconds(o.StatementTimeout)})
	}
	n := cmp.Or(o.MaxConnections, postgresConnections)
	db.read, err = postgresDB(u, db.link, n, n, o.Tracing)
	db.write = db.read
	return err
}

// parsePostgres parses the URL of a database, and adds the parameters of each connection.
func parsePostgres(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("database URL is not valid: want postgres://user:password@host/name") // omit the URL, which contains a password
	}
	// Custom plans are better than generic ones for a LIMIT with a selective
	// filter, and JIT compilation takes longer than these queries.
	setDefaults(u, map[string]string{"jit": "off", "plan_cache_mode": "force_custom_plan", "application_name": "secondlight"})
	return u, nil
}

// postgresDB opens a pool of at most n connections over a link, and keeps up to idle of
// them open.
func postgresDB(u *url.URL, over *link, n, idle int, tracing trace.TracerProvider) (*sqlx.DB, error) {
	connector, err := pq.NewConnector(u.String())
	if err != nil {
		return nil, err
	}
	connector.Dialer(over)
	pool := connectPool("postgres", preparing{connector}, tracing)
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(idle)
	return pool, nil
}

// errPooler is the error of a connection pool whose clients share connections.
var errPooler = errors.New("the database URL is that of a connection pool, such as PgBouncer: " +
	"use the address of PostgreSQL itself, because the server needs connections of its own and pools them")

// refusePooler returns errPooler if the statements of two connections run in the same
// session of the server.
func (db *database) refusePooler(ctx context.Context) error {
	var conns [2]*sqlx.Conn
	for i := range conns {
		c, err := db.scan.Connx(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		conns[i] = c
	}
	var sessions [2]int
	for range 3 { // a pool may take turns
		for i, c := range conns {
			before := sessions[i]
			if err := c.GetContext(ctx, &sessions[i], `SELECT pg_backend_pid()`); err != nil {
				return err
			}
			if before != 0 && before != sessions[i] || sessions[0] == sessions[1] {
				return errPooler
			}
		}
	}
	return nil
}

// explainConnect returns err, the reason why the first connection failed, in clear words.
func explainConnect(err error) error {
	var answer *pq.Error
	if errors.As(err, &answer) && strings.Contains(answer.Message, "unsupported startup parameter") {
		return fmt.Errorf("%w (%s)", errPooler, answer.Message)
	}
	return err
}

// SetDefaults sets parameters of each connection that the URL does not set.
func setDefaults(u *url.URL, values map[string]string) {
	query := u.Query()
	for name, value := range values {
		if !query.Has(name) {
			query.Set(name, value)
		}
	}
	u.RawQuery = query.Encode()
}

// milliseconds returns a timeout as PostgreSQL and SQLite write it.
func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func (postgres) connect(ctx context.Context, db *database) error {
	if err := db.Ping(ctx); err != nil {
		return explainConnect(err)
	}
	return db.refusePooler(ctx)
}

func (postgres) migration() (goose.Dialect, []goose.ProviderOption, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	return goose.DialectPostgres, []goose.ProviderOption{goose.WithSessionLocker(locker)}, err
}

// translate makes comparisons of text bytewise, as in SQLite, whatever the
// locale of the cluster.
func (postgres) translate(sql string) string {
	return strings.ReplaceAll(sql, "TEXT", `TEXT COLLATE "C"`)
}

func (postgres) name() string { return "PostgreSQL" }

// erase does nothing: autovacuum frees the rows, and their space is written again.
func (postgres) erase(context.Context, *database) error { return nil }

func (postgres) size() string { return `SELECT pg_database_size(current_database())` }

func (postgres) schemaObjects() string {
	return `SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')
		UNION SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema()`
}

func (postgres) tables() string {
	return `SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`
}

func (postgres) foreignKeys() string {
	return `SELECT child.relname::text AS child, parent.relname::text AS parent FROM pg_constraint
		JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid
		WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`
}

func (postgres) placeholder(n int) string { return numbered(n) }

// analyze does at once what autovacuum does within minutes.
func (postgres) analyze(ctx context.Context, db *database, table string) error {
	_, err := db.scan.ExecContext(ctx, `ANALYZE `+table)
	return err
}

func (postgres) arrays() bool { return true }

// insertArrays is insertReturning with an array for each column, or one value for a column
// that has the same in all rows. Columns without values are NULL.
func (t *tx) insertArrays(ctx context.Context, table, suffix string, n int, row func(i int) []any, scan func(*sqlx.Rows) error) error {
	var columns []arrayColumn
	for i := range n {
		values := row(i)
		if i == 0 {
			columns = make([]arrayColumn, len(values))
		}
		for c, value := range values {
			if err := columns[c].add(value); err != nil {
				return fmt.Errorf("insert into %s: %w", table, err)
			}
		}
	}
	var list, names, arrays []string
	var args []any
	for c := range columns {
		column := &columns[c]
		if column.typ == "" {
			list = append(list, "NULL")
			continue
		}
		if len(arrays) > 0 && !column.varies {
			args = append(args, column.first)
			list = append(list, numbered(len(args))+"::"+column.typ)
			continue
		}
		name := "c" + strconv.Itoa(c)
		args = append(args, column.array())
		list, names, arrays = append(list, name), append(names, name), append(arrays, numbered(len(args))+"::"+column.typ+"[]")
	}
	return t.run(ctx, `INSERT INTO `+table+` SELECT `+strings.Join(list, ",")+
		` FROM unnest(`+strings.Join(arrays, ",")+`) AS added (`+strings.Join(names, ",")+`) `+suffix, args, scan)
}

// arrayColumn is the text of an array.
type arrayColumn struct {
	typ    string // of the elements, "" until there is one
	text   []byte
	first  driver.Value
	varies bool // whether another element differs from the first
}

// array returns the array, to which nothing can be added any more.
func (c *arrayColumn) array() string { return string(append(c.text, '}')) }

// add appends an element.
func (c *arrayColumn) add(value any) error {
	value, err := driver.DefaultParameterConverter.ConvertValue(value)
	if err != nil {
		return err
	}
	isFirst := len(c.text) == 0
	if isFirst {
		c.text = append(c.text, '{')
	} else {
		c.text = append(c.text, ',')
	}
	switch v := value.(type) {
	case nil:
		c.text = append(c.text, "NULL"...)
	case string:
		c.typ, c.text = "text", appendElement(c.text, v)
	case int64:
		c.typ, c.text = "bigint", strconv.AppendInt(c.text, v, 10)
	case bool:
		c.typ, c.text = "boolean", strconv.AppendBool(c.text, v)
	default:
		return fmt.Errorf("no array of %T", v)
	}
	if isFirst {
		c.first = value
	}
	c.varies = c.varies || value != c.first
	return nil
}

// appendElement appends a text as an element of an array.
func appendElement(array []byte, text string) []byte {
	array = append(array, '"')
	for i := range len(text) {
		if text[i] == '"' || text[i] == '\\' {
			array = append(array, '\\')
		}
		array = append(array, text[i])
	}
	return append(array, '"')
}

// retry returns true for deadlocks, serialization failures and unique
// violations.
func (postgres) retry(err error) bool {
	var e *pq.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case "40001", "40P01", "23505":
		return true
	}
	return false
}

// changesChannel is the channel on which commits are announced.
const changesChannel = "secondlight_changes"

// changesLock is the key of the advisory lock that orders changes.
const changesLock = 7_205_759_403_792

// watch listens for announcements. After a reconnect the listener sends an
// empty notification, which also wakes the follower.
func (p postgres) watch(ctx context.Context) (<-chan struct{}, time.Duration, func(), error) {
	listener := pq.NewDialListener(p.link, p.address, 100*time.Millisecond, time.Second, nil)
	context.AfterFunc(ctx, func() { listener.Close() }) // also while Listen waits for an unavailable server
	if err := listener.Listen(changesChannel); err != nil {
		listener.Close()
		return nil, 0, nil, fmt.Errorf("listen for changes: %w", err)
	}
	woken := make(chan struct{}, 1)
	go func() {
		for range listener.Notify {
			wake(woken)
		}
	}()
	return woken, time.Second, func() { listener.Close() }, nil
}

// Watch checks four times a second, and more often while it does not, whether the database
// answers, until ctx ends, and returns its error. While the database does not, queries fail at
// once. A server that answers queries is there, even if it is too busy to answer Watch in time.
func (db *database) Watch(ctx context.Context) error {
	server, ok := db.engine.(postgres)
	if !ok {
		<-ctx.Done()
		return ctx.Err()
	}
	p, err := newProber(server.address)
	if err != nil {
		return err
	}
	defer p.close()
	defer db.link.record(true)
	for {
		reads := db.link.reads.Load()
		err := p.probe(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if isSilence(err) && db.link.reads.Load() != reads {
			err = nil
		}
		if db.link.record(err == nil) {
			db.reportLink(ctx, err)
		}
		pause := probeInterval
		if err != nil {
			pause = awayInterval
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// orderTimeout is how long a transaction waits, after its commit, for the positions of
// its changes.
const orderTimeout = 2 * time.Second

// orderer gives changes their positions on PostgreSQL. Transactions add them to
// unordered_changes, from which a second transaction moves all that are committed to
// changes, one such transaction at a time. It also announces them. So the
// transactions of many writers commit together, and the changes of all that committed
// meanwhile are moved at once.
type orderer struct {
	pool  *sqlx.DB // of one connection
	moves batches[models.Position]
}

func newOrderer(pool *sqlx.DB) *orderer {
	o := &orderer{pool: pool}
	o.moves.run = func() models.Position {
		last, _ := o.order() // if it fails, followers order the changes
		return last
	}
	return o
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

func (p postgres) committed(*tx) models.Position { return p.orderer.moves.join() }

func (postgres) commit(t *tx) error { return t.Commit() }

// persist does nothing: PostgreSQL commits when a transaction is on the disk.
func (postgres) persist() error { return nil }

func (postgres) close() error { return nil }

// settle orders the changes that a process left which ended after a commit.
func (p postgres) settle(ctx context.Context, db *database) error {
	var left bool
	err := db.read.GetContext(ctx, &left, `SELECT EXISTS (SELECT 1 FROM unordered_changes)`)
	if err == nil && left {
		p.orderer.moves.join()
	}
	return err
}
