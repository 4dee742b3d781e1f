package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// consult runs doctor and returns its diagnosis. It fails the test if the exit status is
// not that of the diagnosis, or if a password is printed.
func consult(t *testing.T, env ...string) *diagnosis {
	t.Helper()
	status, out, errOut := call(t, env, "", "doctor", "--json")
	var d diagnosis
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatalf("%v\n%s%s", err, out, errOut)
	}
	want := exitOK
	if d.count(failure) > 0 {
		want = exitFailed
	}
	if status != want || strings.Contains(out+errOut, "hunter2") {
		t.Errorf("exit status %d, want %d, and no password\n%s%s", status, want, out, errOut)
	}
	return &d
}

// expect checks the status of a check, and that a message of it contains a text.
func (d *diagnosis) expect(t *testing.T, name string, status severity, says string) {
	t.Helper()
	for _, f := range d.Findings {
		if f.Check == name && f.Status == status && strings.Contains(f.Message, says) {
			if (f.Repair == "") != (status == fine) {
				t.Errorf("%+v: a repair is for warnings and errors, and only for them", f)
			}
			return
		}
	}
	t.Errorf("no %s of %s says %q in %+v", status, name, says, d.Findings)
}

// migrated returns the environment of a site with an empty database, whose address
// nothing answers.
func migrated(t *testing.T, databaseURL string) []string {
	t.Helper()
	env := []string{"DATABASE_URL=" + databaseURL, "DATA_DIR=" + t.TempDir(), "LISTEN_ADDR=127.0.0.1:0"}
	steps(t, env, []step{{[]string{"migrate"}, exitOK, ""}})
	return env
}

func TestDoctorOfHealthySite(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		env := migrated(t, url)
		dir := strings.TrimPrefix(env[1], "DATA_DIR=")
		before := tree(t, dir)
		d := consult(t, env...)
		if d.Status != fine {
			t.Errorf("%+v", d)
		}
		d.expect(t, "database", fine, "is up to date")
		d.expect(t, "clock", fine, "the same")
		d.expect(t, "storage", fine, "deleted")
		if after := tree(t, dir); after != before {
			t.Errorf("files changed from %s to %s", before, after)
		}
		status, out, errOut := call(t, env, "", "doctor")
		if status != exitOK || errOut != "" || strings.Count(out, "\n") != len(d.Findings) || strings.Count(out, "ok ") != len(d.Findings) {
			t.Errorf("%d\n%s%s", status, out, errOut)
		}
	})
}

// tree lists the files of a folder with their modes.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var files []string
	mustDo(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		files = append(files, path+" "+e.Type().String())
		return err
	}))
	return strings.Join(files, "\n")
}

func TestDoctorOfFolders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	mustDo(t, os.WriteFile(file, nil, 0o600))
	open := t.TempDir()
	mustDo(t, os.Chmod(open, 0o755))
	unwritable := t.TempDir()
	mustDo(t, os.Chmod(unwritable, 0o500))
	if os.Geteuid() == 0 { // whom permissions don't stop
		unwritable = "/proc"
	}
	for _, c := range []struct {
		name, dir, check string
		status           severity
		says             string
	}{
		{"missing", filepath.Join(open, "none", "yet"), "folder", warning, "doesn't exist yet"},
		{"missing is not created", filepath.Join(open, "none", "yet"), "storage", warning, "not checked"},
		{"file", file, "folder", failure, "is a file"},
		{"below a file", filepath.Join(file, "data"), "folder", failure, "not a directory"},
		{"below a file has no disk", filepath.Join(file, "data"), "disk", failure, "not a directory"},
		{"readable by others", open, "folder", warning, "other users can open"},
		{"unwritable", unwritable, "storage", failure, "can't be used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			consult(t, "DATA_DIR="+c.dir, "LISTEN_ADDR=127.0.0.1:0").expect(t, c.check, c.status, c.says)
		})
	}
}

func TestDoctorOfSettings(t *testing.T) {
	const dir, domain = "DATA_DIR=/nowhere", "shop.invalid"
	for _, c := range []struct {
		name   string
		env    []string
		status severity
		says   string
	}{
		{"invalid", []string{"RATE_LIMIT=lots"}, failure, "RATE_LIMIT"},
		{"public over HTTP", []string{"BASE_URL=http://" + domain}, warning, "unencrypted"},
		{"no proxy", []string{"BASE_URL=https://" + domain}, warning, "TRUSTED_PROXIES is empty"},
		{"no mail", []string{"BASE_URL=https://" + domain}, warning, "SMTP_URL is empty"},
		{"no imprint", []string{"BASE_URL=https://" + domain}, warning, "imprint"},
		{"development", []string{"BASE_URL=https://" + domain, "DEV=true"}, warning, "DEV"},
		{"demonstration", []string{"BASE_URL=https://" + domain, "DEMO=true"}, warning, "DEMO"},
		{"links to itself", []string{"LISTEN_ADDR=0.0.0.0:1"}, warning, "links and emails"},
		{"sender", []string{"SMTP_URL=smtp://127.0.0.1:1"}, warning, "no-reply@localhost"},
		{"local", nil, fine, "valid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			consult(t, append([]string{dir, "LISTEN_ADDR=127.0.0.1:0"}, c.env...)...).expect(t, "settings", c.status, c.says)
		})
	}
}

func TestDoctorOfDatabase(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		env := migrated(t, url)
		for _, c := range []struct {
			name, change string
			status       severity
			says         string
		}{
			{"paused", `INSERT INTO settings (name, value) VALUES ('deliveries_paused', '1')`, warning, "email and webhooks are paused"},
			{"behind", `DELETE FROM goose_db_version WHERE version_id = (SELECT MAX(version_id) FROM goose_db_version)`, warning, "migrations to apply: 1"},
			{"ahead", `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, TRUE)`, warning, "of a later release, and supports this one"},
			{"too far ahead", `UPDATE settings SET value = '99999' WHERE name = 'compatible_since'`, failure, "newer version of the program"},
			{"empty", `DROP TABLE goose_db_version`, warning, "no schema yet"},
		} {
			t.Run(c.name, func(t *testing.T) {
				execSQL(t, url, c.change)
				consult(t, env...).expect(t, "database", c.status, c.says)
			})
		}
	})
	t.Run("too many connections", func(t *testing.T) {
		env := append(migrated(t, storetest.EmptyPostgres(t)), "DATABASE_MAX_CONNECTIONS=9999")
		consult(t, env...).expect(t, "database", failure, "DATABASE_MAX_CONNECTIONS")
	})
	nonsense := filepath.Join(t.TempDir(), "nonsense.db")
	mustDo(t, os.WriteFile(nonsense, []byte("not a database"), 0o600))
	for url, says := range map[string]string{
		"sqlite:" + nonsense: "not an SQLite database",
		"postgres://shop:hunter2@127.0.0.1:1/shop?sslmode=disable": "refused",
	} {
		consult(t, "DATABASE_URL="+url, "DATA_DIR="+t.TempDir(), "LISTEN_ADDR=127.0.0.1:0").expect(t, "database", failure, says)
	}
}

func execSQL(t *testing.T, url, statement string) {
	t.Helper()
	driver, source := "postgres", url
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, source = "sqlite", file
	}
	db, err := sql.Open(driver, source)
	mustDo(t, err)
	defer db.Close()
	_, err = db.Exec(statement)
	mustDo(t, err)
}

func TestDoctorOfClock(t *testing.T) {
	for ahead, want := range map[time.Duration]severity{0: fine, time.Second: fine, 3 * time.Second: warning, -3 * time.Second: warning} {
		if f := diagnoseClock(&store.Inspection{ClockAhead: ahead}); f.Status != want || f.Check != "clock" {
			t.Errorf("%s ahead: %+v, want %s", ahead, f, want)
		}
	}
}

// listener returns the address of a server that answers every line with another, or
// never if that is empty.
func listener(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	mustDo(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for in := bufio.NewReader(conn); ; {
					if answer != "" {
						fmt.Fprintf(conn, "%s\r\n", answer)
					}
					if _, err := in.ReadString('\n'); err != nil {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

func TestDoctorOfMail(t *testing.T) {
	for _, c := range []struct{ name, url, says string }{
		{"closed port", "smtp://shop:hunter2@127.0.0.1:1", "refused"},
		{"another protocol", "smtp://shop:hunter2@" + listener(t, "HTTP/1.1 400 Bad Request"), "doesn't speak SMTP"},
		{"busy", "smtp://" + listener(t, "421 busy"), "421"},
		{"no STARTTLS", "smtp://shop:hunter2@" + listener(t, "220 mail.test"), "cannot reach the mail server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			consult(t, "SMTP_URL="+c.url, "DATA_DIR="+t.TempDir(), "LISTEN_ADDR=127.0.0.1:0").expect(t, "mail", failure, c.says)
		})
	}
}

func TestDoctorOfRedis(t *testing.T) {
	open, locked, stale := miniredis.RunT(t), miniredis.RunT(t), miniredis.RunT(t)
	locked.RequireAuth("hunter3")
	stale.SetError("LOADING Redis is loading the dataset in memory")
	for _, c := range []struct {
		name, url string
		status    severity
		says      string
	}{
		{"none", "", fine, "not used"},
		{"answers", "redis://" + open.Addr(), fine, "counts requests"},
		{"signs in", "redis://:hunter3@" + locked.Addr(), fine, "counts requests"},
		{"wrong password", "redis://:hunter2@" + locked.Addr(), failure, "WRONGPASS"},
		{"closed port", "redis://:hunter2@127.0.0.1:1", failure, "refused"},
		{"not ready", "redis://" + stale.Addr(), failure, "LOADING"},
		{"another protocol", "redis://" + listener(t, "220 mail.test"), failure, "unexpected response"},
	} {
		t.Run(c.name, func(t *testing.T) {
			consult(t, "REDIS_URL="+c.url, "DATA_DIR="+t.TempDir(), "LISTEN_ADDR=127.0.0.1:0").expect(t, "redis", c.status, c.says)
		})
	}
}

// TestDoctorOfSilence checks that servers and disks that never answer end with the
// context, which doctorTimeout limits.
func TestDoctorOfSilence(t *testing.T) {
	silent := listener(t, "")
	for _, scheme := range []string{"smtp", "smtps"} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		started := time.Now()
		d := diagnose(ctx, []string{"SMTP_URL=" + scheme + "://shop:hunter2@" + silent, "DATABASE_URL=postgres://" + silent + "/shop?sslmode=disable",
			"BASE_URL=http://" + silent, "REDIS_URL=redis://" + silent, "DATA_DIR=/nowhere"}, false)
		d.expect(t, "redis", failure, "timeout")
		d.expect(t, "mail", failure, "timeout")
		d.expect(t, "database", failure, "after 5s")
		d.expect(t, "address", warning, "doesn't answer")
		if took := time.Since(started); took > 3*time.Second {
			t.Errorf("took %s", took)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	deaf := check{name: "disk", run: func(context.Context) []finding { <-t.Context().Done(); return nil }}
	if found := deaf.limited(ctx); len(found) != 1 || found[0].Status != failure || !strings.Contains(found[0].Message, "no result") {
		t.Errorf("%+v", found)
	}
}

func TestDoctorOfDNS(t *testing.T) {
	d := consult(t, "BASE_URL=https://shop.invalid", "SMTP_URL=smtp://mail.invalid", "DATA_DIR=/nowhere")
	d.expect(t, "dns", failure, "shop.invalid is not found")
	d.expect(t, "dns", failure, "mail.invalid is not found")
}

func TestDoctorOfAddress(t *testing.T) {
	serve := func(start func(http.Handler) *httptest.Server, handler http.HandlerFunc) string {
		s := start(handler)
		t.Cleanup(s.Close)
		return s.URL
	}
	says := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || r.URL.Path != "/api/health" {
				t.Errorf("%s %s", r.Method, r.URL.Path)
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	plain, secure := httptest.NewServer, httptest.NewTLSServer
	data := t.TempDir()
	steps(t, []string{"DATA_DIR=" + data, "DATABASE_URL="}, []step{{[]string{"migrate"}, exitOK, ""}, {[]string{"files", "adopt"}, exitOK, ""}})
	i, err := store.Inspect(t.Context(), "sqlite:"+filepath.Join(data, "secondlight.db"))
	mustDo(t, err)
	for site, status := range map[string]severity{i.Site: fine, "another": failure, "": failure} {
		consult(t, "BASE_URL="+serve(httptest.NewServer, says(200, `{"status":"ok","site":"`+site+`"}`)), "DATA_DIR="+data).expect(t, "address", status, "")
	}
	for _, c := range []struct {
		name, url string
		status    severity
		says      string
	}{
		{"healthy", serve(plain, says(200, `{"status":"ok"}`)), fine, "says ok"},
		{"degraded", serve(plain, says(200, `{"status":"degraded"}`)), warning, "says degraded"},
		{"proxy without site", serve(plain, says(502, "Bad Gateway")), failure, "answers 502"},
		{"another program", serve(plain, says(200, "<h1>It works!</h1>")), failure, "another program"},
		{"redirect", serve(plain, http.RedirectHandler("https://shop.example/api/health", http.StatusMovedPermanently).ServeHTTP), warning, "redirects to https://shop.example"},
		{"untrusted certificate", serve(secure, says(200, "{}")), failure, "invalid certificate"},
		{"no TLS", strings.Replace(serve(plain, says(200, "{}")), "http:", "https:", 1), failure, "not served over TLS"},
		{"nothing", "http://127.0.0.1:1", warning, "doesn't answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			consult(t, "BASE_URL="+c.url, "DATA_DIR=/nowhere").expect(t, "address", c.status, c.says)
		})
	}
}

func TestDoctorReadsExchangeRates(t *testing.T) {
	env := migrated(t, storetest.EmptySQLite(t))
	file := filepath.Join(t.TempDir(), "rates.xml")
	for _, c := range []struct {
		day, rate string
		status    severity
		says      string
	}{
		{time.Now().UTC().Format(time.DateOnly), "1.1566", warning, "the exchange rates in use are outdated"}, // the site has not run yet
		{"2019-01-02", "1.1566", warning, "are of 2019-01-02"},
		{"2019-01-02", "N/A", failure, `"N/A" is not a rate`},
	} {
		text := fmt.Sprintf("<Envelope><Cube><Cube time='%s'><Cube currency='USD' rate='%s'/></Cube></Cube></Envelope>", c.day, c.rate)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		consult(t, append(env, "EXCHANGE_RATES="+file)...).expect(t, "exchange rates", c.status, c.says)
	}
	consult(t, append(env, "EXCHANGE_RATES="+file+".gone")...).expect(t, "exchange rates", failure, "no such file")
	consult(t, append(env, "EXCHANGE_RATES=http://rates.example")...).expect(t, "settings", failure, "EXCHANGE_RATES")
	consult(t, env...).expect(t, "exchange rates", fine, "all prices are in EUR")
}

// TestDamagedDatabase tests that doctor --deep finds nothing in a sound database, and damage in one
// of which pages were overwritten, and that commands name the file and what to do about it.
func TestDamagedDatabase(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		env := migrated(t, url)
		d := diagnose(t.Context(), env, true)
		d.expect(t, "contents", fine, "nothing is damaged")
		file, embedded := strings.CutPrefix(url, "sqlite:")
		if !embedded {
			return
		}
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		mustDo(t, err)
		defer f.Close()
		info, err := f.Stat()
		mustDo(t, err)
		for at := int64(4096); at < info.Size(); at += 4096 {
			_, err := f.WriteAt(bytes.Repeat([]byte{0xff}, 64), at)
			mustDo(t, err)
		}
		d = diagnose(t.Context(), env, true)
		d.expect(t, "contents", failure, "")
		for _, command := range []string{"serve", "member list", "backup " + t.TempDir() + "/b.zip"} {
			for _, says := range []string{"the database " + file + " is damaged", "restore a backup", "sqlite3 " + file + " .recover"} {
				steps(t, env, []step{{strings.Fields(command), exitFailed, says}})
			}
		}
	})
}
