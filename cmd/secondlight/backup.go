package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/store"
)

type backupCommand struct {
	Target    string        `arg:"" type:"path" help:"File to write, such as secondlight.zip, which must not exist; or a folder, to which only new files are copied."`
	Recipient []string      `placeholder:"KEY" help:"Public age key, age1…, for which the backup is encrypted. Several can be given."`
	Keep      int           `help:"Backups that remain in the folder; all if not given."`
	Files     bool          `help:"Only files, for a site whose database is archived continuously."`
	Every     time.Duration `help:"With --files: again after this time, such as 5s, until stopped. Only the last two backups remain unless --keep says otherwise."`
}

func (backupCommand) Help() string {
	return "Writes the database, uploaded photographs, the portfolio, pages and themes. The site may be running. " +
		"A backup holds private data: only its owner can read it. Examples:\n\n" +
		"  secondlight backup /backups/secondlight-2026-11-24.zip\n" +
		"  secondlight backup /backups/secondlight --keep 14 --recipient age1…"
}

// Run does not migrate the database, so that a backup can be made before an upgrade.
func (cmd backupCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	recipients, err := cmd.recipients()
	if err != nil {
		return usageError{err}
	}
	if cmd.Files {
		return cmd.follow(c, set, recipients)
	}
	if file, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:"); embedded {
		if _, err := os.Stat(file); err != nil {
			return fmt.Errorf("there is no database to back up: %w", err)
		}
	}
	store, err := store.Open(c.ctx, set.DatabaseURL, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := cmd.write(c, set, store, recipients); err != nil {
		return err
	}
	return store.Site.RecordBackup(c.ctx)
}

// recipients returns the keys for which the backup is encrypted.
func (cmd backupCommand) recipients() (keys []age.Recipient, err error) {
	switch {
	case cmd.Keep < 0:
		return nil, fmt.Errorf("--keep=%d is negative", cmd.Keep)
	case cmd.Every != 0 && !cmd.Files:
		return nil, errors.New("--every needs --files")
	case cmd.Files && strings.HasSuffix(cmd.Target, ".zip"):
		return nil, errors.New("--files needs a folder, not a file")
	}
	for _, text := range cmd.Recipient {
		key, err := age.ParseX25519Recipient(text)
		if err != nil {
			return nil, fmt.Errorf("--recipient=%s is not a public key of age, which begins with age1", text)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// write writes the backup to a file or a folder.
func (cmd backupCommand) write(c *console, set *settings, store *store.Store, recipients []age.Recipient) error {
	shown := progress(c.errOut, "rows and files")
	if strings.HasSuffix(cmd.Target, ".zip") || strings.HasSuffix(cmd.Target, ".zip.age") {
		if len(recipients) > 0 && !strings.HasSuffix(cmd.Target, ".age") {
			cmd.Target += ".age"
		}
		m, err := backup.WriteFile(c.ctx, cmd.Target, store, set.files, shown, recipients...)
		if err == nil {
			fmt.Fprintf(c.out, "backed up %d rows and %d files to %s\n", m.Rows(), m.Files, cmd.Target)
		}
		return err
	}
	folder := &backup.Folder{Path: cmd.Target, Recipients: recipients, Keep: cmd.Keep}
	r, err := folder.Write(c.ctx, store, set.files, shown)
	if err == nil {
		fmt.Fprintf(c.out, "backed up %d rows and %d files, %d of them new (%s), to %s\n", r.Manifest.Rows(), r.Manifest.Files, r.Added, sizeText(uint64(r.Bytes)), r.File)
	}
	return err
}

// follow backs up the files to a folder, once or every so often until it is stopped.
func (cmd backupCommand) follow(c *console, set *settings, recipients []age.Recipient) error {
	folder := &backup.Folder{Path: cmd.Target, Recipients: recipients, Keep: cmd.Keep}
	if cmd.Every > 0 && cmd.Keep == 0 {
		folder.Keep = 2
	}
	for {
		r, err := folder.Write(c.ctx, nil, set.files, func(int, int) {})
		switch {
		case err == nil:
			fmt.Fprintf(c.out, "backed up %d files, %d of them new (%s), to %s\n", r.Manifest.Files, r.Added, sizeText(uint64(r.Bytes)), r.File)
		case cmd.Every > 0 && c.ctx.Err() != nil:
			return nil // stopped
		case !errors.Is(err, backup.ErrUnchanged):
			return err
		}
		if cmd.Every == 0 {
			return nil
		}
		select {
		case <-c.ctx.Done():
			return nil
		case <-time.After(cmd.Every):
		}
	}
}
