package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
)

// undumpedTables are not part of a dump: the record of migrations, whose version
// the dump has, the change log, whose readers load everything when they start, and the
// leases of running programs.
var undumpedTables = map[string]bool{"goose_db_version": true, "changes": true, "unordered_changes": true, "leases": true}

// Dump reads all rows of all tables, as they are at one moment, while the
// database is in use. For each table it calls table, and calls the function that
// table returns for each row. A table comes after those it refers to. The values
// of a row are strings, int64s, float64s, bools or nil. It returns the version of
// the schema.
func (db *database) Dump(ctx context.Context, table func(name string, columns []string) (row func(values []any) error, err error)) (version int64, err error) {
	snapshot, err := db.scan.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer snapshot.Rollback()
	if err := snapshot.GetContext(ctx, &version, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied`); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	names, err := db.tablesInOrder(ctx, snapshot)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := dumpTable(ctx, snapshot, name, table); err != nil {
			return 0, fmt.Errorf("dump %s: %w", name, err)
		}
	}
	return version, nil
}

func dumpTable(ctx context.Context, q sqlx.QueryerContext, name string, table func(string, []string) (func([]any) error, error)) error {
	rows, err := q.QueryxContext(ctx, `SELECT * FROM `+name)
	if err != nil {
		return err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	columns := make([]string, len(types))
	for i, t := range types {
		columns[i] = t.Name()
	}
	row, err := table(name, columns)
	if err != nil {
		return err
	}
	return eachRow(rows, func(r *sqlx.Rows) error {
		values, err := r.SliceScan()
		for i := 0; i < len(values) && err == nil; i++ {
			values[i], err = dumpedValue(values[i], types[i])
		}
		if err != nil {
			return err
		}
		return row(values)
	})
}

// dumpedValue returns a value of a column as it is on both engines.
func dumpedValue(v any, column *sql.ColumnType) (any, error) {
	switch v := v.(type) {
	case int64:
		if column.DatabaseTypeName() == "BOOLEAN" { // of SQLite, which has no such type
			return v != 0, nil
		}
		return v, nil
	case []byte:
		return string(v), nil
	case string, float64, bool, nil:
		return v, nil
	}
	return nil, fmt.Errorf("column %s has a value of the unsupported type %T", column.Name(), v)
}

// tablesInOrder returns the names of the tables to dump, each after those it
// refers to.
func (db *database) tablesInOrder(ctx context.Context, q sqlx.QueryerContext) (ordered []string, err error) {
	var names []string
	if err := sqlx.SelectContext(ctx, q, &names, db.engine.tables()); err != nil {
		return nil, err
	}
	var keys []struct{ Child, Parent string }
	if err := sqlx.SelectContext(ctx, q, &keys, db.engine.foreignKeys()); err != nil {
		return nil, err
	}
	slices.Sort(names)
	names = slices.DeleteFunc(names, func(name string) bool { return undumpedTables[name] })
	done := map[string]bool{}
	for len(ordered) < len(names) {
		before := len(ordered)
		for _, name := range names {
			waits := false
			for _, key := range keys {
				waits = waits || key.Child == name && key.Parent != name && !done[key.Parent]
			}
			if !waits && !done[name] {
				done[name] = true
				ordered = append(ordered, name)
			}
		}
		if len(ordered) == before {
			return nil, errors.New("tables refer to each other in a circle")
		}
	}
	return ordered, nil
}

// ErrNotEmpty is returned by Restore if the database is in use.
var ErrNotEmpty = errors.New("the database is not empty: restore into an empty one")

// Restore fills an empty database with the rows of a dump in one transaction, pauses
// deliveries, and migrates it to the latest schema. The version is that of the dump's schema. It
// calls fill, which must insert the tables in the order of the dump.
func (db *database) Restore(ctx context.Context, version int64, fill func(insert func(table string, columns []string, rows [][]any) error) error) error {
	if err := db.prepareRestore(ctx, version); err != nil {
		return err
	}
	err := db.update(ctx, func(t *tx) error {
		known, err := setOf[string](ctx, t, db.engine.schemaObjects())
		if err != nil {
			return err
		}
		if err := t.clear(ctx); err != nil {
			return err
		}
		err = fill(func(table string, columns []string, rows [][]any) error {
			return t.insertDumped(ctx, known, table, columns, rows)
		})
		if err != nil {
			return err
		}
		if err := pauseDeliveries(ctx, t); err != nil {
			return err
		}
		return t.renewChangeLog(ctx, false) // positions are those of another database
	})
	if err != nil {
		return err
	}
	return db.Migrate(ctx)
}

// prepareRestore migrates a database to the version of a dump and checks that it is
// empty.
func (db *database) prepareRestore(ctx context.Context, version int64) error {
	if err := db.migrateTo(ctx, version); err != nil {
		return err
	}
	var current int64
	if err := db.read.GetContext(ctx, &current, `SELECT MAX(version_id) FROM goose_db_version WHERE is_applied`); err != nil {
		return err
	}
	switch {
	case current < version:
		return fmt.Errorf("the backup has schema version %d, the program supports %d: %w", version, current, errNewerSchema)
	case current > version:
		return fmt.Errorf("the database has schema version %d, the backup %d: restore into a database without tables", current, version)
	}
	var some bool
	err := db.read.GetContext(ctx, &some, `SELECT EXISTS (SELECT 1 FROM members) OR EXISTS (SELECT 1 FROM listings) OR EXISTS (SELECT 1 FROM sales)`)
	if err == nil && some {
		err = ErrNotEmpty
	}
	return err
}

// clear deletes all rows, such as those that a migration inserted.
func (t *tx) clear(ctx context.Context) error {
	names, err := t.db.tablesInOrder(ctx, t)
	if err != nil {
		return err
	}
	for _, name := range slices.Backward(names) {
		if _, err := t.ExecContext(ctx, `DELETE FROM `+name); err != nil {
			return err
		}
	}
	return nil
}

// insertDumped inserts rows of a dump. The known names of tables and columns
// guard against those of a forged dump.
func (t *tx) insertDumped(ctx context.Context, known map[string]bool, table string, columns []string, rows [][]any) error {
	if !known[table] || undumpedTables[table] {
		return fmt.Errorf("there is no table %q", table)
	}
	for _, c := range columns {
		if !known[table+"."+c] {
			return fmt.Errorf("the table %s has no column %q", table, c)
		}
	}
	for _, row := range rows {
		if len(row) != len(columns) {
			return fmt.Errorf("a row of %s has %d values for %d columns", table, len(row), len(columns))
		}
	}
	return t.insert(ctx, table+` (`+strings.Join(columns, ", ")+`)`, "", len(rows), func(i int) []any { return rows[i] })
}
