//go:build unix

package storetest

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/lib/pq" // the database/sql driver
)

// postgresServer is the address of a server to make databases on, started once.
var postgresServer = sync.OnceValues(func() (string, error) {
	if address := os.Getenv("TEST_DATABASE_URL"); address != "" {
		return address, nil
	}
	return startCluster()
})

// startCluster makes a cluster that ends with this process, and leaves nothing
// behind: a shell beside the server waits for the end of its standard input,
// which this process holds open however it dies.
func startCluster() (address string, err error) {
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(installed) == 0 {
		return "", errors.New("no PostgreSQL in /usr/lib/postgresql/*/bin, and TEST_DATABASE_URL is not set")
	}
	bin := filepath.Dir(installed[len(installed)-1])
	dir, err := os.MkdirTemp("/tmp", "secondlight-pg-") // short: the path of a socket has at most 107 bytes
	if err != nil {
		return "", err
	}
	attr := &syscall.SysProcAttr{Setpgid: true} // an interrupt from the terminal reaches this process first
	if os.Getuid() == 0 {
		if attr.Credential, err = unprivileged(dir); err != nil {
			return "", err
		}
	}
	server := exec.Command("/bin/sh", "-c", cluster, "sh", bin, dir)
	server.SysProcAttr, server.Dir, server.Stderr = attr, dir, os.Stderr
	if _, err = server.StdinPipe(); err != nil {
		return "", err
	}
	if err := server.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }() // and so keeps the pipe from being collected
	address = "postgres:///postgres?" + url.Values{"host": {dir}, "user": {"test"}, "sslmode": {"disable"}}.Encode()
	return address, awaitServer(address, ended)
}

// The cluster gives up durability for speed: it outlives nothing. Nothing tidies it
// up either, which now and then would be an open transaction beside those of a test.
// What it says before it serves goes to the standard error of the tests.
const cluster = `
bin=$1 dir=$2
"$bin/initdb" -D "$dir/data" -U test -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$dir/log" 2>&1 &&
"$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -t 600 start -o "-k $dir -c listen_addresses= -c autovacuum=off -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=200 -c shared_buffers=64MB" >>"$dir/log" 2>&1 ||
{ cat "$dir/log" >&2; rm -rf "$dir"; exit 1; }
cat >/dev/null
"$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1
rm -rf "$dir"
`

// unprivileged is a user PostgreSQL agrees to run as, made the owner of dir.
func unprivileged(dir string) (*syscall.Credential, error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(dir, uid, gid)
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
}

func awaitServer(address string, ended <-chan error) error {
	db, err := sql.Open("postgres", address)
	if err != nil {
		return err
	}
	defer db.Close()
	for db.Ping() != nil {
		select {
		case err := <-ended:
			return fmt.Errorf("PostgreSQL did not start: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

var databases atomic.Int32

func newDatabase(t testing.TB, server string) string {
	t.Helper()
	admin, err := sql.Open("postgres", server)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	if _, err := admin.Exec(`CREATE DATABASE ` + name + ` TEMPLATE template0`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec(`DROP DATABASE ` + name + ` WITH (FORCE)`); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}
