package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/errgroup"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/demo"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

type serveCommand struct{}

func (serveCommand) Help() string {
	return "Settings are environment variables, all optional:\n\n" + settingsHelp()
}

// shutdownTimeout is how long running requests may take to finish after a signal.
const shutdownTimeout = 10 * time.Second

// Run serves the site until the context ends, which is not an error, whatever was
// interrupted.
func (serveCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	log, flush := set.logger(c)
	slog.SetDefault(log) // for what is logged without a server or a store, and by libraries
	err = explainDamage(c.env, start(c, set, log))
	flush()
	switch {
	case c.ctx.Err() != nil:
		log.Info("stopped")
		return nil
	case err != nil && set.LogFormat == "json":
		log.Error("stopped", "err", errorText(err))
		return loggedError{err}
	}
	return err
}

// start opens the listener and the database, and serves. Steps that are likely to fail come
// before slow ones.
func start(c *console, set *settings, log *slog.Logger) error {
	limitMemory(log)
	tracing, endTracing, err := newTracing(c.ctx, c.env, log)
	if err != nil {
		return err
	}
	defer endTracing()
	// Before generating demonstration data, which takes long.
	address, err := listenAtStart(c.ctx, set)
	if err != nil {
		return err
	}
	defer address.close()
	metrics, err := listenMetrics(set)
	if err != nil {
		return err
	}
	// Port 0 was replaced by a free one.
	if base, ok := strings.CutSuffix(set.BaseURL, ":0"); ok {
		_, port, _ := net.SplitHostPort(address.String())
		set.BaseURL = base + ":" + port
	}
	unlock, err := lockSite(set, false)
	if err != nil {
		return err
	}
	defer unlock()
	endServing, err := recordServing(c.ctx, set)
	if err != nil {
		return err
	}
	defer endServing()
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	if err := prepareDatabase(c, set, log, catalog); err != nil {
		return err
	}
	options := set.databaseOptions()
	options.Log = log
	options.Tracing = tracing
	store, err := store.OpenWith(c.ctx, set.DatabaseURL, options)
	if err != nil {
		return err
	}
	defer store.Close()
	return serve(c.ctx, set, log, address, metrics, tracing, catalog, store)
}

// startAddress is the address of a server that starts.
type startAddress struct {
	net.Addr
	listener net.Listener       // nil until it is listened on
	starting *handlers.Starting // answers meanwhile; nil if connections are refused
}

// listenAtStart checks that the address can be listened on. The only server of a site says
// that it starts; one of several takes no connections, so that load balancers, which repeat no
// write that was sent, send writes to the others.
func listenAtStart(ctx context.Context, set *settings) (*startAddress, error) {
	var a startAddress
	var err error
	if set.embedded() {
		a.listener, err = net.Listen("tcp", set.ListenAddr)
	} else {
		a.Addr, err = handlers.CheckListen(ctx, set.ListenAddr)
	}
	if err != nil {
		return nil, fmt.Errorf("the setting LISTEN_ADDR is %s: %w", set.ListenAddr, err)
	}
	if a.listener != nil {
		a.Addr, a.starting = a.listener.Addr(), handlers.NewStarting(a.listener)
	}
	return &a, nil
}

// listen returns the listener of the server, which is ready.
func (a *startAddress) listen() (net.Listener, error) {
	if a.starting != nil {
		a.starting.Stop()
		return a.listener, nil
	}
	var err error
	a.listener, err = net.Listen("tcp", a.String())
	return a.listener, err
}

func (a *startAddress) close() {
	if a.listener != nil {
		a.listener.Close()
	}
}

// serve loads the index and runs the server and its background jobs until ctx ends and
// the server has drained.
func serve(ctx context.Context, set *settings, log *slog.Logger, address *startAddress, metricsListener net.Listener, tracing trace.TracerProvider, catalog *catalog.Catalog, store *store.Store) error {
	hasDemo, err := store.Demo(ctx)
	if err != nil {
		return err
	}
	if err := claimFiles(ctx, set, log, store); err != nil {
		return err
	}
	siteID, err := store.Listings.SiteID(ctx)
	if err != nil {
		return err
	}
	instance := rand.Text()[:13]
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	work, running := errgroup.WithContext(running)
	work.Go(func() error { return store.Announce(running, instance) })
	site := *set.site(hasDemo)
	index := search.New(catalog.Lookup())
	feed := search.NewFeed(index, store, market.CardRenderer(&site, catalog), log)
	feed.Correct(catalog)
	feed.Estimate(set.currency)
	snapshot := search.Snapshot{File: filepath.Join(set.DataDir, "search.index"), Program: programID()}
	if err := feed.Resume(ctx, snapshot); err != nil {
		return err
	}
	mirror := mirrorOf(ctx, set, log)
	collectGarbage()
	library := portfolio.Open(&portfolioFiles{set.DataDir, &site}, catalog, filepath.Join(set.DataDir, "photos"), log)
	var metrics *handlers.Metrics
	if metricsListener != nil {
		metrics = handlers.NewMetrics()
	}
	var tracer trace.Tracer
	if tracing != nil {
		tracer = tracing.Tracer("github.com/secondlight/secondlight")
	}
	server := handlers.New(handlers.Config{
		Store: store, Catalog: catalog, Index: index, Feed: feed, Library: library, Site: site, DataDir: set.DataDir, Files: set.files, Mirror: mirror, Version: release(buildInfo()), SiteID: siteID, Instance: instance,
		BackupDir: set.BackupDir, SecretKey: set.SecretKey, SMTP: set.smtp, MailFrom: set.from, FillDemo: fillDemoLater(set, catalog),
		ExchangeRates: set.ExchangeRates, RateLimit: set.RateLimit, Redis: set.redis, TrustedProxies: set.proxies, Dev: set.Dev, Metrics: metrics, Tracer: tracer, AccessLog: set.AccessLog, Retention: set.retention(), Log: log,
	})
	sender := delivery.New(delivery.Config{Store: store, Log: log, SMTP: set.smtp, Outbox: set.outbox(), From: func() mail.Address {
		return mail.Address{Name: cmp.Or(set.from.Name, site.Name()), Address: set.from.Address}
	}, Server: server.MailServer, UserAgent: "Secondlight (" + set.BaseURL + ")", Attempted: server.RecordDelivery})
	if missing := set.missingImprint(); len(missing) > 0 {
		log.Warn("imprint is incomplete", "unset", strings.Join(missing, ","))
	}
	if since, err := store.Deliveries.DeliveriesPaused(ctx); err != nil {
		return err
	} else if since > 0 {
		log.Warn("email and webhooks are paused: run secondlight deliveries resume when the site is to send them", "since", since.RFC3339())
	}
	if err := offerSetup(ctx, set, log, store); err != nil {
		return err
	}
	listener, err := address.listen()
	if err != nil {
		return err
	}
	log.Info("serving", "address", set.BaseURL, "database", set.databaseName(), "files", set.filesName(), "listings", index.Len(), "gear", len(catalog.All()), "demo", hasDemo)
	notifySystemd(log, daemon.SdNotifyReady)
	if metrics != nil {
		log.Info("serving metrics", "address", "http://"+metricsListener.Addr().String()+"/metrics")
		work.Go(func() error { return serveMetrics(running, metricsListener, server.MetricsHandler(metrics)) })
	}
	work.Go(func() error { tryServices(running, set, log); return nil })
	work.Go(func() error { return store.Watch(running) })
	work.Go(func() error { return followChanges(running, feed, snapshot) })
	work.Go(func() error { return keepCollecting(running) })
	work.Go(func() error { return library.Run(running) })
	if mirror != nil {
		work.Go(func() error { return mirror.Run(running, log, server.UseFiles) })
	}
	work.Go(func() error { return sender.Run(running) })
	work.Go(func() error { return server.Background(running, job.DefaultIntervals) })
	work.Go(func() error {
		if err := server.Listen(listener); !errors.Is(err, net.ErrClosed) {
			return err
		}
		return nil
	})
	work.Go(func() error {
		awaitStop(ctx, running, server, *set.DrainTime, log)
		finishRequests(server, log)
		listener.Close() // ends Listen if it starts only now
		stop()
		return nil
	})
	err = work.Wait()
	if ctx.Err() != nil && !errors.Is(err, context.Canceled) && err != nil {
		log.Warn("stop", "err", err)
	}
	return err
}

// site returns the site with its settings as defaults.
func (s *settings) site(hasDemo bool) *ui.Site {
	site := &ui.Site{BaseURL: s.BaseURL, SecurityContact: s.SecurityContact, Zone: time.Local, Defaults: ui.SiteSettings{
		SiteSettings: models.SiteSettings{Name: s.SiteName, Owner: s.OwnerName, Address: s.OwnerAddress, Email: s.ContactEmail},
		Currency:     s.currency, Languages: s.languages, SiteState: ui.SiteState{Demo: hasDemo}}}
	site.Adjustable()
	return site
}

// claimFiles records that the site's files belong to its database. It returns an error if they
// belong to another one. A bucket that can't be reached is looked at again before photographs
// are written or deleted.
func claimFiles(ctx context.Context, set *settings, log *slog.Logger, store *store.Store) error {
	err := picture.Claim(ctx, set.files, store.Listings)
	if blob.IsUnavailable(err) {
		log.Warn("check to which site the files belong", "files", set.files, "err", err)
		return nil
	}
	return err
}

// mirrorOf returns the mirror of the owner's files in DATA_DIR and brings it up to date, or
// nil if they are stored there. While the bucket can't be reached, those of before are served.
func mirrorOf(ctx context.Context, set *settings, log *slog.Logger) *blob.Mirror {
	if !set.sharesFiles() {
		return nil
	}
	mirror := blob.NewMirror(set.files, blob.Folder(set.DataDir), backup.OwnerFiles...)
	if _, err := mirror.Pull(ctx); err != nil {
		log.Warn("fetch files of the site", "bucket", set.files, "err", err)
	}
	return mirror
}

// tryServices logs whether Redis and the mail server can be used. The site works without them.
func tryServices(ctx context.Context, set *settings, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	var work sync.WaitGroup
	defer work.Wait()
	try := func(name, address string, connect func(context.Context) error) {
		work.Go(func() {
			switch err := connect(ctx); {
			case err != nil:
				log.Warn(name+" can't be used", "address", address, "err", err)
			default:
				log.Info(name+" answers", "address", address)
			}
		})
	}
	if set.redis != nil {
		try("redis", set.redis.Addr, func(ctx context.Context) error { _, err := timeRedis(ctx, set.redis); return err })
	}
	if set.smtp != nil {
		try("the mail server", set.smtp.Address(), set.smtp.Check)
	}
}

// followChanges keeps the index up to date until ctx ends, and then saves a snapshot of it.
func followChanges(ctx context.Context, feed *search.Feed, snapshot search.Snapshot) error {
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() { feed.SaveEvery(ctx, snapshot, search.SnapshotInterval) })
	return feed.Run(ctx)
}

// awaitStop waits until the server is asked to stop and has drained, or a part of it has
// failed. While it drains it serves, but is not ready: load balancers stop sending requests.
func awaitStop(asked, running context.Context, server *handlers.Server, drain time.Duration, log *slog.Logger) {
	select {
	case <-asked.Done():
	case <-running.Done():
		return
	}
	log.Info("stopping", "drain", drain)
	notifySystemd(log, daemon.SdNotifyStopping)
	server.Drain()
	select {
	case <-time.After(drain):
	case <-running.Done():
	}
}

// finishRequests waits until running requests have finished, at most shutdownTimeout.
func finishRequests(server *handlers.Server, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil && !errors.Is(err, net.ErrClosed) {
		log.Warn("finish requests", "err", err)
	}
}

// notifySystemd tells systemd the state of the server. It does nothing if systemd did not
// start the program or does not wait for it.
func notifySystemd(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("notify systemd", "state", state, "err", err)
	}
}

// portfolioFiles is the file system of the portfolio: a DATA_DIR or, on a demonstration site
// and as long as that has no portfolio, the embedded one.
type portfolioFiles struct {
	dir  string
	site *ui.Site
}

// Open implements fs.FS.
func (f *portfolioFiles) Open(name string) (fs.File, error) {
	if _, err := os.Stat(filepath.Join(f.dir, "portfolio")); err != nil && f.site.Demo() {
		return content.Portfolio().Open(name)
	}
	return os.DirFS(f.dir).Open(name)
}

// prepareDatabase migrates the database, or checks that it is migrated, and fills it if the
// settings say so, without the timeouts of the server.
func prepareDatabase(c *console, set *settings, log *slog.Logger, catalog *catalog.Catalog) error {
	prepare := checkSchema
	if set.migrates() {
		prepare = migrate
	}
	store, err := openLogging(c, set, log, prepare)
	if err != nil {
		return err
	}
	defer store.Close()
	if set.migrates() {
		if err := moveGear(c, store, catalog); err != nil {
			return err
		}
	}
	return fillDemo(c, set, log, store, catalog)
}

// fillDemoLater returns a function that fills the database with demonstration data, without
// the timeouts of the server.
func fillDemoLater(set *settings, catalog *catalog.Catalog) func(context.Context) error {
	return func(ctx context.Context) error {
		store, err := store.OpenWith(ctx, set.DatabaseURL, store.Options{Currency: set.currency})
		if err != nil {
			return err
		}
		defer store.Close()
		return demo.Fill(ctx, store, catalog, time.Now(), nil)
	}
}

// fillDemo fills an empty database with demonstration data if the settings say so.
func fillDemo(c *console, set *settings, log *slog.Logger, store *store.Store, catalog *catalog.Catalog) error {
	if !set.fillsDemo() {
		return nil
	}
	empty, err := store.IsEmpty(c.ctx)
	if err != nil || !empty {
		return err
	}
	log.Info("fill the empty database with demonstration data: set DEMO=false to start empty")
	started := time.Now()
	if err := demo.Fill(c.ctx, store, catalog, time.Now(), progress(c.errOut, "demonstration data")); err != nil {
		return err
	}
	log.Info("demonstration data made", "took", time.Since(started).Round(time.Millisecond))
	return nil
}

// makeDataDir creates the data folder, readable by its owner only, and restricts an
// existing one.
func makeDataDir(set *settings) error {
	err := os.MkdirAll(set.DataDir, durable.FolderMode)
	if err == nil {
		err = durable.Restrict(set.DataDir, set.outbox())
	}
	if err != nil {
		return fmt.Errorf("the setting DATA_DIR is %s: %w", set.DataDir, err)
	}
	return nil
}
