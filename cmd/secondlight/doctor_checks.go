package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/store"
)

// checks returns what doctor checks, in the order in which it is printed.
func (s *settings) checks() []check {
	return []check{
		{name: "settings", run: s.diagnoseSettings},
		{name: "folder", run: s.diagnoseFolder},
		{name: "disk", run: s.diagnoseDisk},
		{name: "storage", run: s.diagnoseStorage},
		{name: "database", run: s.diagnoseDatabase},
		{name: "contents", run: s.diagnoseContents, deep: true},
		{name: "files", run: s.diagnoseFiles},
		{name: "exchange rates", run: s.diagnoseRates},
		{name: "redis", run: s.diagnoseRedis},
		{name: "dns", run: s.diagnoseDNS},
		{name: "mail", run: s.diagnoseMail},
		{name: "address", run: s.diagnoseAddress},
	}
}

// diagnoseSettings looks for settings that are valid but contradict each other.
func (s *settings) diagnoseSettings(context.Context) (found []finding) {
	base, _ := url.Parse(s.BaseURL)
	listen, _, _ := net.SplitHostPort(s.ListenAddr)
	public, https := !isLocal(base.Hostname()), base.Scheme == "https"
	for _, rule := range []struct {
		broken          bool
		message, repair string
	}{
		{public && !https, "BASE_URL is http: passwords and sign-in cookies travel unencrypted, and browsers allow no passkeys",
			"Serve the site over HTTPS and set BASE_URL=https://" + base.Host},
		{https && s.TrustedProxies == "", "BASE_URL is https, which needs a proxy, but TRUSTED_PROXIES is empty: all visitors share one rate limit",
			"Set TRUSTED_PROXIES to the proxy's address, such as 127.0.0.1"},
		{!public && !isLocal(listen), fmt.Sprintf("LISTEN_ADDR accepts other machines, but links and emails name %s", s.BaseURL),
			"Set BASE_URL to the public address"},
		{public && s.smtp == nil, "SMTP_URL is empty: nobody gets email, it is written to DATA_DIR/outbox", "Set SMTP_URL"},
		{s.smtp != nil && strings.HasSuffix(s.from.Address, "@localhost"), "the sender of email is " + s.from.Address + ", which mail servers refuse", "Set MAIL_FROM"},
		{public && s.Dev, "DEV is true: visitors can see /ui", "Unset DEV"},
		{public && s.Demo == "true", "DEMO is true: an empty database is filled with demonstration data", "Set DEMO=false"},
		{public && len(s.missingImprint()) > 0, "the imprint is incomplete", "Set " + strings.Join(s.missingImprint(), ", ")},
	} {
		if rule.broken {
			found = append(found, doubtful(rule.message, rule.repair))
		}
	}
	if err := s.checkServing(); err != nil {
		found = append(found, bad(err.Error(), "Correct the settings"))
	}
	return orGood(found, "valid, for "+s.BaseURL+": "+s.place())
}

// misspelt finds variables of an environment whose names are nearly those of settings.
func misspelt(environ []string) (found []finding) {
	bare := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	names := settingNames()
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		word, ours := strings.CutPrefix(name, "SECONDLIGHT_")
		if slices.Contains(names, name) {
			continue
		}
		near, limit := "", len(bare(word))/5+1 // differences
		for _, setting := range names {
			if n := fuzzy.Distance(bare(word), bare(setting), limit); n < limit {
				near, limit = setting, n
			}
		}
		switch {
		case near != "":
			found = append(found, doubtful(name+" is not a setting", "Did you mean "+near+"?"))
		case ours:
			found = append(found, doubtful(name+" is not a setting", "See secondlight serve --help"))
		}
	}
	return found
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// diagnoseFolder checks that DATA_DIR exists, and that others can't read it or the
// embedded database.
func (s *settings) diagnoseFolder(context.Context) (found []finding) {
	info, err := os.Stat(s.DataDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []finding{doubtful(fmt.Sprintf("DATA_DIR, %s, doesn't exist yet", s.DataDir), "The first start creates it")}
	case err != nil:
		return []finding{bad(fmt.Sprintf("DATA_DIR can't be read: %v", err), "Give it to the user that runs the site")}
	case !info.IsDir():
		return []finding{bad(fmt.Sprintf("DATA_DIR, %s, is a file", s.DataDir), "Set DATA_DIR to a folder")}
	}
	database, _ := strings.CutPrefix(s.DatabaseURL, "sqlite:")
	for _, name := range []string{s.DataDir, database} {
		if info, err := os.Stat(name); err == nil && info.Mode().Perm()&0o077 != 0 {
			found = append(found, doubtful(fmt.Sprintf("other users can open %s (%s)", name, info.Mode()), "Run chmod go= "+name+", or start the site, which does"))
		}
	}
	return orGood(found, s.DataDir+" is private")
}

// Limits of the free space in DATA_DIR. Below lowSpace the site calls itself degraded.
const (
	lowSpace    = 256 << 20
	scarceSpace = 1 << 30
)

func (s *settings) diagnoseDisk(context.Context) []finding {
	folder, err := existingFolder(s.DataDir)
	if err != nil {
		return []finding{bad(err.Error(), "Set DATA_DIR to a folder")}
	}
	free, err := durable.FreeBytes(folder)
	const repair = "Free some space, or move DATA_DIR to a larger disk"
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return []finding{good("not checked on this system")}
	case err != nil:
		return []finding{bad(err.Error(), repair)}
	case free < lowSpace:
		return []finding{bad(sizeText(free)+" free: the site is degraded below 256 MB", repair)}
	case free < scarceSpace:
		return []finding{doubtful(sizeText(free)+" free", repair)}
	}
	return []finding{good(sizeText(free) + " free")}
}

// existingFolder returns a folder, or the nearest one above it that exists.
func existingFolder(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
			return folder, err
		}
		folder = filepath.Dir(folder)
	}
}

// sizeText returns a number of bytes as people read it.
func sizeText(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", n>>10)
}

// diagnoseStorage writes, reads and deletes a file in the folders that the site writes.
func (s *settings) diagnoseStorage(ctx context.Context) (found []finding) {
	if _, err := os.Stat(s.DataDir); errors.Is(err, fs.ErrNotExist) {
		return []finding{doubtful("not checked: DATA_DIR doesn't exist yet", "Run secondlight migrate, which creates it, and this again")}
	}
	for _, name := range []string{"", "photos", "outbox"} {
		folder := filepath.Join(s.DataDir, name)
		if _, err := os.Stat(folder); name != "" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := blob.Try(ctx, blob.Folder(folder), durable.TempPrefix+"doctor-"+rand.Text()); err != nil {
			found = append(found, bad(fmt.Sprintf("%s can't be used: %v", folder, err), "Give the folder to the user that runs the site, on a disk that is not read-only"))
		}
	}
	if s.sharesFiles() {
		found = append(found, s.diagnoseBucket(ctx)...)
	}
	return orGood(found, "files can be written, read and deleted")
}

// diagnoseBucket writes, reads and deletes a file in the bucket, and looks for files that only
// this machine has.
func (s *settings) diagnoseBucket(ctx context.Context) []finding {
	if err := blob.Try(ctx, s.files, "doctor-"+rand.Text()); err != nil {
		return []finding{bad(fmt.Sprintf("the bucket of BLOB_URL can't be used: %v", err), "Check BLOB_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that the key may read, write, list and delete")}
	}
	local, err := backup.HasFiles(ctx, blob.Folder(s.DataDir))
	if err != nil || !local {
		return nil
	}
	if shared, err := backup.HasFiles(ctx, s.files); err == nil && !shared {
		return []finding{doubtful("DATA_DIR has photographs or pages, but the bucket of BLOB_URL is empty", fmt.Sprintf("Run secondlight blobs copy %s '%s'", s.DataDir, s.files))}
	}
	return nil
}

// maxClockSkew is how far the clocks of the site and of its database may be apart.
const maxClockSkew = 2 * time.Second

// diagnoseDatabase checks the server, its schema and its clock.
func (s *settings) diagnoseDatabase(ctx context.Context) []finding {
	i, err := store.Inspect(ctx, s.DatabaseURL)
	if errors.Is(err, fs.ErrNotExist) {
		return []finding{doubtful("the database doesn't exist yet", "The first start creates it")}
	}
	if err != nil {
		return []finding{s.unopened(err)}
	}
	found := s.diagnoseServer(i)
	if i.Paused {
		found = append(found, doubtful("email and webhooks are paused, as after a restore", "Run secondlight deliveries resume when the site is to send them"))
	}
	found = append(found, s.diagnoseSchema(i)...)
	found = orGood(found, fmt.Sprintf("%s %s, schema %d is up to date, %s", i.Engine, i.Version, i.Schema, sizeText(uint64(i.Size))))
	return append(found, diagnoseClock(i))
}

// diagnoseContents reads the whole database.
func (s *settings) diagnoseContents(ctx context.Context) (found []finding) {
	damage, err := store.Verify(ctx, s.DatabaseURL)
	if err != nil && !store.IsDamaged(err) {
		return []finding{bad(fmt.Sprintf("not read: %v", err), "See the finding about the database")}
	} else if err != nil {
		damage = append(damage, err.Error())
	}
	for _, text := range damage {
		found = append(found, bad(text, s.wayOut()))
	}
	return orGood(found, "nothing is damaged")
}

// wayOut says what to do about a damaged database.
func (s *settings) wayOut() string {
	const restore = "Stop the site, copy the database aside, and restore a backup with secondlight restore --force"
	if file, embedded := strings.CutPrefix(s.DatabaseURL, "sqlite:"); embedded {
		return fmt.Sprintf("%s; without one, save what can be read: sqlite3 %s .recover | sqlite3 recovered.db", restore, file)
	}
	return restore + "; if only an index is damaged, REINDEX repairs it"
}

// explainDamage returns an error that names the damaged database and says what to do about it if
// err means that one is damaged, and otherwise err.
func explainDamage(environ []string, err error) error {
	if !store.IsDamaged(err) {
		return err
	}
	set, failed := readSettings(environ)
	if failed != nil {
		return err
	}
	name := "of DATABASE_URL"
	if file, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:"); embedded {
		name = file
	}
	return fmt.Errorf("the database %s is damaged (%v). %s", name, err, set.wayOut())
}

// diagnoseRates reads the exchange rates of EXCHANGE_RATES, and looks how old those in the
// database are.
func (s *settings) diagnoseRates(ctx context.Context) (found []finding) {
	if s.ExchangeRates == "" {
		return []finding{good("EXCHANGE_RATES is empty: all prices are in " + s.currency.Code)}
	}
	days, err := readRates(ctx, s.ExchangeRates)
	if err != nil {
		return []finding{bad(fmt.Sprintf("EXCHANGE_RATES can't be used: %v", err), "Use a file or an https URL in the format of https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml; until then the last rates are used")}
	}
	if s.currency.Code != "EUR" && days[len(days)-1].Rates[s.currency.Code] == "" {
		return []finding{bad("EXCHANGE_RATES has no rate of "+s.currency.Code+", the currency of the site", "Use a file with rates of it")}
	}
	last := days[len(days)-1].Day
	if models.StaleRates(last, time.Now()) {
		found = append(found, doubtful("the last exchange rates in EXCHANGE_RATES are of "+string(last), "Look why the file is not updated; pages say of which day a rate is"))
	}
	i, err := store.Inspect(ctx, s.DatabaseURL)
	if err == nil && models.StaleRates(i.RatesDay, time.Now()) && !models.StaleRates(last, time.Now()) {
		found = append(found, doubtful(strings.TrimSpace("the exchange rates in use are outdated "+string(i.RatesDay)), "Start the site, which reads EXCHANGE_RATES, or run the job at /admin/jobs"))
	}
	return orGood(found, "of "+string(last))
}

// readRates reads the exchange rates of a file or an https URL.
func readRates(ctx context.Context, source string) ([]models.DayRates, error) {
	if !strings.HasPrefix(source, "https://") {
		f, err := os.Open(source)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return models.ParseRates(f)
	}
	body, err := (&delivery.Guard{}).FetchFile(ctx, source, models.MaxRatesFile)
	if err != nil {
		return nil, err
	}
	return models.ParseRates(bytes.NewReader(body))
}

// unopened returns the finding that the database can't be opened.
func (s *settings) unopened(err error) finding {
	if file, embedded := strings.CutPrefix(s.DatabaseURL, "sqlite:"); embedded {
		return bad(err.Error(), "If "+file+" is not the database, correct DATABASE_URL; otherwise restore a backup")
	}
	var network net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout() {
		return bad(fmt.Sprintf("no answer within %s", doctorTimeout), "Check that PostgreSQL runs at the address in DATABASE_URL, and the firewall")
	}
	return bad(err.Error(), "Check that PostgreSQL runs, and the host, name, user and password in DATABASE_URL")
}

func (s *settings) diagnoseServer(i *store.Inspection) (found []finding) {
	if i.Engine == "PostgreSQL" && i.Major < store.MinPostgres {
		found = append(found, bad(fmt.Sprintf("PostgreSQL %s is too old", i.Version), fmt.Sprintf("Upgrade it to %d or newer", store.MinPostgres)))
	}
	if i.Standby {
		found = append(found, bad("the server is a standby: nothing can be written", "Set DATABASE_URL to the primary, or promote the standby"))
	}
	if most := i.MaxConnections; most > 0 && s.MaxConnections > most {
		found = append(found, bad(fmt.Sprintf("DATABASE_MAX_CONNECTIONS is %d, and the server accepts %d", s.MaxConnections, most), "Lower it, or raise max_connections of PostgreSQL"))
	}
	return found
}

func (s *settings) diagnoseSchema(i *store.Inspection) []finding {
	migrate := "Run secondlight migrate"
	if s.migrates() {
		migrate = "Start the site or run secondlight migrate"
	}
	switch err := i.Check(); {
	case err != nil && i.Schema > i.Latest:
		return []finding{bad(fmt.Sprintf("schema %d was made by a newer version of the program, which supports %d", i.Schema, i.Latest), "Run the newer version, or restore a backup of this one")}
	case i.Schema > i.Latest:
		return []finding{doubtful(fmt.Sprintf("schema %d is of a later release, and supports this one", i.Schema), "Finish the upgrade: install the later release")}
	case i.Schema == 0:
		return []finding{doubtful(fmt.Sprintf("%s %s has no schema yet", i.Engine, i.Version), migrate+", which creates it")}
	case i.Pending > 0:
		return []finding{doubtful(fmt.Sprintf("schema %d, migrations to apply: %d", i.Schema, i.Pending), "Make a backup first. "+migrate)}
	}
	return nil
}

func diagnoseClock(i *store.Inspection) finding {
	f := good("the same as the database's")
	if skew := i.ClockAhead.Round(100 * time.Millisecond); skew.Abs() > maxClockSkew {
		f = doubtful(fmt.Sprintf("%s away from the database's", skew.Abs()), "Synchronise the clocks of both machines with NTP")
	}
	f.Check = "clock"
	return f
}

// slowRedis is an answer that leaves servers, which wait 40 ms, little time.
const slowRedis = 20 * time.Millisecond

// redisTries is the number of measured answers. The fastest counts, because a single one may
// have waited for this machine.
const redisTries = 5

// diagnoseRedis signs in to Redis and runs a script, as the rate limit does.
func (s *settings) diagnoseRedis(ctx context.Context) []finding {
	if s.redis == nil {
		return []finding{good("not used: each server has a rate limit of its own")}
	}
	took, err := timeRedis(ctx, s.redis)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("timeout")
	}
	switch {
	case err != nil:
		return []finding{bad(fmt.Sprintf("%s: %v", s.redis.Addr, err), "Check that Redis runs, the password in REDIS_URL, and that its user may run scripts; until then each server has a rate limit of its own")}
	case took > slowRedis:
		return []finding{doubtful(fmt.Sprintf("%s took %s, which every request waits for", s.redis.Addr, took), "Run Redis nearer to the servers")}
	}
	return []finding{good(fmt.Sprintf("%s counts requests, in %s", s.redis.Addr, took))}
}

// timeRedis returns how long the fastest of redisTries scripts takes.
func timeRedis(ctx context.Context, address *limit.Redis) (fastest time.Duration, err error) {
	conn, err := address.Dial(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	fastest = time.Hour
	for range redisTries {
		started := time.Now()
		if _, err := redis.DoContext(conn, ctx, "EVAL", "return 1", 0); err != nil {
			return 0, err
		}
		fastest = min(fastest, time.Since(started).Round(100*time.Microsecond))
	}
	return fastest, nil
}

// diagnoseDNS looks up the hosts of the site and of the mail server.
func (s *settings) diagnoseDNS(ctx context.Context) (found []finding) {
	base, _ := url.Parse(s.BaseURL)
	hosts := []struct{ setting, host string }{{"BASE_URL", base.Hostname()}}
	if s.smtp != nil {
		hosts = append(hosts, struct{ setting, host string }{"SMTP_URL", s.smtp.Host()})
	}
	for _, h := range hosts {
		found = append(found, lookUp(ctx, h.setting, h.host))
	}
	return found
}

func lookUp(ctx context.Context, setting, host string) finding {
	if isLocal(host) || net.ParseIP(host) != nil {
		return good(host + " needs no DNS")
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil {
		return bad(fmt.Sprintf("%s is not found: %v", host, err), "Add a record for it, or correct "+setting)
	}
	slices.Sort(addresses)
	return good(host + " is " + strings.Join(addresses, ", "))
}

// diagnoseMail signs in to the mail server.
func (s *settings) diagnoseMail(ctx context.Context) []finding {
	if s.smtp == nil {
		return []finding{good("written to " + s.outbox())}
	}
	if err := s.smtp.Check(ctx); err != nil {
		return []finding{bad(fmt.Sprintf("%s: %v", s.smtp.Address(), err), "Correct SMTP_URL, and let the firewall through to its port")}
	}
	return []finding{good(s.smtp.Address() + " accepts email from " + s.from.Address)}
}

// diagnoseAddress asks the site for its health through its public address.
func (s *settings) diagnoseAddress(ctx context.Context) []finding {
	if strings.HasSuffix(s.BaseURL, ":0") {
		return []finding{good("not checked: the port is chosen at start")}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.BaseURL+"/api/health", nil)
	if err != nil {
		return []finding{bad(err.Error(), "Correct BASE_URL")}
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return []finding{unreached(s.BaseURL, err)}
	}
	defer response.Body.Close()
	var health struct{ Status, Site string }
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err == nil && response.StatusCode == http.StatusOK {
		err = json.Unmarshal(body, &health)
	}
	at := s.BaseURL + "/api/health"
	switch to := response.Header.Get("Location"); {
	case to != "":
		return []finding{doubtful(at+" redirects to "+to, "Set BASE_URL to the address that the site has for visitors")}
	case response.StatusCode != http.StatusOK:
		return []finding{bad(fmt.Sprintf("%s answers %d", at, response.StatusCode), "See the logs of the site and of the proxy in front of it")}
	case err != nil || health.Status == "":
		return []finding{bad(at+" is answered by another program", "Correct BASE_URL, or the proxy in front of the site")}
	case s.isOther(ctx, health.Site):
		return []finding{bad(at+" is answered by a server of another site or another database", "Correct BASE_URL, DATABASE_URL, or the proxy in front of the site")}
	case health.Status != "ok":
		return []finding{doubtful(at+" says "+health.Status, "See the log of the site for the reason")}
	}
	return []finding{good(at + " says ok")}
}

// isOther reports whether a server's site is another one than that of the database.
func (s *settings) isOther(ctx context.Context, site string) bool {
	i, err := store.Inspect(ctx, s.DatabaseURL)
	return err == nil && i.Site != "" && i.Site != site
}

// unreached returns the finding that the public address doesn't answer: an error only if
// something is there.
func unreached(address string, err error) finding {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &certificate):
		return bad(fmt.Sprintf("%s has an invalid certificate: %v", address, certificate.Err), "Renew the certificate, or correct its host name")
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return bad(address+" is not served over TLS", "Put a proxy with a certificate in front of the site, or correct BASE_URL")
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return doubtful(fmt.Sprintf("%s doesn't answer: %v", address, err), "Start the site; if it runs, check the proxy and the firewall")
}
