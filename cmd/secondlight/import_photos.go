package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/portfolio"
)

type importPhotosCommand struct {
	Folder  string `arg:"" type:"existingdir" help:"Folder with JPEG, PNG, WebP, HEIC and AVIF files."`
	Project string `help:"Slug of the project; made from the title if not given." placeholder:"SLUG"`
	Title   string `help:"Title of a new project; the folder's name if not given."`
}

// importMemory is the soft memory limit, in bytes, while photographs are imported: those
// that are decoded at once, their files and their sizes.
const importMemory = portfolio.MaxMemory + 256<<20

// Run imports the photographs of a folder. Refused files are printed and are not an
// error.
func (cmd importPhotosCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(cmd.Folder)
	if err != nil {
		return err
	}
	title := cmp.Or(cmd.Title, filepath.Base(folder))
	slug := cmp.Or(cmd.Project, models.Slug(title))
	if slug == "" {
		return usageError{fmt.Errorf("%q makes no address: name the project with --project", title)}
	}
	if models.Slug(slug) != slug {
		return usageError{fmt.Errorf("--project %q is not a slug: did you mean %q?", slug, models.Slug(slug))}
	}
	if err := set.announce(c); err != nil {
		return err
	}
	if err := makeDataDir(set); err != nil {
		return err
	}
	debug.SetMemoryLimit(importMemory)
	lowerPriority()
	im := &portfolio.Importer{
		DataDir: set.DataDir, Progress: progress(c.errOut, "importing"),
		Refused: func(name, reason, hint string) { fmt.Fprintf(c.errOut, "%s: %s %s\n", name, reason, hint) },
	}
	mirror := blob.NewMirror(set.files, blob.Folder(set.DataDir), backup.OwnerFiles...)
	if _, err := mirror.Pull(c.ctx); err != nil {
		return err
	}
	report, err := im.Folder(c.ctx, folder, slug, title)
	err = cmp.Or(err, mirror.Push(c.ctx, "portfolio/"+slug+"/"))
	fmt.Fprintf(c.out, "%d files: %d new, %d unchanged, %d refused\n", report.Files, report.Added, report.Unchanged, report.Refused)
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted: the files counted above are imported; import the folder again for the rest")
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "the project is in %s: write titles and captions in its index.md; the page is /portfolio/%s\n", filepath.Join(set.DataDir, "portfolio", slug), slug)
	return nil
}
