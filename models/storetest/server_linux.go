package storetest

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/storetest/cluster"
)

// Server is a PostgreSQL server that a test may stop, pause, copy and replace. A commit that
// it acknowledged survives all of that.
type Server struct {
	URL string // of a database, empty at first

	t        testing.TB
	bin, dir string
	attr     *syscall.SysProcAttr
}

// NewServer starts a PostgreSQL server for a test. If PostgreSQL is not installed the test is
// skipped, or fails if CI is "true".
func NewServer(t testing.TB) *Server {
	t.Helper()
	address, err := startCluster()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("PostgreSQL must be tested in CI: ", err)
		}
		t.Skip("NOT TESTED ON POSTGRESQL: ", err)
	}
	s := newServer(t, address)
	s.exec("postgres", `ALTER ROLE test SET synchronous_commit = on`, `CREATE DATABASE site`)
	s.URL = s.database("site")
	return s
}

func newServer(t testing.TB, address string) *Server {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	bin, err := cluster.Bin()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, bin: bin, dir: u.Query().Get("host"), attr: &syscall.SysProcAttr{}}
	info, err := os.Stat(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		owner := info.Sys().(*syscall.Stat_t)
		s.attr.Credential = &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
	}
	return s
}

// database returns the URL of a database of the server.
func (s *Server) database(name string) string {
	return "postgres:///" + name + "?" + url.Values{"host": {s.dir}, "user": {"test"}, "sslmode": {"disable"}}.Encode()
}

// Set changes a setting of the server, which takes effect without a restart.
func (s *Server) Set(name, value string) {
	s.t.Helper()
	s.exec("postgres", `ALTER SYSTEM SET `+name+` = '`+value+`'`, `SELECT pg_reload_conf()`)
}

// exec runs statements, each on its own, in a database of the server.
func (s *Server) exec(database string, statements ...string) {
	s.t.Helper()
	db, err := sql.Open("postgres", s.database(database))
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			s.t.Fatalf("%s: %v", statement, err)
		}
	}
}

// run runs a program of PostgreSQL.
func (s *Server) run(program string, args ...string) []byte {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(s.bin, program), args...)
	var said bytes.Buffer
	cmd.Dir, cmd.SysProcAttr, cmd.Stderr = s.dir, s.attr, &said
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%s %v: %v\n%s", program, args, err, said.String())
	}
	return out
}

// Kill kills all processes of the server at once.
func (s *Server) Kill() {
	s.t.Helper()
	pids := s.processes()
	s.signal(pids, syscall.SIGKILL)
	for deadline := time.Now().Add(time.Minute); syscall.Kill(pids[0], 0) == nil; time.Sleep(10 * time.Millisecond) {
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pids[0])); err != nil || bytes.Contains(stat, []byte(") Z ")) {
			break // nobody has waited for it yet
		}
		if time.Now().After(deadline) {
			s.t.Fatal("the server does not end")
		}
	}
}

// Start starts the server again, and waits until it has recovered.
func (s *Server) Start() {
	s.t.Helper()
	_ = os.Remove(filepath.Join(s.dir, "data", "postmaster.pid")) // of the processes that were killed
	s.run("pg_ctl", "-D", filepath.Join(s.dir, "data"), "-w", "-l", filepath.Join(s.dir, "log"), "start")
}

// Pause makes all processes of the server hang until Resume is called.
func (s *Server) Pause() { s.signal(s.processes(), syscall.SIGSTOP) }

// Resume ends Pause.
func (s *Server) Resume() { s.signal(s.processes(), syscall.SIGCONT) }

// processes returns the server and its children.
func (s *Server) processes() []int {
	s.t.Helper()
	file, err := os.ReadFile(filepath.Join(s.dir, "data", "postmaster.pid"))
	if err != nil {
		s.t.Fatal(err)
	}
	pid, _, _ := strings.Cut(string(file), "\n")
	children, err := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children")
	if err != nil {
		s.t.Skip(err)
	}
	var pids []int
	for _, id := range append([]string{pid}, strings.Fields(string(children))...) {
		n, err := strconv.Atoi(id)
		if err != nil {
			s.t.Fatal(err)
		}
		pids = append(pids, n)
	}
	return pids
}

func (s *Server) signal(pids []int, signal syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, signal) // a child may have ended
	}
}

// Standby starts a copy of the server that follows it. From then on the server waits for
// the copy before it acknowledges a commit.
func (s *Server) Standby() *Server {
	s.t.Helper()
	s.exec("postgres", `ALTER SYSTEM SET wal_retrieve_retry_interval = '100ms'`) // of the copy
	address, err := startClusterAs(fmt.Sprintf(`"$bin/pg_basebackup" -h %s -U test -D "$dir/data" -R -X stream -c fast --no-sync`, s.dir))
	if err != nil {
		s.t.Fatal(err)
	}
	standby := newServer(s.t, address)
	standby.URL = standby.database("site")
	s.Set("synchronous_standby_names", "*")
	return standby
}

// Promote makes a standby the server that takes writes.
func (s *Server) Promote() {
	s.t.Helper()
	s.run("pg_ctl", "-D", filepath.Join(s.dir, "data"), "-w", "promote")
	s.exec("postgres", `ALTER SYSTEM RESET synchronous_standby_names`, `SELECT pg_reload_conf()`)
}

// Either returns a URL of this server and another; the program uses the one that takes
// writes.
func (s *Server) Either(other *Server) string {
	return "postgres:///site?" + url.Values{"host": {s.dir + "," + other.dir}, "user": {"test"}, "sslmode": {"disable"}, "target_session_attrs": {"read-write"}}.Encode()
}

// Dump returns a dump of the database.
func (s *Server) Dump() []byte {
	s.t.Helper()
	return s.run("pg_dump", "-h", s.dir, "-U", "test", "-Fc", "site")
}

// Replace puts a dump in the place of the database, as docs/how-to/run/database.md tells operators
// to do.
func (s *Server) Replace(dump []byte) {
	s.t.Helper()
	name := filepath.Join(s.dir, "dump")
	if err := os.WriteFile(name, dump, 0o644); err != nil {
		s.t.Fatal(err)
	}
	s.exec("postgres", `CREATE DATABASE restored TEMPLATE template0`)
	s.run("pg_restore", "-h", s.dir, "-U", "test", "-d", "restored", name)
	s.exec("postgres", `ALTER DATABASE site ALLOW_CONNECTIONS false`,
		`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'site'`,
		`ALTER DATABASE site RENAME TO before_restore`, `ALTER DATABASE restored RENAME TO site`)
}
