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
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/problem"
)

type importCommand struct {
	Listings importListingsCommand `cmd:"" help:"Import listings from a CSV file."`
	Sales    importSalesCommand    `cmd:"" help:"Import completed sales, the basis of price trends, from a CSV file."`
	Photos   importPhotosCommand   `cmd:"" help:"Import a folder of photographs into the portfolio."`
}

type importListingsCommand struct {
	File   string `arg:"" type:"existingfile" help:"CSV file in UTF-8; docs/reference/csv-columns.md describes its columns."`
	Seller string `help:"Handle of the seller for rows without one." placeholder:"HANDLE"`
}

type importSalesCommand struct {
	File string `arg:"" type:"existingfile" help:"CSV file in UTF-8; docs/reference/csv-columns.md describes its columns."`
}

func (cmd importListingsCommand) Run(c *console) error {
	if cmd.Seller != "" && models.Slug(cmd.Seller) != cmd.Seller {
		return usageError{fmt.Errorf("--seller %q is not a handle: did you mean %s?", cmd.Seller, models.Slug(cmd.Seller))}
	}
	return importFile(c, cmd.File, cmd.Seller, (*importer.Importer).Listings)
}

func (cmd importSalesCommand) Run(c *console) error {
	return importFile(c, cmd.File, "", (*importer.Importer).Sales)
}

// maxPrintedRejects is how many rejected rows are printed. The rejects file has all.
const maxPrintedRejects = 20

// importFile imports a CSV file and prints a report. Rejected rows are written to
// FILE.rejects.csv and are not an error.
func importFile(c *console, name, seller string, run func(*importer.Importer, context.Context, io.Reader, io.Writer) (models.ImportReport, error)) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	store, err := openStore(c, set)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.Site.CorrectCatalog(c.ctx, catalog); err != nil {
		return err
	}
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
	printed := 0
	currency, err := store.Prices.MainCurrency(c.ctx)
	if err != nil {
		return err
	}
	im := &importer.Importer{
		Store: store, Catalog: catalog, Resolver: catalog.Resolver(), Currency: currency, Offers: set.ExchangeRates != "", Seller: seller,
		Progress: func(read int64) { bar(int(read), int(info.Size())) },
		Rejected: func(line int, reason, hint string) {
			if printed++; printed <= maxPrintedRejects {
				fmt.Fprintf(c.errOut, "line %d: %s %s\n", line, reason, hint)
			}
		},
	}
	rejects := &rejectsFile{name: strings.TrimSuffix(name, ".csv") + ".rejects.csv"}
	report, err := run(im, c.ctx, in, rejects)
	err = errors.Join(err, rejects.Close())
	if p := (*problem.Error)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: %s", name, p.Message.And(p.Advice()))
	}
	printReport(c.out, report, rejects.name)
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted: the rows counted above are imported; import the file again for the rest")
	}
	return err
}

// maxPrintedSellers is how many new sellers an import names.
const maxPrintedSellers = 10

func printReport(w io.Writer, r models.ImportReport, rejects string) {
	fmt.Fprintf(w, "%d rows: %d new, %d changed, %d unchanged, %d rejected\n", r.Rows, r.Inserted, r.Updated, r.Unchanged, r.Rejected)
	if r.Unresolved > 0 {
		fmt.Fprintf(w, "%d without gear: not in the catalogue, or the title is ambiguous\n", r.Unresolved)
	}
	if len(r.Sellers) > 0 {
		more := ""
		if n := len(r.Sellers) - maxPrintedSellers; n > 0 {
			more = fmt.Sprintf(" and %d others", n)
		}
		fmt.Fprintf(w, "new sellers: %s%s\n", strings.Join(r.Sellers[:min(len(r.Sellers), maxPrintedSellers)], ", "), more)
	}
	for _, code := range slices.Sorted(maps.Keys(r.Reasons)) {
		fmt.Fprintf(w, "  %6d %s\n", r.Reasons[code], code)
	}
	if r.Rejected > 0 {
		fmt.Fprintf(w, "rejected rows were written to %s: correct them and import that file\n", rejects)
	}
}

// rejectsFile is a file that is created by the first write.
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

// Close flushes and closes the file, if it was created.
func (r *rejectsFile) Close() error {
	if r.file == nil {
		return nil
	}
	return errors.Join(r.out.Flush(), r.file.Close())
}
