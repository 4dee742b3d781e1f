package handlers

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
)

// MetricsHandler serves the metrics of the server, of its database and of the process. It
// must be called once, on a server whose Config has Metrics.
func (s *Server) MetricsHandler(m *Metrics) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), &stateCollector{s})
	for name, pool := range s.cfg.Store.Pools() {
		registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry, MaxRequestsInFlight: 4})
}

// scrapeTimeout limits the database queries of a scrape.
const scrapeTimeout = 2 * time.Second

// stateCollector reads what the server is doing when it is scraped.
type stateCollector struct{ server *Server }

// desc returns the description of a metric of the site.
func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("secondlight_"+name, help, labels, nil)
}

var (
	descBuild         = desc("build_info", "1, by version of the program.", "version")
	descReady         = desc("ready", "1 if the server is to receive requests: /readyz.")
	descErrors        = desc("errors_logged_total", "Errors in the log since the start.")
	descListings      = desc("index_listings", "Listings in the search index.")
	descLag           = desc("index_lag_seconds", "For how long the search index may not have seen the changes of the database; up to 2 normally.")
	descCacheHits     = desc("cache_hits_total", "Responses from the cache since the start.")
	descCacheEntries  = desc("cache_entries", "Addresses in the response cache.")
	descCacheBytes    = desc("cache_bytes", "Size of the response cache.")
	descConns         = desc("connections", "Open connections of clients.")
	descRejected      = desc("connections_rejected_total", "Connections beyond the limits since the start.")
	descBodies        = desc("request_body_bytes", "Request bodies in memory.")
	descDatabase      = desc("database_up", "1 if the queries of this scrape were answered.")
	descQueue         = desc("queue_deliveries", "Emails and webhooks that are not sent, by state: waiting, retrying or, if they were given up on, failed.", "kind", "state")
	descJobStarted    = desc("job_last_run_timestamp_seconds", "When a background job ran last, on whichever server.", "name")
	descJobTook       = desc("job_last_run_duration_seconds", "How long a background job took last.", "name")
	descJobFailed     = desc("job_failed", "1 if the last run of a background job failed.", "name")
	descRateLimit     = desc("rate_limit_requests", "Requests that a client may make in a minute, by policy.", "policy")
	descShared        = desc("rate_limit_shared", "1 if Redis counts the requests, 0 if it does not answer and this server counts on its own.")
	descFallbacks     = desc("rate_limit_fallbacks_total", "Requests that were counted by this server on its own, though REDIS_URL is set.")
	descDegraded      = desc("health_degraded", "1 if /api/health says degraded: some requests fail.")
	descDiskFree      = desc("disk_free_bytes", "Free space on the disk of a folder: data is DATA_DIR, backups is BACKUP_DIR.", "folder")
	descBackupAt      = desc("backup_timestamp_seconds", "When a complete backup was last made; 0 for never.")
	descBackupSize    = desc("backup_bytes", "Size of the last complete backup, with its files.")
	descCheckedAt     = desc("backup_checked_timestamp_seconds", "When a backup was last read again and found to be complete; 0 for never.")
	descCheckedSize   = desc("backup_checked_bytes", "Size of the last backup that was read again, with its files.")
	descPhotos        = desc("photos_stored", "Photographs in the files of the site when unused ones were last looked for, about every hour.")
	descLogSize       = desc("database_log_bytes", "Size of the write-ahead log: with SQLite its file, with PostgreSQL what the slowest replication slot holds back.")
	descOldest        = desc("queue_oldest_seconds", "Age of the oldest email or webhook that is still to be sent.", "kind")
	stateDescriptions = []*prometheus.Desc{descBuild, descReady, descErrors, descListings, descLag, descCacheHits, descCacheEntries, descCacheBytes, descConns,
		descRejected, descBodies, descDatabase, descQueue, descJobStarted, descJobTook, descJobFailed, descRateLimit, descShared, descFallbacks,
		descDegraded, descDiskFree, descBackupAt, descBackupSize, descCheckedAt, descCheckedSize, descPhotos, descLogSize, descOldest}
)

// Describe implements prometheus.Collector.
func (c *stateCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range stateDescriptions {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *stateCollector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value float64) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value)
	}
	s, stats := c.server, c.server.Stats()
	logged, _ := s.errors.Recent()
	api, pages := s.RateLimits()
	gauge(descBuild, 1, s.cfg.Version)
	gauge(descReady, boolToFloat(s.Readiness() == nil))
	counter(descErrors, float64(logged))
	gauge(descListings, float64(s.cfg.Index.Len()))
	gauge(descLag, s.cfg.Store.Lag().Seconds())
	counter(descCacheHits, float64(stats.CacheHits))
	gauge(descCacheEntries, float64(stats.CacheEntries))
	gauge(descCacheBytes, float64(stats.CacheBytes))
	gauge(descConns, float64(stats.Conns))
	counter(descRejected, float64(stats.RejectedConns))
	gauge(descBodies, float64(stats.BodyBytes))
	gauge(descRateLimit, float64(api), "api")
	gauge(descRateLimit, float64(pages), "pages")
	if limit := stats.RateLimit; limit != nil {
		gauge(descShared, boolToFloat(limit.Shared))
		counter(descFallbacks, float64(limit.Fallbacks))
	}

	if status, err := s.health.check(); err == nil {
		gauge(descDegraded, boolToFloat(status != healthy))
	}
	c.collectDisks(gauge)
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	gauge(descDatabase, boolToFloat(cmp.Or(c.collectQueues(ctx, gauge), c.collectUpkeep(ctx, gauge)) == nil))
}

// setGauge sends the value of a gauge.
type setGauge func(d *prometheus.Desc, value float64, labels ...string)

// collectDisks measures the free space of the folders that exist, where the system can tell.
func (c *stateCollector) collectDisks(gauge setGauge) {
	for name, folder := range map[string]string{"data": c.server.cfg.DataDir, "backups": c.server.cfg.BackupDir} {
		if free, err := durable.FreeBytes(folder); folder != "" && err == nil {
			gauge(descDiskFree, float64(free), name)
		}
	}
}

// collectUpkeep reads what is recorded about backups and files.
func (c *stateCollector) collectUpkeep(ctx context.Context, gauge setGauge) error {
	u, err := c.server.cfg.Store.Site.Upkeep(ctx)
	if err != nil {
		return err
	}
	gauge(descBackupAt, float64(u.BackupAt)/1000)
	gauge(descBackupSize, float64(u.BackupBytes))
	gauge(descCheckedAt, float64(u.CheckedAt)/1000)
	gauge(descCheckedSize, float64(u.CheckedBytes))
	gauge(descPhotos, float64(u.Photos))
	n, err := c.server.cfg.Store.Site.LogBytes(ctx)
	gauge(descLogSize, float64(n))
	return err
}

// collectQueues reads the queues and jobs from the database.
func (c *stateCollector) collectQueues(ctx context.Context, gauge setGauge) error {
	mail, err := c.server.cfg.Store.Deliveries.CountMail(ctx)
	if err != nil {
		return err
	}
	gauge(descQueue, float64(mail.Waiting), string(models.Mail), "waiting")
	gauge(descQueue, float64(mail.Retrying), string(models.Mail), "retrying")
	gauge(descQueue, float64(mail.Failed), string(models.Mail), "failed")
	queues, err := c.server.cfg.Store.Moderation.Queues(ctx)
	if err != nil {
		return err
	}
	for _, q := range queues {
		age := 0.0
		if q.OldestAt > 0 {
			age = c.server.cfg.Clock().Sub(q.OldestAt.Std()).Seconds()
		}
		gauge(descOldest, max(age, 0), string(q.Kind))
		if q.Kind == models.Webhook {
			gauge(descQueue, float64(q.Waiting-q.Retried), string(q.Kind), "waiting")
			gauge(descQueue, float64(q.Retried), string(q.Kind), "retrying")
		}
	}
	runs, err := c.server.cfg.Store.Site.JobRuns(ctx)
	for name, run := range runs {
		gauge(descJobStarted, float64(run.StartedAt)/1000, name)
		gauge(descJobTook, float64(run.Took)/1000, name)
		gauge(descJobFailed, boolToFloat(run.Error != ""), name)
	}
	return err
}

// boolToFloat returns 1 for true and 0 for false.
func boolToFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
