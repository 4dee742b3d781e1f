package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

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
	store, err := openWith(c, set, migrate)
	if err != nil {
		return err
	}
	defer store.Close()
	fmt.Fprintln(c.out, "the schema is up to date")
	return nil
}

// migrate applies the pending migrations.
func migrate(c *console, store *store.Store) error { return store.Migrate(c.ctx) }

// checkSchema returns an error if migrations are pending.
func checkSchema(c *console, store *store.Store) error { return store.CheckSchema(c.ctx) }

// openStore opens the configured database without migrating it. It returns an error if there
// is none.
func openStore(c *console, set *settings) (*store.Store, error) {
	if err := set.announce(c); err != nil {
		return nil, err
	}
	if file, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:"); embedded {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no database %s: run the command in the site's folder or set DATA_DIR, or make one with secondlight migrate", file)
		}
	}
	return openDatabase(c, set, checkSchema)
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

// openWith opens the configured database for a command and prepares it. It says which one it is,
// and returns an error if the server that runs in DATA_DIR uses another one.
func openWith(c *console, set *settings, prepare func(*console, *store.Store) error) (*store.Store, error) {
	if err := set.announce(c); err != nil {
		return nil, err
	}
	return openDatabase(c, set, prepare)
}

// openDatabase opens the configured database and prepares it.
func openDatabase(c *console, set *settings, prepare func(*console, *store.Store) error) (*store.Store, error) {
	if err := makeDataDir(set); err != nil {
		return nil, err
	}
	store, err := store.OpenWith(c.ctx, set.DatabaseURL, store.Options{Currency: set.currency})
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
