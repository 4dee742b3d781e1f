package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/demo"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

type serveCommand struct{}

func (serveCommand) Help() string {
	return "Settings are environment variables, all optional:\n\n" + settingsHelp()
}

// shutdownTimeout is how long running requests may take to finish after a signal.
const shutdownTimeout = 10 * time.Second

// Run serves until it is asked to stop, which is no failure, whenever it comes.
func (serveCommand) Run(c *console) error {
	err := start(c)
	if c.ctx.Err() != nil && errors.Is(err, c.ctx.Err()) {
		return nil
	}
	return err
}

// start opens everything in the order of how cheaply it can fail, and serves.
func start(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	log := set.logger(c)
	// The address is taken first: a port in use must not cost a minute of filling.
	listener, err := net.Listen("tcp", set.ListenAddr)
	if err != nil {
		return fmt.Errorf("the setting LISTEN_ADDR is %s: %w", set.ListenAddr, err)
	}
	defer listener.Close()
	// Port 0 is whichever was free.
	if base, ok := strings.CutSuffix(set.BaseURL, ":0"); ok {
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		set.BaseURL = base + ":" + port
	}
	catalog, err := models.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	store, err := openStore(c, set)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := fillDemo(c, set, store, catalog); err != nil {
		return err
	}
	return serve(c.ctx, set, log, listener, catalog, store)
}

// serve runs the site until ctx ends: the index follows the database while the
// server answers from it.
func serve(ctx context.Context, set *settings, log *slog.Logger, listener net.Listener, catalog *models.Catalog, store *models.Store) error {
	hasDemo, err := store.Demo(ctx)
	if err != nil {
		return err
	}
	site := views.Site{Name: set.SiteName, Owner: set.OwnerName, BaseURL: set.BaseURL, Currency: set.currency, Demo: hasDemo, SecurityContact: set.SecurityContact}
	index := search.New(models.NewLookup(catalog.All()))
	feed := search.NewFeed(index, store, handlers.CardRenderer(&site, catalog), log)
	if err := feed.Load(ctx); err != nil {
		return err
	}
	useHugePages()
	library := portfolio.Open(portfolioFiles(set, hasDemo), catalog, filepath.Join(set.DataDir, "photos"), log)
	server := handlers.New(handlers.Config{
		Store: store, Catalog: catalog, Index: index, Library: library, Site: site, DataDir: set.DataDir,
		RateLimit: set.RateLimit, TrustedProxies: set.proxies, Dev: set.Dev, Log: log,
	})
	sender := delivery.New(delivery.Config{Store: store, Log: log, SMTP: set.smtp, Outbox: filepath.Join(set.DataDir, "outbox"), From: set.from,
		Agent: "Secondlight (" + set.BaseURL + ")"})
	log.Info("serving", "address", set.BaseURL, "listings", index.Len(), "gear", len(catalog.All()), "demo", hasDemo)
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error { return feed.Run(ctx) })
	work.Go(func() error { return library.Run(ctx) })
	work.Go(func() error { return sweepPhotos(ctx, server, log) })
	work.Go(func() error { return sender.Run(ctx) })
	work.Go(func() error { return server.Background(ctx, handlers.UsualRounds) })
	work.Go(func() error {
		if err := server.Listen(listener); !errors.Is(err, net.ErrClosed) {
			return err
		}
		return nil
	})
	work.Go(func() error {
		<-ctx.Done()
		log.Info("stopping")
		listener.Close() // ends Listen even when it has not begun
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		return server.Shutdown(ctx)
	})
	return work.Wait()
}

// sweepEvery is how long photographs that no listing has stay at most, beside the
// hour in which one may be about to use them.
const sweepEvery = time.Hour

// sweepPhotos throws away photographs that no listing has, until ctx ends.
func sweepPhotos(ctx context.Context, server *handlers.Server, log *slog.Logger) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := server.SweepPhotos(ctx); err != nil && ctx.Err() == nil {
			log.Warn("photographs are not swept", "err", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// portfolioFiles are the photographer's own projects in DATA_DIR/portfolio, or
// while there are none, and the site is a demonstration, those of the program.
func portfolioFiles(set *settings, demo bool) fs.FS {
	if _, err := os.Stat(filepath.Join(set.DataDir, "portfolio")); err != nil && demo {
		return content.Portfolio()
	}
	return os.DirFS(set.DataDir)
}

// fillDemo fills an empty database with demonstration data where the settings ask for it.
func fillDemo(c *console, set *settings, store *models.Store, catalog *models.Catalog) error {
	if !set.fillsDemo() {
		return nil
	}
	empty, err := store.IsEmpty(c.ctx)
	if err != nil || !empty {
		return err
	}
	fmt.Fprintln(c.errOut, "filling the empty database with demonstration data (DEMO=false starts empty) …")
	started := time.Now()
	if err := demo.Fill(c.ctx, store, catalog, time.Now(), progress(c.errOut, "demonstration data")); err != nil {
		return err
	}
	fmt.Fprintf(c.errOut, "filled in %.1f s\n", time.Since(started).Seconds())
	return nil
}

func makeDataDir(set *settings) error {
	if err := os.MkdirAll(set.DataDir, 0o750); err != nil {
		return fmt.Errorf("the setting DATA_DIR is %s: %w", set.DataDir, err)
	}
	return nil
}
