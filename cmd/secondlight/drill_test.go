//go:build unix && !race

package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"

	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/store"
)

// drill is the number of photographs of the site that TestRestoreDrill loses.
var drill = flag.Int("drill", 0, "photographs of the restore drill; 0 for none")

// maxLoss is how much a site may lose that is archived continuously.
const maxLoss = 10 * time.Second

// TestRestoreDrill loses a site while it is written to, and restores it, as
// docs/how-to/run/point-in-time.md says: the database from Litestream or the write-ahead log of PostgreSQL,
// the files from secondlight backup --files. Everything but the last seconds is there, byte for
// byte. Litestream is the program that the environment variable LITESTREAM names.
func TestRestoreDrill(t *testing.T) {
	if *drill == 0 {
		t.Skip("make restore-drill")
	}
	t.Run("sqlite", func(t *testing.T) {
		program := os.Getenv("LITESTREAM")
		if program == "" {
			t.Skip("LITESTREAM is not set")
		}
		d := newDrill(t)
		database, replica := filepath.Join(d.data, "secondlight.db"), "file://"+filepath.Join(d.safe, "litestream")
		d.url = "sqlite:" + database
		d.lose(t, func() { d.start(t, program, "replicate", database, replica) })
		d.restore(t, func() { d.do(t, program, "restore", "-o", database, replica) })
	})
	t.Run("postgres", func(t *testing.T) {
		d := newDrill(t)
		p := d.newCluster(t)
		wal := filepath.Join(d.safe, "wal")
		mustDo(t, os.MkdirAll(wal, 0o700))
		own(t, p.account, d.safe, wal)
		d.lose(t, func() {
			p.start(t, "pg_receivewal", "-D", wal, "-h", p.dir, "-U", "test", "--synchronous")
			p.do(t, "pg_basebackup", "-D", filepath.Join(d.safe, "base"), "-h", p.dir, "-U", "test", "-X", "none", "-c", "fast", "--no-sync")
		})
		d.restore(t, func() { p.recover(t, filepath.Join(d.safe, "base"), wal) })
	})
}

// aDrill is a site, and a folder that survives it.
type aDrill struct {
	data, safe, url string
	processes       []*exec.Cmd // to be killed with the site
	acknowledged    []writtenListing
	files           map[string][sha256.Size]byte
	lost            time.Time
}

// writtenListing is a listing with a photograph that the writer has committed.
type writtenListing struct {
	key string
	at  time.Time
}

func newDrill(t *testing.T) *aDrill {
	dir, err := os.MkdirTemp("/tmp", "secondlight-drill-")
	mustDo(t, err)
	mustDo(t, os.Chmod(dir, 0o755))
	d := &aDrill{data: filepath.Join(dir, "data"), safe: filepath.Join(dir, "safe"), files: map[string][sha256.Size]byte{}}
	mustDo(t, errors.Join(os.Mkdir(d.data, 0o700), os.Mkdir(d.safe, 0o755)))
	t.Cleanup(func() { d.kill(); os.RemoveAll(dir) })
	return d
}

func (d *aDrill) env() []string {
	return append(os.Environ(), "DATABASE_URL="+d.url, "DATA_DIR="+d.data, "DEMO=false", "LISTEN_ADDR=127.0.0.1:18171", "BASE_URL=", "MIGRATE=auto")
}

// lose makes a site with photographs, archives it, writes to it, and kills and deletes it.
func (d *aDrill) lose(t *testing.T, archive func()) {
	t.Helper()
	d.program(t, "migrate")
	d.fill(t)
	d.startProgram(t, "serve")
	d.startProgram(t, "backup", filepath.Join(d.safe, "files"), "--files", "--every", "2s")
	archive()
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) { // the first copy takes long
		if all, _ := filepath.Glob(filepath.Join(d.safe, "files", "*.rows.zip")); len(all) > 0 {
			break
		} else if time.Since(began) > 10*time.Minute {
			t.Fatal("no backup of the files")
		}
	}
	writer := d.child(t, "writer")
	acks, err := writer.StdoutPipe()
	mustDo(t, err)
	mustDo(t, writer.Start())
	d.processes = append(d.processes, writer)
	time.AfterFunc(20*time.Second, func() { d.lost = time.Now(); d.kill() })
	for lines := bufio.NewScanner(acks); lines.Scan(); {
		key, ms, _ := strings.Cut(lines.Text(), " ")
		at, err := strconv.ParseInt(ms, 10, 64)
		mustDo(t, err)
		d.acknowledged = append(d.acknowledged, writtenListing{key, time.UnixMilli(at)})
	}
	time.Sleep(time.Second) // until all are dead
	mustDo(t, os.RemoveAll(d.data))
	t.Logf("lost a site with %d photographs, %d of them written in the last 20 s", *drill+len(d.acknowledged), len(d.acknowledged))
}

// restore restores the database and the files, starts the site, and checks it.
func (d *aDrill) restore(t *testing.T, database func()) {
	t.Helper()
	began := time.Now()
	mustDo(t, os.Mkdir(d.data, 0o700))
	database()
	d.program(t, "restore", "--force", filepath.Join(d.safe, "files"))
	d.program(t, "deliveries", "pause")
	d.startProgram(t, "serve")
	for {
		if r, err := http.Get("http://127.0.0.1:18171/readyz"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Since(began) > 10*time.Minute {
			t.Fatal("the restored site does not get ready")
		}
		time.Sleep(50 * time.Millisecond)
	}
	took := time.Since(began)
	lost := d.check(t)
	t.Logf("ready again after %s; lost the writes of the last %s", took.Round(100*time.Millisecond), lost.Round(10*time.Millisecond))
	if lost > maxLoss {
		t.Errorf("lost the writes of %s, want at most %s", lost, maxLoss)
	}
}

// check checks that all photographs are there as they were, but for the last, and returns
// for how long before the loss writes are missing.
func (d *aDrill) check(t *testing.T) (lost time.Duration) {
	t.Helper()
	for key := range d.files {
		for _, width := range models.PhotoWidths {
			d.same(t, key, width)
		}
	}
	store, err := store.Open(t.Context(), d.url, nil)
	mustDo(t, err)
	defer store.Close()
	rows := map[string]bool{}
	mustDo(t, store.Listings.EachPhoto(t.Context(), func(key string) error { rows[key] = true; return nil }))
	for key := range d.files {
		if !rows[key] {
			t.Errorf("the listing with the photograph %s is missing", key)
		}
	}
	for _, w := range d.acknowledged {
		_, err := os.Stat(filepath.Join(d.data, "photos", picture.FileName(w.key, models.PhotoWidths[0])))
		if !rows[w.key] || errors.Is(err, fs.ErrNotExist) {
			lost = max(lost, d.lost.Sub(w.at))
		} else {
			d.same(t, w.key, models.PhotoWidths[0])
		}
	}
	return lost
}

func (d *aDrill) same(t *testing.T, key string, width int) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(d.data, "photos", picture.FileName(key, width))); err != nil || string(got) != string(drillPhoto(key, width)) {
		t.Errorf("the photograph %s, %d px wide, is not what it was: %v", key, width, err)
	}
}

// fill adds the listings and photographs that are there before.
func (d *aDrill) fill(t *testing.T) {
	t.Helper()
	store, err := store.Open(t.Context(), d.url, nil)
	mustDo(t, err)
	defer store.Close()
	seller, err := store.Accounts.CreateAccount(t.Context(), models.Registration{Handle: "jane", Email: "jane@example.org", Password: "correct horse battery"}, models.RoleMember)
	mustDo(t, err)
	for first := 0; first < *drill; first += 500 {
		var listings []models.Listing
		for i := first; i < min(first+500, *drill); i++ {
			key := drillKey(i)
			d.files[key] = [sha256.Size]byte{}
			for _, width := range models.PhotoWidths {
				name := filepath.Join(d.data, "photos", picture.FileName(key, width))
				mustDo(t, os.MkdirAll(filepath.Dir(name), durable.FolderMode))
				mustDo(t, os.WriteFile(name, drillPhoto(key, width), durable.FileMode))
			}
			listings = append(listings, drillListing(seller.ID, key))
		}
		mustDo(t, store.Listings.InsertListings(t.Context(), listings))
	}
}

// drillKey returns the key of the nth photograph.
func drillKey(n int) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strconv.Itoa(n))))[:32]
}

// drillPhoto returns the content of a file of a photograph, which is not a picture.
func drillPhoto(key string, width int) []byte {
	return []byte(strings.Repeat(key+" "+strconv.Itoa(width)+"\n", width/4))
}

func drillListing(seller, key string) models.Listing {
	return models.Listing{SellerID: seller, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6 " + key[:8], Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking},
		Price: 124900, Region: "DE", Status: models.StatusActive, Photos: []models.Photo{{Key: key, Alt: "Front", Width: 1280, Height: 853}}}
}

// child returns this program to be run as a child that can be killed: as secondlight, or
// as the writer.
func (d *aDrill) child(t *testing.T, args ...string) *exec.Cmd {
	self, err := os.Executable()
	mustDo(t, err)
	cmd := exec.Command(self, "-test.run=^TestDrillChild$")
	cmd.Env = append(d.env(), "DRILL_CHILD="+strings.Join(args, "\n"))
	cmd.Stderr = os.Stderr
	return cmd
}

// TestDrillChild is a process of TestRestoreDrill.
func TestDrillChild(t *testing.T) {
	args := os.Getenv("DRILL_CHILD")
	switch args {
	case "":
		t.Skip("only in a child of TestRestoreDrill")
	case "writer":
		writeListings(t)
	default:
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		os.Exit(run(ctx, strings.Split(args, "\n"), os.Environ(), os.Stdin, os.Stdout, os.Stderr))
	}
}

// writeListings adds listings with a photograph, as the site does, until it is killed: first
// the files, then the row. It prints the key and time of each committed row.
func writeListings(t *testing.T) {
	store, err := store.Open(t.Context(), os.Getenv("DATABASE_URL"), nil)
	mustDo(t, err)
	seller, err := store.Accounts.Member(t.Context(), "jane")
	mustDo(t, err)
	for n := 1_000_000; ; n++ {
		key := drillKey(n)
		for _, width := range models.PhotoWidths {
			name := filepath.Join(os.Getenv("DATA_DIR"), "photos", picture.FileName(key, width))
			mustDo(t, durable.WriteFile(name, func(w io.Writer) error { _, err := w.Write(drillPhoto(key, width)); return err }))
		}
		mustDo(t, store.Listings.InsertListings(t.Context(), []models.Listing{drillListing(seller.ID, key)}))
		fmt.Println(key, time.Now().UnixMilli())
		time.Sleep(20 * time.Millisecond)
	}
}

// program runs secondlight to its end.
func (d *aDrill) program(t *testing.T, args ...string) {
	t.Helper()
	if out, err := d.child(t, args...).Output(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

func (d *aDrill) startProgram(t *testing.T, args ...string) {
	t.Helper()
	cmd := d.child(t, args...)
	cmd.Stderr = nil
	mustDo(t, cmd.Start())
	d.processes = append(d.processes, cmd)
}

func (d *aDrill) start(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	mustDo(t, cmd.Start())
	d.processes = append(d.processes, cmd)
}

func (d *aDrill) do(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// kill kills all processes at once.
func (d *aDrill) kill() {
	for _, p := range slices.Backward(d.processes) {
		_ = p.Process.Kill() // it may have ended
	}
	var group sync.WaitGroup
	for _, p := range d.processes {
		group.Go(func() { _, _ = p.Process.Wait() })
	}
	group.Wait()
	d.processes = nil
}

// pgCluster is a cluster of PostgreSQL of the drill.
type pgCluster struct {
	d        *aDrill
	bin, dir string
	account  *syscall.Credential // nil for the user that runs the test
}

// newCluster starts a durable cluster in the data folder's place.
func (d *aDrill) newCluster(t *testing.T) *pgCluster {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(found) == 0 {
		t.Skip("no PostgreSQL in /usr/lib/postgresql")
	}
	p := &pgCluster{d: d, bin: found[len(found)-1], dir: filepath.Join(filepath.Dir(d.data), "pg")}
	mustDo(t, os.Mkdir(p.dir, 0o700))
	if os.Getuid() == 0 {
		nobody, err := user.Lookup("nobody")
		mustDo(t, err)
		uid, _ := strconv.ParseUint(nobody.Uid, 10, 32)
		gid, _ := strconv.ParseUint(nobody.Gid, 10, 32)
		p.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		own(t, p.account, p.dir)
	}
	p.do(t, "initdb", "-D", filepath.Join(p.dir, "data"), "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
	p.serve(t, "data")
	d.url = "postgres:///postgres?" + url.Values{"host": {p.dir}, "user": {"test"}, "sslmode": {"disable"}}.Encode()
	return p
}

// own gives files to the account of a cluster.
func own(t *testing.T, account *syscall.Credential, names ...string) {
	t.Helper()
	for _, name := range names {
		if account != nil {
			mustDo(t, os.Chown(name, int(account.Uid), int(account.Gid)))
		}
	}
}

func (p *pgCluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, name), args...)
	cmd.Dir = p.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.account}
	return cmd
}

func (p *pgCluster) do(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := p.command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

func (p *pgCluster) start(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := p.command(name, args...)
	mustDo(t, cmd.Start())
	p.d.processes = append(p.d.processes, cmd)
}

// serve starts the server on a data folder and waits until it accepts writes.
func (p *pgCluster) serve(t *testing.T, data string) {
	t.Helper()
	p.start(t, "postgres", "-D", filepath.Join(p.dir, data), "-k", p.dir, "-c", "listen_addresses=", "-c", "wal_level=replica")
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		out, err := p.command("psql", "-h", p.dir, "-U", "test", "-Atc", "SELECT pg_is_in_recovery()", "postgres").Output()
		if err == nil && strings.TrimSpace(string(out)) == "f" {
			return
		}
		if time.Since(began) > 5*time.Minute {
			t.Fatalf("PostgreSQL does not start: %v", err)
		}
	}
}

// recover loses the data folder and starts a server on the base backup and the log.
func (p *pgCluster) recover(t *testing.T, base, wal string) {
	t.Helper()
	mustDo(t, os.RemoveAll(filepath.Join(p.dir, "data")))
	partial, err := filepath.Glob(filepath.Join(wal, "*.partial"))
	mustDo(t, err)
	for _, name := range partial { // the segment that was being written
		mustDo(t, os.Rename(name, strings.TrimSuffix(name, ".partial")))
	}
	mustDo(t, os.Rename(base, filepath.Join(p.dir, "restored")))
	settings := fmt.Sprintf("restore_command = 'cp %s/%%f \"%%p\"'\nrecovery_target_timeline = latest\n", wal)
	f, err := os.OpenFile(filepath.Join(p.dir, "restored", "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	mustDo(t, err)
	_, err = f.WriteString(settings)
	mustDo(t, errors.Join(err, f.Close()))
	signal := filepath.Join(p.dir, "restored", "recovery.signal")
	mustDo(t, os.WriteFile(signal, nil, 0o600))
	own(t, p.account, signal)
	p.serve(t, "restored")
}
