// Command litestream replicates an SQLite database to a folder and restores it with the
// library of Litestream, for the restore drill. Operators use Litestream's own program, which
// takes the same arguments.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/benbjohnson/litestream"
	"github.com/benbjohnson/litestream/file"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "litestream:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch {
	case len(args) == 3 && args[0] == "replicate":
		return replicate(ctx, args[1], args[2])
	case len(args) == 4 && args[0] == "restore" && args[1] == "-o":
		return restore(ctx, args[2], args[3])
	}
	return errors.New("usage: litestream replicate DATABASE file://FOLDER, litestream restore -o DATABASE file://FOLDER")
}

// open returns the replica of a database in a folder.
func open(database, replica string) (*litestream.DB, *litestream.Replica) {
	db, client := litestream.NewDB(database), file.NewReplicaClient(strings.TrimPrefix(replica, "file://"))
	r := litestream.NewReplicaWithClient(db, client)
	db.Replica, client.Replica = r, r
	return db, r
}

// replicate copies the database until it is interrupted.
func replicate(ctx context.Context, database, replica string) error {
	db, _ := open(database, replica)
	store := litestream.NewStore([]*litestream.DB{db}, litestream.CompactionLevels{{Level: 0}, {Level: 1, Interval: 10 * time.Second}})
	if err := store.Open(ctx); err != nil {
		return err
	}
	<-ctx.Done()
	return store.Close(context.Background())
}

// restore restores the newest state of the database.
func restore(ctx context.Context, database, replica string) error {
	_, r := open(database, replica)
	options := litestream.NewRestoreOptions()
	options.OutputPath = database
	return r.Restore(ctx, options)
}
