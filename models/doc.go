// Package models holds the site's data: the gear catalogue, listings, sales,
// price trends and members, and the Store that persists them in SQLite or
// PostgreSQL.
package models
