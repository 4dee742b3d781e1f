package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/store"
)

// filesCommand is the group of the commands on the photographs of listings.
type filesCommand struct {
	Status  filesStatusCommand  `cmd:"" default:"1" help:"Count the photographs, those that no listing uses and those in the trash."`
	Sweep   filesSweepCommand   `cmd:"" help:"Move the photographs that no listing uses to the trash."`
	Restore filesRestoreCommand `cmd:"" help:"Return photographs from the trash that listings use."`
	Adopt   filesAdoptCommand   `cmd:"" help:"Record that the files belong to the site of this database."`
}

func (filesCommand) Help() string {
	return fmt.Sprintf("Photographs that no listing uses are moved to the trash by the server, and deleted after %d days there. "+
		"If there are more than usual, it moves none and says so, because the database may be the wrong one. All these commands can be used while the server runs.",
		int(picture.TrashTime.Hours()/24))
}

// withPhotographs calls do with the photographs of the site and its database.
func withPhotographs(c *console, do func(set *settings, photos *picture.Store, refs picture.References) error) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	store, err := openStore(c, set)
	if err != nil {
		return err
	}
	defer store.Close()
	return do(set, picture.NewStore(set.files), store.Listings)
}

type filesStatusCommand struct{}

func (filesStatusCommand) Run(c *console) error {
	return withPhotographs(c, func(set *settings, photos *picture.Store, refs picture.References) error {
		report, err := photos.Unused(c.ctx, refs, time.Now())
		if err != nil {
			return err
		}
		inTrash, err := photos.Trash(c.ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%d photographs in %s, %d of them unused; %d in the trash\n", report.Photos, set.files, report.Unused, inTrash)
		return picture.CheckOwner(c.ctx, set.files, refs)
	})
}

type filesSweepCommand struct {
	Yes bool `help:"Also if there are more than usual."`
}

func (cmd filesSweepCommand) Run(c *console) error {
	return withPhotographs(c, func(_ *settings, photos *picture.Store, refs picture.References) error {
		report, err := photos.Sweep(c.ctx, refs, time.Now(), cmd.Yes)
		if err == nil {
			fmt.Fprintf(c.out, "%d of %d photographs moved to the trash, %d deleted from it\n", report.Moved, report.Photos, report.Purged)
		}
		return err
	})
}

type filesRestoreCommand struct{}

func (filesRestoreCommand) Run(c *console) error {
	return withPhotographs(c, func(_ *settings, photos *picture.Store, refs picture.References) error {
		n, err := photos.PutBack(c.ctx, refs)
		fmt.Fprintf(c.out, "%d photographs returned from the trash\n", n)
		return err
	})
}

type filesAdoptCommand struct{}

func (filesAdoptCommand) Run(c *console) error {
	return withPhotographs(c, func(set *settings, _ *picture.Store, refs picture.References) error {
		if err := picture.Adopt(c.ctx, set.files, refs); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "the files in %s belong to the site of this database\n", set.files)
		return nil
	})
}

// diagnoseFiles checks that the files belong to the site of the database, and counts the
// photographs in the trash.
func (s *settings) diagnoseFiles(ctx context.Context) []finding {
	if _, err := store.Inspect(ctx, s.DatabaseURL); err != nil {
		return []finding{good("not checked: there is no database")}
	}
	store, err := store.OpenWith(ctx, s.DatabaseURL, store.Options{Currency: s.currency})
	if err != nil {
		return []finding{s.unopened(err)}
	}
	defer store.Close()
	if err := picture.CheckOwner(ctx, s.files, store.Listings); err != nil {
		repair := "Check BLOB_URL and DATABASE_URL"
		if errors.As(err, new(*picture.OtherSite)) {
			repair += ", or run secondlight files adopt"
		}
		return []finding{bad(err.Error(), repair)}
	}
	n, err := picture.NewStore(s.files).Trash(ctx)
	switch {
	case err != nil:
		return []finding{bad(err.Error(), "Check BLOB_URL")}
	case n > 0:
		return []finding{good(fmt.Sprintf("those of this database; %d photographs are in the trash", n))}
	}
	return []finding{good("those of this database")}
}
