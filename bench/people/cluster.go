//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// cluster is a PostgreSQL server in a folder.
type cluster struct {
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

// startCluster starts the server in a folder, which it makes if there is none.
func startCluster(dir string) (*cluster, error) {
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(installed) == 0 {
		return nil, errors.New("PostgreSQL is not in /usr/lib/postgresql")
	}
	c := &cluster{bin: installed[len(installed)-1], dir: dir, attr: &syscall.SysProcAttr{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		if err := c.drop(); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "data")); err != nil {
		if err := c.run("initdb", "-D", "data", "-U", "people", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"); err != nil {
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
	return c, c.run("pg_ctl", "-D", "data", "-l", "log", "-w", "-t", "600", "start")
}

// drop makes an unprivileged user the owner of the folder, and of the server.
func (c *cluster) drop() error {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		c.attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return os.Chown(c.dir, uid, gid)
	}
	return errors.New("there is no user postgres or nobody to run PostgreSQL as")
}

func (c *cluster) run(name string, args ...string) error {
	cmd := exec.CommandContext(context.Background(), filepath.Join(c.bin, name), args...)
	cmd.Dir, cmd.SysProcAttr, cmd.Stderr = c.dir, c.attr, os.Stderr
	return cmd.Run()
}

func (c *cluster) stop() error {
	return c.run("pg_ctl", "-D", "data", "-w", "-t", "600", "-m", "fast", "stop")
}

// log is the file to which the server writes plans.
func (c *cluster) log() string { return filepath.Join(c.dir, "log") }

// database returns the URL of a database, with parameters of each connection.
func (c *cluster) database(name, options string) string {
	query := url.Values{"host": {c.dir}, "user": {"people"}, "sslmode": {"disable"}}
	if options != "" {
		query.Set("options", options)
	}
	return "postgres:///" + name + "?" + query.Encode()
}
