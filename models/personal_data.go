package models

// PersonalDataTable holds the rows of a database table that concern a member.
type PersonalDataTable struct {
	Name    string // "offer_rounds"
	Text    string // description
	Columns []string
	Rows    [][]any // values are of type string, int64, bool, Time or Cents
}
