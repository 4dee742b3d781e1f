//go:build unix

package storetest

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/lib/pq" // the database/sql driver

	"github.com/secondlight/secondlight/models/storetest/cluster"
)

// postgresServer returns the URL of a server to create databases on. It starts one if
// TEST_DATABASE_URL is not set.
var postgresServer = sync.OnceValues(func() (string, error) {
	if address := os.Getenv("TEST_DATABASE_URL"); address != "" {
		return address, nil
	}
	return startCluster()
})

// startCluster creates a cluster that is stopped and deleted when this process ends,
// even if it is killed: a shell waits for the end of its standard input, a pipe that
// this process keeps open.
func startCluster() (address string, err error) {
	return startClusterAs(`"$bin/initdb" -D "$dir/data" -U test -A trust -E UTF8 --locale=C.UTF-8 --no-sync`)
}

// startClusterAs is startCluster with the command that makes the data of the cluster.
func startClusterAs(prepare string) (address string, err error) {
	bin, err := cluster.Bin()
	if err != nil {
		return "", fmt.Errorf("%w, and TEST_DATABASE_URL is not set", err)
	}
	dir, err := os.MkdirTemp("/tmp", "secondlight-pg-") // the path of a Unix socket has at most 107 bytes
	if err != nil {
		return "", err
	}
	attr := &syscall.SysProcAttr{Setpgid: true} // do not forward interrupts from the terminal
	if os.Getuid() == 0 {
		if attr.Credential, err = cluster.Unprivileged(dir); err != nil {
			return "", err
		}
	}
	server := exec.Command("/bin/sh", "-c", fmt.Sprintf(clusterScript, prepare), "sh", bin, dir)
	server.SysProcAttr, server.Dir, server.Stderr = attr, dir, os.Stderr
	if _, err = server.StdinPipe(); err != nil {
		return "", err
	}
	if err := server.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }() // also keeps the pipe from being collected
	address = "postgres:///postgres?" + url.Values{"host": {dir}, "user": {"test"}, "sslmode": {"disable"}}.Encode()
	return address, awaitServer(address, ended)
}

// clusterScript runs a temporary cluster until its standard input ends. Durability is off for
// speed, and autovacuum because its transactions would disturb tests. If the server
// does not start, its log is printed to standard error.
const clusterScript = `
bin=$1 dir=$2
%s >"$dir/log" 2>&1 &&
cat >>"$dir/data/postgresql.conf" <<END &&
unix_socket_directories = '$dir'
listen_addresses = ''
autovacuum = off
fsync = off
full_page_writes = off
synchronous_commit = off
max_connections = 200
shared_buffers = 64MB
END
"$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -t 600 start >>"$dir/log" 2>&1 ||
{ cat "$dir/log" >&2; rm -rf "$dir"; exit 1; }
cat >/dev/null
"$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1
rm -rf "$dir"
`

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

// newDatabase copies a template and returns the URL of the copy, which is deleted after
// the test.
func newDatabase(t testing.TB, server, template string) string {
	t.Helper()
	name, err := createDatabase(server, template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dropDatabase(server, name); err != nil {
			t.Error(err)
		}
	})
	return databaseOn(server, name)
}

// createDatabase copies a template and returns the name of the copy.
func createDatabase(server, template string) (string, error) {
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	return name, execute(server, `CREATE DATABASE `+name+` TEMPLATE `+template)
}

func dropDatabase(server, name string) error {
	return execute(server, `DROP DATABASE `+name+` WITH (FORCE)`)
}

// execute runs a statement on a connection of its own.
func execute(server, statement string) error {
	db, err := sql.Open("postgres", server)
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

// databaseOn returns the URL of a database on a server.
func databaseOn(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		panic(err) // it was connected to
	}
	u.Path = "/" + name
	return u.String()
}
