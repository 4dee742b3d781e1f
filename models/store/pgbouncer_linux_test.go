package store_test

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/storetest/cluster"
)

// pgBouncer runs a connection pool with more settings in front of a database of
// storetest.Postgres, and returns its URL. If PgBouncer is not installed the test is skipped.
func pgBouncer(t testing.TB, databaseURL, settings string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if program = "/usr/sbin/pgbouncer"; exec.Command(program, "--version").Run() != nil {
			t.Skip("NOT TESTED WITH PGBOUNCER: it is not installed")
		}
	}
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("/tmp", "secondlight-pool-") // the path of a Unix socket has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	attr := &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		if attr.Credential, err = cluster.Unprivileged(dir); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf("[databases]\n* = host=%s user=%s\n[pgbouncer]\nlisten_addr =\nunix_socket_dir = %s\nauth_type = any\n%s\n",
		u.Query().Get("host"), u.Query().Get("user"), dir, settings)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	pool := exec.Command(program, "--quiet", config)
	pool.Dir, pool.SysProcAttr, pool.Stderr = dir, attr, os.Stderr
	if err := pool.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Process.Kill(); _ = pool.Wait() })
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial("unix", filepath.Join(dir, ".s.PGSQL.6432")); err == nil {
			conn.Close()
			break
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	query := u.Query()
	query.Set("host", dir)
	query.Set("port", "6432")
	u.RawQuery = query.Encode()
	return u.String()
}
