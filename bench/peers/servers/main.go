//go:build linux

// Command servers serves a market with other programs, for the benchmark in bench/peers. It is a
// module of its own, so that these programs aren't dependencies of the site.
//
//	servers load postgres|sqlite|bleve|pocketbase FOLDER LISTINGS
//	servers serve postgres|sqlite|bleve|pocketbase FOLDER LISTINGS ADDRESS
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 4 && args[0] == "load":
		listings, err := readListings(args[3])
		if err != nil {
			return err
		}
		return load(ctx, args[1], args[2], listings)
	case len(args) == 5 && args[0] == "serve":
		return serve(ctx, args[1], args[2], args[3], args[4])
	}
	return errors.New("usage: servers load NAME FOLDER LISTINGS, servers serve NAME FOLDER LISTINGS ADDRESS")
}

// load stores the listings in a new folder, as the guide of each program says for many at once.
func load(ctx context.Context, name, folder string, listings []listing) error {
	switch name {
	case "postgres":
		return loadPostgres(ctx, folder, listings)
	case "sqlite":
		return loadSQLite(ctx, folder, listings)
	case "bleve":
		return loadBleve(folder, listings)
	case "pocketbase":
		return loadPocketBase(folder, listings)
	}
	return fmt.Errorf("no program is named %q", name)
}

// serve serves a loaded folder until the context ends.
func serve(ctx context.Context, name, folder, listings, address string) error {
	switch name {
	case "postgres":
		return servePostgres(ctx, folder, address)
	case "sqlite":
		return serveSQLite(ctx, folder, address)
	case "bleve":
		return serveBleve(ctx, folder, listings, address)
	case "pocketbase":
		return servePocketBase(ctx, folder, address)
	}
	return fmt.Errorf("no program is named %q", name)
}
