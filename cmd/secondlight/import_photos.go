package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
)

type importPhotosCommand struct {
	Folder  string `arg:"" type:"existingdir" help:"Folder of JPEG and PNG files."`
	Project string `help:"Slug of the project; made from the folder's name when not given." placeholder:"SLUG"`
	Title   string `help:"Title of a new project; the folder's name when not given."`
}

// importMemory is what the collector aims to stay under while photographs are
// imported, in bytes: one decoded photograph and what is made of it.
const importMemory = portfolio.MaxMemory + 256<<20

// Run imports the photographs. Files that were refused are named; they do not
// make it fail.
func (cmd importPhotosCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(cmd.Folder)
	if err != nil {
		return err
	}
	slug, title := cmd.Project, cmd.Title
	if slug == "" {
		slug = models.Slug(filepath.Base(folder))
	}
	if slug == "" || models.Slug(slug) != slug {
		return usageError{fmt.Errorf("--project %q is not a slug: write %q", slug, models.Slug(slug))}
	}
	if title == "" {
		title = filepath.Base(folder)
	}
	if err := makeDataDir(set); err != nil {
		return err
	}
	debug.SetMemoryLimit(importMemory)
	im := &portfolio.Importer{
		DataDir: set.DataDir, Progress: progress(c.errOut, "importing"),
		Refused: func(name, reason, hint string) { fmt.Fprintf(c.errOut, "%s: %s %s\n", name, reason, hint) },
	}
	report, err := im.Folder(c.ctx, folder, slug, title)
	fmt.Fprintf(c.out, "%d files: %d new, %d unchanged, %d refused\n", report.Files, report.Added, report.Unchanged, report.Refused)
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped; what is counted above is kept, import the folder again for the rest")
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "the project is in %s: write captions into its index.md; it is shown at /portfolio/%s\n", filepath.Join(set.DataDir, "portfolio", slug), slug)
	return nil
}
