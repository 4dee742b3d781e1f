package main

import (
	"fmt"

	"github.com/secondlight/secondlight/models"
)

type migrateCommand struct{}

func (migrateCommand) Help() string {
	return "Reads DATABASE_URL and DATA_DIR; see secondlight serve --help."
}

func (migrateCommand) Run(c *console) error {
	return withStore(c, func(*models.Store) error {
		fmt.Fprintln(c.out, "the schema is up to date")
		return nil
	})
}

// openStore opens the configured database and migrates it to the latest schema.
func openStore(c *console, set *settings) (*models.Store, error) {
	if err := makeDataDir(set); err != nil {
		return nil, err
	}
	store, err := models.Open(c.ctx, set.DatabaseURL, nil)
	if err != nil {
		return nil, err
	}
	if err := store.Migrate(c.ctx); err != nil {
		store.Close()
		return nil, err
	}
	return store, nil
}

// withStore calls do with the configured database.
func withStore(c *console, do func(*models.Store) error) error {
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
