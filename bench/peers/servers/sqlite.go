//go:build linux

package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	_ "modernc.org/sqlite"
)

const sqliteSchema = `
CREATE TABLE listings (
	id INTEGER PRIMARY KEY, words TEXT NOT NULL, brand TEXT NOT NULL, category TEXT NOT NULL, family TEXT NOT NULL,
	condition TEXT NOT NULL, country TEXT NOT NULL, price INTEGER NOT NULL, published INTEGER NOT NULL);
-- Cards are apart, so that a listing which is only counted has a short row.
CREATE TABLE cards (id INTEGER PRIMARY KEY, card TEXT NOT NULL);
CREATE VIRTUAL TABLE texts USING fts5 (words, content = 'listings', content_rowid = 'id');`

// The indexes hold what is counted, so that most searches read no rows.
const sqliteIndexes = `
CREATE INDEX by_brand ON listings (brand, price, condition, category, country, family, published);
CREATE INDEX by_category ON listings (category, price, condition, brand, country, family, published);
CREATE INDEX by_family ON listings (family, price, condition, brand, category, country, published);
CREATE INDEX by_country ON listings (country, price, condition, brand, category, family, published);
CREATE INDEX by_price ON listings (price, condition, brand, category, country, family, published);
INSERT INTO texts (texts) VALUES ('rebuild');
INSERT INTO texts (texts) VALUES ('optimize');
ANALYZE;`

// openSQLite opens the database with the settings of a site that reads much: a write-ahead log,
// and a cache that holds everything.
func openSQLite(folder string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "market.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=mmap_size(1073741824)&_pragma=cache_size(-65536)&_pragma=temp_store(MEMORY)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(2 * runtime.NumCPU())
	db.SetMaxIdleConns(2 * runtime.NumCPU())
	return db, nil
}

func loadSQLite(ctx context.Context, folder string, listings []listing) error {
	db, err := openSQLite(folder)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, sqliteSchema); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	listing, err := tx.PrepareContext(ctx, `INSERT INTO listings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	card, err := tx.PrepareContext(ctx, `INSERT INTO cards VALUES (?, ?)`)
	if err != nil {
		return err
	}
	for i := range listings {
		l := &listings[i]
		if _, err := listing.ExecContext(ctx, i+1, l.Words, l.Brand, l.Category, l.Family, l.Condition, l.Country, l.Price, l.Published); err != nil {
			return err
		}
		if _, err := card.ExecContext(ctx, i+1, string(l.Card)); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, sqliteIndexes)
	return err
}

func serveSQLite(ctx context.Context, folder, address string) error {
	db, err := openSQLite(folder)
	if err != nil {
		return err
	}
	defer db.Close()
	s := &sqliteSearch{db: db}
	return serveSearches(ctx, address, s.search)
}

// sqliteSearch searches a database with statements that stay prepared.
type sqliteSearch struct {
	db         *sql.DB
	statements sync.Map // *sql.Stmt by its text
}

func (s *sqliteSearch) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	if prepared, ok := s.statements.Load(text); ok {
		return prepared.(*sql.Stmt), nil
	}
	prepared, err := s.db.PrepareContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	kept, loaded := s.statements.LoadOrStore(text, prepared)
	if loaded {
		_ = prepared.Close() // another request was faster
	}
	return kept.(*sql.Stmt), nil
}

// search finds the listings once and counts and sorts them in the same statement.
func (s *sqliteSearch) search(ctx context.Context, q *query) (*answer, error) {
	from := "listings"
	var w where
	if q.keyword != "" {
		from = "texts CROSS JOIN listings ON listings.id = texts.rowid" // the keyword first
		w.add("texts MATCH ?", `"`+strings.ReplaceAll(q.keyword, " ", `" "`)+`"`)
	}
	for _, c := range q.equal() {
		w.add(c.column+" IN (?"+strings.Repeat(", ?", len(c.values)-1)+")", anys(c.values)...)
	}
	if q.min > 0 {
		w.add("price >= ?", q.min)
	}
	if q.max > 0 {
		w.add("price <= ?", q.max)
	}
	var text strings.Builder
	text.WriteString("WITH hit AS MATERIALIZED (SELECT listings.id, brand, category, condition, country, " + q.order("texts.rank") + " AS place FROM " + from + w.String() + ")\n")
	text.WriteString("SELECT 0, '', count(*) FROM hit\n")
	for i, name := range facetNames {
		fmt.Fprintf(&text, "UNION ALL SELECT %d, %s, count(*) FROM hit GROUP BY %[2]s\n", i+1, name)
	}
	text.WriteString("UNION ALL SELECT -1, card, 0 FROM (SELECT id FROM hit ORDER BY place, id DESC LIMIT " + strconv.Itoa(pageSize) + ") JOIN cards USING (id)")
	statement, err := s.prepare(ctx, text.String())
	if err != nil {
		return nil, err
	}
	rows, err := statement.QueryContext(ctx, w.arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := newAnswer()
	for rows.Next() {
		var kind, count int
		var value string
		if err := rows.Scan(&kind, &value, &count); err != nil {
			return nil, err
		}
		switch kind {
		case -1:
			found.cards = append(found.cards, []byte(value))
		case 0:
			found.total = count
		default:
			found.facets[facetNames[kind-1]][value] = count
		}
	}
	return found, rows.Err()
}

func anys(values []string) []any {
	out := make([]any, len(values))
	for i, value := range values {
		out[i] = value
	}
	return out
}
