// Package store reads and writes the site's data in SQLite or PostgreSQL.
package store
