// Command expire makes an offer overdue, as if nobody had replied in time.
//
//	go run ./e2e/expire DATA_DIR/secondlight.db ID
package main

import (
	"database/sql"
	"log"
	"os"

	_ "modernc.org/sqlite"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: expire DATA_DIR/secondlight.db ID")
	}
	db, err := sql.Open("sqlite", "file:"+os.Args[1]+"?_pragma=busy_timeout(30000)")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := db.Exec("UPDATE offers SET expires_at = 1 WHERE id = ?", os.Args[2]); err != nil {
		log.Fatal(err)
	}
}
