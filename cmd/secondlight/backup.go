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
	File string `arg:"" type:"path" help:"File to write; it must not exist."`
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
	File  string `arg:"" type:"existingfile" help:"A file that backup wrote."`
	Force bool   `help:"Replace a database that is there; it is kept beside as FILE.before-restore."`
}

// Run checks the backup by opening it, then puts a copy in the database's place
// by renaming, so that an interrupted restore leaves the old database whole.
func (cmd restoreCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	target, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:")
	if !embedded {
		return usageError{errors.New("restore puts back SQLite files only: use pg_restore for PostgreSQL")}
	}
	if served(set.ListenAddr) {
		return fmt.Errorf("something answers at %s: stop the server before restoring", set.ListenAddr)
	}
	if _, err := os.Stat(target); err == nil && !cmd.Force {
		return usageError{fmt.Errorf("there is a database at %s: use --force to replace it", target)}
	}
	if err := makeDataDir(set); err != nil {
		return err
	}
	copied := target + ".restoring"
	if err := copyFile(cmd.File, copied); err != nil {
		return err
	}
	if err := checkBackup(c, copied); err != nil {
		return errors.Join(fmt.Errorf("%s is not a backup of this program: %w", cmd.File, err), os.Remove(copied))
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

// served reports whether a server of these settings seems to run.
func served(addr string) bool {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// checkBackup opens the copy, brings its schema up to date and closes it again.
func checkBackup(c *console, path string) error {
	store, err := models.Open(c.ctx, "sqlite:"+path, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	return store.Migrate(c.ctx)
}

// setAside renames a database and its log out of the way.
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
