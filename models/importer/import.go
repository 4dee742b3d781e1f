package importer

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/number"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
)

// Importer imports listings and sales from CSV files. Invalid rows are reported
// and skipped; the others are written in batches of one transaction each, which
// remain if the import is interrupted. Importing the same file again changes
// nothing.
//
// The columns are described in docs/reference/csv-columns.md.
type Importer struct {
	Store    *store.Store
	Catalog  *catalog.Catalog
	Resolver *catalog.Resolver
	Currency models.Currency           // of rows that name none: that of the site
	Offers   bool                      // listings may be in other currencies that there are exchange rates of
	Seller   string                    // handle of the seller of rows that name none; optional
	Own      bool                      // Seller uploads the file: all rows must be theirs, and new listings are drafts
	Progress func(bytesRead int64)     // called after every batch; may be nil
	Counted  func(models.ImportReport) // called after every batch with the report so far; may be nil

	// Shops is set to read the exports of shops too: see ImportSourceOf. Condition and
	// Region are of their rows that name none.
	Shops     bool
	Condition models.Condition
	Region    models.Region

	// Columns are the columns of the file in its order, by our names, "" for one that is
	// left out: see MatchColumns. nil means that the header has our names. Rows may lack an
	// id, a condition and a region.
	Columns []string
	// Photos is called for every listing whose row names photographs, with their addresses
	// and file names. Without it there is no such column.
	Photos func(l *models.Listing, line int, photos []string)

	// Rejected is called for the first MaxRejectedRows rejected rows, unless it is
	// nil.
	Rejected func(line int, reason, hint string)
	// Imported is called for every imported listing, with its ID and Status set,
	// unless it is nil.
	Imported func(*models.Listing)

	rates  map[models.Day]*models.Rates // by day
	prices map[string][]importedPrice   // the last of the file by gear and condition
}

// The number of rows per transaction, and that of an import by a member, who waits for
// its progress.
const (
	importBatch    = 2000
	ownImportBatch = 500
)

// Columns of the files. The additional columns of a rejects file and of an
// export are ignored, so that such a file can be imported after editing.
var (
	listingColumnNames = slices.Concat([]string{"external_id", "seller", "title", "gear", "brand", "model", "category"}, itemCSVNames(true),
		[]string{"price", "currency", "region", "postage", "description"}, itemCSVNames(false), []string{"published_at"})
	listingColumnsNeeded = []string{"external_id", "title", "condition", "price", "region"}
	saleColumnNames      = []string{"external_id", "title", "brand", "model", "condition", "price", "currency", "sold_at", "region", "source", "seller_kind"}
	saleColumnsNeeded    = []string{"external_id", "condition", "price", "sold_at", "region"}
	rejectColumns        = []string{"line", "code", "reason", "hint"}
	exportColumns        = []string{"status"} // written by WriteListings, ignored by imports
)

// Listings imports a file of listings and writes the rejected rows to rejects.
// A listing is identified by its seller and external id. Unknown sellers are
// created. A listing whose gear is not in the catalogue is imported without
// gear.
//
// It returns a *problem.Error if the file can't be read as a whole. If ctx is
// done, the report covers the rows imported so far.
func (im *Importer) Listings(ctx context.Context, in io.Reader, rejects io.Writer) (models.ImportReport, error) {
	run := importRun[models.Listing]{Importer: im, known: listingColumnNames, needed: listingColumnsNeeded, parse: im.listing, write: im.writeListings, wrote: im.namePhotos}
	if im.Photos != nil {
		run.known = append(slices.Clone(run.known), photosColumn)
	}
	return run.do(ctx, in, rejects)
}

// namePhotos reports the photographs that the row of a stored listing names.
func (im *Importer) namePhotos(l *models.Listing, row importRow) {
	if photos := row.photos(); im.Photos != nil && len(photos) > 0 {
		im.Photos(l, row.line, photos)
	}
}

// Sales imports a file of completed sales, from which trends are computed. A
// sale is identified by its external id and never changed. A sale whose gear is
// uncertain is rejected.
//
// It returns errors as Listings does.
func (im *Importer) Sales(ctx context.Context, in io.Reader, rejects io.Writer) (models.ImportReport, error) {
	run := importRun[models.Sale]{Importer: im, known: saleColumnNames, needed: saleColumnsNeeded, parse: im.sale, write: im.writeSales, wrote: func(*models.Sale, importRow) {}}
	report, err := run.do(ctx, in, rejects)
	if report.Inserted > 0 {
		err = errors.Join(err, im.rebuildTrends(ctx))
	}
	return report, err
}

// rebuildTrends computes the trends of imported sales, also if the import was cancelled.
func (im *Importer) rebuildTrends(ctx context.Context) error {
	if ctx.Err() != nil {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		ctx = late
	}
	return im.Store.RebuildOutdatedTrends(ctx)
}

// importRun is the import of a single file.
type importRun[T any] struct {
	*Importer
	known, needed []string
	parse         func(row importRow) (parseRow T, key string, err error)
	write         func(ctx context.Context, batch []T, report *models.ImportReport) (refused map[int]*reject, err error)
	wrote         func(value *T, row importRow) // called for each value that was not refused

	columns map[string]int // column name → index
	header  []string
	matched *matchedFile
	groups  bool           // see importRow
	shop    *shopFile      // nil for files with our columns
	seen    map[string]int // external id → line
	rejects *csv.Writer
	report  models.ImportReport
}

// importPart is a part of a file that is written in one transaction.
type importPart[T any] struct {
	read, skipped int   // rows
	offset        int64 // in the file, at or shortly after its end
	values        []T
	rows          []importRow // of the values
	rejected      []rejectedPart
	err           error // why there is no part after it
}

// rejectedPart is a row that can't be imported.
type rejectedPart struct {
	row    importRow
	broken bool // it could not be read as a record
	why    *reject
}

// do reads and parses parts of the file while earlier parts are written.
func (run *importRun[T]) do(ctx context.Context, in io.Reader, rejects io.Writer) (models.ImportReport, error) {
	run.seen, run.report.Reasons, run.rejects = map[string]int{}, map[string]int{}, csv.NewWriter(rejects)
	r := newCSVReader(in)
	if err := run.readHeader(r); err != nil {
		return run.report, err
	}
	run.groups = r.separator == ';'
	ctx, cancel := context.WithCancel(store.Repeatable(ctx))
	parts := make(chan *importPart[T])
	var reading sync.WaitGroup
	defer reading.Wait()
	defer cancel()
	reading.Go(func() { run.readParts(ctx, r, parts) })
	for part := range parts {
		if err := run.apply(ctx, part); err != nil {
			return run.report, err
		}
		if part.err != nil {
			return run.report, part.err
		}
	}
	return run.report, ctx.Err()
}

// readParts sends the parts of a file until its end, an error or the end of ctx.
func (run *importRun[T]) readParts(ctx context.Context, r *csvReader, parts chan<- *importPart[T]) {
	defer close(parts)
	for ctx.Err() == nil {
		part := run.readPart(ctx, r)
		last := part.err != nil
		if part.err == io.EOF {
			part.err = nil
		}
		select {
		case parts <- part:
		case <-ctx.Done():
			return
		}
		if last {
			return
		}
	}
}

// readPart reads the next part. Its error is io.EOF at the end of the file.
func (run *importRun[T]) readPart(ctx context.Context, r *csvReader) *importPart[T] {
	size := importBatch
	if run.Own {
		size = ownImportBatch
	}
	part := &importPart[T]{values: make([]T, 0, size), rows: make([]importRow, 0, size)}
	for part.read < size && part.err == nil {
		record, err := r.read()
		switch {
		case err == io.EOF || ctx.Err() != nil:
			part.err = cmp.Or(ctx.Err(), err)
		case err != nil:
			part.err = fmt.Errorf("read file: %w", err)
		default:
			part.err = run.add(part, record)
		}
	}
	part.offset = r.offset()
	return part
}

// readHeader reads the column names.
func (run *importRun[T]) readHeader(r *csvReader) error {
	record, err := readHeader(r)
	if err == io.EOF {
		return badFile("empty_file", problem.Textf("The file is empty."), problem.Textf("The first line must name the columns: %s.", strings.Join(run.known, ",")))
	}
	if err != nil {
		return fmt.Errorf("read file: %w", err)
	}
	if record.err != nil {
		return badFile("unreadable_header", problem.Textf("The first line can't be read.").And(problem.TextOf(record.err)), problem.Programf("It must name the columns, separated by commas, semicolons or tabs."))
	}
	if run.Columns != nil {
		return run.matchHeader(record.fields)
	}
	if run.Shops && !has(columnIndex(record.fields), "external_id") {
		if run.shop = shopOf(record.fields); run.shop != nil {
			run.columns, run.header = columnIndex(shopColumns), shopColumns
			return nil
		}
	}
	run.columns = map[string]int{}
	for i, name := range record.fields {
		name = strings.ToLower(strings.TrimSpace(name))
		_, twice := run.columns[name]
		switch {
		case twice:
			return badFile("duplicate_column", problem.Textf("The column %q occurs twice.", name), problem.Textf("Remove one of them."))
		case slices.Contains(run.known, name):
			run.header = append(run.header, name)
		case !slices.Contains(rejectColumns, name) && !slices.Contains(exportColumns, name):
			return badFile("unknown_column", problem.Textf("Unknown column %q.", name), suggestion(name, run.known))
		}
		run.columns[name] = i
	}
	for _, name := range run.needed {
		if _, ok := run.columns[name]; !ok {
			return badFile("missing_column", problem.Textf("The column %q is missing.", name), problem.Textf("The required columns are %s.", strings.Join(run.needed, ", ")))
		}
	}
	return nil
}

func badFile(code string, message, hint problem.Text) error {
	return &problem.Error{Kind: problem.Invalid, Code: code, Message: message, Hint: hint}
}

// add adds a record to the values or to the rejected rows of a part.
func (run *importRun[T]) add(part *importPart[T], record csvRecord) error {
	part.read++
	row, err := importRow{run.columns, record.fields, record.line, run.groups}, error(nil)
	if run.matched != nil && record.err == nil {
		row.fields, err = run.matched.fields(record.fields)
	}
	if run.shop != nil && record.err == nil {
		var skip bool
		if row, skip, err = run.shopRow(run.shop, record); skip {
			part.skipped++
			return nil
		}
	}
	var value T
	if err == nil {
		value, err = run.parseRow(row, record.err)
	}
	if err == nil {
		part.values, part.rows = append(part.values, value), append(part.rows, row)
		return nil
	}
	var why *reject
	if !errors.As(err, &why) {
		return err
	}
	part.rejected = append(part.rejected, rejectedPart{row, record.err != nil, why})
	return nil
}

func (run *importRun[T]) parseRow(row importRow, broken error) (parseRow T, err error) {
	if broken != nil {
		return parseRow, unreadable(broken)
	}
	row.fields = run.complete(row.fields)
	if len(row.fields) != len(run.columns) {
		return parseRow, rejectf("wrong_number_of_fields", problem.Programf("Enclose fields that contain a comma or a quotation mark in quotation marks, and double the marks inside."),
			"The row has %d fields, but the header has %d.", len(row.fields), len(run.columns))
	}
	parseRow, key, err := run.parse(row)
	if err != nil {
		return parseRow, err
	}
	if line := run.seen[key]; line > 0 {
		return parseRow, rejectf("duplicate_external_id", problem.Programf("Give every row a unique external id, or remove one of the two."), "Line %d has the same external id.", line)
	}
	run.seen[key] = row.line
	return parseRow, nil
}

// complete returns the fields of a row with those that spreadsheets leave out, which are empty
// ones of its last columns, and without empty ones after them. A row that lacks a needed column stays
// as it is.
func (run *importRun[T]) complete(fields []string) []string {
	for len(fields) > len(run.columns) && strings.TrimSpace(fields[len(fields)-1]) == "" {
		fields = fields[:len(fields)-1]
	}
	if len(fields) >= len(run.columns) {
		return fields
	}
	for name, i := range run.columns {
		if i >= len(fields) && slices.Contains(run.needed, name) {
			return fields
		}
	}
	return append(fields, make([]string, len(run.columns)-len(fields))...)
}

func unreadable(err error) *reject {
	why := &reject{code: "malformed_row", reason: problem.TextOf(err), hint: problem.Programf(`Enclose the field in quotation marks and double the marks inside: "6"" rail".`)}
	switch err {
	case errTooLong:
		why.code, why.hint = "row_too_long", problem.Textf("Shorten the description.")
	case errEncoding:
		why.code, why.hint = "invalid_encoding", problem.Programf("Save the file as UTF-8.")
	case errControl:
		why.code, why.hint = "control_character", problem.Textf("Remove control characters such as NUL.")
	}
	return why
}

// reject writes a row to the rejects file, after the header if it is the first.
func (run *importRun[T]) reject(row importRow, broken bool, why *reject) error {
	if run.Rejected != nil && run.report.Rejected < models.MaxRejectedRows {
		run.Rejected(row.line, why.reason.String(), why.hint.String())
	}
	if run.report.Rejected == 0 {
		if err := run.rejects.Write(slices.Concat(run.header, rejectColumns)); err != nil {
			return fmt.Errorf("write rejects: %w", err)
		}
	}
	run.report.Rejected++
	run.report.Reasons[why.code]++
	out := make([]string, 0, len(run.header)+len(rejectColumns))
	for i, name := range run.header {
		switch {
		case broken && i == 0:
			out = append(out, models.CellOf(row.fields[0]))
		case broken:
			out = append(out, "")
		default:
			out = append(out, models.CellOf(row.field(name)))
		}
	}
	if err := run.rejects.Write(append(out, strconv.Itoa(row.line), why.code, models.CellOf(why.reason.String()), models.CellOf(why.hint.String()))); err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return nil
}

// apply writes a part and its rejects, and reports the progress. If the file could not be
// read further, it writes only the rejects.
func (run *importRun[T]) apply(ctx context.Context, part *importPart[T]) error {
	run.report.Rows += part.read
	run.report.Skipped += part.skipped
	for _, r := range part.rejected {
		if ctx.Err() != nil {
			break
		}
		if err := run.reject(r.row, r.broken, r.why); err != nil {
			return err
		}
	}
	if err := run.flushRejects(); err != nil || part.err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(part.values) > 0 {
		refused, err := run.write(ctx, part.values, &run.report)
		if err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		for _, i := range slices.Sorted(maps.Keys(refused)) {
			if err := run.reject(part.rows[i], false, refused[i]); err != nil {
				return err
			}
		}
		for i := range part.values {
			if refused[i] == nil {
				run.wrote(&part.values[i], part.rows[i])
			}
		}
		if err := run.flushRejects(); err != nil {
			return err
		}
	}
	if run.Progress != nil {
		run.Progress(part.offset)
	}
	if run.Counted != nil {
		run.Counted(run.report)
	}
	return nil
}

func (run *importRun[T]) flushRejects() error {
	run.rejects.Flush()
	if err := run.rejects.Error(); err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return nil
}

// CurrencyOf returns the currency of a row, by default the site's.
func (im *Importer) currencyOf(row importRow) (models.Currency, error) {
	s, err := row.text("currency", 10, false)
	if err != nil || s == "" || strings.EqualFold(s, im.Currency.Code) {
		return im.Currency, err
	}
	currency, err := models.ParseCurrency(s)
	if err != nil {
		return models.Currency{}, rejectf("invalid_currency", problem.Textf("Use an ISO 4217 code such as %s.", im.Currency.Code), "%q isn't a currency.", s)
	}
	return currency, nil
}

// price returns the price of a row and its currency.
func (im *Importer) price(row importRow) (models.Amount, error) {
	currency, err := im.currencyOf(row)
	if err != nil {
		return models.Amount{}, err
	}
	s, err := row.text("price", 20, true)
	if err != nil {
		return models.Amount{}, err
	}
	price, err := currency.ParseAmount(s)
	if currency.Digits < 3 && number.IsPointGroup(s) && !row.groups { // a program may have written it
		_, err = currency.ParseDecimal(s)
	}
	if err != nil {
		return models.Amount{}, rejectf("invalid_price", problem.Textf("Use digits with a decimal point and no thousands separators, such as %s, in %s.", currency.Decimal(124900), currency.Code), "%s", problem.TextOf(err))
	}
	if price == 0 {
		return models.Amount{}, rejectf("invalid_price", problem.Textf("Fill it in."), "Enter a price above 0.")
	}
	return models.Amount{Cents: price, Currency: currency}, nil
}

// listingPrice sets the price and the currency of a listing.
func (im *Importer) listingPrice(l *models.Listing, row importRow) error {
	price, err := im.price(row)
	if err != nil {
		return err
	}
	l.Price = price.Cents
	if price.Currency.Code == im.Currency.Code {
		return nil
	}
	rates, err := im.ratesOn(models.LatestDay)
	if err != nil {
		return err
	}
	rates.Offer(im.Offers)
	if _, err := rates.Currency(price.Currency.Code); err != nil {
		return rejectf("other_currency", problem.Textf("Convert the price to %s.", im.Currency.Code), "%s", problem.TextOf(err))
	}
	l.Currency = price.Currency.Code
	if in, ok := rates.InMain(l.Price, l.Currency); !ok || in.Cents > models.MaxAmount {
		return rejectf("invalid_price", problem.Textf("Correct it."), "The price is more than the maximum of %s %s.", im.Currency.Decimal(models.MaxAmount), im.Currency.Code)
	}
	return nil
}

// salePrice sets the price of a sale, in the currency of the site at the rate of its day.
func (im *Importer) salePrice(s *models.Sale, row importRow) error {
	price, err := im.price(row)
	if err != nil || s.SoldAt == 0 {
		return err
	}
	if price.Currency.Code == im.Currency.Code {
		s.Price = price.Cents
		return nil
	}
	s.Paid, s.Currency = price.Cents, price.Currency.Code
	rates, err := im.ratesOn(s.Day())
	if err != nil {
		return err
	}
	if err := s.Convert(rates); err != nil {
		return rejectf("no_exchange_rate", problem.Programf("Convert the price to %s, or set EXCHANGE_RATES to a file with the day.", im.Currency.Code), "%s", problem.TextOf(err))
	}
	return nil
}

// ratesOn returns the exchange rates of a day, which it reads once.
func (im *Importer) ratesOn(day models.Day) (*models.Rates, error) {
	if rates := im.rates[day]; rates != nil {
		return rates, nil
	}
	rates, err := im.Store.Prices.RatesOn(context.Background(), im.Currency, day)
	if err != nil {
		return nil, err
	}
	if len(im.rates) > 1000 || im.rates == nil {
		im.rates = map[models.Day]*models.Rates{}
	}
	im.rates[day] = rates
	return rates, nil
}

// postage parses postage as sellers write it. The row of a known listing without it
// leaves the listing's as it is.
func (im *Importer) postage(row importRow) (models.Postage, error) {
	currency, err := im.currencyOf(row)
	if err != nil {
		return "", nil // the price says so
	}
	s, err := row.text("postage", models.MaxPostageText, false)
	if err != nil {
		return "", err
	}
	postage, err := currency.ParsePostage(s, "")
	if err != nil {
		return "", rejectf("invalid_postage", problem.Textf("Write pickup, free, or prices by country, EU and world, such as DE 6.90, EU 14.90, world 29."), "%s", problem.TextOf(err))
	}
	return postage, nil
}

// gear resolves the gear of a row by brand and model, then by title. If it
// finds none it returns nil and the reason.
func (im *Importer) gear(row importRow) (*catalog.Gear, string) {
	brand, model := row.field("brand"), row.field("model")
	if brand != "" && model != "" {
		if g := im.Catalog.Gear(models.Slug(brand) + "/" + models.Slug(model)); g != nil {
			return g, ""
		}
		if resolved := im.Resolver.Resolve(brand + " " + model); resolved.Confident() {
			return resolved.Gear, ""
		}
	}
	title := row.field("title")
	if title == "" {
		return nil, catalog.ReasonUnknown
	}
	resolved := im.Resolver.Resolve(title)
	if resolved.Gear == nil && brand != "" && !strings.Contains(strings.ToLower(title), strings.ToLower(brand)) {
		resolved = im.Resolver.Resolve(brand + " " + title)
	}
	if resolved.Gear != nil && !resolved.Confident() {
		return nil, catalog.ReasonUnsure
	}
	return resolved.Gear, resolved.Reason
}

// listing parses a row of a listings file and returns the listing with its key.
func (im *Importer) listing(row importRow) (models.Listing, string, error) {
	l := models.Listing{Status: models.StatusActive}
	var errs [9]error
	l.ExternalID, errs[0] = row.externalID()
	l.SellerID, errs[1] = im.handle(row) // the handle, until writeListings replaces it
	l.Title, errs[2] = row.text("title", models.MaxTitle, true)
	errs[3] = im.listingPrice(&l, row)
	errs[4] = row.item(&l.Item)
	l.Region, errs[5] = row.region()
	l.Text, errs[6] = row.text("description", models.MaxText, false)
	l.PublishedAt, errs[7] = row.day("published_at", im.Store.Now())
	l.Postage, errs[8] = im.postage(row)
	for _, err := range errs {
		if err != nil {
			return l, "", err
		}
	}
	l.CreatedAt = l.PublishedAt
	l.Title = strings.Join(strings.Fields(l.Title), " ")
	category, err := code(row, "category", models.Categories, "other")
	if err != nil {
		return l, "", err
	}
	l.Category = category
	gear, reason := im.gear(row)
	switch named := strings.ToLower(row.field("gear")); named {
	case "":
	case noGear:
		gear, reason = nil, ""
	default:
		if gear = im.Catalog.Gear(named); gear == nil {
			return l, "", rejectf("unknown_gear", problem.Programf("Use brand/model as in the catalogue, such as canon/eos-r6, or %s.", noGear), "The catalogue has no model %q.", named)
		}
	}
	switch {
	case gear != nil:
		l.Gear, l.Category = gear.Slug(), gear.Category
	case reason == catalog.ReasonAccessory && row.field("category") == "":
		l.Category = "accessory"
	}
	if im.Own {
		l.Status, l.PublishedAt, l.CreatedAt = models.StatusDraft, 0, 0
	}
	if err := checkRow(&l, im.Own); err != nil {
		return l, "", err
	}
	return l, l.SellerID + "\x00" + l.ExternalID, nil
}

// noGear in the gear column marks an item that is not in the catalogue.
const noGear = "none"

// checkRow returns why the listing of a row can't be stored: the first field that Check
// rejects.
func checkRow(l *models.Listing, public bool) error {
	var wrong *problem.Error
	if err := l.Check(public); errors.As(err, &wrong) && len(wrong.Fields) > 0 {
		return rejectf("invalid_"+wrong.Fields[0].Field, problem.Textf("Correct it."), "%s", wrong.Fields[0].Message)
	}
	return nil
}

// handle returns the handle of a row's seller.
func (im *Importer) handle(row importRow) (string, error) {
	if named := row.field("seller"); im.Own && named != "" && named != im.Seller {
		return "", rejectf("not_yours", problem.Textf("Leave the column empty, or use %s.", im.Seller), "The row is for another seller, %q.", named)
	}
	s := cmp.Or(row.field("seller"), im.Seller)
	if s == "" {
		return "", rejectf("missing_seller", problem.Textf("Fill in the seller column, or specify one seller for the whole file."), "The seller is missing.")
	}
	if models.Slug(s) != s {
		return "", rejectf("invalid_seller", problem.Programf("Use the handle from the seller's URL, such as %s.", cmp.Or(models.Slug(s), "anna-keller")), "%q isn't a username.", s)
	}
	return s, nil
}

// sale parses a row of a sales file and returns the sale with its key.
func (im *Importer) sale(row importRow) (models.Sale, string, error) {
	var s models.Sale
	var errs [8]error
	s.ExternalID, errs[0] = row.externalID()
	s.Condition, errs[2] = code(row, "condition", models.Conditions, "")
	s.Region, errs[3] = row.region()
	s.SoldAt, errs[4] = row.day("sold_at", im.Store.Now())
	s.SourceName, errs[5] = row.text("source", 80, false)
	if row.field("seller_kind") != "" {
		s.SellerKind, errs[7] = code(row, "seller_kind", models.SellerKinds, "")
	}
	if s.SoldAt == 0 && errs[4] == nil {
		errs[6] = rejectf("missing_sold_at", problem.Textf("Fill it in."), "The sold_at is empty.")
	}
	errs[1] = im.salePrice(&s, row)
	for _, err := range errs {
		if err != nil {
			return s, "", err
		}
	}
	s.SourceName = strings.Join(strings.Fields(s.SourceName), " ")
	gear, reason := im.gear(row)
	if gear == nil {
		return s, "", rejectf("unresolved_gear", im.gearHint(row), "We couldn't identify the model: %s.", reason)
	}
	s.Gear = gear.Slug()
	return s, s.ExternalID, nil
}

// gearHint returns a hint with the most similar gear.
func (im *Importer) gearHint(row importRow) problem.Text {
	brand, model := row.field("brand"), row.field("model")
	near := im.Catalog.Candidates(cmp.Or(row.field("title"), brand+" "+model), nearShown, func(string) int { return 0 })
	if brand != "" && model != "" {
		near = im.Catalog.Nearest(models.Slug(brand)+"/"+models.Slug(model), nearShown)
	}
	if len(near) == 0 {
		return problem.Textf("Fill in brand and model as in the catalogue, such as Canon and EOS R6.")
	}
	names := make([]string, len(near))
	for i, g := range near {
		names[i] = g.Name()
	}
	return problem.Textf("Most similar in the catalogue: %s. Fill in the brand and model of the right one.", strings.Join(names, ", "))
}

// nearShown is the number of gear that a hint names.
const nearShown = 3

// writeListings replaces the handles of a batch with seller ids and writes it. It
// returns why rows were refused, by index.
func (im *Importer) writeListings(ctx context.Context, batch []models.Listing, report *models.ImportReport) (refused map[int]*reject, err error) {
	handles := make([]string, 0, len(batch))
	for i := range batch {
		handles = append(handles, batch[i].SellerID)
	}
	ids, err := im.sellers(ctx, batch, handles, report)
	if err != nil {
		return nil, err
	}
	for i := range batch {
		batch[i].SellerID = ids[handles[i]]
	}
	seller := ""
	if im.Own {
		seller = ids[im.Seller]
	}
	result, err := im.Store.Listings.ImportListingsOf(ctx, batch, seller)
	if err != nil {
		return nil, err
	}
	if im.Imported != nil {
		for i := range batch {
			im.Imported(&batch[i])
		}
	}
	report.Inserted, report.Updated, report.Unchanged = report.Inserted+result.Inserted, report.Updated+result.Updated, report.Unchanged+result.Unchanged
	for i := range batch {
		if batch[i].Gear == "" {
			report.Unresolved++
		}
	}
	refused = map[int]*reject{}
	for i, why := range result.Refused {
		refused[i] = &reject{why.Code, why.Message, why.Advice()}
	}
	return refused, nil
}

// sellers returns the ids of handles. Unknown sellers are created in the region
// of their first listing.
func (im *Importer) sellers(ctx context.Context, batch []models.Listing, handles []string, report *models.ImportReport) (map[string]string, error) {
	ids, err := im.Store.Accounts.MemberIDs(ctx, handles)
	if err != nil {
		return nil, err
	}
	var missing []models.Member
	for i, handle := range handles {
		if _, ok := ids[handle]; !ok {
			ids[handle] = ""
			missing = append(missing, models.Member{Handle: handle, Name: handle, Region: batch[i].Region})
		}
	}
	if len(missing) == 0 {
		return ids, nil
	}
	if err := im.Store.Accounts.InsertMembers(ctx, missing); err != nil {
		return nil, err
	}
	for _, m := range missing {
		ids[m.Handle] = m.ID
		report.Sellers = append(report.Sellers, m.Handle)
	}
	return ids, nil
}

// writeSales writes a batch without the sales whose price is a typo. It returns why rows were
// refused, by index.
func (im *Importer) writeSales(ctx context.Context, batch []models.Sale, report *models.ImportReport) (refused map[int]*reject, err error) {
	refused = im.typos(batch)
	sales := make([]models.Sale, 0, len(batch))
	for i := range batch {
		if refused[i] == nil {
			sales = append(sales, batch[i])
		}
	}
	inserted, unchanged, err := im.Store.Trades.AddImportedSales(ctx, sales)
	if err != nil {
		return nil, err
	}
	report.Inserted, report.Unchanged = report.Inserted+inserted, report.Unchanged+unchanged
	return refused, nil
}

// shopRow translates a record of a shop's file to a row of listings. It reports whether
// to skip the record.
func (im *Importer) shopRow(f *shopFile, record csvRecord) (row importRow, skip bool, err error) {
	row = importRow{columnIndex(shopColumns), make([]string, len(shopColumns)), record.line, false}
	from := shopRow{f.columns, record.fields}
	item, skip, err := f.translate(f, from)
	if skip {
		return row, true, nil
	}
	item.unescape()
	currency := im.Currency
	if code := from.get("currency"); err == nil && code != "" && !strings.EqualFold(code, im.Currency.Code) {
		if currency, err = models.ParseCurrency(code); err != nil || !im.Offers {
			err = rejectf("other_currency", problem.Textf("Convert the price to %s.", im.Currency.Code), "The price is in %s.", catalog.Clip(code, 10))
		}
	}
	price := item.price
	if amount, amountErr := currency.ParseAmount(price); amountErr == nil {
		price = currency.Decimal(amount)
	}
	id := ""
	if item.id != "" {
		id = string(f.source) + "-" + item.id
	}
	region := string(cmp.Or(im.Region, models.Region(im.country())))
	row.fields = []string{id, item.title, item.brand, string(item.condition(cmp.Or(im.Condition, "good"))), price, currency.Code, region, plainText(item.html), item.photos}
	return row, false, err
}

// country returns the country of the currency, if only one country uses it.
func (im *Importer) country() string {
	return map[string]string{"USD": "US", "GBP": "GB", "CHF": "CH", "JPY": "JP", "CAD": "CA", "AUD": "AU", "SEK": "SE", "NOK": "NO", "DKK": "DK", "PLN": "PL"}[im.Currency.Code]
}
