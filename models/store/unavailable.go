package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"syscall"

	"github.com/lib/pq"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// IsUnavailable reports whether err means that the database or the disk cannot
// be used at the moment, so that the request may succeed later: the disk is full
// or read-only, the database is locked, out of resources or not reachable, or a
// statement or its wait for a lock took too long.
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
	for _, known := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS, syscall.EIO, syscall.EMFILE, io.ErrUnexpectedEOF, sql.ErrConnDone, driver.ErrBadConn, errAway, errIncomplete} {
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
// exception, wrong password, no such database, insufficient resources, operator
// intervention (such as a statement timeout) or system error, a lock timeout, a write to a
// read-only database, or a database that accepts no connections or lacks tables, because
// it is being replaced.
func postgresUnavailable(err *pq.Error) bool {
	switch err.Code.Class() {
	case "08", "28", "3D", "53", "57", "58":
		return true
	}
	switch err.Code {
	case "25006", "55P03", "55000", "42P01":
		return true
	}
	return false
}
