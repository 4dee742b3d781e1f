package models

import (
	"regexp"
	"strings"
)

// CellOf returns text as a cell of a CSV file that a spreadsheet doesn't evaluate:
// with an apostrophe before what would be a formula. TextOf reverses it.
func CellOf(text string) string {
	if formula.MatchString(text) {
		return "'" + text
	}
	return text
}

// TextOf returns the text of a cell.
func TextOf(cell string) string {
	if rest, marked := strings.CutPrefix(cell, "'"); marked && formula.MatchString(rest) {
		return rest
	}
	return cell
}

// formula matches text that a spreadsheet would evaluate as a formula, and such
// text after apostrophes, which spreadsheets read as a mark of plain text.
var formula = regexp.MustCompile(`^'*[=+\-@\t\r\n＝＋－＠]`)
