package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"regexp"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"

	"github.com/secondlight/secondlight/migrations"
)

// repairRecord corrects the record of applied migrations by what the schema
// contains: it removes migrations whose objects don't exist, so that they are
// applied, and adds those whose objects exist. The record can be wrong after an
// incomplete copy of the database. A partly applied migration is an error.
func (db *database) repairRecord(ctx context.Context, sources []*goose.Source) error {
	evidence, err := evidenceOf(sources)
	if err != nil {
		return err
	}
	// The record and the schema must be of one moment: another process may migrate.
	tx, err := db.write.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return err
	}
	defer tx.Rollback() // no-op after a commit
	recorded, err := setOf[int64](ctx, tx, `SELECT version_id FROM goose_db_version WHERE is_applied`)
	if err != nil {
		return err
	}
	objects, err := setOf[string](ctx, tx, db.engine.schemaObjects())
	if err != nil {
		return err
	}
	for _, source := range sources {
		created := evidence[source.Version]
		if len(created) == 0 {
			continue // nothing to tell it by
		}
		missing := slices.DeleteFunc(slices.Clone(created), func(object string) bool { return objects[object] })
		switch applied := len(missing) == 0; {
		case !applied && len(missing) < len(created):
			return fmt.Errorf("the database is incomplete: migration %d was applied in part, %s is missing: restore a backup", source.Version, missing[0])
		case !applied && recorded[source.Version]:
			_, err = tx.ExecContext(ctx, `DELETE FROM goose_db_version WHERE version_id = $1`, source.Version)
		case applied && !recorded[source.Version]:
			_, err = tx.ExecContext(ctx, `INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, TRUE)`, source.Version)
		}
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

// setOf returns the values that a query selects.
func setOf[T comparable](ctx context.Context, q sqlx.QueryerContext, query string) (map[T]bool, error) {
	var values []T
	if err := sqlx.SelectContext(ctx, q, &values, query); err != nil {
		return nil, err
	}
	set := make(map[T]bool, len(values))
	for _, v := range values {
		set[v] = true
	}
	return set, nil
}

// The statements of migrations that create and drop objects, each on one line up to the name.
// Their groups are that name: a table or an index, or a table and its column.
var (
	createStatement = regexp.MustCompile(`(?i)^\s*CREATE\s+(?:TABLE|(?:UNIQUE\s+)?INDEX)\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)`)
	addStatement    = regexp.MustCompile(`(?i)^\s*ALTER\s+TABLE\s+(\w+)\s+ADD\s+COLUMN\s+(\w+)`)
	dropStatement   = regexp.MustCompile(`(?i)^\s*DROP\s+(?:TABLE|INDEX)\s+(?:IF\s+EXISTS\s+)?(\w+)`)
	removeStatement = regexp.MustCompile(`(?i)^\s*ALTER\s+TABLE\s+(\w+)\s+DROP\s+COLUMN\s+(\w+)`)
	renameStatement = regexp.MustCompile(`(?i)^\s*ALTER\s+TABLE\s+(\w+)\s+RENAME\s+TO\s`)
)

// evidenceOf returns the objects that exist if and only if a migration was
// applied, by its version: those it creates, which no earlier migration creates
// and no migration drops.
func evidenceOf(sources []*goose.Source) (map[int64][]string, error) {
	created, creator, dropped := map[int64][]string{}, map[string]int64{}, map[string]bool{}
	for _, source := range sources { // in the order of their versions
		text, err := fs.ReadFile(migrations.Files, source.Path)
		if err != nil {
			return nil, err
		}
		created[source.Version] = objectsIn(text, createStatement, addStatement)
		for _, object := range created[source.Version] {
			if creator[object] == 0 {
				creator[object] = source.Version
			}
		}
		for _, object := range objectsIn(text, dropStatement, renameStatement, removeStatement) {
			dropped[object] = true
		}
	}
	evidence := map[int64][]string{}
	for version, objects := range created {
		for _, object := range objects {
			if creator[object] == version && !dropped[object] {
				evidence[version] = append(evidence[version], object)
			}
		}
	}
	return evidence, nil
}

// objectsIn returns the objects that the statements in a migration name, as table, index
// or table.column.
func objectsIn(text []byte, statements ...*regexp.Regexp) []string {
	var objects []string
	for line := range bytes.Lines(text) {
		for _, statement := range statements {
			if names := statement.FindSubmatch(line); names != nil {
				objects = append(objects, string(bytes.Join(names[1:], []byte("."))))
			}
		}
	}
	return objects
}
