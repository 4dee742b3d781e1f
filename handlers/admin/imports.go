package admin

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/admin"
)

// ImportOps holds the operations that import files of the owner.
type ImportOps struct{ Deps }

const (
	adminImportsPage = "/admin/imports"
	adminImportPage  = adminImportsPage + "/{id}"
)

// importsDir is the folder in DATA_DIR with the files of imports that run, ID.csv, and
// their rejected rows, ID.rejects.csv.
const importsDir = "imports"

// Suffixes of the files of an import.
const (
	importSuffix  = ".csv"
	rejectsSuffix = ".rejects.csv"
	photosSuffix  = ".photos.json" // the photographs that rows name, and which are still to be added
	zipSuffix     = ".zip"         // photographs, after a number
)

// importLease begins the name of the lease of the server that runs an import.
const importLease = "import "

// importFile returns the path of a file of an import.
func (s Deps) importFile(id, suffix string) string {
	return filepath.Join(s.DataDir, importsDir, id+suffix)
}

func (s ImportOps) listImports() web.Operation {
	return web.Op[struct{}, *views.AdminImports]{
		Name: "list_imports", Path: "/api/admin/imports", Page: adminImportsPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Imports", Live: true,
		Summary:     "Lists the latest imports, and whether one runs.",
		Description: "Returns the last imports, the latest first, each with its progress and what became of its rows.",
		Sample: func() *views.AdminImports {
			return views.NewAdminImports(s.Site, []*models.Import{s.sampleImport()}, "kleine-blende", "DE")
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.AdminImports, error) {
			all, err := s.Imports.Imports(ctx)
			if err != nil {
				return nil, err
			}
			me := caller.Identity(ctx).Member
			return views.NewAdminImports(s.Site, all, me.Handle, s.importRegion(&me)), nil
		},
	}.Operation()
}

// importRegion returns the default region of imported rows that name none.
func (s ImportOps) importRegion(me *models.Member) models.Region {
	return cmp.Or(s.Site.Settings().Country, me.Region)
}

// startImportInput is a file to import.
type startImportInput struct {
	File      web.Upload       `json:"file" jsonschema:"CSV file in UTF-8 of at most 32 MB: listings or sales in the columns of the documentation, or products exported by eBay, Shopify or WooCommerce"`
	Seller    string           `json:"seller,omitempty" jsonschema:"handle of the seller of rows without one; default: you" maxlength:"40" example:"golden-ratio"`
	Condition models.Condition `json:"condition,omitempty" jsonschema:"default condition for rows without one; default: good" example:"good"`
	Region    models.Region    `json:"region,omitempty" jsonschema:"default region for rows without one, ISO 3166; default: the site's country" example:"DE"`
	Photos    []web.Upload     `json:"photos,omitempty" jsonschema:"ZIP files with the photos that rows name in the column photos"`
	Prepare   bool             `json:"prepare,omitempty" jsonschema:"read the header and the first rows only, and wait for run_import with the columns matched; default: false"`
}

func (s ImportOps) startImport() web.Operation {
	return web.Op[startImportInput, *views.AdminImport]{
		Name: "start_import", Method: http.MethodPost, Path: "/api/admin/imports", Page: adminImportsPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Start an import", Creates: true, Done: "The import has started.",
		Summary: "Imports listings, sales or a shop's stock from a CSV file, in the background.",
		Description: "Recognises the file by its header. Invalid rows are rejected with a reason and the others imported: listings are on sale immediately, and sales count towards price history. " +
			"Importing a file again updates its listings and repeats nothing. One import runs at a time; follow it with get_import.",
		Errors: []string{"invalid_parameter", "import_running"},
		Sample: func() *views.AdminImport { return views.NewAdminImport(s.Site, s.sampleImport(), nil) },
		Do:     s.doStartImport,
	}.Operation()
}

func (s ImportOps) doStartImport(ctx context.Context, in *startImportInput) (*views.AdminImport, error) {
	me := caller.Identity(ctx).Member
	im := &models.Import{Name: input.FileName(cmp.Or(in.File.Name, "import.csv"), 0), Source: importer.ImportSourceOf(bytes.NewReader(in.File.Bytes)), Bytes: int64(len(in.File.Bytes)),
		Options: models.ImportOptions{Seller: cmp.Or(strings.ToLower(strings.TrimSpace(in.Seller)), me.Handle), Condition: cmp.Or(in.Condition, "good"), Region: cmp.Or(in.Region, s.importRegion(&me))}}
	if err := s.checkImport(ctx, in, im); err != nil {
		return nil, err
	}
	if im.Options.Prepared = in.Prepare; in.Prepare {
		begin, err := importer.ReadBeginning(bytes.NewReader(in.File.Bytes), 0)
		if err != nil {
			var unreadable *problem.Error
			if errors.As(err, &unreadable) {
				err = web.InvalidField("file", unreadable.Message, unreadable.Hint)
			}
			return nil, err
		}
		im.Options.Header = begin.Header
	}
	if err := s.Imports.StartImport(ctx, me.ID, im); err != nil {
		return nil, err
	}
	err := errors.Join(s.storeZIPs(im.ID, in.Photos), writeFile(s.importFile(im.ID, importSuffix), in.File.Bytes))
	if err != nil {
		im.Status, im.Error = models.ImportFailed, "The file couldn't be stored."
		return nil, errors.Join(err, s.Imports.FinishImport(context.WithoutCancel(ctx), im))
	}
	return s.importPage(ctx, im.ID)
}

func writeFile(name string, data []byte) error {
	return durable.WriteFile(name, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// checkImport returns the errors of the options of an import.
func (s ImportOps) checkImport(ctx context.Context, in *startImportInput, im *models.Import) error {
	var fieldErrors web.FieldErrors
	if len(in.File.Bytes) == 0 {
		fieldErrors.Add("file", problem.Textf("The file is empty."), problem.Textf("Choose a CSV file."))
	}
	if _, err := s.Accounts.Member(ctx, im.Options.Seller); err != nil {
		var unknown *problem.Error
		if !errors.As(err, &unknown) || unknown.Kind != problem.NotFound {
			return err
		}
		fieldErrors.Add("seller", problem.Textf("There's no member with this username."), problem.Textf("Leave blank to sell as yourself."))
	}
	if im.Options.Region != "" && !im.Options.Region.Valid() {
		fieldErrors.Add("region", problem.Textf("This isn't a country."), problem.Textf("Use an ISO 3166 code such as DE."))
	}
	checkZIPs(in.Photos, &fieldErrors)
	return fieldErrors.Err()
}

// importIDInput names an import.
type importIDInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the import" example:"0199b0a2-7c00-7000-8000-000000000001"`
}

func (s ImportOps) getImport() web.Operation {
	return web.Op[importIDInput, *views.AdminImport]{
		Name: "get_import", Path: "/api/admin/imports/{id}", Page: adminImportPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Import", Live: true,
		Summary:     "Returns the progress and the result of an import.",
		Description: "Returns how much of the file is read, how many rows were imported, skipped and rejected, and the first rejected rows with the reasons. As text/csv it is all rejected rows, to correct and import again.",
		Errors:      []string{"import_not_found"},
		Formats:     []web.Format{web.CSV},
		Sample:      func() *views.AdminImport { return views.NewAdminImport(s.Site, s.sampleImport(), nil) },
		Do: func(ctx context.Context, in *importIDInput) (*views.AdminImport, error) {
			return s.importPage(ctx, in.ID)
		},
	}.Operation()
}

// importPage returns the page of an import.
func (s ImportOps) importPage(ctx context.Context, id string) (*views.AdminImport, error) {
	im, err := s.Imports.Import(ctx, strings.ToLower(id))
	if err != nil {
		return nil, err
	}
	page := views.NewAdminImport(s.Site, im, func(w io.Writer) error {
		f, err := os.Open(s.importFile(im.ID, rejectsSuffix))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
	if im.Status == models.ImportPrepared {
		err = s.showColumns(ctx, page, im)
	}
	return page, err
}

// rowsShown is how many rows of a file are shown for its columns to be matched.
const rowsShown = 5

// showColumns shows the first rows of the file of a prepared import, with what its columns seem
// to be: what they were in the last import of a file with the same header, or what their names say.
func (s ImportOps) showColumns(ctx context.Context, page *views.AdminImport, im *models.Import) error {
	f, err := os.Open(s.importFile(im.ID, importSuffix))
	if err != nil {
		return codes.New("import_not_found") // it is on another server
	}
	defer f.Close()
	begin, err := importer.ReadBeginning(f, rowsShown)
	if err != nil {
		return err
	}
	all, err := s.Imports.Imports(ctx)
	if err != nil {
		return err
	}
	for _, before := range all {
		if before.Options.Columns != nil && slices.Equal(before.Options.Header, im.Options.Header) {
			page.ShowColumns(begin.Header, begin.Rows, before.Options.Columns, before.Source, true)
			return nil
		}
	}
	page.ShowColumns(begin.Header, begin.Rows, importer.MatchColumns(begin.Header, begin.Source), begin.Source, false)
	return nil
}

// runImportInput says what the columns of a file are.
type runImportInput struct {
	ID      string              `json:"id" in:"path" jsonschema:"id of the import" example:"0199b0a2-7c00-7000-8000-000000000001"`
	Source  models.ImportSource `json:"source,omitempty" jsonschema:"what the rows are: listings or sales; default: as the header says" example:"listings"`
	Columns []string            `json:"columns,omitempty" sep:"none" jsonschema:"what each column of the file is, in its order: a column of listings or of sales, or ignore; not for exports of shops" maxlength:"40" example:"title"`
}

// ignoredColumn marks a column that is left out.
const ignoredColumn = "ignore"

func (s ImportOps) runPrepared() web.Operation {
	return web.Op[runImportInput, *views.AdminImport]{
		Name: "run_import", Method: http.MethodPost, Path: "/api/admin/imports/{id}/run", Page: adminImportPage + "/run", Form: adminImportPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Match the columns and import", Done: "The import has started.",
		Summary:     "Starts a prepared import with its columns matched.",
		Description: "Takes what each column of the file is, in the order of get_import. The next file with the same header is matched the same way. Rows without an id, a condition or a region get one.",
		Errors:      []string{"invalid_parameter", "import_not_found", "import_running", "import_ended"},
		Sample:      func() *views.AdminImport { return views.NewAdminImport(s.Site, s.sampleImport(), nil) },
		Do:          s.doRunPrepared,
	}.Operation()
}

func (s ImportOps) doRunPrepared(ctx context.Context, in *runImportInput) (*views.AdminImport, error) {
	im, err := s.Imports.Import(ctx, strings.ToLower(in.ID))
	if err != nil {
		return nil, err
	}
	if im.Status != models.ImportPrepared {
		return nil, codes.New("import_ended")
	}
	if im.Source == models.ListingsFile || im.Source == models.SalesFile {
		if err := matchColumns(in, im); err != nil {
			return nil, err
		}
	}
	if err := s.Imports.ResumeImport(ctx, im); err != nil {
		return nil, err
	}
	return s.importPage(ctx, im.ID)
}

// matchColumns sets what the columns of a file are, or returns a field error.
func matchColumns(in *runImportInput, im *models.Import) error {
	if in.Source == models.ListingsFile || in.Source == models.SalesFile {
		im.Source = in.Source
	}
	columns, known := make([]string, len(in.Columns)), importer.ColumnNames(im.Source)
	needed := []string{"title", "price"}
	if im.Source == models.SalesFile {
		needed = append(needed, "sold_at")
	}
	for i, name := range in.Columns {
		switch {
		case name == ignoredColumn:
			continue
		case slices.Contains(columns, name):
			return web.InvalidField("columns", problem.Textf("Two columns are “%s”.", views.ColumnLabel(name)), problem.Textf("Choose another one for one of them."))
		case !slices.Contains(known, name):
			return web.InvalidField("columns", problem.Textf("There's no column “%s” for these rows.", views.ColumnLabel(name)), problem.Textf("Choose another one, or leave the column out."))
		}
		columns[i] = name
	}
	for _, name := range needed {
		if !slices.Contains(columns, name) {
			return web.InvalidField("columns", problem.Textf("No column is “%s”.", views.ColumnLabel(name)), problem.Textf("Choose the column that has it."))
		}
	}
	if len(columns) != len(im.Options.Header) {
		return web.InvalidField("columns", problem.Textf("The file has %d columns, and %d were matched.", len(im.Options.Header), len(columns)), problem.Textf("Match each column once."))
	}
	im.Options.Columns = columns
	return nil
}

func (s ImportOps) cancelImport() web.Operation {
	return web.Op[importIDInput, *views.AdminImport]{
		Name: "cancel_import", Method: http.MethodPost, Path: "/api/admin/imports/{id}/cancel", Page: adminImportPage + "/cancel", Form: adminImportPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Cancel an import", Done: "Import cancelled.",
		Summary:     "Cancels a running import.",
		Description: "Stops an import after at most 2,000 more rows. Rows that are imported stay. Importing the file again completes it.",
		Errors:      []string{"import_not_found", "import_ended"},
		Sample:      func() *views.AdminImport { return views.NewAdminImport(s.Site, s.sampleImport(), nil) },
		Do: func(ctx context.Context, in *importIDInput) (*views.AdminImport, error) {
			if err := s.Imports.CancelImport(ctx, strings.ToLower(in.ID)); err != nil {
				return nil, err
			}
			return s.importPage(ctx, in.ID)
		},
	}.Operation()
}

// sampleImport returns an example.
func (s ImportOps) sampleImport() *models.Import {
	at := models.TimeOf(s.Clock())
	return &models.Import{ID: "0199b0a2-7c00-7000-8000-000000000001", Name: "products_export.csv", Source: models.ShopifyFile, Status: models.ImportDone, Bytes: 2048, BytesRead: 2048,
		Report: models.ImportReport{Rows: 3, Inserted: 2, Rejected: 1}, Rejected: []models.RejectedRow{{Line: 3, Reason: "The price is empty.", Hint: "Fill it in."}}, StartedAt: at, FinishedAt: at}
}

// RunImports runs the imports whose files are on this server, until ctx ends. One that a
// server left when it stopped is run again: rows that were imported are then unchanged. One
// whose file is gone fails.
func (s Deps) RunImports(ctx context.Context) error {
	return errors.Join(s.runImports(ctx), s.Imports.EndInterruptedImports(ctx))
}

func (s Deps) runImports(ctx context.Context) error {
	files, err := os.ReadDir(filepath.Join(s.DataDir, importsDir))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	var errs []error
	for _, f := range files {
		id, suffix, _ := strings.Cut(f.Name(), ".")
		if suffix = "." + suffix; suffix == importSuffix || suffix == photosSuffix {
			errs = append(errs, s.runImport(ctx, id))
		}
	}
	return errors.Join(errs...)
}

// runImport runs an import if its files are all that it waits for, and deletes its file, unless
// ctx ends before it is complete.
func (s Deps) runImport(ctx context.Context, id string) error {
	im, err := s.Imports.Import(ctx, id)
	var unknown *problem.Error
	switch {
	case errors.As(err, &unknown) && unknown.Kind == problem.NotFound:
		return errors.Join(s.removeForgotten(ctx, s.importFile("*", importSuffix)), s.removeForgotten(ctx, s.importFile("*", photosSuffix)))
	case err != nil:
		return err
	case im.Status == models.ImportPrepared:
		return nil
	case im.Status != models.ImportRunning:
		return removeFile(s.importFile(id, importSuffix))
	}
	if held, err := s.Leases.Hold(ctx, importLease+id, job.LeaseTime); err != nil || !held {
		return err
	}
	return errors.Join(s.runHeld(ctx, im), s.Leases.Release(context.WithoutCancel(ctx), importLease+id))
}

// runHeld runs an import whose lease this server holds: its rows, then its photographs.
func (s Deps) runHeld(ctx context.Context, im *models.Import) error {
	err := s.importRows(ctx, im)
	if err == nil && ctx.Err() == nil {
		err = s.addImportPhotos(ctx, im)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	im.Status = models.ImportDone
	if err != nil {
		im.Status, im.Error = models.ImportFailed, s.importError(im, err)
	}
	if err := s.Imports.FinishImport(ctx, im); err != nil {
		return err
	}
	return errors.Join(removeFile(s.importFile(im.ID, importSuffix)), s.removeForgotten(ctx, s.importFile("*", rejectsSuffix)), s.removeForgotten(ctx, s.importFile("*", zipSuffix)))
}

// removeFile removes a file, if there is one.
func removeFile(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// importError returns what to tell the operator about an error, and logs it if it is not
// about the file.
func (s Deps) importError(im *models.Import, err error) string {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Message.And(p.Advice()).String()
	}
	s.Log.Error("import file", "import", im.ID, "err", err)
	return "Something went wrong on the server. Import the file again."
}

// importRows imports the rows of the file of an import, unless they were imported, and stores
// its progress after every batch. It stops if the import was cancelled.
func (s Deps) importRows(ctx context.Context, im *models.Import) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, err := os.Open(s.importFile(im.ID, importSuffix))
	if errors.Is(err, fs.ErrNotExist) { // only photographs are to be added
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	rejects, err := os.OpenFile(s.importFile(im.ID, rejectsSuffix), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, durable.FileMode)
	if err != nil {
		return err
	}
	defer rejects.Close()
	im.Report, im.Rejected = models.ImportReport{}, nil
	var named []namedPhotos
	importer := &importer.Importer{Store: s.Store, Catalog: s.Catalog, Resolver: s.Catalog.Resolver(), Currency: s.Site.Currency(), Offers: s.Site.Rates().Offered,
		Seller: im.Options.Seller, Shops: true, Condition: im.Options.Condition, Region: im.Options.Region,
		Columns: im.Options.Columns,
		Photos: func(l *models.Listing, line int, photos []string) {
			named = append(named, namedPhotos{Listing: l.ID, Line: line, Photos: photos})
		},
		Rejected: func(line int, reason, hint string) {
			im.Rejected = append(im.Rejected, models.RejectedRow{Line: line, Reason: reason, Hint: hint})
		},
		Progress: func(read int64) { im.BytesRead = read },
		Counted: func(report models.ImportReport) {
			im.Report = report
			running, err := s.Imports.ReportImport(ctx, im)
			if err == nil && running {
				_, err = s.Leases.Hold(ctx, importLease+im.ID, job.LeaseTime)
			}
			if err != nil && ctx.Err() == nil {
				s.Log.Error("report import", "import", im.ID, "err", err)
			}
			if err == nil && !running {
				cancel()
			}
		},
	}
	run := importer.Listings
	if im.Source == models.SalesFile {
		run = importer.Sales
	}
	report, err := run(ctx, in, rejects)
	im.Report = report
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return errors.Join(err, s.writeNamedPhotos(im.ID, named))
}

// removeForgotten deletes the files that match a pattern and are of imports older than all that
// the database keeps. Those of later ones stay: a database that doesn't know them is an older one.
func (s Deps) removeForgotten(ctx context.Context, pattern string) error {
	kept, err := s.Imports.Imports(ctx)
	if err != nil || len(kept) == 0 {
		return err
	}
	names, err := filepath.Glob(pattern)
	for _, name := range names {
		if id, _, _ := strings.Cut(filepath.Base(name), "."); id < kept[len(kept)-1].ID {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}
