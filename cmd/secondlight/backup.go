package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
)

type backupCommand struct {
	File string `arg:"" type:"path" help:"File to write, such as secondlight.zip; must not exist."`
}

func (backupCommand) Help() string {
	return "Writes the database, uploaded photographs and the portfolio to a ZIP archive. The site may be running. " +
		"The archive holds private data: only its owner can read it."
}

// Run does not migrate the database, so that a backup can be made before an upgrade.
func (cmd backupCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	if file, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:"); embedded {
		if _, err := os.Stat(file); err != nil {
			return fmt.Errorf("there is no database to back up: %w", err)
		}
	}
	store, err := models.Open(c.ctx, set.DatabaseURL, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	m, err := backup.WriteFile(c.ctx, cmd.File, store, set.DataDir, progress(c.errOut, "rows and files"))
	if err != nil {
		return err
	}
	if err := store.RecordBackup(c.ctx); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "backed up %d rows and %d files to %s\n", m.Rows(), m.Files, cmd.File)
	return nil
}
