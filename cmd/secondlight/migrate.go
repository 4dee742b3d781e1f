package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
)

type migrateCommand struct{}

func (migrateCommand) Help() string {
	return "Reads DATABASE_URL and DATA_DIR; see secondlight serve --help. Servers of this and of the previous release may be running."
}

func (migrateCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	before, err := store.Inspect(c.ctx, set.DatabaseURL)
	if errors.Is(err, fs.ErrNotExist) {
		before = &store.Inspection{}
	} else if err != nil {
		return err
	}
	started := time.Now()
	db, err := openWith(c, set, migrate)
	if err != nil {
		return err
	}
	defer db.Close()
	known, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	if err := moveGear(c, db, known); err != nil {
		return err
	}
	after, err := store.Inspect(c.ctx, set.DatabaseURL)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "the schema is up to date: %s\n", migrationText(before, after, time.Since(started)))
	return nil
}

// moveGear moves what is stored of gear that the catalogue has split or renamed, and says how
// much is left for a person.
func moveGear(c *console, store *store.Store, known *catalog.Catalog) error {
	moved, err := store.Site.MoveGear(c.ctx, known)
	if err != nil || moved == 0 {
		return err
	}
	unclear, err := store.Site.UnclearGear(c.ctx, known)
	if err == nil {
		fmt.Fprintf(c.errOut, "moved %d rows to gear that the catalogue has split or renamed; secondlight catalog unclear lists %d of which a person must say what they are\n", moved, len(unclear))
	}
	return err
}

// migrationText says what a migration did.
func migrationText(before, after *store.Inspection, took time.Duration) string {
	switch {
	case before.Schema == 0:
		return fmt.Sprintf("made %d in %.1f s", after.Schema, took.Seconds())
	case before.Pending == after.Pending:
		return fmt.Sprintf("%d, as before", after.Schema)
	}
	return fmt.Sprintf("%d, from %d, migrations applied: %d, in %.1f s", after.Schema, before.Schema, before.Pending-after.Pending, took.Seconds())
}

// migrate applies the pending migrations.
func migrate(c *console, store *store.Store) error { return store.Migrate(c.ctx) }

// checkSchema returns an error if migrations are pending.
func checkSchema(c *console, store *store.Store) error { return store.CheckSchema(c.ctx) }

// openStore opens the configured database without migrating it. It returns an error if there
// is none.
func openStore(c *console, set *settings) (*store.Store, error) {
	if file, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:"); embedded {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no database %s: run the command in the site's folder or set DATA_DIR, or make one with secondlight migrate", file)
		}
	}
	return openWith(c, set, checkSchema)
}

// openOrCreate opens the configured database. With MIGRATE=auto it makes the schema of an empty
// one.
func openOrCreate(c *console, set *settings) (*store.Store, error) {
	return openWith(c, set, func(c *console, db *store.Store) error {
		err := checkSchema(c, db)
		if errors.Is(err, store.ErrNoSchema) && set.migrates() {
			return migrate(c, db)
		}
		return err
	})
}

// openWith opens the configured database and prepares it.
func openWith(c *console, set *settings, prepare func(*console, *store.Store) error) (*store.Store, error) {
	log, _ := set.logger(c)
	return openLogging(c, set, log, prepare)
}

// openLogging is openWith with the log of a server.
func openLogging(c *console, set *settings, log *slog.Logger, prepare func(*console, *store.Store) error) (*store.Store, error) {
	if err := makeDataDir(set); err != nil {
		return nil, err
	}
	store, err := store.OpenWith(c.ctx, set.DatabaseURL, store.Options{Currency: set.currency, Log: log})
	if err != nil {
		return nil, err
	}
	if err := prepare(c, store); err != nil {
		store.Close()
		return nil, err
	}
	return store, nil
}

// withStore calls do with the configured database.
func withStore(c *console, do func(*store.Store) error) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	store, err := openStore(c, set)
	if err != nil {
		return err
	}
	defer store.Close()
	return do(store)
}
