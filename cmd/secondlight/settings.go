package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/store"
)

// settings are the environment variables of the server, all optional. The help of serve
// prints these tags, and docs/reference/settings.md lists them.
type settings struct {
	ListenAddr       string         `env:"LISTEN_ADDR" envDefault:"127.0.0.1:8080" doc:"address and port to listen on; port 0 picks a free one"`
	BaseURL          string         `env:"BASE_URL" doc:"public address of the site, such as https://shop.example; derived from LISTEN_ADDR when empty"`
	DataDir          string         `env:"DATA_DIR" envDefault:"./data" doc:"folder for the embedded database and pictures"`
	BlobURL          string         `env:"BLOB_URL" doc:"where photographs and the owner's files are stored: s3://BUCKET?endpoint=https://…&region=… for several servers, with the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; DATA_DIR when empty"`
	BackupDir        string         `env:"BACKUP_DIR" doc:"folder for backups, of /admin/backups and of secondlight backup; backups in DATA_DIR when empty"`
	BackupRecipient  string         `env:"BACKUP_RECIPIENT" doc:"public keys of age, separated by commas, for which secondlight backup encrypts; not encrypted when empty"`
	DatabaseURL      string         `env:"DATABASE_URL" doc:"sqlite:FILE or postgres://…; an SQLite file in DATA_DIR when empty"`
	Migrate          string         `env:"MIGRATE" doc:"auto: migrate the database on startup. off: refuse to start until you run secondlight migrate. Default: auto with SQLite, off with PostgreSQL"`
	MaxConnections   int            `env:"DATABASE_MAX_CONNECTIONS" doc:"connections to the database; 12 with PostgreSQL and 4 with SQLite when empty"`
	StatementTimeout time.Duration  `env:"DATABASE_STATEMENT_TIMEOUT" envDefault:"1m" doc:"statement timeout (PostgreSQL)"`
	LockTimeout      time.Duration  `env:"DATABASE_LOCK_TIMEOUT" envDefault:"10s" doc:"lock timeout for server statements"`
	Demo             string         `env:"DEMO" doc:"true fills an empty database with demonstration data, false starts empty; when unset, only an empty embedded database is filled"`
	RateLimit        int            `env:"RATE_LIMIT" envDefault:"100" doc:"API requests per minute, per member or, without a token, per IP address"`
	RedisURL         string         `env:"REDIS_URL" doc:"Redis or Valkey URL for shared rate limiting across servers, redis://user:password@host:6379/0, rediss:// or unix://; when empty, each server has a rate limit of its own"`
	Currency         string         `env:"CURRENCY" envDefault:"EUR" doc:"the site's currency, ISO 4217"`
	ExchangeRates    string         `env:"EXCHANGE_RATES" doc:"file or https URL with exchange rates in the format of the European Central Bank, such as https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml: members may then sell and search in other currencies; when empty, all prices are in CURRENCY"`
	Languages        string         `env:"SITE_LANGUAGES" envDefault:"en,de" doc:"languages for pages and emails, comma-separated (en, de); the first is the default"`
	SiteName         string         `env:"SITE_NAME" envDefault:"Secondlight" doc:"name of the site"`
	OwnerName        string         `env:"OWNER_NAME" envDefault:"Secondlight" doc:"the photographer or shop behind the site"`
	OwnerAddress     string         `env:"OWNER_ADDRESS" doc:"postal address of the owner, for the imprint, such as 1 Mill Road, 10115 Berlin, Germany"`
	ContactEmail     string         `env:"CONTACT_EMAIL" doc:"public email address of the owner, for the imprint, help and privacy pages"`
	SecurityContact  string         `env:"SECURITY_CONTACT" doc:"security contact, such as mailto:owner@shop.example; Secondlight's own advisories when empty"`
	TrustedProxies   string         `env:"TRUSTED_PROXIES" doc:"addresses or networks whose X-Forwarded-For is trusted, separated by commas; none when empty"`
	SecretKey        string         `env:"SECRET_KEY" doc:"any long text that encrypts the passwords that the owner enters in the browser, the same on all servers; a key in DATA_DIR/secret.key when empty"`
	SMTPURL          string         `env:"SMTP_URL" doc:"mail server, smtp://user:password@host:port (STARTTLS) or smtps://; when empty, the one set at /admin/mail, and without that email is written to DATA_DIR/outbox"`
	MailFrom         string         `env:"MAIL_FROM" doc:"sender address of email, such as shop@shop.example; no-reply@ and the host of BASE_URL when empty"`
	DrainTime        *time.Duration `env:"DRAIN_TIME" doc:"how long to keep serving requests during shutdown, with /readyz reporting draining; default 5s, or 0s without BASE_URL or with DEV"`
	KeepMessages     int            `env:"KEEP_MESSAGES_DAYS" doc:"days after which messages about closed listings are deleted; never when empty"`
	KeepListings     int            `env:"KEEP_LISTINGS_DAYS" doc:"days after which ended listings without offers and messages are deleted; never when empty"`
	KeepAlerts       int            `env:"KEEP_ALERTS_DAYS" doc:"days after which records of alerts about closed listings are deleted; never when empty"`
	KeepAudit        int            `env:"KEEP_AUDIT_DAYS" doc:"days after which entries of the audit log are deleted; never when empty"`
	MetricsAddr      string         `env:"METRICS_ADDR" doc:"address and port of Prometheus metrics and Go profiles, such as 127.0.0.1:9090; none when empty"`
	LogLevel         slog.Level     `env:"LOG_LEVEL" envDefault:"info" doc:"debug, info, warn or error"`
	AccessLog        float64        `env:"ACCESS_LOG" envDefault:"0" doc:"share of requests to log, 0 to 1; if above 0, failed and slow (over 1s) requests are always logged"`
	LogFormat        string         `env:"LOG_FORMAT" envDefault:"text" doc:"text or json"`
	Dev              bool           `env:"DEV" doc:"true adds /ui, a page that shows every component"`

	files     blob.Bucket // of BLOB_URL
	currency  models.Currency
	languages []*languages.Language
	proxies   []netip.Prefix
	redis     *limit.Redis   // nil for none
	smtp      *delivery.SMTP // nil for none
	from      mail.Address
}

// readSettings parses and validates the environment variables. The error, a
// usageError, names the variable.
func readSettings(environ []string) (*settings, error) {
	s := &settings{}
	values := env.ToMap(environ)
	if err := env.ParseWithOptions(s, env.Options{Environment: values}); err != nil {
		return nil, usageError{fmt.Errorf("invalid setting %w", namedSetting(values, err))}
	}
	checks := []struct {
		name  string
		check func() error
	}{
		{"LISTEN_ADDR", s.checkListenAddr},
		{"DRAIN_TIME", s.checkDrainTime},
		{"BASE_URL", s.checkBaseURL},
		{"BLOB_URL", s.checkBlobURL},
		{"DATABASE_URL", s.checkDatabaseURL},
		{"MIGRATE", s.checkMigrate},
		{"DATABASE_MAX_CONNECTIONS", s.checkMaxConnections},
		{"DATABASE_STATEMENT_TIMEOUT", func() error { return checkTimeout(s.StatementTimeout) }},
		{"DATABASE_LOCK_TIMEOUT", func() error { return checkTimeout(s.LockTimeout) }},
		{"DEMO", s.checkDemo},
		{"RATE_LIMIT", s.checkRateLimit},
		{"REDIS_URL", s.checkRedis},
		{"CURRENCY", s.checkCurrency},
		{"EXCHANGE_RATES", s.checkExchangeRates},
		{"SITE_LANGUAGES", s.checkLanguages},
		{"CONTACT_EMAIL", s.checkContactEmail},
		{"SECURITY_CONTACT", s.checkSecurityContact},
		{"TRUSTED_PROXIES", s.checkProxies},
		{"SMTP_URL", s.checkSMTP},
		{"MAIL_FROM", s.checkMailFrom},
		{"KEEP_MESSAGES_DAYS", func() error { return checkRetention(s.KeepMessages) }},
		{"KEEP_LISTINGS_DAYS", func() error { return checkRetention(s.KeepListings) }},
		{"KEEP_ALERTS_DAYS", func() error { return checkRetention(s.KeepAlerts) }},
		{"KEEP_AUDIT_DAYS", func() error { return checkRetention(s.KeepAudit) }},
		{"METRICS_ADDR", s.checkMetricsAddr},
		{"ACCESS_LOG", s.checkAccessLog},
		{"LOG_FORMAT", s.checkLogFormat},
	}
	for _, c := range checks {
		if err := c.check(); err != nil {
			return nil, usageError{fmt.Errorf("invalid setting %s: %w", c.name, err)}
		}
	}
	return s, nil
}

// namedSetting returns a parse error with the name of the variable, its value and what it should
// look like.
func namedSetting(environ map[string]string, err error) error {
	var parse env.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	field, _ := reflect.TypeFor[settings]().FieldByName(parse.Name)
	name := field.Tag.Get("env")
	return fmt.Errorf("%s: %q is not %s", name, environ[name], valueForms[field.Type])
}

// valueForms says what values of a type look like, for those that env parses.
var valueForms = map[reflect.Type]string{
	reflect.TypeFor[int]():            "a whole number such as 100",
	reflect.TypeFor[float64]():        "a number such as 0.01",
	reflect.TypeFor[bool]():           "true or false",
	reflect.TypeFor[time.Duration]():  "a duration such as 10s or 1m",
	reflect.TypeFor[*time.Duration](): "a duration such as 10s or 1m",
	reflect.TypeFor[slog.Level]():     "debug, info, warn or error",
}

// outbox returns the folder of the emails that no mail server sends.
func (s *settings) outbox() string { return filepath.Join(s.DataDir, "outbox") }

func (s *settings) checkListenAddr() error {
	if _, _, err := net.SplitHostPort(s.ListenAddr); err != nil {
		return fmt.Errorf("%q is not an address and port such as 127.0.0.1:8080", s.ListenAddr)
	}
	return nil
}

func checkRetention(days int) error {
	if days != 0 && (days < store.MinRetention || days > 36_500) {
		return fmt.Errorf("%d is not a number of days from %d to 36500", days, store.MinRetention)
	}
	return nil
}

// retention returns how long old data is stored.
func (s *settings) retention() store.Retention {
	return store.Retention{Messages: s.KeepMessages, Listings: s.KeepListings, Alerts: s.KeepAlerts, Audit: s.KeepAudit}
}

// defaultDrainTime is enough for load balancers that check readiness every second or two.
const defaultDrainTime = 5 * time.Second

func (s *settings) checkDrainTime() error {
	switch {
	case s.DrainTime != nil && (*s.DrainTime < 0 || *s.DrainTime > time.Minute):
		return fmt.Errorf("%s is not between 0s and 1m", *s.DrainTime)
	case s.DrainTime == nil:
		drain := defaultDrainTime
		if s.BaseURL == "" || s.Dev {
			drain = 0
		}
		s.DrainTime = &drain
	}
	return nil
}

func (s *settings) checkBaseURL() error {
	if s.BaseURL == "" {
		host, port, _ := net.SplitHostPort(s.ListenAddr)
		if host == "" || host == "0.0.0.0" || host == "::" {
			host = "localhost"
		}
		s.BaseURL = "http://" + net.JoinHostPort(host, port)
		return nil
	}
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return fmt.Errorf("%q is not a scheme and host such as https://shop.example", s.BaseURL)
	}
	s.BaseURL = u.Scheme + "://" + u.Host
	return nil
}

func (s *settings) checkBlobURL() (err error) {
	if s.BlobURL == "" || s.BlobURL == "file" {
		s.files = blob.Folder(s.DataDir)
		return nil
	}
	if !strings.HasPrefix(s.BlobURL, "s3://") {
		return fmt.Errorf("must be s3://BUCKET?endpoint=https://…&region=…, or empty for DATA_DIR")
	}
	s.files, err = blob.Open(s.BlobURL)
	return err
}

// sharesFiles reports whether the files are in object storage.
func (s *settings) sharesFiles() bool { return s.files != blob.Folder(s.DataDir) }

func (s *settings) checkDatabaseURL() error {
	switch {
	case s.DatabaseURL == "":
		s.DatabaseURL = "sqlite:" + filepath.Join(s.DataDir, "secondlight.db")
	case strings.HasPrefix(s.DatabaseURL, "sqlite:"), strings.HasPrefix(s.DatabaseURL, "postgres://"), strings.HasPrefix(s.DatabaseURL, "postgresql://"):
	default:
		return fmt.Errorf("must be sqlite:FILE or postgres://user:password@host/database")
	}
	return nil
}

func (s *settings) checkMigrate() error {
	switch s.Migrate {
	case "":
		s.Migrate = "off"
		if s.embedded() {
			s.Migrate = "auto"
		}
	case "auto", "off":
	default:
		return fmt.Errorf("%q is neither auto nor off", s.Migrate)
	}
	return nil
}

// migrates reports whether the server migrates the database at its start.
func (s *settings) migrates() bool { return s.Migrate == "auto" }

// embedded reports whether the database is an SQLite file.
func (s *settings) embedded() bool { return strings.HasPrefix(s.DatabaseURL, "sqlite:") }

func (s *settings) checkMaxConnections() error {
	if s.MaxConnections < 0 || s.MaxConnections > 10_000 {
		return fmt.Errorf("%d is not between 1 and 10,000", s.MaxConnections)
	}
	return nil
}

func checkTimeout(d time.Duration) error {
	if d < 100*time.Millisecond || d > time.Hour {
		return fmt.Errorf("%s is not between 100ms and 1h", d)
	}
	return nil
}

// databaseOptions returns the options of the server's connections. Commands that may
// take long, such as migrate and import, open the database without timeouts.
func (s *settings) databaseOptions() store.Options {
	return store.Options{Currency: s.currency, MaxConnections: s.MaxConnections, StatementTimeout: s.StatementTimeout, LockTimeout: s.LockTimeout}
}

func (s *settings) checkDemo() error {
	switch strings.ToLower(s.Demo) {
	case "", "true", "false":
		s.Demo = strings.ToLower(s.Demo)
		return nil
	}
	return fmt.Errorf("%q is neither true nor false", s.Demo)
}

func (s *settings) checkRateLimit() error {
	if s.RateLimit < 1 || s.RateLimit > 1_000_000_000 {
		return fmt.Errorf("%d is not between 1 and 1,000,000,000", s.RateLimit)
	}
	return nil
}

func (s *settings) checkRedis() (err error) {
	if s.RedisURL == "" {
		return nil
	}
	if s.redis, err = limit.ParseRedis(s.RedisURL); err != nil {
		return errors.New("must be redis://user:password@host:6379/0, rediss://… or unix:///path") // omit the URL, which may contain a password
	}
	return nil
}

func (s *settings) checkCurrency() (err error) {
	s.currency, err = models.ParseCurrency(s.Currency)
	return err
}

func (s *settings) checkExchangeRates() error {
	u, err := url.Parse(s.ExchangeRates)
	if strings.Contains(s.ExchangeRates, "://") && (err != nil || u.Scheme != "https" || u.Host == "") {
		return fmt.Errorf("%q is neither a file nor an https URL such as https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml", s.ExchangeRates)
	}
	return nil
}

func (s *settings) checkLanguages() error {
	for code := range strings.SplitSeq(s.Languages, ",") {
		l := languages.Find(strings.TrimSpace(code))
		if l == nil || slices.Contains(s.languages, l) {
			return fmt.Errorf("%q is not a list of languages such as en,de", s.Languages)
		}
		s.languages = append(s.languages, l)
	}
	return nil
}

func (s *settings) checkContactEmail() error {
	if s.ContactEmail == "" {
		return nil
	}
	if address, err := mail.ParseAddress(s.ContactEmail); err != nil || address.Address != s.ContactEmail {
		return fmt.Errorf("%q is not an email address such as hello@shop.example", s.ContactEmail)
	}
	return nil
}

// missingImprint returns the names of the settings that the imprint needs and that are
// not set; none if the owner wrote an imprint.
func (s *settings) missingImprint() []string {
	if _, err := os.Stat(filepath.Join(s.DataDir, "pages", "imprint.md")); err == nil {
		return nil
	}
	var missing []string
	for _, needed := range []struct{ name, value, unset string }{
		{"OWNER_NAME", s.OwnerName, defaultOwner}, {"OWNER_ADDRESS", s.OwnerAddress, ""}, {"CONTACT_EMAIL", s.ContactEmail, ""},
	} {
		if needed.value == needed.unset {
			missing = append(missing, needed.name)
		}
	}
	return missing
}

// defaultOwner is OWNER_NAME when it is not set.
const defaultOwner = "Secondlight"

func (s *settings) checkSecurityContact() error {
	u, err := url.Parse(s.SecurityContact)
	if s.SecurityContact == "" || err == nil && (u.Scheme == "mailto" && strings.Contains(u.Opaque, "@") || u.Scheme == "https" && u.Host != "" || u.Scheme == "tel" && u.Opaque != "") {
		return nil
	}
	return fmt.Errorf("%q is not an address such as mailto:owner@shop.example or https://shop.example/security", s.SecurityContact)
}

func (s *settings) checkProxies() error {
	for text := range strings.SplitSeq(s.TrustedProxies, ",") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			addr, addrErr := netip.ParseAddr(text)
			if addrErr != nil {
				return fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", text)
			}
			prefix = netip.PrefixFrom(addr, addr.BitLen())
		}
		s.proxies = append(s.proxies, prefix.Masked())
	}
	return nil
}

func (s *settings) checkSMTP() (err error) {
	if s.SMTPURL != "" {
		s.smtp, err = delivery.ParseSMTP(s.SMTPURL)
	}
	return err
}

func (s *settings) checkMailFrom() error {
	if s.MailFrom == "" {
		u, _ := url.Parse(s.BaseURL)
		s.from = delivery.DefaultFrom(u.Hostname())
		return nil
	}
	from, err := mail.ParseAddress(s.MailFrom)
	if err != nil {
		return fmt.Errorf("%q is not an address such as shop@shop.example", s.MailFrom)
	}
	s.from = *from
	return nil
}

func (s *settings) checkMetricsAddr() error {
	if _, _, err := net.SplitHostPort(s.MetricsAddr); s.MetricsAddr != "" && err != nil {
		return fmt.Errorf("%q is not an address and port such as 127.0.0.1:9090", s.MetricsAddr)
	}
	return nil
}

func (s *settings) checkAccessLog() error {
	if !(s.AccessLog >= 0 && s.AccessLog <= 1) {
		return fmt.Errorf("%v is not between 0 and 1", s.AccessLog)
	}
	return nil
}

func (s *settings) checkLogFormat() error {
	if s.LogFormat != "text" && s.LogFormat != "json" {
		return fmt.Errorf("%q is neither text nor json", s.LogFormat)
	}
	return nil
}

// fillsDemo reports whether an empty database is filled with demonstration data. By
// default SQLite is and PostgreSQL is not.
func (s *settings) fillsDemo() bool {
	return s.Demo == "true" || s.Demo == "" && s.embedded()
}

// settingNames returns the names of all settings.
func settingNames() (names []string) {
	fields := reflect.TypeFor[settings]()
	for i := range fields.NumField() {
		if name := fields.Field(i).Tag.Get("env"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// settingsHelp lists every setting with its default, one per line.
func settingsHelp() string {
	var b strings.Builder
	t := reflect.TypeFor[settings]()
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("env")
		if name == "" {
			continue
		}
		doc := f.Tag.Get("doc")
		if d := f.Tag.Get("envDefault"); d != "" {
			doc += " (" + d + ")"
		}
		fmt.Fprintf(&b, "  %-26s %s\n", name, doc)
	}
	return b.String()
}
