//go:build unix

package storetest

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Copying and dropping a database takes longer than most tests. A test therefore gets a
// database of an earlier test, emptied, unless that test changed the schema or left so much
// that emptying it would be slower than a copy.

// maxGrowth is how many bytes of a database a test may leave for it to be used again.
const maxGrowth = 8 << 20

// unused holds the names of emptied databases.
var unused struct {
	sync.Mutex
	names []string
}

// reusedDatabase returns the URL of an empty database with the schema of the template. The
// database is emptied after the test, for another.
func reusedDatabase(t testing.TB, server, template string) string {
	t.Helper()
	fresh, err := freshState(server, template)
	if err != nil {
		t.Fatal(err)
	}
	name := takeUnused()
	if name == "" {
		if name, err = createDatabase(server, template); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		reusable, err := empty(server, name, fresh)
		if err != nil {
			t.Errorf("empty a database: %v", err)
		}
		if reusable {
			unused.Lock()
			unused.names = append(unused.names, name)
			unused.Unlock()
		} else if err := dropDatabase(server, name); err != nil {
			t.Error(err)
		}
	})
	return databaseOn(server, name)
}

// takeUnused returns the name of an emptied database, or "".
func takeUnused() string {
	unused.Lock()
	defer unused.Unlock()
	n := len(unused.names)
	if n == 0 {
		return ""
	}
	name := unused.names[n-1]
	unused.names = unused.names[:n-1]
	return name
}

// state is what a database has before a test.
type state struct {
	schema  string
	size    int64
	seeded  map[string]string // rows of the tables that migrations filled, as JSON
	deletes string            // deletes the rows of all tables
	counts  string            // sets the sequences to what migrations left
}

var (
	freshStates  = map[string]*state{}
	freshStateMu sync.Mutex
)

// freshState returns the state of a template.
func freshState(server, template string) (*state, error) {
	freshStateMu.Lock()
	defer freshStateMu.Unlock()
	if s := freshStates[template]; s != nil {
		return s, nil
	}
	name, err := createDatabase(server, template) // nobody may be connected to a template that is copied
	if err != nil {
		return nil, err
	}
	defer dropDatabase(server, name)
	db, err := sql.Open("postgres", databaseOn(server, name))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s, err := readState(db)
	if err != nil {
		return nil, err
	}
	freshStates[template] = s
	return s, nil
}

func readState(db *sql.DB) (*state, error) {
	s := &state{seeded: map[string]string{}}
	if err := db.QueryRow(schemaAndSize).Scan(&s.schema, &s.size); err != nil {
		return nil, err
	}
	tables, err := tablesOf(db)
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		var rows sql.NullString
		if err := db.QueryRow(`SELECT json_agg(t) FROM ` + table + ` t`).Scan(&rows); err != nil {
			return nil, err
		}
		if rows.Valid {
			s.seeded[table] = rows.String
		}
	}
	s.deletes = deleteRows(tables)
	err = db.QueryRow(`SELECT COALESCE(string_agg(format('SELECT setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value), ';'), '')
		FROM pg_sequences WHERE last_value IS NOT NULL`).Scan(&s.counts)
	return s, err
}

// schemaAndSize selects the definitions of all tables, columns, indexes, constraints,
// triggers, functions, and settings of the database, and its size in bytes.
const schemaAndSize = `
SELECT (
	SELECT string_agg(line, E'\n' ORDER BY line) FROM (
		SELECT format('column %s %s %s %s %s', attrelid::regclass, attname, atttypid::regtype, attnotnull, attgenerated) AS line
		FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE c.relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
		UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indrelid WHERE c.relnamespace = 'public'::regnamespace
		UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
		UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT tgisinternal
		UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
		UNION ALL SELECT 'schema ' || nspname FROM pg_namespace
		UNION ALL SELECT 'setting ' || setrole || ' ' || setconfig::text FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
	) lines
), pg_database_size(current_database())`

// tablesOf returns the quoted names of all tables.
func tablesOf(db *sql.DB) ([]string, error) {
	var joined sql.NullString
	err := db.QueryRow(`SELECT string_agg(quote_ident(tablename), ' ' ORDER BY tablename) FROM pg_tables WHERE schemaname = 'public'`).Scan(&joined)
	return strings.Fields(joined.String), err
}

// deleteRows returns the statements that delete the rows of tables, of those that have any.
func deleteRows(tables []string) string {
	var b strings.Builder
	b.WriteString("DO $$ BEGIN SET LOCAL session_replication_role = replica;\n")
	for _, table := range tables {
		fmt.Fprintf(&b, "IF EXISTS (SELECT FROM %s) THEN DELETE FROM %[1]s; END IF;\n", table)
	}
	b.WriteString("PERFORM setval(format('%I.%I', schemaname, sequencename), start_value, FALSE) FROM pg_sequences WHERE last_value IS NOT NULL; END $$")
	return b.String()
}

// empty restores the state of a fresh database. It reports whether it could.
func empty(server, name string, fresh *state) (bool, error) {
	if err := disconnectAll(server, name); err != nil {
		return false, err
	}
	db, err := sql.Open("postgres", databaseOn(server, name))
	if err != nil {
		return false, err
	}
	defer db.Close()
	var schema string
	var size int64
	if err := db.QueryRow(schemaAndSize).Scan(&schema, &size); err != nil {
		return false, err
	}
	if schema != fresh.schema || size > fresh.size+maxGrowth {
		return false, nil
	}
	if _, err := db.Exec(fresh.deletes); err != nil {
		return false, err
	}
	for _, table := range slices.Sorted(maps.Keys(fresh.seeded)) {
		if _, err := db.Exec(`INSERT INTO `+table+` OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::`+table+`, $1)`, fresh.seeded[table]); err != nil {
			return false, fmt.Errorf("restore %s: %w", table, err)
		}
	}
	_, err = db.Exec(fresh.counts)
	return err == nil, err
}

// disconnectAll ends the connections that a test left open, and waits until they are gone.
func disconnectAll(server, name string) error {
	db, err := sql.Open("postgres", server)
	if err != nil {
		return err
	}
	defer db.Close()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		var n int
		err := db.QueryRow(`SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $1`, name).Scan(&n)
		if err != nil || n == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d connections to %s remain", n, name)
		}
	}
}
