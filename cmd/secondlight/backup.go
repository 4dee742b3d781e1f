package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/secondlight/secondlight/models"
)

type backupCommand struct {
	File string `arg:"" type:"path" help:"File to write; must not exist."`
}

func (cmd backupCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	store, err := openStore(c, set)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.Backup(c.ctx, cmd.File); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "backed up to %s\n", cmd.File)
	return nil
}

type restoreCommand struct {
	File  string `arg:"" type:"existingfile" help:"File written by backup."`
	Force bool   `help:"Replace an existing database; the old one is kept as FILE.before-restore."`
}

// Run copies the backup beside the database, checks the copy by opening it, and
// renames it, so that an interrupted restore leaves the old database intact.
func (cmd restoreCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	target, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:")
	if !embedded {
		return usageError{errors.New("restore works with SQLite only: use pg_restore for PostgreSQL")}
	}
	if isServing(set.ListenAddr) {
		return fmt.Errorf("a server is running at %s: stop it before restoring", set.ListenAddr)
	}
	if _, err := os.Stat(target); err == nil && !cmd.Force {
		return usageError{fmt.Errorf("database %s exists: use --force to replace it", target)}
	}
	if err := makeDataDir(set); err != nil {
		return err
	}
	copied := target + ".restoring"
	if err := copyFile(cmd.File, copied); err != nil {
		return err
	}
	if err := checkBackup(c, copied); err != nil {
		return errors.Join(fmt.Errorf("%s is not a Secondlight backup: %w", cmd.File, err), os.Remove(copied))
	}
	if err := setAside(target); err != nil {
		return err
	}
	if err := os.Rename(copied, target); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "restored %s\n", target)
	return nil
}

// isServing reports whether something accepts connections at addr.
func isServing(addr string) bool {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// checkBackup opens a database and migrates it to the latest schema.
func checkBackup(c *console, path string) error {
	store, err := models.Open(c.ctx, "sqlite:"+path, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	return store.Migrate(c.ctx)
}

// setAside renames a database and its log to target.before-restore.
func setAside(target string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		err := os.Rename(target+suffix, target+".before-restore"+suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(filepath.Clean(to), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err = io.Copy(out, in); err != nil {
		return err
	}
	return out.Sync()
}
