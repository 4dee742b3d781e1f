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
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/durable"
)

type restoreCommand struct {
	File  string `arg:"" type:"existingfile" help:"File written by backup."`
	Force bool   `help:"Replace an existing embedded database, kept as FILE.before-restore, and add to existing files."`
}

func (restoreCommand) Help() string {
	return "Restores a backup, also one of the other database engine, into an empty DATA_DIR and an empty database. " +
		"Stop the site first. Files are restored before the database, so that an interrupted restore can be repeated with --force."
}

func (cmd restoreCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	if isServing(set.ListenAddr) {
		return fmt.Errorf("a server is running at %s: stop it before restoring", set.ListenAddr)
	}
	target, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:")
	if err := cmd.checkTarget(set, target, embedded); err != nil {
		return err
	}
	if err := makeDataDir(set); err != nil {
		return err
	}
	restore, err := cmd.open(c, set)
	if err != nil {
		return err
	}
	if embedded {
		err = restoreEmbedded(target, restore)
	} else {
		err = restore(set.DatabaseURL)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "restored %s\n", cmd.File)
	return nil
}

// checkTarget returns a usageError if the restore would replace something and there is
// no --force.
func (cmd restoreCommand) checkTarget(set *settings, target string, embedded bool) error {
	if cmd.Force {
		return nil
	}
	if _, err := os.Stat(target); embedded && err == nil {
		return usageError{fmt.Errorf("database %s exists: use --force to replace it", target)}
	}
	some, err := backup.HasFiles(set.DataDir)
	if err == nil && some {
		err = usageError{fmt.Errorf("%s has photographs, a portfolio or pages: use --force to add to them", set.DataDir)}
	}
	return err
}

// open returns the function that restores the backup into the empty database at a URL.
func (cmd restoreCommand) open(c *console, set *settings) (restore func(databaseURL string) error, err error) {
	old, err := isSQLite(cmd.File)
	if err != nil {
		return nil, err
	}
	if old {
		return func(databaseURL string) error { return cmd.restoreFile(c, databaseURL) }, nil
	}
	return func(databaseURL string) error { return cmd.restoreArchive(c, set, databaseURL) }, nil
}

func (cmd restoreCommand) restoreArchive(c *console, set *settings, databaseURL string) error {
	archive, err := backup.Open(cmd.File)
	if err != nil {
		return err
	}
	defer archive.Close()
	store, err := models.Open(c.ctx, databaseURL, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := archive.RestoreFiles(c.ctx, set.DataDir, progress(c.errOut, "files")); err != nil {
		return err
	}
	return archive.RestoreRows(c.ctx, store, progress(c.errOut, "rows"))
}

// restoreFile restores a backup of the first release, a copy of the SQLite file.
func (cmd restoreCommand) restoreFile(c *console, databaseURL string) error {
	target, embedded := strings.CutPrefix(databaseURL, "sqlite:")
	if !embedded {
		return usageError{errors.New("this backup is an SQLite file: restore it with an SQLite database, and back that up to move it to PostgreSQL")}
	}
	if err := copyFile(cmd.File, target); err != nil {
		return err
	}
	store, err := models.Open(c.ctx, databaseURL, nil)
	if err != nil {
		return fmt.Errorf("%s is not a Secondlight backup: %w", cmd.File, err)
	}
	defer store.Close()
	if err := store.Migrate(c.ctx); err != nil {
		return fmt.Errorf("%s is not a Secondlight backup: %w", cmd.File, err)
	}
	return nil
}

// restoreEmbedded restores into a new file beside the database and renames it, so that
// an interrupted restore leaves the old database as it was.
func restoreEmbedded(target string, restore func(databaseURL string) error) error {
	unfinished := target + ".restoring"
	if err := removeDatabase(unfinished); err != nil {
		return err
	}
	if err := restore("sqlite:" + unfinished); err != nil {
		return errors.Join(err, removeDatabase(unfinished))
	}
	if err := setAside(target); err != nil {
		return err
	}
	if err := os.Rename(unfinished, target); err != nil {
		return err
	}
	return durable.SyncFolder(filepath.Dir(target))
}

// databaseFiles are the suffixes of the files of an SQLite database.
var databaseFiles = []string{"", "-wal", "-shm"}

func removeDatabase(path string) error {
	for _, suffix := range databaseFiles {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// setAside renames a database and its log to target.before-restore.
func setAside(target string) error {
	if err := removeDatabase(target + ".before-restore"); err != nil {
		return err
	}
	for _, suffix := range databaseFiles {
		err := os.Rename(target+suffix, target+".before-restore"+suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
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

// isSQLite reports whether a file is an SQLite database.
func isSQLite(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	const magic = "SQLite format 3\x00"
	start := make([]byte, len(magic))
	n, err := io.ReadFull(f, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return string(start[:n]) == magic, nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return durable.WriteFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}
