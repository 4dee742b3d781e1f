package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/store"
)

type backupCommand struct {
	Target    string        `arg:"" optional:"" type:"path" help:"File to write, such as secondlight.zip, which must not exist; or a folder, to which only new files are copied. BACKUP_DIR if not given."`
	Recipient []string      `placeholder:"KEY" help:"Encrypt the backup for this age public key (age1…). Can be repeated. Default: BACKUP_RECIPIENT."`
	Keep      int           `help:"Number of backups to keep in the folder; default: all."`
	Check     bool          `help:"Read the backup again and restore its rows into a temporary database, as restore --check does."`
	Identity  string        `type:"existingfile" help:"With --check: file with the age key that decrypts the backup."`
	Files     bool          `help:"Only files, for a site whose database is archived continuously."`
	Every     time.Duration `help:"Again after this time, such as 24h, until stopped; a backup that fails is reported. With --files, such as 5s, only the last two backups remain unless --keep says otherwise."`
}

func (backupCommand) Help() string {
	return "Writes the database, uploaded photographs, the portfolio, pages and themes. The site may be running. " +
		"A backup holds private data: only its owner can read it. If photographs that the database names are missing or damaged, the backup is made without them, " +
		"they are named, the exit status is 1, and no older backup is deleted. Examples:\n\n" +
		"  secondlight backup /backups/secondlight-2026-11-24.zip\n" +
		"  secondlight backup /backups/secondlight --keep 14 --recipient age1…"
}

// Run does not migrate the database, so that a backup can be made before an upgrade.
func (cmd backupCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	if cmd.Target == "" {
		cmd.Target = cmp.Or(set.BackupDir, filepath.Join(set.DataDir, "backups"))
	}
	if len(cmd.Recipient) == 0 && set.BackupRecipient != "" {
		cmd.Recipient = strings.Split(set.BackupRecipient, ",")
	}
	recipients, err := cmd.recipients()
	if err != nil {
		return usageError{err}
	}
	if err := set.announce(c); err != nil {
		return err
	}
	if cmd.Files {
		return cmd.follow(c, set, recipients)
	}
	for {
		err := cmd.make(c, set, recipients)
		if cmd.Every == 0 {
			return err
		}
		if err != nil {
			fmt.Fprintf(c.errOut, "secondlight: %s\n", errorText(err))
		}
		select {
		case <-c.ctx.Done():
			return nil
		case <-time.After(cmd.Every):
		}
	}
}

// make makes a backup, checks it if wanted, and records it.
func (cmd backupCommand) make(c *console, set *settings, recipients []age.Recipient) error {
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
	file, size, err := cmd.write(c, set, store, recipients)
	if err != nil {
		return err
	}
	if err := store.Site.RecordBackup(c.ctx, size); err != nil || !cmd.Check {
		return err
	}
	if len(recipients) > 0 && cmd.Identity == "" {
		fmt.Fprintln(c.errOut, "not checked, because it is encrypted: run secondlight restore --check --identity FILE where its key is")
		return nil
	}
	archive, err := (restoreCommand{File: file, Identity: cmd.Identity}).check(c)
	if err != nil {
		return fmt.Errorf("check %s: %w", file, err)
	}
	return store.Site.RecordBackupCheck(c.ctx, archive.Size)
}

// recipients returns the keys for which the backup is encrypted.
func (cmd backupCommand) recipients() (keys []age.Recipient, err error) {
	switch {
	case cmd.Keep < 0:
		return nil, fmt.Errorf("--keep=%d is negative", cmd.Keep)
	case cmd.Every < 0:
		return nil, fmt.Errorf("--every=%s is negative", cmd.Every)
	case cmd.Every != 0 && strings.HasSuffix(cmd.Target, ".zip"):
		return nil, errors.New("--every needs a folder, not a file")
	case cmd.Files && strings.HasSuffix(cmd.Target, ".zip"):
		return nil, errors.New("--files needs a folder, not a file")
	}
	for _, text := range cmd.Recipient {
		key, err := age.ParseX25519Recipient(text)
		if err != nil {
			return nil, fmt.Errorf("--recipient=%s is not a public key of age, or has a typing error: age-keygen -y FILE prints it", text)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// write writes the backup to a file or a folder, and returns the path of the archive and the size
// of the backup in bytes.
func (cmd backupCommand) write(c *console, set *settings, store *store.Store, recipients []age.Recipient) (file string, size int64, err error) {
	shown := progress(c.errOut, "rows and files")
	if strings.HasSuffix(cmd.Target, ".zip") || strings.HasSuffix(cmd.Target, ".zip.age") {
		if len(recipients) > 0 && !strings.HasSuffix(cmd.Target, ".age") {
			cmd.Target += ".age"
		}
		m, err := backup.WriteFile(c.ctx, cmd.Target, store, set.files, shown, recipients...)
		if m == nil {
			return "", 0, err
		}
		fmt.Fprintf(c.out, "backed up %d rows and %d files to %s\n", m.Rows(), m.Files, cmd.Target)
		info, statErr := os.Stat(cmd.Target)
		if statErr == nil {
			size = info.Size()
		}
		return cmd.Target, size, cmp.Or(err, statErr)
	}
	folder := &backup.Folder{Path: cmd.Target, Recipients: recipients, Keep: cmd.Keep}
	r, err := folder.Write(c.ctx, store, set.files, shown)
	if r == nil {
		return "", 0, err
	}
	fmt.Fprintf(c.out, "backed up %d rows and %d files, %d of them new (%s), to %s\n", r.Manifest.Rows(), r.Manifest.Files, r.Added, sizeText(uint64(r.Bytes)), r.File)
	return r.File, r.Size, err
}

// follow backs up the files to a folder, once or every so often until it is stopped.
func (cmd backupCommand) follow(c *console, set *settings, recipients []age.Recipient) error {
	folder := &backup.Folder{Path: cmd.Target, Recipients: recipients, Keep: cmd.Keep}
	if cmd.Every > 0 && cmd.Keep == 0 {
		folder.Keep = 2
	}
	for {
		r, err := folder.Write(c.ctx, nil, set.files, func(int, int) {})
		if incomplete := (*backup.Incomplete)(nil); errors.As(err, &incomplete) && cmd.Every > 0 {
			fmt.Fprintf(c.errOut, "secondlight: %v\n", err) // once: the list of files is the same the next time
			err = nil
		}
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
