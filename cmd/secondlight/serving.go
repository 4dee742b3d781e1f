package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/secondlight/secondlight/models/durable"
)

// place is where a site has its data, without passwords.
func (s *settings) place() string { return "database " + s.databaseName() + ", files " + s.filesName() }

// databaseName returns the address of the database, without its user, password and parameters.
func (s *settings) databaseName() string {
	if file, embedded := strings.CutPrefix(s.DatabaseURL, "sqlite:"); embedded {
		return "sqlite:" + realPath(file)
	}
	u, err := url.Parse(s.DatabaseURL)
	if err != nil {
		return "postgres"
	}
	host := u.Host
	if host == "" {
		host = u.Query().Get("host")
	}
	return "postgres://" + host + u.Path
}

// filesName returns the address of the bucket.
func (s *settings) filesName() string {
	if s.sharesFiles() {
		return s.files.String()
	}
	return realPath(s.DataDir)
}

// realPath returns the absolute path of a file without symbolic links, as far as it exists.
func realPath(name string) string {
	if absolute, err := filepath.Abs(name); err == nil {
		name = absolute
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	if folder := filepath.Dir(name); folder != name {
		return filepath.Join(realPath(folder), filepath.Base(name))
	}
	return name
}

// print says which database and files a command uses.
func (s *settings) print(c *console) { fmt.Fprintln(c.errOut, s.place()) }

// announce says which database and files a command uses. It returns an error if a server that
// runs in DATA_DIR uses others.
func (s *settings) announce(c *console) error {
	s.print(c)
	return s.checkServing()
}

// checkServing returns an error if a server that runs in DATA_DIR uses another database or other
// files.
func (s *settings) checkServing() error {
	file := s.servingFile()
	served, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && string(served) == s.place() {
		return nil
	}
	if err != nil {
		return err
	}
	lock := flock.New(file)
	if free, err := lock.TryLock(); err != nil || free {
		return errors.Join(err, lock.Unlock()) // none runs
	}
	return fmt.Errorf("the server that runs in %s uses %s, and this command would use %s: run it with the settings of the server, such as --env-file %s, or with another DATA_DIR",
		s.DataDir, served, s.place(), packageEnvFile)
}

// servingFile is locked while a server runs in DATA_DIR, and says which database and files it uses.
func (s *settings) servingFile() string { return filepath.Join(s.DataDir, ".serving") }

// servingWait is how long a server waits for commands that look whether it runs.
const servingWait = 5 * time.Second

// recordServing says in DATA_DIR which database and files the server uses, until the returned
// function is called or the process ends. It returns an error if another server there uses others.
func recordServing(ctx context.Context, set *settings) (end func(), err error) {
	if err := set.checkServing(); err != nil {
		return nil, err
	}
	if err := os.WriteFile(set.servingFile(), []byte(set.place()), durable.FileMode); err != nil {
		return nil, err
	}
	lock := flock.New(set.servingFile())
	ctx, cancel := context.WithTimeout(ctx, servingWait)
	defer cancel()
	if _, err := lock.TryRLockContext(ctx, 10*time.Millisecond); err != nil {
		return nil, fmt.Errorf("lock %s: %w", set.servingFile(), err)
	}
	return func() { _ = lock.Unlock() }, nil
}
