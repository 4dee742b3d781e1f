package models

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
)

// tx is a transaction that remembers which changes its readers must hear of, and
// what members must.
type tx struct {
	*sqlx.Tx
	db         *database
	changes    []Change
	notices    []Notice
	statements map[string]*sqlx.Stmt // that were run, and prepared when they came again
}

// prepared is a statement ready to run again, nil when the transaction runs it for
// the first time: most run once, and would be read twice for it.
func (t *tx) prepared(ctx context.Context, query string) (*sqlx.Stmt, error) {
	stmt, known := t.statements[query]
	if known && stmt == nil {
		var err error
		if stmt, err = t.PreparexContext(ctx, query); err != nil {
			return nil, err
		}
	}
	t.statements[query] = stmt
	return stmt, nil
}

// ExecContext is that of sqlx, with statements that come again prepared.
func (t *tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := t.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return t.Tx.ExecContext(ctx, query, args...)
	}
	return stmt.ExecContext(ctx, args...)
}

// QueryxContext is that of sqlx, with statements that come again prepared.
func (t *tx) QueryxContext(ctx context.Context, query string, args ...any) (*sqlx.Rows, error) {
	stmt, err := t.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return t.Tx.QueryxContext(ctx, query, args...)
	}
	return stmt.QueryxContext(ctx, args...)
}

// maxParameters is how many parameters one INSERT carries. SQLite looks each of
// them up in a list, so that twice as many cost four times as much.
const maxParameters = 200

// maxRows is how many values one statement names.
const maxRows = 500

// insert adds n rows to a table given as "name (column, …)", many to a
// statement. The suffix, such as ON CONFLICT, follows the values.
func (t *tx) insert(ctx context.Context, table, suffix string, n int, row func(i int) []any) error {
	return t.insertReturning(ctx, table, suffix, n, row, nil)
}

// insertReturning is insert with a RETURNING suffix, whose rows go to scan.
func (t *tx) insertReturning(ctx context.Context, table, suffix string, n int, row func(i int) []any, scan func(*sqlx.Rows) error) error {
	var args []any
	for start := 0; start < n; {
		args = append(args[:0], row(start)...)
		columns := len(args)
		end := min(n, start+max(1, maxParameters/columns))
		for i := start + 1; i < end; i++ {
			args = append(args, row(i)...)
		}
		query := "INSERT INTO " + table + " VALUES " + tuples(end-start, columns, t.db.engine.place) + " " + suffix
		if err := t.run(ctx, query, args, scan); err != nil {
			return err
		}
		start = end
	}
	return nil
}

func (t *tx) run(ctx context.Context, query string, args []any, scan func(*sqlx.Rows) error) error {
	if scan == nil {
		_, err := t.ExecContext(ctx, query, args...)
		return err
	}
	rows, err := t.QueryxContext(ctx, query, args...)
	if err != nil {
		return err
	}
	return eachRow(rows, scan)
}

// affected runs a statement and counts the rows it changed: of several who race
// for a row with a guarded update, one is told 1.
func (t *tx) affected(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := t.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// set remembers a value.
func (t *tx) set(ctx context.Context, name, value string) error {
	_, err := t.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

// eachRow hands every row to scan and closes the rows.
func eachRow(rows *sqlx.Rows, scan func(*sqlx.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// tuples writes "($1,$2),($3,$4)": rows tuples of columns parameters.
func tuples(rows, columns int, place func(n int) string) string {
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('(')
		for j := range columns {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(place(i*columns + j + 1))
		}
		b.WriteByte(')')
	}
	return b.String()
}

// numbered is the place of the nth parameter, from 1, on both engines: "$1".
func numbered(n int) string { return "$" + strconv.Itoa(n) }

// parameters writes "$first,…": n parameters.
func parameters(first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = numbered(first + i)
	}
	return strings.Join(list, ",")
}

// anys makes arguments of values.
func anys[T any](values []T) []any {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	return args
}

// storable reports whether text can be in the database: PostgreSQL takes no NUL
// and no broken UTF-8, not even to look for it.
func storable(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}

// storables are the storable ones of texts.
func storables(texts []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return !storable(s) })
}

// nullable is nil for "", which SQL then keeps out of unique indexes.
func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}
