// Package migrations holds the database schema as numbered goose migrations.
//
// They are written in PostgreSQL's dialect, in the part of it that SQLite
// shares; the store replaces the few words SQLite spells differently.
package migrations

import "embed"

// Files are the migrations, NNNNN_name.sql.
//
//go:embed *.sql
var Files embed.FS
