//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/secondlight/secondlight/models/storetest/cluster"
)

// server is a PostgreSQL server in a folder.
type server struct {
	bin, dir string
	attr     *syscall.SysProcAttr
}

// settings of the server. Plans are logged only in sessions of the measured program.
const settings = `
listen_addresses = ''
unix_socket_directories = '%s'
shared_buffers = 1GB
maintenance_work_mem = 512MB
max_wal_size = 1GB
checkpoint_timeout = 15min
autovacuum_naptime = 10s
logging_collector = off
`

// startServer starts the server in a folder, which it makes if there is none.
func startServer(dir string) (*server, error) {
	bin, err := cluster.Bin()
	if err != nil {
		return nil, err
	}
	s := &server{bin: bin, dir: dir, attr: &syscall.SysProcAttr{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		if s.attr.Credential, err = cluster.Unprivileged(dir); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "data")); err != nil {
		if err := s.run("initdb", "-D", "data", "-U", "people", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"); err != nil {
			return nil, err
		}
		conf, err := os.OpenFile(filepath.Join(dir, "data", "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		_, err = fmt.Fprintf(conf, settings, dir)
		if err = errors.Join(err, conf.Close()); err != nil {
			return nil, err
		}
	}
	return s, s.run("pg_ctl", "-D", "data", "-l", "log", "-w", "-t", "600", "start")
}

func (s *server) run(name string, args ...string) error {
	cmd := exec.CommandContext(context.Background(), filepath.Join(s.bin, name), args...)
	cmd.Dir, cmd.SysProcAttr, cmd.Stderr = s.dir, s.attr, os.Stderr
	return cmd.Run()
}

func (s *server) stop() error {
	return s.run("pg_ctl", "-D", "data", "-w", "-t", "600", "-m", "fast", "stop")
}

// log is the file to which the server writes plans.
func (s *server) log() string { return filepath.Join(s.dir, "log") }

// database returns the URL of a database, with parameters of each connection.
func (s *server) database(name, options string) string {
	query := url.Values{"host": {s.dir}, "user": {"people"}, "sslmode": {"disable"}}
	if options != "" {
		query.Set("options", options)
	}
	return "postgres:///" + name + "?" + query.Encode()
}
