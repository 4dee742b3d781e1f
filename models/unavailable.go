package models

import (
	"database/sql/driver"
	"errors"
	"net"
	"syscall"

	"github.com/lib/pq"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// IsUnavailable reports whether err means that the database or the disk cannot
// be used at the moment, so that the request may succeed later: the disk is full
// or read-only, or the database is locked, out of resources or not reachable.
func IsUnavailable(err error) bool {
	var sqliteErr *sqlitedriver.Error
	var postgresErr *pq.Error
	var network net.Error
	switch {
	case errors.As(err, &sqliteErr):
		return sqliteUnavailable(sqliteErr.Code())
	case errors.As(err, &postgresErr):
		return postgresUnavailable(postgresErr)
	}
	for _, known := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS, syscall.EIO, syscall.EMFILE, driver.ErrBadConn} {
		if errors.Is(err, known) {
			return true
		}
	}
	return errors.As(err, &network)
}

func sqliteUnavailable(code int) bool {
	switch code & 0xff { // without the extended code
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_NOMEM:
		return true
	}
	return false
}

// postgresUnavailable reports whether err is of the classes connection
// exception, insufficient resources, operator intervention (except a cancelled
// query) or system error, or a write to a read-only database.
func postgresUnavailable(err *pq.Error) bool {
	switch err.Code.Class() {
	case "08", "53", "58":
		return true
	case "57":
		return err.Code != "57014"
	}
	return err.Code == "25006"
}
