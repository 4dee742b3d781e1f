package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/secondlight/secondlight/handlers/account"
	"github.com/secondlight/secondlight/models/store"
)

type setupCommand struct{}

func (setupCommand) Help() string {
	return "Prints a one-time link. Whoever opens it becomes the owner of an empty site. It expires in 24 hours. Earlier links stop working."
}

func (setupCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	store, err := openOrCreate(c, set)
	if err != nil {
		return err
	}
	defer store.Close()
	secret, err := store.Accounts.BeginSetup(c.ctx)
	if err == nil {
		fmt.Fprintln(c.out, set.BaseURL+account.SetupPath(secret))
	}
	return err
}

// offerSetup logs a one-time link to set up the site, if nobody has.
func offerSetup(ctx context.Context, set *settings, log *slog.Logger, store *store.Store) error {
	empty, err := store.IsEmpty(ctx)
	if err != nil || !empty {
		return err
	}
	secret, err := store.Accounts.BeginSetup(ctx)
	if err == nil {
		log.Info("set up your site within 24 hours", "link", set.BaseURL+account.SetupPath(secret))
	}
	return err
}
