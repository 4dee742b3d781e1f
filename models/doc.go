// Package models is what the site knows: the catalogue of gear, listings,
// sales, trends and members, and the store that keeps them on SQLite or
// PostgreSQL.
package models
