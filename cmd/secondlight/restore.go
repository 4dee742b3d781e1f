package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/store"
)

type restoreCommand struct {
	File     string `arg:"" type:"existingpath" help:"File written by backup, or a folder, of which the newest backup is restored."`
	Check    bool   `help:"Verify the backup by restoring it into a temporary database, without touching the real one."`
	Identity string `type:"existingfile" help:"File with the age key that decrypts the backup."`
	Record   bool   `help:"With --check: record in the database of the site that a backup was checked, for its metrics."`
	Force    bool   `help:"Replace an existing embedded database, kept as FILE.before-restore, and add to existing files."`
}

func (restoreCommand) Help() string {
	return "Restores a backup, also one of the other database engine, into an empty DATA_DIR and an empty database. " +
		"Stop the site first. Files are restored before the database, so that an interrupted restore can be repeated with --force. " +
		"Email and webhooks are paused until secondlight deliveries resume."
}

func (cmd restoreCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	if cmd.Check {
		return cmd.checkOnly(c, set)
	}
	set.print(c)
	unlock, err := lockSite(set, true)
	if err != nil {
		return err
	}
	defer unlock()
	if i, err := store.Inspect(c.ctx, set.DatabaseURL); err == nil && i.Servers > 0 { // on other machines, too
		return fmt.Errorf("the database is in use: stop its servers first (running: %d; one that was killed counts for half a minute)", i.Servers)
	}
	if done, err := cmd.restoreFiles(c, set); done || err != nil {
		return err
	}
	target, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:")
	if err := cmd.checkTarget(c, set, target, embedded); err != nil {
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
	fmt.Fprintf(c.out, "restored %s\nemail and webhooks are paused: run secondlight deliveries resume when the site is to send them\n", cmd.File)
	return nil
}

// restoreFiles restores a backup that has only files, whatever the database has.
func (cmd restoreCommand) restoreFiles(c *console, set *settings) (done bool, err error) {
	if old, err := isSQLite(cmd.File); err != nil || old {
		return false, err
	}
	archive, err := cmd.archive()
	if err != nil {
		return false, err
	}
	defer archive.Close()
	if !archive.Manifest.FilesOnly() {
		return false, nil
	}
	if some, err := backup.HasFiles(c.ctx, set.files); err != nil || some && !cmd.Force {
		return false, errors.Join(err, usageError{fmt.Errorf("%s has photographs, a portfolio or pages: use --force to add to them", set.files)})
	}
	if err := archive.RestoreFiles(c.ctx, set.files, progress(c.errOut, "files")); err != nil {
		return false, err
	}
	fmt.Fprintf(c.out, "restored %d files of %s\n", archive.Manifest.Files, archive.Path)
	return true, nil
}

// checkOnly checks the backup without restoring it, and records it if wanted.
func (cmd restoreCommand) checkOnly(c *console, set *settings) error {
	archive, err := cmd.check(c)
	if err != nil || !cmd.Record {
		return err
	}
	store, err := openStore(c, set)
	if err != nil {
		return err
	}
	defer store.Close()
	return store.Site.RecordBackupCheck(c.ctx, archive.Size)
}

// check reads the backup and restores its rows into a temporary database. It returns the closed
// archive.
func (cmd restoreCommand) check(c *console) (*backup.Archive, error) {
	archive, err := cmd.archive()
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	dir, err := os.MkdirTemp("", "secondlight-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	store, err := store.Open(c.ctx, "sqlite:"+filepath.Join(dir, "check.db"), nil)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	if err := archive.Check(c.ctx, store, progress(c.errOut, "files and rows")); err != nil {
		return nil, err
	}
	m := &archive.Manifest
	fmt.Fprintf(c.out, "%s of %s is complete: %d rows of %d tables, and %d files\n", archive.Path, m.CreatedAt.Format(time.RFC3339), m.Rows(), len(m.Tables), m.Files)
	return archive, nil
}

// archive opens the backup.
func (cmd restoreCommand) archive() (*backup.Archive, error) {
	var identities []age.Identity
	if cmd.Identity != "" {
		f, err := os.Open(cmd.Identity)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if identities, err = age.ParseIdentities(f); err != nil {
			return nil, fmt.Errorf("%s has no key of age: %w", cmd.Identity, err)
		}
	}
	return backup.Open(cmd.File, identities...)
}

// checkTarget returns a usageError if the restore would replace something and there is
// no --force.
func (cmd restoreCommand) checkTarget(c *console, set *settings, target string, embedded bool) error {
	if cmd.Force {
		return nil
	}
	if _, err := os.Stat(target); embedded && err == nil {
		return usageError{fmt.Errorf("database %s exists: use --force to replace it", target)}
	}
	some, err := backup.HasFiles(c.ctx, set.files)
	if err == nil && some {
		err = usageError{fmt.Errorf("%s has photographs, a portfolio or pages: use --force to add to them", set.files)}
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
		return func(databaseURL string) error { return cmd.restoreFile(c, set, databaseURL) }, nil
	}
	return func(databaseURL string) error { return cmd.restoreArchive(c, set, databaseURL) }, nil
}

func (cmd restoreCommand) restoreArchive(c *console, set *settings, databaseURL string) error {
	archive, err := cmd.archive()
	if err != nil {
		return err
	}
	defer archive.Close()
	store, err := store.Open(c.ctx, databaseURL, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := archive.RestoreFiles(c.ctx, set.files, progress(c.errOut, "files")); err != nil {
		return err
	}
	if err := archive.RestoreRows(c.ctx, store, progress(c.errOut, "rows")); err != nil {
		return err
	}
	return picture.Adopt(c.ctx, set.files, store.Listings)
}

// restoreFile restores a backup of the first release, a copy of the SQLite file.
func (cmd restoreCommand) restoreFile(c *console, set *settings, databaseURL string) error {
	target, embedded := strings.CutPrefix(databaseURL, "sqlite:")
	if !embedded {
		return usageError{errors.New("this backup is an SQLite file: restore it with an SQLite database, and back that up to move it to PostgreSQL")}
	}
	if err := copyFile(cmd.File, target); err != nil {
		return err
	}
	store, err := store.Open(c.ctx, databaseURL, nil)
	if err != nil {
		return fmt.Errorf("%s is not a Secondlight backup: %w", cmd.File, err)
	}
	defer store.Close()
	if err := store.Migrate(c.ctx); err != nil {
		return fmt.Errorf("%s is not a Secondlight backup: %w", cmd.File, err)
	}
	if err := picture.Adopt(c.ctx, set.files, store.Listings); err != nil {
		return err
	}
	return store.Deliveries.PauseDeliveries(c.ctx)
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

// isSQLite reports whether a file is an SQLite database.
func isSQLite(path string) (bool, error) {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return false, err
	}
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
