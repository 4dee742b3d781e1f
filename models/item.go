package models

import (
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models/problem"
)

// Item describes the thing that is for sale. A new field needs a migration, a line in
// ItemDetails, its row in ItemFields, and a line in the input of a listing. Tests walk the
// table and fail where one is missing.
type Item struct {
	Condition  Condition
	Functional Functional
	Defects    []Defect
	Included   []string // accessories: "battery", "box"
	Serial     string   // private: shown only to the seller
	ItemDetails
}

// ItemDetails are the fields of an item that all results encode in the same way, and that
// are absent from them if they are unknown.
type ItemDetails struct {
	Shutter int `json:"shutter_count,omitempty"` // shutter actuations; 0 if unknown or not a camera
}

// Limits of an item: texts in characters, lists in items.
const (
	MaxSerial   = 60
	MaxIncluded = 30
	MaxItem     = 80 // an item of Included
	MaxShutter  = 10_000_000
)

// ItemFields describes the fields of Item, in the order in which they are shown.
var ItemFields = []*ItemField{
	{
		Name: "condition", Label: "Condition", Kind: CodeField, Required: true, Card: true, Agreed: true, Compared: true, Filter: "condition",
		Description: "condition grade; see /guides/condition-grades",
		Choices:     textsOf(Conditions), LabelOf: labelOf(Condition.Label), Form: ItemInput{Label: "What condition is it in?", Grades: true},
		Access: textAccess(func(i *Item) *Condition { return &i.Condition }),
	},
	{
		Name: "functional", Label: "Working order", Kind: CodeField, Required: true, Card: true, Agreed: true, Compared: true, Filter: "functional",
		Description: "whether the item works",
		Choices:     textsOf(Functionals), Default: string(Untested), LabelOf: labelOf(Functional.Label), Form: ItemInput{Label: "Does it work?", Field: "Working order"},
		Access: textAccess(func(i *Item) *Functional { return &i.Functional }),
	},
	{
		Name: "defects", Label: "Defects", Kind: CodesField, None: "None reported by the seller", Filter: "defects", Agreed: true, Compared: true,
		Description: "known defects; empty if there are none",
		Choices:     textsOf(Defects), LabelOf: labelOf(Defect.Label),
		Form:   ItemInput{Label: "Defects", Help: "Mention every defect. Surprises lead to disputes.", Possible: func(c Category) []string { return textsOf(DefectsOf(c)) }},
		Access: listAccess(func(i *Item) *[]Defect { return &i.Defects }),
	},
	{
		Name: "included", Label: "Included", Kind: LinesField, Max: MaxItem, MaxItems: MaxIncluded, Agreed: true, Compared: true,
		Description: "included accessories",
		Form:        ItemInput{Label: "What's included (optional)", Field: "What's included", Help: "One per line. For example, battery, charger, box.", Story: true, Rows: 3},
		Access:      listAccess(func(i *Item) *[]string { return &i.Included }),
	},
	{
		Name: "shutter_count", Column: "shutter", Label: "Shutter count", Kind: NumberField, Max: MaxShutter, Agreed: true, Compared: true, Filter: "shutter_max",
		Description: "shutter actuations, if known",
		Form:        ItemInput{Label: "Shutter count (optional)", Help: "For example 12,400.", Applies: hasShutter},
		Access:      numberAccess(func(i *Item) *int { return &i.Shutter }),
	},
	{
		Name: "serial", Label: "Serial number", Kind: TextField, Max: MaxSerial, Private: true,
		Form: ItemInput{Label: "Serial number (optional)", Story: true,
			Help: "Kept private. We check it against reports of stolen gear, and only our team can see it."},
		Access: textAccess(func(i *Item) *string { return &i.Serial }),
	},
}

// ItemField describes a field of Item wherever it is stored, entered or shown. Its texts
// are English.
type ItemField struct {
	Name   string // in JSON and forms, and of the column of CSV files
	Column string // of the tables listings and agreements; "" for Name
	Label  string // in tables of facts
	None   string // in tables of facts if there is none; "" leaves the field out
	Kind   ItemKind
	Form   ItemInput

	Filter      string // parameter of search; "" for a field that the index lacks
	Description string // of the property in results, for programs; "" for a private field

	Choices  []string                 // of a code
	LabelOf  func(code string) string // of a code
	Default  string                   // code of an item that has none
	Max      int                      // characters of a text or of a line, or the largest number
	MaxItems int                      // of a list of texts
	Required bool                     // of a published listing

	Card     bool // on the cards of listings
	Agreed   bool // part of what buyer and seller agree on
	Compared bool // in comparisons of listings
	Private  bool // shown only to the seller, and in no CSV file

	Access itemAccess
}

// ItemKind is the kind of value that a field of an item has.
type ItemKind int

// The kinds of values of an item.
const (
	CodeField   ItemKind = iota // one of Choices
	CodesField                  // any of Choices
	LinesField                  // texts that a member wrote, one a line
	TextField                   // a line that a member wrote
	NumberField                 // a whole number; 0 if unknown
	DayField                    // a Day
)

// ItemInput describes the control of a field in the form of a listing.
type ItemInput struct {
	Label, Help string
	Field       string // names the field in messages; "" for the label of the field
	Story       bool   // stands below the description, not with the condition
	Grades      bool   // shows a picture of each choice
	Rows        int    // of a text area
	// Applies reports whether an item of a category has the field; nil for all.
	Applies func(Category) bool
	// Possible returns the choices that an item of a category has; nil for all.
	Possible func(Category) []string
}

// ByCategory reports whether the control depends on the category.
func (in *ItemInput) ByCategory() bool { return in.Applies != nil || in.Possible != nil }

// hasShutter reports whether items of a category may have a shutter that counts.
func hasShutter(c Category) bool { return c == "" || c.Family() == FamilyCamera }

// FieldLabel names the field in messages.
func (f *ItemField) FieldLabel() string {
	if f.Form.Field != "" {
		return f.Form.Field
	}
	return f.Label
}

// Written reports whether a member wrote the value.
func (f *ItemField) Written() bool { return f.Kind == LinesField || f.Kind == TextField }

// Values returns the value of the field as texts: codes, lines, digits or a day. It is
// empty if there is none.
func (f *ItemField) Values(i *Item) []string { return f.Access.values(i) }

// Number returns the value of a number, 0 if it is unknown.
func (f *ItemField) Number(i *Item) (n int) {
	for _, value := range f.Values(i) {
		n, _ = strconv.Atoi(value) // the only value
	}
	return n
}

// Set sets the field to a value as Values returns it.
func (f *ItemField) Set(i *Item, values ...string) error { return f.Access.set(i, values) }

// Copy copies the field.
func (f *ItemField) Copy(to, from *Item) { f.Access.copy(to, from) }

// Texts returns what a member wrote about the item that others see.
func (i *Item) Texts() (texts []string) {
	for _, f := range ItemFields {
		if f.Written() && !f.Private {
			texts = append(texts, f.Values(i)...)
		}
	}
	return texts
}

// check adds the errors of the field of an item.
func (f *ItemField) check(i *Item, errors *FieldChecks) {
	values := f.Values(i)
	if f.Kind == LinesField && len(values) > f.MaxItems {
		errors.Refuse(f.Name, "%s must have at most %d items.", problem.Field(f.Name), f.MaxItems)
	}
	for _, value := range values {
		switch f.Kind {
		case CodeField, CodesField:
			if !slices.Contains(f.Choices, value) {
				errors.Refuse(f.Name, "%q isn't one of %s.", value, problem.Codes(f.Choices))
			}
		case LinesField, TextField:
			errors.atMost(f.Name, value, f.Max)
		case NumberField:
			if n, err := strconv.Atoi(value); err != nil || n < 0 || n > f.Max {
				errors.Refuse(f.Name, "%q isn't a number from 0 to %d.", value, f.Max)
			}
		case DayField:
			if _, ok := Day(value).Start(); !ok {
				errors.Refuse(f.Name, "%q isn't a date.", value)
			}
		}
	}
}

// itemAccess reads and writes a field.
type itemAccess struct {
	Pointer func(*Item) any // that database/sql scans and stores
	copy    func(to, from *Item)
	values  func(*Item) []string
	set     func(*Item, []string) error
}

// textAccess is the access to a text, which is empty if there is none.
func textAccess[T ~string](field func(*Item) *T) itemAccess {
	return itemAccess{
		Pointer: func(i *Item) any { return field(i) },
		copy:    func(to, from *Item) { *field(to) = *field(from) },
		values: func(i *Item) []string {
			if *field(i) == "" {
				return nil
			}
			return []string{string(*field(i))}
		},
		set: func(i *Item, values []string) error {
			*field(i) = T(strings.Join(values, " "))
			return nil
		},
	}
}

// listAccess is the access to a list of texts.
func listAccess[T ~string](field func(*Item) *[]T) itemAccess {
	return itemAccess{
		Pointer: func(i *Item) any { return (*TextList[T])(field(i)) },
		copy:    func(to, from *Item) { *field(to) = *field(from) },
		values:  func(i *Item) []string { return textsOf(*field(i)) },
		set: func(i *Item, values []string) error {
			*field(i) = nil
			for _, v := range values {
				*field(i) = append(*field(i), T(v))
			}
			return nil
		},
	}
}

// numberAccess is the access to a whole number, 0 if unknown.
func numberAccess(field func(*Item) *int) itemAccess {
	return itemAccess{
		Pointer: func(i *Item) any { return field(i) },
		copy:    func(to, from *Item) { *field(to) = *field(from) },
		values: func(i *Item) []string {
			if *field(i) == 0 {
				return nil
			}
			return []string{strconv.Itoa(*field(i))}
		},
		set: func(i *Item, values []string) (err error) {
			*field(i) = 0
			if len(values) > 0 {
				*field(i), err = strconv.Atoi(values[0])
			}
			return err
		},
	}
}

// textsOf returns words as strings, nil for none.
func textsOf[T ~string](words []T) (texts []string) {
	for _, w := range words {
		texts = append(texts, string(w))
	}
	return texts
}

func labelOf[T ~string](label func(T) string) func(string) string {
	return func(code string) string { return label(T(code)) }
}

// ColumnName returns the name of the column that stores the field.
func (f *ItemField) ColumnName() string {
	if f.Column != "" {
		return f.Column
	}
	return f.Name
}
