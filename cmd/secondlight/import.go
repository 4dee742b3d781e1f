package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
)

type importCommand struct {
	Listings importListingsCommand `cmd:"" help:"Read listings for sale."`
	Sales    importSalesCommand    `cmd:"" help:"Read completed sales, which price trends are made of."`
	Photos   importPhotosCommand   `cmd:"" help:"Make a project of the portfolio from a folder of photographs."`
}

type importListingsCommand struct {
	File   string `arg:"" type:"existingfile" help:"CSV file in UTF-8; docs/import.md describes its columns."`
	Seller string `help:"Handle of the seller of rows that name none." placeholder:"HANDLE"`
}

type importSalesCommand struct {
	File string `arg:"" type:"existingfile" help:"CSV file in UTF-8; docs/import.md describes its columns."`
}

func (cmd importListingsCommand) Run(c *console) error {
	if cmd.Seller != "" && models.Slug(cmd.Seller) != cmd.Seller {
		return usageError{fmt.Errorf("--seller %q is not a handle: write %s", cmd.Seller, models.Slug(cmd.Seller))}
	}
	return importFile(c, cmd.File, cmd.Seller, (*models.Importer).Listings)
}

func (cmd importSalesCommand) Run(c *console) error {
	return importFile(c, cmd.File, "", (*models.Importer).Sales)
}

// rejectsNamed is how many rejected rows the console names; the file has them all.
const rejectsNamed = 20

// importFile reads a file into the database and says what became of its rows.
// Rows that were refused are in the file beside it; they do not make it fail.
func importFile(c *console, name, seller string, run func(*models.Importer, context.Context, io.Reader, io.Writer) (models.ImportReport, error)) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	catalog, err := models.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	store, err := openStore(c, set)
	if err != nil {
		return err
	}
	defer store.Close()
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	bar := progress(c.errOut, "importing")
	named := 0
	im := &models.Importer{
		Store: store, Catalog: catalog, Resolver: models.NewResolver(catalog), Currency: set.currency, Seller: seller,
		Progress: func(read int64) { bar(int(read), int(info.Size())) },
		Rejected: func(line int, reason, hint string) {
			if named++; named <= rejectsNamed {
				fmt.Fprintf(c.errOut, "line %d: %s %s\n", line, reason, hint)
			}
		},
	}
	rejects := &rejectsFile{name: strings.TrimSuffix(name, ".csv") + ".rejects.csv"}
	report, err := run(im, c.ctx, in, rejects)
	err = errors.Join(err, rejects.Close())
	if told := (*models.Error)(nil); errors.As(err, &told) {
		return fmt.Errorf("%s: %s %s", name, told.Message, told.Hint)
	}
	printReport(c.out, report, rejects.name)
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped; what is counted above is kept, import the file again for the rest")
	}
	return err
}

func printReport(w io.Writer, r models.ImportReport, rejects string) {
	fmt.Fprintf(w, "%d rows: %d new, %d changed, %d unchanged, %d rejected\n", r.Rows, r.Inserted, r.Updated, r.Unchanged, r.Rejected)
	if r.Unresolved > 0 {
		fmt.Fprintf(w, "%d are of gear that the catalogue does not have or the title does not name\n", r.Unresolved)
	}
	if len(r.Sellers) > 0 {
		fmt.Fprintf(w, "new sellers: %s\n", strings.Join(r.Sellers, ", "))
	}
	for _, code := range slices.Sorted(maps.Keys(r.Reasons)) {
		fmt.Fprintf(w, "  %6d %s\n", r.Reasons[code], code)
	}
	if r.Rejected > 0 {
		fmt.Fprintf(w, "rejected rows are in %s: correct them there and import that file\n", rejects)
	}
}

// rejectsFile is a file that is made when something is written to it.
type rejectsFile struct {
	name string
	file *os.File
	out  *bufio.Writer
}

func (r *rejectsFile) Write(p []byte) (int, error) {
	if r.file == nil {
		file, err := os.Create(r.name)
		if err != nil {
			return 0, err
		}
		r.file, r.out = file, bufio.NewWriter(file)
	}
	return r.out.Write(p)
}

// Close writes what is left; without any rejects there is nothing to close.
func (r *rejectsFile) Close() error {
	if r.file == nil {
		return nil
	}
	return errors.Join(r.out.Flush(), r.file.Close())
}
