package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/lensfun"
	"github.com/secondlight/secondlight/models/store"
)

type catalogCommand struct {
	Lensfun catalogLensfunCommand `cmd:"" help:"Convert lensfun's XML files to the catalogue's lensfun.csv and mounts.csv."`
	Check   catalogCheckCommand   `cmd:"" help:"Compare the catalogue with another source. Prints what differs: brand/model, a column, the catalogue's value and the other's, separated by tabs."`
	Unclear catalogUnclearCommand `cmd:"" help:"List listings, sales, kits and reports of theft of gear that was split, whose titles don't say which part they are: table, id, brand/model and title, separated by tabs."`
	Assign  catalogAssignCommand  `cmd:"" help:"Say which gear rows of catalog unclear are: the same lines on standard input, with the right brand/model."`
	Resolve catalogResolveCommand `cmd:"" help:"Resolve listing titles, one per line on standard input, to gear. Prints brand/model (empty if unknown), a tab, and the confidence."`
}

// catalogResolveCommand prints one line for each line of input, in the same order.
type catalogResolveCommand struct{}

func (catalogResolveCommand) Run(c *console) error {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	resolver := catalog.Resolver()
	in := bufio.NewScanner(c.in)
	in.Buffer(nil, 1<<20)
	out := bufio.NewWriter(c.out)
	defer out.Flush()
	for in.Scan() {
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		found := resolver.Resolve(in.Text())
		slug := ""
		if found.Gear != nil {
			slug = found.Gear.Slug()
		}
		fmt.Fprintf(out, "%s\t%.2f\n", slug, found.Confidence)
	}
	return in.Err()
}

// catalogCheckCommand lists differences for a person to accept or not; it changes nothing.
type catalogCheckCommand struct {
	Path string `arg:"" type:"path" help:"Folder with lensfun's XML files of any version, or with exiftool's tables (*.pm); or a SPARQL answer of Wikidata, as CSV or JSON, with the variables itemLabel, makerLabel, mountLabel and inception."`
}

func (cmd catalogCheckCommand) Run(c *console) error {
	known, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	differing, err := compare(known, cmd.Path)
	out := bufio.NewWriter(c.out)
	defer out.Flush()
	for _, d := range differing {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", d.Gear, d.Column, d.Ours, d.Theirs)
	}
	return err
}

// compare compares the catalogue with the source at a path.
func compare(known *catalog.Catalog, path string) (all []catalog.ComparedGear, err error) {
	if tables, _ := filepath.Glob(filepath.Join(path, "*.pm")); tables != nil {
		return known.CompareExiftool(os.DirFS(path))
	}
	if at, err := os.Stat(path); err != nil || !at.IsDir() {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return known.CompareWikidata(f)
	}
	gear, err := lensfun.Read(os.DirFS(path))
	for _, theirs := range gear {
		for _, d := range known.Differences(theirs) {
			all = append(all, catalog.ComparedGear{Gear: theirs.Slug(), Difference: d})
		}
	}
	return all, err
}

// catalogUnclearCommand lists what a split of gear leaves to a person.
type catalogUnclearCommand struct{}

func (catalogUnclearCommand) Run(c *console) error {
	return withCatalog(c, func(store *store.Store, known *catalog.Catalog) error {
		rows, err := store.Site.UnclearGear(c.ctx, known)
		for _, row := range rows {
			fmt.Fprintf(c.out, "%s\t%s\t%s\t%s\n", row.Kind, row.ID, row.Gear, strings.Join(strings.Fields(row.Title), " "))
		}
		return err
	})
}

// catalogAssignCommand stores a person's decisions.
type catalogAssignCommand struct{}

func (catalogAssignCommand) Run(c *console) error {
	var rows []store.GearRow
	in := bufio.NewScanner(c.in)
	for in.Scan() {
		fields := strings.Split(in.Text(), "\t")
		if len(fields) < 3 {
			return fmt.Errorf("%q is not a table, an id and a brand/model, separated by tabs", in.Text())
		}
		rows = append(rows, store.GearRow{Kind: fields[0], ID: fields[1], Gear: fields[2]})
	}
	if err := in.Err(); err != nil {
		return err
	}
	return withCatalog(c, func(store *store.Store, known *catalog.Catalog) error {
		return store.Site.SetGear(c.ctx, known, rows)
	})
}

// withCatalog calls do with the configured database and its catalogue.
func withCatalog(c *console, do func(*store.Store, *catalog.Catalog) error) error {
	known, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	return withStore(c, func(store *store.Store) error {
		if err := store.Site.CorrectCatalog(c.ctx, known); err != nil {
			return err
		}
		return do(store, known)
	})
}

type catalogLensfunCommand struct {
	Dir    string `arg:"" type:"existingdir" help:"Folder with lensfun's XML files, such as /usr/share/lensfun/version_1."`
	Output string `short:"o" type:"path" default:"content/catalog/lensfun.csv" help:"File to write, with mounts.csv beside it; - writes the gear to standard output."`
}

func (cmd catalogLensfunCommand) Run(c *console) error {
	if cmd.Output == "-" {
		return lensfun.WriteCSV(c.out, os.DirFS(cmd.Dir))
	}
	var gear, mounts bytes.Buffer // do not overwrite a file until both conversions have succeeded
	if err := lensfun.WriteCSV(&gear, os.DirFS(cmd.Dir)); err != nil {
		return err
	}
	if err := lensfun.WriteMountsCSV(&mounts, os.DirFS(cmd.Dir)); err != nil {
		return err
	}
	for name, text := range map[string]*bytes.Buffer{cmd.Output: &gear, filepath.Join(filepath.Dir(cmd.Output), "mounts.csv"): &mounts} {
		if err := os.WriteFile(name, text.Bytes(), 0o644); err != nil {
			return err
		}
		fmt.Fprintf(c.errOut, "wrote %s\n", name)
	}
	return nil
}
