package models

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// TextList is a list stored as JSON in a text column.
type TextList[T ~string] []T

// Value implements driver.Valuer.
func (list TextList[T]) Value() (driver.Value, error) {
	if len(list) == 0 {
		return "[]", nil
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// Scan implements sql.Scanner.
func (list *TextList[T]) Scan(src any) error {
	*list = nil
	text, err := scanText(src)
	if err != nil || text == "[]" {
		return err
	}
	if err := json.Unmarshal([]byte(text), list); err != nil {
		return fmt.Errorf("read list %q: %w", text, err)
	}
	return nil
}

// scanText returns the text of a scanned column, "" for NULL.
func scanText(src any) (string, error) {
	switch src := src.(type) {
	case nil:
		return "", nil
	case string:
		return src, nil
	case []byte:
		return string(src), nil
	}
	return "", fmt.Errorf("scan text: unexpected type %T", src)
}

// Nullable returns nil for "", so that unique indexes ignore it.
func Nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// NullText is stored as NULL if empty, so that unique indexes ignore it.
type NullText string

// Value implements driver.Valuer.
func (t NullText) Value() (driver.Value, error) { return Nullable(string(t)), nil }

// Scan implements sql.Scanner.
func (t *NullText) Scan(src any) error {
	text, err := scanText(src)
	*t = NullText(text)
	return err
}
