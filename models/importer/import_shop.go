package importer

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// ImportSourceOf reads the header of a file and returns what the file is. A header that
// is none of the others is that of listings, whose import names what is wrong with it.
func ImportSourceOf(in io.Reader) models.ImportSource {
	record, err := readHeader(newCSVReader(in))
	if err != nil || record.err != nil {
		return models.ListingsFile
	}
	columns := columnIndex(record.fields)
	_, sold := columns["sold_at"]
	_, own := columns["external_id"]
	shop := shopOf(record.fields)
	switch {
	case sold:
		return models.SalesFile
	case own || shop == nil:
		return models.ListingsFile
	}
	return shop.source
}

// readHeader returns the header, which decides about the separator, without the empty columns
// that spreadsheets write after the last one. Excel may name the separator in a line before it, and
// eBay begins its files with comments.
func readHeader(r *csvReader) (csvRecord, error) {
	for {
		line, err := r.next()
		switch named := bytes.ToLower(line.text); {
		case err != nil:
			return csvRecord{}, err
		case len(named) == len("sep=;") && bytes.HasPrefix(named, []byte("sep=")):
			r.separator = named[len("sep=")]
			continue
		case len(named) == 0 && !line.tooLong:
			continue
		}
		record, err := r.record(line)
		if err != nil || record.err != nil {
			return record, err
		}
		if strings.HasPrefix(record.fields[0], "#") || record.fields[0] == "Info" {
			continue
		}
		if r.separator == 0 {
			r.separator = separatorOf(line.text)
		}
		for len(record.fields) > 1 && strings.TrimSpace(record.fields[len(record.fields)-1]) == "" {
			record.fields = record.fields[:len(record.fields)-1]
		}
		return record, nil
	}
}

// columnIndex returns the indexes of columns by name in lower case, the first if several
// have the name.
func columnIndex(header []string) map[string]int {
	columns := make(map[string]int, len(header))
	for i, name := range header {
		name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "*")
		if strings.HasPrefix(name, "action(") {
			name = "action"
		}
		if _, twice := columns[name]; !twice {
			columns[name] = i
		}
	}
	return columns
}

// shopColumns are the columns of listings that the rows of shops are translated to.
var shopColumns = []string{"external_id", "title", "brand", "condition", "price", "currency", "region", "description", photosColumn}

// shopFile translates the rows of a shop's export to rows of listings. It may remember the
// rows before.
type shopFile struct {
	source    models.ImportSource
	columns   map[string]int
	translate func(f *shopFile, row shopRow) (item shopItem, skip bool, err error)

	product shopItem // of Shopify, whose rows of variants repeat nothing but the handle
	handle  string
	hidden  bool
}

// shopItem is what a shop says of an item.
type shopItem struct {
	id, title, brand, price, html string
	grade                         string   // in the words of the shop
	photos                        string   // addresses
	words                         []string // which may have a grade
}

// unescape replaces HTML entities, which shops write into all their texts. The id stays as it
// is in the file.
func (item *shopItem) unescape() {
	text := func(s string) string { return strings.ReplaceAll(html.UnescapeString(s), "\u00a0", " ") }
	item.title, item.brand, item.grade, item.price = text(item.title), text(item.brand), text(item.grade), text(item.price)
	item.words = slices.Clone(item.words)
	for i := range item.words {
		item.words[i] = text(item.words[i])
	}
}

// shopRow is a row of a shop's export.
type shopRow struct {
	columns map[string]int
	fields  []string
}

// get returns the first of some columns that isn't empty.
func (r shopRow) get(names ...string) string {
	for _, name := range names {
		if i, ok := r.columns[name]; ok && i < len(r.fields) {
			if text := strings.TrimSpace(r.fields[i]); text != "" {
				return text
			}
		}
	}
	return ""
}

// has reports whether the header has all of some columns.
func has(columns map[string]int, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { _, ok := columns[name]; return !ok })
}

// shopOf returns the translation of a file with a header, or nil if it isn't a shop's.
//
// The columns are those of:
//   - eBay's active listings report of the Seller Hub: "Item number", "Title", "Variation
//     details", "Custom label (SKU)", "Available quantity", "Format", "Currency", "Start
//     price", "Current price", "Condition"; and File Exchange templates, "File Exchange
//     Advanced Template Instructions" (eBay, 2015): "*Action(…)", "*Title", "*ConditionID",
//     "*StartPrice", "*Quantity", "*Description", "*Format", "CustomLabel".
//   - Shopify, https://help.shopify.com/en/manual/products/import-export/using-csv:
//     "Handle", "Title", "Body (HTML)", "Vendor", "Tags", "Published", "Option1 Value",
//     "Variant Inventory Qty", "Variant Price", "Status"; since 2025 "URL handle",
//     "Description", "Published on online store", "Inventory quantity", "Price".
//   - WooCommerce, https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema:
//     "ID", "Type", "SKU", "Name", "Published", "Description", "In stock?", "Stock", "Sale
//     price", "Regular price", "Tags", "Brands", "Attribute 1 name", "Attribute 1 value(s)". Their
//     names are in the language of the shop, and their order is always the same.
func shopOf(header []string) *shopFile {
	columns := columnIndex(header)
	if columns["id"] == 0 && has(columns, "id") && !has(columns, "type") && len(header) >= len(wooCommerceColumns) {
		columns = columnIndex(wooCommerceOrder(header))
	}
	switch {
	case has(columns, "item number", "title"), has(columns, "action", "title"):
		return &shopFile{source: models.EBayFile, columns: columns, translate: (*shopFile).ebay}
	case has(columns, "title", "handle", "variant price"), has(columns, "title", "url handle", "price"):
		return &shopFile{source: models.ShopifyFile, columns: columns, translate: (*shopFile).shopify}
	case has(columns, "name", "type", "regular price"):
		return &shopFile{source: models.WooCommerceFile, columns: columns, translate: (*shopFile).woocommerce}
	}
	return nil
}

// wooCommerceColumns are the first columns of WooCommerce's export, in its order; "" are of no use
// here. Since 9.1 there is a column of the GTIN after that of the SKU.
var wooCommerceColumns = []string{"id", "type", "sku", "name", "published", "", "", "short description", "description", "", "", "", "", "in stock?", "stock",
	"", "", "", "", "", "", "", "", "", "sale price", "regular price", "", "tags", "", "images"}

// wooCommerceOrder returns the names of columns by their order, in a header of another language.
// What follows the first columns keeps its name.
func wooCommerceOrder(header []string) []string {
	named := slices.Clone(header)
	for i, name := range wooCommerceColumns {
		if i > 2 && strings.Contains(strings.ToUpper(header[3]), "GTIN") && i+1 < len(named) {
			i++
		}
		named[i] = name
	}
	return named
}

// ebay translates a row of eBay. Items without stock are skipped.
func (f *shopFile) ebay(row shopRow) (item shopItem, skip bool, err error) {
	id := row.get("item number", "custom label (sku)", "customlabel")
	if variation := row.get("variation details", "relationshipdetails", "relationship details"); variation != "" && id != "" {
		id += "/" + variation
	}
	item = shopItem{id: id, title: row.get("title"), brand: row.get("c:brand", "c:marke"), price: row.get("current price", "start price", "startprice", "buyitnowprice", "price"),
		html: row.get("description"), grade: row.get("condition", "conditionid", "condition id"), photos: row.get("picurl")}
	switch action := strings.ToLower(row.get("action")); {
	case row.get("available quantity", "quantity") == "0", action == "delete", action == "end", action == "enditem":
		return item, true, nil
	}
	if format := strings.ToLower(row.get("format")); format == "auction" || format == "chinese" {
		return item, false, rejectf("auction", problem.Textf("List it at a fixed price, or leave it out."), "It's an auction. This site doesn't have auctions.")
	}
	return item, false, nil
}

// shopify translates a row of Shopify. A row without a title is another variant, or another
// picture, of the product above. Products that aren't on sale are skipped.
func (f *shopFile) shopify(row shopRow) (item shopItem, skip bool, err error) {
	handle, price := row.get("handle", "url handle"), row.get("variant price", "price")
	if title := row.get("title"); title != "" || handle != f.handle {
		status, published := strings.ToLower(row.get("status")), strings.ToLower(row.get("published", "published on online store"))
		f.handle, f.hidden = handle, status != "" && status != "active" || published == "false"
		f.product = shopItem{title: title, brand: row.get("vendor"), html: row.get("body (html)", "description"), words: strings.Split(row.get("tags"), ","), photos: row.get("image src", "product image url")}
	}
	item = f.product
	if f.hidden || price == "" || row.get("variant inventory qty", "inventory quantity") == "0" {
		return item, true, nil
	}
	item.id, item.price, item.words = handle, price, slices.Clone(item.words)
	for _, name := range []string{"option1 value", "option2 value", "option3 value"} {
		if option := row.get(name); option != "" && option != "Default Title" {
			item.id += "/" + option
			item.words = append(item.words, option)
		}
	}
	return item, false, nil
}

// woocommerce translates a row of WooCommerce. Parents of variations, products of other
// types and those that aren't on sale are skipped.
func (f *shopFile) woocommerce(row shopRow) (item shopItem, skip bool, err error) {
	kinds := strings.Split(strings.ToLower(row.get("type")), ",")
	for i := range kinds {
		kinds[i] = strings.TrimSpace(kinds[i])
	}
	item = shopItem{id: row.get("id", "sku"), title: row.get("name"), brand: row.get("brands"), price: row.get("sale price", "regular price"),
		html: row.get("description", "short description"), words: strings.Split(row.get("tags"), ","), photos: row.get("images")}
	for n := '1'; n <= '5'; n++ {
		item.words = append(item.words, strings.Split(row.get("attribute "+string(n)+" value(s)"), ",")...)
	}
	for _, kind := range []string{"variable", "grouped", "external", "virtual", "downloadable"} {
		if slices.Contains(kinds, kind) {
			return item, true, nil
		}
	}
	published, stock := row.get("published"), row.get("in stock?")
	return item, published == "0" || published == "-1" || stock == "0" || row.get("stock") == "0", nil
}

// ebayGrades maps the numbers of eBay's conditions, and the words that its grades don't
// share with others, to conditions. "Used" is not a condition.
var ebayGrades = map[string]models.Condition{
	"1000": "new", "1500": "like_new", "1750": "like_new", "2000": "like_new", "2010": "excellent", "2020": "excellent", "2030": "good", "2500": "excellent",
	"2750": "like_new", "4000": "excellent", "5000": "good", "6000": "well_used", "7000": "faulty",
	"new other": "like_new", "open box": "like_new", "for parts or not working": "faulty", "for_parts_or_not_working": "faulty", "used_excellent": "excellent",
	"used_very_good": "excellent", "used_good": "good", "used_acceptable": "well_used",
}

// condition returns the condition that a shop names, or otherwise.
func (item *shopItem) condition(otherwise models.Condition) models.Condition {
	for _, word := range append([]string{item.grade}, item.words...) {
		word = strings.TrimSpace(word)
		if _, value, ok := strings.Cut(word, ":"); ok { // "Condition: Excellent"
			word = strings.TrimSpace(value)
		}
		if word == "" || len(word) > models.MaxNameText {
			continue
		}
		if grade, ok := ebayGrades[strings.ToLower(word)]; ok {
			return grade
		}
		if grade, err := models.ConditionNames().Resolve(word); err == nil && !strings.EqualFold(word, "used") {
			return models.Condition(grade)
		}
	}
	return otherwise
}

// blankLines matches lines without text between others.
var blankLines = regexp.MustCompile(`\n\s*\n\s*`)

// plainText returns the text of HTML, with a line for each block. Text without markup
// stays as it is.
func plainText(markup string) string {
	if !strings.ContainsAny(markup, "<&") {
		return markup
	}
	var text strings.Builder
	tokens, hidden := html.NewTokenizer(strings.NewReader(markup)), 0
	for {
		switch kind := tokens.Next(); kind {
		case html.ErrorToken:
			lines := strings.Split(strings.ReplaceAll(text.String(), "\u00a0", " "), "\n")
			for i, line := range lines {
				lines[i] = strings.Join(strings.Fields(line), " ")
			}
			return strings.TrimSpace(blankLines.ReplaceAllString(strings.Join(lines, "\n"), "\n\n"))
		case html.TextToken:
			if hidden == 0 {
				text.WriteString(strings.NewReplacer("\r", " ", "\n", " ").Replace(string(tokens.Text())))
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := tokens.TagName()
			switch string(name) {
			case "script", "style":
				if kind == html.StartTagToken {
					hidden++
				} else {
					hidden = max(0, hidden-1)
				}
			case "p", "div", "br", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6":
				text.WriteByte('\n')
			}
		}
	}
}
