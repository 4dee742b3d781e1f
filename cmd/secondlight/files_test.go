package main

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestOnlySomeCommandsMakeDatabases runs every command in an empty folder: only those that set a
// site up make a database there.
func TestOnlySomeCommandsMakeDatabases(t *testing.T) {
	t.Parallel()
	given := map[string][]string{ // the arguments that a command needs
		"import listings": {"main.go"}, "import sales": {"main.go"}, "import photos": {"testdata"}, "catalog build": nil, "catalog lenses": nil,
		"member suspend": {"jane", "--reason", "x"}, "member reinstate": {"jane", "--reason", "x"}, "member reset": {"jane"}, "member role": {"jane", "editor"},
		"member create": createJane[2:], "token create": {"--handle", "jane", "--scope", "account:read"}, "backup": {filepath.Join(t.TempDir(), "b.zip")},
	}
	makes := []string{"setup", "migrate"}                               // beside serve and restore
	skipped := []string{"serve", "restore", "catalog build", "version"} // have tests of their own, or use no site
	eachCommand(commandLine(), func(name string) {
		if slices.Contains(skipped, name) {
			return
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			call(t, []string{"DATA_DIR=" + filepath.Join(dir, "data"), "LISTEN_ADDR=127.0.0.1:1"}, "three words in a row\n", append(strings.Fields(name), given[name]...)...)
			_, err := os.Stat(filepath.Join(dir, "data", "secondlight.db"))
			if made := err == nil; made != slices.Contains(makes, name) {
				t.Errorf("made a database: %v", made)
			}
		})
	})
}

// eachCommand calls do with the path of every command that can be run.
func eachCommand(n *node, do func(path string)) {
	if _, ok := n.target.Addr().Interface().(runner); ok {
		do(n.path)
	}
	for _, c := range n.commands {
		eachCommand(c, do)
	}
}

// TestFiles starts sites with the files of others, on both engines, and sweeps them.
func TestFiles(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, databaseURL string) {
		dir := t.TempDir()
		env := func(database string) []string {
			return []string{"DATABASE_URL=" + database, "DATA_DIR=" + dir, "MIGRATE=auto", "DEMO=false"}
		}
		photo := filepath.Join(dir, picture.Folder, picture.FileName("6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1", models.PhotoWidths[0]))
		steps(t, env(databaseURL), []step{
			{[]string{"migrate"}, exitOK, ""},
			{[]string{"files", "adopt"}, exitOK, "belong to the site"},
			{[]string{"files"}, exitOK, "0 photographs"},
		})
		mustDo(t, os.MkdirAll(filepath.Dir(photo), 0o700))
		mustDo(t, os.WriteFile(photo, nil, 0o600))
		old := time.Now().Add(-48 * time.Hour)
		mustDo(t, os.Chtimes(photo, old, old))
		other := "sqlite:" + filepath.Join(t.TempDir(), "other.db")
		steps(t, env(other), []step{
			{[]string{"migrate"}, exitOK, ""},
			{[]string{"files"}, exitFailed, "files adopt"},
			{[]string{"files", "sweep", "--yes"}, exitFailed, "files adopt"},
			{[]string{"serve"}, exitFailed, "files adopt"},
		})
		steps(t, env(databaseURL), []step{
			{[]string{"files"}, exitOK, "1 photographs in " + dir + ", 1 of them unused; 0 in the trash"},
			{[]string{"files", "restore"}, exitOK, "0 photographs"},
			{[]string{"files", "sweep"}, exitOK, "1 of 1 photographs moved"},
			{[]string{"files"}, exitOK, "1 in the trash"},
		})
		if _, err := os.Stat(photo); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("an unused photograph was left: %v", err)
		}
	})
}

// TestOneServer starts a second server and a restore beside a server: on SQLite neither may
// run, on PostgreSQL only servers may share a DATA_DIR, and a restore waits for those of other
// machines. Who answers at LISTEN_ADDR does not matter.
func TestOneServer(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, databaseURL string) {
		dir := t.TempDir()
		env := []string{"DATABASE_URL=" + databaseURL, "DATA_DIR=" + filepath.Join(dir, "data"), "MIGRATE=auto", "DEMO=false", "LISTEN_ADDR=127.0.0.1:0"}
		copied := filepath.Join(dir, "copy.zip")
		steps(t, env, []step{{[]string{"migrate"}, exitOK, ""}, {[]string{"backup", copied}, exitOK, ""}})
		whileServing(t, env, func(string) {
			steps(t, env, []step{
				{[]string{"restore", "--force", copied}, exitFailed, "stop it first"},
				{[]string{"files"}, exitOK, "0 photographs"},
			})
			if strings.HasPrefix(databaseURL, "sqlite:") {
				steps(t, env, []step{{[]string{"serve"}, exitFailed, "stop it first"}})
			} else {
				whileServing(t, env, func(string) {})
				other := append(slices.Clone(env), "DATA_DIR="+filepath.Join(dir, "other")) // as of another machine
				steps(t, other, []step{{[]string{"restore", "--force", copied}, exitFailed, "1 servers use the database"}})
			}
		})
		stranger := httptest.NewServer(http.NotFoundHandler())
		defer stranger.Close()
		env = append(env, "LISTEN_ADDR="+stranger.Listener.Addr().String())
		steps(t, env, []step{{[]string{"restore", "--force", copied}, exitOK, ""}})
	})
}
