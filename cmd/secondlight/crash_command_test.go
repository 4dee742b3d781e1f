//go:build unix && !race

package main

import (
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// killedCommand is a command that is killed at random moments. What it was to do is either
// whole or not done after that, and running it again does it.
type killedCommand struct {
	name    string
	site    *crash
	args    func(trial int) []string
	prepare func(t *testing.T, trial int) // before it
	check   func(t *testing.T, trial int) // after a kill
	done    func(t *testing.T, trial int) // after it was repeated
}

// killCommands kills every command the given number of times, with the site that the trades
// have left. The site serves no requests meanwhile.
func (c *crash) killCommands(t *testing.T, kills int, emptyURL string) {
	t.Helper()
	for _, k := range []*killedCommand{c.migration(t, emptyURL), c.backup(t), c.restore(t, emptyURL), c.importSales(t), c.sweep(t)} {
		started := time.Now()
		k.prepare(t, 0)
		took := k.run(t, 0) // not killed
		interrupted, trial := 0, 1
		for ; interrupted < kills && trial <= 3*kills && !t.Failed(); trial++ {
			k.prepare(t, trial)
			command := k.site.command(k.args(trial)...)
			mustDo(t, command.Start())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = command.Wait()
			}()
			select {
			case <-ended:
			case <-time.After(rand.N(took)):
				_ = command.Process.Kill()
				<-ended
				if !command.ProcessState.Exited() {
					interrupted++
				}
			}
			k.site.later(t)
			k.check(t, trial)
			took = (3*took + k.run(t, trial)) / 4
		}
		t.Logf("%-8s %d kills in %d trials, %s each", k.name, interrupted, trial-1, (time.Since(started) / time.Duration(trial)).Round(time.Millisecond))
		if t.Failed() {
			return
		}
		if interrupted < kills {
			t.Errorf("%s was killed %d times in %d trials: too few to be conclusive", k.name, interrupted, trial-1)
		}
	}
}

// run runs the command to its end, and returns how long it took.
func (k *killedCommand) run(t *testing.T, trial int) time.Duration {
	t.Helper()
	started := time.Now()
	if out, err := k.site.command(k.args(trial)...).CombinedOutput(); err != nil {
		t.Errorf("%s, trial %d: %v\n%s", k.name, trial, err, out)
	}
	took := time.Since(started)
	k.done(t, trial)
	return took
}

// later is minutes after a command was killed: the database server has done what was under
// way, and no lease is held.
func (c *crash) later(t *testing.T) {
	if !c.exists() {
		return
	}
	db := rawDatabase(t, c.url)
	defer db.Close()
	if strings.HasPrefix(c.url, "postgres") {
		settle(t, db)
	}
	_, _ = db.Exec(`UPDATE leases SET until = 0`) // there may be no table yet
}

// exists reports whether there is a database.
func (c *crash) exists() bool {
	name, embedded := strings.CutPrefix(c.url, "sqlite:")
	_, err := os.Stat(name)
	return !embedded || err == nil
}

// elsewhere returns another site, and what empties it.
func (c *crash) elsewhere(t *testing.T, emptyURL string) (other *crash, empty func(t *testing.T, _ int)) {
	other = &crash{program: c.program, url: emptyURL, data: filepath.Join(t.TempDir(), "data")}
	other.env = append(slices.Clone(c.env), "DATABASE_URL="+emptyURL, "DATA_DIR="+other.data)
	return other, func(t *testing.T, _ int) {
		mustDo(t, os.RemoveAll(other.data))
		if file, ok := strings.CutPrefix(emptyURL, "sqlite:"); ok {
			for _, suffix := range []string{"", "-wal", "-shm", ".restoring", ".restoring-wal", ".restoring-shm", ".before-restore"} {
				mustDo(t, os.RemoveAll(file+suffix))
			}
			return
		}
		db := rawDatabase(t, emptyURL)
		defer db.Close()
		_, err := db.Exec(`DROP SCHEMA public CASCADE`)
		mustDo(t, err)
		_, err = db.Exec(`CREATE SCHEMA public`)
		mustDo(t, err)
	}
}

// tables returns the number of rows of every table but those that every program writes.
func tables(t *testing.T, url string) map[string]int {
	db := rawDatabase(t, url)
	defer db.Close()
	names := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if strings.HasPrefix(url, "postgres") {
		names = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
	}
	rows, name := map[string]int{}, ""
	each(t, db, names, []any{&name}, func() { rows[name] = 0 })
	for name := range rows {
		rows[name] = count(t, db, `SELECT COUNT(*) FROM `+name)
	}
	return rows
}

func count(t *testing.T, db *sql.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := db.QueryRow(query, args...).Scan(&n); err != nil {
		t.Errorf("%s: %v", query, err)
	}
	return n
}

// emptyLike returns the URL of an empty database of the engine of another.
func emptyLike(t *testing.T, url string) string {
	if strings.HasPrefix(url, "postgres") {
		return storetest.EmptyPostgres(t)
	}
	return storetest.EmptySQLite(t)
}

func nothing(*testing.T, int) {}

// migration makes the tables of a new database. They must be those of a migration that was
// not killed.
func (c *crash) migration(t *testing.T, emptyURL string) *killedCommand {
	other, empty := c.elsewhere(t, emptyURL)
	var want map[string]int
	return &killedCommand{name: "migrate", site: other, prepare: empty, check: nothing, args: func(int) []string { return []string{"migrate"} },
		done: func(t *testing.T, trial int) {
			got := tables(t, other.url)
			if want == nil {
				want = got
			}
			if !maps.Equal(got, want) {
				t.Errorf("trial %d: the tables are %v, want %v", trial, got, want)
			}
		}}
}

// backup writes to a folder of backups, of which the newest must be complete.
func (c *crash) backup(t *testing.T) *killedCommand {
	folder := filepath.Join(t.TempDir(), "backups")
	return &killedCommand{name: "backup", site: c, prepare: nothing, done: nothing, args: func(int) []string { return []string{"backup", folder, "--keep=2"} },
		check: func(t *testing.T, trial int) {
			if out, err := c.command("restore", "--check", folder).CombinedOutput(); err != nil {
				t.Errorf("trial %d: %v\n%s", trial, err, out)
			}
		}}
}

// restore restores a backup into an empty site. A site that was not restored completely has
// no listings.
func (c *crash) restore(t *testing.T, emptyURL string) *killedCommand {
	file := filepath.Join(t.TempDir(), "site.zip")
	if out, err := c.command("backup", file).CombinedOutput(); err != nil {
		t.Errorf("backup: %v\n%s", err, out)
	}
	other, empty := c.elsewhere(t, emptyURL)
	want := tables(t, c.url)["listings"]
	listings := func(t *testing.T) int {
		if !other.exists() {
			return 0
		}
		return tables(t, other.url)["listings"]
	}
	done := func(t *testing.T, trial int) {
		if got := listings(t); got != want {
			t.Errorf("trial %d: %d of %d listings are restored", trial, got, want)
		}
		for _, photo := range c.photographs(t) {
			if _, err := os.Stat(filepath.Join(other.data, "photos", photo)); err != nil {
				t.Errorf("trial %d: %v", trial, err)
			}
		}
	}
	return &killedCommand{name: "restore", site: other, prepare: empty, done: done, args: func(int) []string { return []string{"restore", "--force", file} },
		check: func(t *testing.T, trial int) {
			if listings(t) == 0 { // rows are restored last, and at once
				return
			}
			done(t, trial)
			if strings.HasPrefix(other.url, "postgres") { // which refuses another restore
				empty(t, trial)
			}
		}}
}

// photographs returns the files of photographs.
func (c *crash) photographs(t *testing.T) (names []string) {
	entries, err := os.ReadDir(filepath.Join(c.data, "photos"))
	mustDo(t, err)
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// importSales imports a file of sales. Each of them is there once. The models change, because
// prices of a model are estimated again from all of its sales.
func (c *crash) importSales(t *testing.T) *killedCommand {
	const rows = 500
	gear := []string{"Canon,EOS R6", "Canon,EOS R5", "Canon,EOS 5D Mark IV", "Nikon,D850", "Nikon,Z6", "Sony,A7 III", "Fujifilm,X-T3", "Leica,Q2"}
	file := filepath.Join(t.TempDir(), "sales.csv")
	stored := func(t *testing.T, trial int) int {
		db := rawDatabase(t, c.url)
		defer db.Close()
		return count(t, db, `SELECT COUNT(*) FROM sales WHERE external_id LIKE $1`, fmt.Sprintf("killed-%d-%%", trial))
	}
	return &killedCommand{name: "import", site: c, args: func(int) []string { return []string{"import", "sales", file} },
		prepare: func(t *testing.T, trial int) {
			var b strings.Builder
			b.WriteString("external_id,title,brand,model,condition,price,sold_at,region\n")
			for i := range rows {
				fmt.Fprintf(&b, "killed-%d-%d,,%s,good,%d,2026-01-%02d,DE\n", trial, i, gear[trial%len(gear)], 800+i%200, 1+i%28)
			}
			mustDo(t, os.WriteFile(file, []byte(b.String()), 0o600))
		},
		check: func(t *testing.T, trial int) {
			if n := stored(t, trial); n > rows {
				t.Errorf("trial %d: %d of %d sales", trial, n, rows)
			}
		},
		done: func(t *testing.T, trial int) {
			if n := stored(t, trial); n != rows {
				t.Errorf("trial %d: %d of %d sales", trial, n, rows)
			}
		}}
}

// sweep moves photographs that no listing uses to the trash. Those that listings use stay,
// and no file is lost.
func (c *crash) sweep(t *testing.T) *killedCommand {
	const unused = 20
	used := c.photographs(t)
	var files []string // of the photographs that no listing uses
	in := func(folder string) (n int) {
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(c.data, folder, file)); err == nil {
				n++
			}
		}
		return n
	}
	check := func(t *testing.T, trial int) {
		for _, file := range used {
			if _, err := os.Stat(filepath.Join(c.data, "photos", file)); err != nil {
				t.Errorf("trial %d: %v", trial, err)
			}
		}
		if there, gone := in("photos"), in("trash/photos"); there+gone < len(files) {
			t.Errorf("trial %d: of %d files %d are in their place and %d in the trash", trial, len(files), there, gone)
		}
	}
	return &killedCommand{name: "sweep", site: c, check: check, args: func(int) []string { return []string{"files", "sweep", "--yes"} },
		prepare: func(t *testing.T, trial int) {
			mustDo(t, os.RemoveAll(filepath.Join(c.data, "trash")))
			files = nil
			old := time.Now().Add(-24 * time.Hour)
			for i := range unused {
				key := fmt.Sprintf("%032x", trial*unused+i)
				for _, width := range models.PhotoWidths {
					files = append(files, fmt.Sprintf("%s-%d.jpg", key, width))
				}
			}
			for _, file := range files {
				name := filepath.Join(c.data, "photos", file)
				mustDo(t, os.WriteFile(name, []byte("unused"), 0o600))
				mustDo(t, os.Chtimes(name, old, old))
			}
		},
		done: func(t *testing.T, trial int) {
			check(t, trial)
			if there := in("photos"); there > 0 {
				t.Errorf("trial %d: %d files are not in the trash", trial, there)
			}
		}}
}
