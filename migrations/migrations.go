// Package migrations holds the database schema as numbered goose migrations.
//
// They are written in the subset of PostgreSQL's dialect that SQLite shares. The store
// replaces the few words that SQLite spells differently.
package migrations

import "embed"

// Files holds the migrations, NNNNN_name.sql.
//
//go:embed *.sql
var Files embed.FS
