package models

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/english"
)

// Importer reads listings and sales from CSV files into a store. Rows that
// cannot be imported are reported and passed over; the others are written in
// batches, each in one transaction, so that what was written stays when the
// import is stopped. Reading the same file again changes nothing.
//
// The columns are described in docs/import.md.
type Importer struct {
	Store    *Store
	Catalog  *Catalog
	Resolver *Resolver
	Currency Currency
	Seller   string                // handle of the seller of listings whose row names none; "" for none
	Own      bool                  // Seller brings the file: every row is theirs, and a new listing is a draft
	Progress func(bytesRead int64) // told after every batch; nil for nobody
	// Rejected is called for the first MaxRejectedRows rows that are not imported,
	// unless it is nil.
	Rejected func(line int, reason, hint string)
	// Kept is told of every listing that was imported, as ImportListings leaves it; nil for nobody.
	Kept func(*Listing)
}

// ImportReport is what became of the rows of a file.
type ImportReport struct {
	Rows       int // below the header
	Inserted   int
	Updated    int // listings that were known and have changed
	Unchanged  int // known, and as they were
	Rejected   int
	Unresolved int            // listings imported without gear of the catalogue
	Sellers    []string       // handles of the sellers that were created
	Reasons    map[string]int // rows by the code they were rejected for
}

// MaxRejectedRows is how many rejected rows of a file are reported one by one;
// the others are only counted.
const MaxRejectedRows = 100

// importBatch is how many rows are written in one transaction.
const importBatch = 500

// surely is the confidence from which the resolver is believed.
const surely = 0.8

// Columns of the files. Those of a file of rejects are read over, so that it
// can be corrected and imported as it is.
var (
	listingColumnNames = []string{
		"external_id", "seller", "title", "gear", "brand", "model", "category", "condition", "functional", "price",
		"region", "description", "defects", "included", "shutter_count", "published_at",
	}
	listingColumnsNeeded = []string{"external_id", "title", "condition", "price", "region"}
	saleColumnNames      = []string{"external_id", "title", "brand", "model", "condition", "price", "sold_at", "region"}
	saleColumnsNeeded    = []string{"external_id", "condition", "price", "sold_at", "region"}
	rejectColumns        = []string{"line", "code", "reason", "hint"}
	exportColumns        = []string{"status"} // told by an export, and read over
)

// Listings imports a file of listings for sale. A listing is known by its
// seller and external id; a seller the site does not know is created. A listing
// whose gear the catalogue does not have is imported without.
//
// A *Error says that the file as a whole cannot be read. When ctx ends the
// report tells what was done until then.
func (im *Importer) Listings(ctx context.Context, in io.Reader, rejects io.Writer) (ImportReport, error) {
	run := importRun[Listing]{Importer: im, known: listingColumnNames, needed: listingColumnsNeeded, parse: im.listing, write: im.writeListings}
	return run.do(ctx, in, rejects)
}

// Sales imports a file of completed sales, which trends are made of. A sale is
// known by its external id, and never changed. A sale whose gear is not certain
// is rejected.
//
// Errors are those of Listings.
func (im *Importer) Sales(ctx context.Context, in io.Reader, rejects io.Writer) (ImportReport, error) {
	run := importRun[Sale]{Importer: im, known: saleColumnNames, needed: saleColumnsNeeded, parse: im.sale, write: im.writeSales}
	return run.do(ctx, in, rejects)
}

// reject is why a row is not imported, and how to repair it.
type reject struct{ code, reason, hint string }

func (r *reject) Error() string { return r.reason }

func rejectf(code, hint, reason string, args ...any) *reject {
	return &reject{code, fmt.Sprintf(reason, args...), hint}
}

// importRun is the import of one file.
type importRun[T any] struct {
	*Importer
	known, needed []string
	parse         func(row importRow) (value T, key string, err error)
	write         func(ctx context.Context, batch []T, report *ImportReport) error

	columns map[string]int // where each column stands
	header  []string
	rejects *csv.Writer
	seen    map[string]int // external id → line
	batch   []T
	report  ImportReport
}

func (run *importRun[T]) do(ctx context.Context, in io.Reader, rejects io.Writer) (ImportReport, error) {
	run.seen, run.report.Reasons, run.rejects = map[string]int{}, map[string]int{}, csv.NewWriter(rejects)
	r := newCSVReader(in)
	if err := run.readHeader(r); err != nil {
		return run.report, err
	}
	ctx = Repeatable(ctx)
	for {
		if ctx.Err() != nil {
			return run.report, run.flush(ctx, r.offset)
		}
		record, err := r.read()
		if err == io.EOF {
			return run.report, run.flush(ctx, r.offset)
		}
		if err != nil {
			return run.report, fmt.Errorf("read file: %w", err)
		}
		if err := run.take(record); err != nil {
			return run.report, err
		}
		if len(run.batch) >= importBatch {
			if err := run.flush(ctx, r.offset); err != nil {
				return run.report, err
			}
		}
	}
}

// readHeader learns where the columns stand.
func (run *importRun[T]) readHeader(r *csvReader) error {
	record, err := r.read()
	if err == io.EOF {
		return badFile("empty_file", "The file is empty.", "Its first line names the columns: "+strings.Join(run.known, ",")+".")
	}
	if err != nil {
		return fmt.Errorf("read file: %w", err)
	}
	if record.err != nil {
		return badFile("unreadable_header", "The first line cannot be read: "+record.err.Error()+".", "Write the names of the columns there, with commas between them, in UTF-8.")
	}
	if len(record.fields) == 1 && strings.ContainsAny(record.fields[0], ";\t") {
		return badFile("wrong_separator", "The columns are separated by semicolons or tabs.", "Save the file with commas between the columns.")
	}
	run.columns = map[string]int{}
	for i, name := range record.fields {
		name = strings.ToLower(strings.TrimSpace(name))
		_, twice := run.columns[name]
		switch {
		case twice:
			return badFile("duplicate_column", fmt.Sprintf("The column %q stands there twice.", name), "Leave one of them out.")
		case slices.Contains(run.known, name):
			run.header = append(run.header, name)
		case !slices.Contains(rejectColumns, name) && !slices.Contains(exportColumns, name):
			return badFile("unknown_column", fmt.Sprintf("There is no column %q.", name), nearestOf(name, run.known))
		}
		run.columns[name] = i
	}
	for _, name := range run.needed {
		if _, ok := run.columns[name]; !ok {
			return badFile("missing_column", fmt.Sprintf("The column %q is missing.", name), "These must be there: "+strings.Join(run.needed, ", ")+".")
		}
	}
	return nil
}

func badFile(code, message, hint string) error {
	return &Error{Kind: Invalid, Code: code, Message: message, Hint: hint}
}

// nearestOf is a hint that names the word somebody meant, or all there are.
func nearestOf(word string, words []string) string {
	near := NearestWord(word, slices.Values(words), func(string) int { return 1 })
	if near != "" {
		return fmt.Sprintf("Did you mean %s?", near)
	}
	return "Use one of " + strings.Join(words, ", ") + "."
}

// take puts a record into the batch, or among the rejects.
func (run *importRun[T]) take(record csvRecord) error {
	run.report.Rows++
	row := importRow{run.columns, record.fields, record.line}
	value, err := run.value(row, record.err)
	if err == nil {
		run.batch = append(run.batch, value)
		return nil
	}
	var why *reject
	if !errors.As(err, &why) {
		return err
	}
	return run.refuse(row, record.err != nil, why)
}

func (run *importRun[T]) value(row importRow, broken error) (value T, err error) {
	if broken != nil {
		return value, unreadable(broken)
	}
	if len(row.fields) != len(run.columns) {
		return value, rejectf("wrong_number_of_fields", `Put fields that hold a comma or a quotation mark between quotation marks, and double those inside.`,
			"The row has %d fields, the header %d.", len(row.fields), len(run.columns))
	}
	value, key, err := run.parse(row)
	if err != nil {
		return value, err
	}
	if line := run.seen[key]; line > 0 {
		return value, rejectf("duplicate_external_id", "Give every row an external id of its own, or leave one of the two out.", "Line %d has this external id already.", line)
	}
	run.seen[key] = row.line
	return value, nil
}

func unreadable(err error) *reject {
	why := &reject{code: "malformed_row", reason: english.Sentence(err.Error()), hint: `Put the field between quotation marks and double those inside: "6"" rail".`}
	switch err {
	case errTooLong:
		why.code, why.hint = "row_too_long", "Shorten the description."
	case errEncoding:
		why.code, why.hint = "invalid_encoding", "Save the file as UTF-8."
	case errControl:
		why.code, why.hint = "control_character", "Take the control characters, such as NUL, out."
	}
	return why
}

// refuse writes a row to the rejects, whose header comes with the first.
func (run *importRun[T]) refuse(row importRow, broken bool, why *reject) error {
	if run.Rejected != nil && run.report.Rejected < MaxRejectedRows {
		run.Rejected(row.line, why.reason, why.hint)
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
			out = append(out, row.fields[0])
		case broken:
			out = append(out, "")
		default:
			out = append(out, row.field(name))
		}
	}
	if err := run.rejects.Write(append(out, strconv.Itoa(row.line), why.code, why.reason, why.hint)); err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return nil
}

// flush writes the batch and the rejects that came with it.
func (run *importRun[T]) flush(ctx context.Context, offset int64) error {
	run.rejects.Flush()
	if err := run.rejects.Error(); err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(run.batch) > 0 {
		if err := run.write(ctx, run.batch, &run.report); err != nil {
			return cmp.Or(ctx.Err(), err)
		}
	}
	run.batch = run.batch[:0]
	if run.Progress != nil {
		run.Progress(offset)
	}
	return nil
}

// importRow is a record with names for its fields.
type importRow struct {
	columns map[string]int
	fields  []string
	line    int
}

// field is the trimmed value of a column, "" where the file lacks it. Invisible
// characters (see isControl) become spaces.
func (row importRow) field(name string) string {
	i, ok := row.columns[name]
	if !ok || i >= len(row.fields) {
		return ""
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, row.fields[i]))
}

// text is a field of at most most characters; needed ones must not be empty.
func (row importRow) text(name string, most int, needed bool) (string, error) {
	s := row.field(name)
	switch {
	case s == "" && needed:
		return "", rejectf("missing_"+name, "Fill it in.", "The %s is empty.", name)
	case utf8.RuneCountInString(s) > most:
		return "", rejectf(name+"_too_long", "Shorten it.", "The %s is longer than %d characters.", name, most)
	}
	return s, nil
}

// externalID is what a row is known by.
func (row importRow) externalID() (string, error) { return row.text("external_id", 200, true) }

// code reads a word of a list, written in any case and with any separators.
func code[T ~string](row importRow, name string, words []T, otherwise T) (T, error) {
	s := row.field(name)
	if s == "" && otherwise != "" {
		return otherwise, nil
	}
	return codeOf(s, name, words)
}

func codeOf[T ~string](s, name string, words []T) (T, error) {
	flat := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == ' ' || r == '_' {
				return '-'
			}
			return r
		}, strings.ToLower(strings.TrimSpace(s)))
	}
	var all []string
	for _, word := range words {
		if flat(string(word)) == flat(s) {
			return word, nil
		}
		all = append(all, string(word))
	}
	if s == "" {
		return "", rejectf("missing_"+name, "Use one of "+strings.Join(all, ", ")+".", "The %s is empty.", name)
	}
	return "", rejectf("invalid_"+name, nearestOf(s, all), "%q is not a %s.", s, name)
}

// items reads a list, its parts separated by semicolons or bars.
func (row importRow) items(name string) []string {
	var items []string
	for _, item := range strings.FieldsFunc(row.field(name), func(r rune) bool { return r == ';' || r == '|' }) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// day reads an instant (RFC 3339) or a day, which is its first moment in UTC.
// It is 0 for an empty field, and must not lie in the future.
func (row importRow) day(name string, now Time) (Time, error) {
	s := row.field(name)
	if s == "" {
		return 0, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t, err = time.Parse(time.DateOnly, s)
	}
	switch {
	case err != nil:
		return 0, rejectf("invalid_"+name, "Write a day as 2026-11-21 or an instant as 2026-11-21T09:00:00Z.", "%q is not a day.", s)
	case TimeOf(t) > now:
		return 0, rejectf("invalid_"+name, "Correct the day.", "%s lies in the future.", s)
	case t.Year() < 1990:
		return 0, rejectf("invalid_"+name, "Correct the day; the earliest is 1990-01-01.", "%s is too long ago.", s)
	}
	return TimeOf(t), nil
}

func (im *Importer) price(row importRow) (Cents, error) {
	s, err := row.text("price", 20, true)
	if err != nil {
		return 0, err
	}
	price, err := im.Currency.ParseDecimal(s)
	if err != nil {
		return 0, rejectf("invalid_price", fmt.Sprintf("Write digits with a point and no separators, such as %s, in %s.", im.Currency.Decimal(124900), im.Currency.Code), "%s.", err)
	}
	if price == 0 {
		return 0, rejectf("invalid_price", "Fill it in.", "The price is 0.")
	}
	return price, nil
}

func (row importRow) region() (Region, error) {
	s, err := row.text("region", 10, true)
	if err != nil {
		return "", err
	}
	region := Region(strings.ToUpper(s))
	if !region.Valid() {
		return "", rejectf("invalid_region", "Use a country of ISO 3166 such as DE, or a subdivision such as US-CA.", "%q is not a region.", s)
	}
	return region, nil
}

// gear finds the gear of a row: by its brand and model, else by its title. It
// is nil, with a reason, when that does not name one gear of the catalogue.
func (im *Importer) gear(row importRow) (*Gear, string) {
	brand, model := row.field("brand"), row.field("model")
	if brand != "" && model != "" {
		if g := im.Catalog.Gear(Slug(brand) + "/" + Slug(model)); g != nil {
			return g, ""
		}
		if found := im.Resolver.Resolve(brand + " " + model); found.Gear != nil && found.Confidence >= surely {
			return found.Gear, ""
		}
	}
	title := row.field("title")
	if title == "" {
		return nil, ReasonUnknown
	}
	found := im.Resolver.Resolve(title)
	if found.Gear == nil && brand != "" && !strings.Contains(strings.ToLower(title), strings.ToLower(brand)) {
		found = im.Resolver.Resolve(brand + " " + title)
	}
	if found.Gear != nil && found.Confidence < surely {
		return nil, "perhaps " + found.Gear.Slug()
	}
	return found.Gear, found.Reason
}

// listing reads a row of a file of listings.
func (im *Importer) listing(row importRow) (Listing, string, error) {
	l := Listing{Status: StatusActive}
	var errs [9]error
	l.ExternalID, errs[0] = row.externalID()
	l.SellerID, errs[1] = im.handle(row) // a handle until the batch is written
	l.Title, errs[2] = row.text("title", 200, true)
	l.Price, errs[3] = im.price(row)
	l.Condition, errs[4] = code(row, "condition", Conditions, "")
	l.Functional, errs[5] = code(row, "functional", Functionals, Untested)
	l.Region, errs[6] = row.region()
	l.Text, errs[7] = row.text("description", 10_000, false)
	l.PublishedAt, errs[8] = row.day("published_at", im.Store.now())
	for _, err := range errs {
		if err != nil {
			return l, "", err
		}
	}
	l.CreatedAt = l.PublishedAt
	l.Title = strings.Join(strings.Fields(l.Title), " ")
	for _, item := range row.items("defects") {
		defect, err := codeOf(item, "defect", Defects)
		if err != nil {
			return l, "", err
		}
		l.Defects = append(l.Defects, defect)
	}
	l.Included = row.items("included")
	if len(l.Included) > 40 {
		return l, "", rejectf("too_many_included", "Name the most important ones.", "More than 40 things are included.")
	}
	if s := row.field("shutter_count"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > 10_000_000 {
			return l, "", rejectf("invalid_shutter_count", "Write digits only, such as 12000, or leave it empty.", "%q is not a number of releases.", s)
		}
		l.Shutter = n
	}
	category, err := code(row, "category", Categories, "other")
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
			return l, "", rejectf("unknown_gear", "Write brand/model as the catalogue does, such as canon/eos-r6, or "+noGear+".", "The catalogue has no gear %q.", named)
		}
	}
	switch {
	case gear != nil:
		l.Gear, l.Category = gear.Slug(), gear.Category
	case reason == ReasonAccessory && row.field("category") == "":
		l.Category = "accessory"
	}
	if im.Own {
		if err := l.ownDraft(); err != nil {
			return l, "", err
		}
	}
	return l, l.SellerID + "\x00" + l.ExternalID, nil
}

// noGear is written in the column gear for what is not in the catalogue.
const noGear = "none"

// ownDraft makes a draft of a row that its seller brings.
func (l *Listing) ownDraft() error {
	l.Status, l.PublishedAt, l.CreatedAt = StatusDraft, 0, 0
	var wrong *Error
	if err := l.Check(true); errors.As(err, &wrong) && len(wrong.Fields) > 0 {
		return rejectf("invalid_"+wrong.Fields[0].Field, "Correct it.", "%s", wrong.Fields[0].Message)
	}
	return nil
}

// handle is the seller a row names.
func (im *Importer) handle(row importRow) (string, error) {
	if named := row.field("seller"); im.Own && named != "" && named != im.Seller {
		return "", rejectf("not_yours", "Leave the column empty, or write "+im.Seller+".", "The row names another seller, %q.", named)
	}
	s := cmp.Or(row.field("seller"), im.Seller)
	if s == "" {
		return "", rejectf("missing_seller", "Fill in the column seller, or name one seller for the whole file.", "The seller is missing.")
	}
	if Slug(s) != s {
		return "", rejectf("invalid_seller", fmt.Sprintf("Write it as in an address: %s.", cmp.Or(Slug(s), "anna-keller")), "%q is not a handle.", s)
	}
	return s, nil
}

// sale reads a row of a file of sales.
func (im *Importer) sale(row importRow) (Sale, string, error) {
	var s Sale
	var errs [6]error
	s.ExternalID, errs[0] = row.externalID()
	s.Price, errs[1] = im.price(row)
	s.Condition, errs[2] = code(row, "condition", Conditions, "")
	s.Region, errs[3] = row.region()
	s.SoldAt, errs[4] = row.day("sold_at", im.Store.now())
	if s.SoldAt == 0 && errs[4] == nil {
		errs[5] = rejectf("missing_sold_at", "Fill it in.", "The sold_at is empty.")
	}
	for _, err := range errs {
		if err != nil {
			return s, "", err
		}
	}
	gear, reason := im.gear(row)
	if gear == nil {
		return s, "", rejectf("unresolved_gear", im.gearHint(row), "The gear is not clear: %s.", reason)
	}
	s.Gear = gear.Slug()
	return s, s.ExternalID, nil
}

// gearHint says how to name the gear of a row.
func (im *Importer) gearHint(row importRow) string {
	var near []string
	if brand, model := row.field("brand"), row.field("model"); brand != "" && model != "" {
		for _, g := range im.Catalog.Nearest(Slug(brand)+"/"+Slug(model), 3) {
			near = append(near, g.Name())
		}
	}
	if len(near) > 0 {
		return "Nearest in the catalogue: " + strings.Join(near, ", ") + "."
	}
	return "Fill in brand and model as the catalogue writes them, such as Canon and EOS R6."
}

// writeListings puts sellers in the place of their handles and writes a batch.
func (im *Importer) writeListings(ctx context.Context, batch []Listing, report *ImportReport) error {
	handles := make([]string, 0, len(batch))
	for i := range batch {
		handles = append(handles, batch[i].SellerID)
	}
	ids, err := im.sellers(ctx, batch, handles, report)
	if err != nil {
		return err
	}
	for i := range batch {
		batch[i].SellerID = ids[handles[i]]
	}
	seller := ""
	if im.Own {
		seller = ids[im.Seller]
	}
	inserted, updated, unchanged, err := im.Store.importListings(ctx, batch, seller)
	if err != nil {
		return err
	}
	if im.Kept != nil {
		for i := range batch {
			im.Kept(&batch[i])
		}
	}
	report.Inserted, report.Updated, report.Unchanged = report.Inserted+inserted, report.Updated+updated, report.Unchanged+unchanged
	for i := range batch {
		if batch[i].Gear == "" {
			report.Unresolved++
		}
	}
	return nil
}

// sellers are the ids of handles; those that are missing are created where
// their first listing is.
func (im *Importer) sellers(ctx context.Context, batch []Listing, handles []string, report *ImportReport) (map[string]string, error) {
	ids, err := im.Store.MemberIDs(ctx, handles)
	if err != nil {
		return nil, err
	}
	var missing []Member
	for i, handle := range handles {
		if _, ok := ids[handle]; !ok {
			ids[handle] = ""
			missing = append(missing, Member{Handle: handle, Name: handle, Region: batch[i].Region})
		}
	}
	if len(missing) == 0 {
		return ids, nil
	}
	if err := im.Store.InsertMembers(ctx, missing); err != nil {
		return nil, err
	}
	for _, m := range missing {
		ids[m.Handle] = m.ID
		report.Sellers = append(report.Sellers, m.Handle)
	}
	return ids, nil
}

func (im *Importer) writeSales(ctx context.Context, batch []Sale, report *ImportReport) error {
	inserted, unchanged, err := im.Store.ImportSales(ctx, batch)
	if err != nil {
		return err
	}
	report.Inserted, report.Unchanged = report.Inserted+inserted, report.Unchanged+unchanged
	return nil
}
