package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
)

// prepared returns a prepared statement. It is nil on the first use of a query, because most
// run once, and on PostgreSQL, whose connections prepare statements themselves.
func (t *tx) prepared(ctx context.Context, query string) (*sqlx.Stmt, error) {
	if t.statements == nil {
		return nil, nil
	}
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

// ExecContext overrides the method of sqlx.Tx to prepare repeated statements.
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

// QueryxContext overrides the method of sqlx.Tx to prepare repeated statements.
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

// maxParameters is the number of parameters of an INSERT. The cost per
// statement is quadratic in SQLite.
const maxParameters = 200

// bulkRows is the number of rows from which on inserting them as arrays is faster.
const bulkRows = 50

// maxRows is the number of values in a list of a statement.
const maxRows = 500

// insert inserts n rows into a table given as "name (column, …)", in statements
// of several rows. The suffix, such as ON CONFLICT, follows the values.
func (t *tx) insert(ctx context.Context, table, suffix string, n int, row func(i int) []any) error {
	return t.insertReturning(ctx, table, suffix, n, row, nil)
}

// insertReturning is like insert with a RETURNING clause in the suffix. It
// calls scan for every returned row.
func (t *tx) insertReturning(ctx context.Context, table, suffix string, n int, row func(i int) []any, scan func(*sqlx.Rows) error) error {
	if n >= bulkRows && t.db.engine.arrays() {
		return t.insertArrays(ctx, table, suffix, n, row, scan)
	}
	var args []any
	for start := 0; start < n; {
		args = append(args[:0], row(start)...)
		columns := len(args)
		end := min(n, start+max(1, maxParameters/columns))
		for i := start + 1; i < end; i++ {
			args = append(args, row(i)...)
		}
		query := "INSERT INTO " + table + " VALUES " + tuples(end-start, columns, t.db.engine.placeholder) + " " + suffix
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

// affected executes a statement and returns the number of affected rows.
func (t *tx) affected(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := t.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// setSetting stores the value of a setting.
func (t *tx) setSetting(ctx context.Context, name, value string) error {
	_, err := t.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

// eachRow calls scan for every row and closes rows.
func eachRow(rows *sqlx.Rows, scan func(*sqlx.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// tuples returns "($1,$2),($3,$4)": rows tuples of columns placeholders.
func tuples(rows, columns int, placeholder func(n int) string) string {
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
			b.WriteString(placeholder(i*columns + j + 1))
		}
		b.WriteByte(')')
	}
	return b.String()
}

// numbered returns "$n", which both engines accept.
func numbered(n int) string { return "$" + strconv.Itoa(n) }

// parameters returns "$first,…" with n placeholders.
func parameters(first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = numbered(first + i)
	}
	return strings.Join(list, ",")
}

// selectIn returns the rows of a query in which %s stands for a list of values. Lists of more
// than maxRows are read in parts, so that the rows are in order within a part only.
func selectIn[T any](ctx context.Context, db interface {
	SelectContext(ctx context.Context, dest any, query string, args ...any) error
}, query string, values []string) (all []T, err error) {
	for part := range chunks(models.KeepStorable(values)) {
		var rows []T
		if err := db.SelectContext(ctx, &rows, fmt.Sprintf(query, parameters(1, len(part))), toAny(part)...); err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// byKey returns pointers to rows by a key; of rows with the same key, to the last.
func byKey[T any](rows []T, key func(*T) string) map[string]*T {
	found := make(map[string]*T, len(rows))
	for i := range rows {
		found[key(&rows[i])] = &rows[i]
	}
	return found
}

// groupBy returns rows by a key, those of a key in the same order.
func groupBy[T any](rows []T, key func(*T) string) map[string][]T {
	groups := map[string][]T{}
	for i := range rows {
		k := key(&rows[i])
		groups[k] = append(groups[k], rows[i])
	}
	return groups
}

// toAny converts values to arguments of a statement.
func toAny[T any](values []T) []any {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	return args
}

// chunks splits values into slices of at most maxRows.
func chunks[T any](values []T) func(yield func([]T) bool) {
	return slices.Chunk(values, maxRows)
}
