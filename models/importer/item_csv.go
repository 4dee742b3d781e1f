package importer

import (
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// itemCSVFields returns the fields that CSV files have: those on cards stand before the
// price, the others after the description.
func itemCSVFields(card bool) (fields []*models.ItemField) {
	for _, f := range models.ItemFields {
		if !f.Private && f.Card == card {
			fields = append(fields, f)
		}
	}
	return fields
}

// itemCSVNames returns the names of the columns of itemCSVFields.
func itemCSVNames(card bool) (names []string) {
	for _, f := range itemCSVFields(card) {
		names = append(names, f.Name)
	}
	return names
}

// itemCells returns the fields of an item in an export.
func itemCells(i *models.Item, card bool) (cells []string) {
	for _, f := range itemCSVFields(card) {
		text := strings.Join(f.Values(i), " ")
		if f.Kind == models.CodesField || f.Kind == models.LinesField {
			text = joinItems(f.Values(i))
		}
		if f.Written() {
			text = models.CellOf(text)
		}
		cells = append(cells, text)
	}
	return cells
}

// item parses the fields of an item in a row.
func (row importRow) item(i *models.Item) error {
	for _, card := range []bool{true, false} {
		for _, f := range itemCSVFields(card) {
			values, err := row.values(f)
			if err == nil {
				err = f.Set(i, values...)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// values parses a field of an item.
func (row importRow) values(f *models.ItemField) (values []string, err error) {
	text := row.field(f.Name)
	switch f.Kind {
	case models.CodeField:
		text, err = code(row, f.Name, f.Choices, f.Default)
	case models.CodesField:
		for _, item := range row.items(f.Name) {
			value, err := codeOf(item, strings.TrimSuffix(f.Name, "s"), f.Choices)
			if err != nil {
				return nil, err
			}
			values = append(values, value)
		}
		return values, nil
	case models.LinesField:
		return row.items(f.Name), nil
	case models.NumberField:
		if n, wrong := models.ParseCount(text); wrong == nil {
			text = strconv.Itoa(n)
		} else if text != "" {
			err = rejectf("invalid_"+f.Name, problem.Textf("Use digits only, such as 12000, or leave blank."), "%q isn't a number.", text)
		}
	case models.DayField:
		if _, wrong := models.ParseDay(text); wrong != nil && text != "" {
			err = rejectf("invalid_"+f.Name, problem.Textf("Use a date such as 2026-11-21, or leave blank."), "%q isn't a date.", text)
		}
	}
	if err != nil || text == "" {
		return nil, err
	}
	return []string{text}, nil
}

// joinItems joins items into a field that importRow.items can split.
func joinItems[T ~string](items []T) string {
	words := make([]string, len(items))
	for i, item := range items {
		words[i] = strings.NewReplacer(";", ",", "|", "/").Replace(string(item))
	}
	return strings.Join(words, "; ")
}
