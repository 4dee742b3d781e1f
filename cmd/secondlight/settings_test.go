package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

func TestSettingsDefaults(t *testing.T) {
	s, err := readSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, got, want string }{
		{"BASE_URL", s.BaseURL, "http://127.0.0.1:8080"},
		{"DATABASE_URL", s.DatabaseURL, "sqlite:" + filepath.Join("data", "secondlight.db")},
		{"CURRENCY", s.currency.Code, "EUR"},
		{"SITE_LANGUAGES", s.Languages, "en,de"},
	} {
		if c.got != c.want {
			t.Errorf("%s is %q by default, want %q", c.name, c.got, c.want)
		}
	}
	if !s.fillsDemo() {
		t.Error("an empty embedded database is not filled by default")
	}
}

func TestSettingsRefuseWrongValuesByName(t *testing.T) {
	for _, wrong := range []string{
		"LISTEN_ADDR=8080", "BASE_URL=shop.example", "BASE_URL=https://shop.example/path", "BASE_URL=ftp://x",
		"DATABASE_URL=mysql://x", "DATABASE_MAX_CONNECTIONS=-1", "DATABASE_STATEMENT_TIMEOUT=2h0m0s", "DATABASE_LOCK_TIMEOUT=soon", "DEMO=perhaps", "RATE_LIMIT=0", "RATE_LIMIT=many", "REDIS_URL=http://cache", "REDIS_URL=redis://:secret@cache:port", "REDIS_URL=redis://cache/shop", "CURRENCY=EURO", "SITE_LANGUAGES=xx", "SITE_LANGUAGES=en,en", "CONTACT_EMAIL=shop", "CONTACT_EMAIL=Ada <ada@shop.example>",
		"SECURITY_CONTACT=owner@shop.example", "SECURITY_CONTACT=http://shop.example", "TRUSTED_PROXIES=10.0.0.0/99", "TRUSTED_PROXIES=proxy.example", "MAIL_FROM=shop", "LOG_FORMAT=xml", "LOG_LEVEL=loud", "ACCESS_LOG=2", "ACCESS_LOG=NaN", "METRICS_ADDR=9090", "DRAIN_TIME=2m0s", "DRAIN_TIME=-1s", "DRAIN_TIME=soon", "SMTP_URL=mail.example", "SMTP_URL=http://mail.example", "DEV=perhaps", "KEEP_MESSAGES_DAYS=7", "KEEP_LISTINGS_DAYS=-1", "KEEP_ALERTS_DAYS=1y", "KEEP_AUDIT_DAYS=29",
	} {
		name, value, _ := strings.Cut(wrong, "=")
		_, err := readSettings([]string{wrong})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v does not name the setting", wrong, err)
			continue
		}
		if !strings.Contains(err.Error(), value) && name != "DATABASE_URL" && name != "SMTP_URL" && name != "REDIS_URL" { // an address may hold a password
			t.Errorf("%s: error %v does not show the value", wrong, err)
		}
	}
}

func TestSettingsDemoNeverFillsPostgresUnasked(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want bool
	}{
		{[]string{"DEMO=false"}, false},
		{[]string{"DEMO=TRUE"}, true},
		{[]string{"DATABASE_URL=postgres://db/shop"}, false},
		{[]string{"DATABASE_URL=postgres://db/shop", "DEMO=true"}, true},
	} {
		s, err := readSettings(c.env)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.fillsDemo(); got != c.want {
			t.Errorf("%v fills: %v, want %v", c.env, got, c.want)
		}
	}
}

func TestSettingsOfConnections(t *testing.T) {
	eur := models.Currency{Code: "EUR", Digits: 2}
	for _, c := range []struct {
		env  []string
		want store.Options
	}{
		{nil, store.Options{Currency: eur, StatementTimeout: time.Minute, LockTimeout: 10 * time.Second}},
		{[]string{"DATABASE_MAX_CONNECTIONS=30", "DATABASE_STATEMENT_TIMEOUT=5s", "DATABASE_LOCK_TIMEOUT=500ms"},
			store.Options{Currency: eur, MaxConnections: 30, StatementTimeout: 5 * time.Second, LockTimeout: 500 * time.Millisecond}},
	} {
		s, err := readSettings(c.env)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.databaseOptions(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %+v, want %+v", c.env, got, c.want)
		}
	}
}

const settingsDocument = "docs/reference/settings.md"

func TestSettingsAreDocumented(t *testing.T) {
	document := readRoot(t, settingsDocument)
	fields := reflect.TypeFor[settings]()
	for i := range fields.NumField() {
		tag := fields.Field(i).Tag
		name := tag.Get("env")
		if name == "" {
			continue
		}
		if tag.Get("doc") == "" {
			t.Errorf("%s has no help", name)
		}
		if !strings.Contains(document, "`"+name+"`") {
			t.Errorf("%s does not list the setting %s", settingsDocument, name)
		}
		if d := tag.Get("envDefault"); d != "" && !strings.Contains(document, "`"+d+"`") {
			t.Errorf("%s does not state %s's default, %s", settingsDocument, name, d)
		}
	}
}

// TestMissingImprint checks which settings the log asks for.
func TestMissingImprint(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		env  []string
		want string
	}{
		{nil, "OWNER_NAME,OWNER_ADDRESS,CONTACT_EMAIL"},
		{[]string{"OWNER_NAME=Ada", "CONTACT_EMAIL=ada@shop.example"}, "OWNER_ADDRESS"},
		{[]string{"OWNER_NAME=Ada", "CONTACT_EMAIL=ada@shop.example", "OWNER_ADDRESS=1 Mill Road"}, ""},
	} {
		s, err := readSettings(append(c.env, "DATA_DIR="+dir))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.missingImprint(), ","); got != c.want {
			t.Errorf("%v lacks %s, want %s", c.env, got, c.want)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "pages"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pages", "imprint.md"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := readSettings([]string{"DATA_DIR=" + dir})
	if err != nil || s.missingImprint() != nil {
		t.Errorf("with an imprint of the owner it lacks %v, %v", s.missingImprint(), err)
	}
}
