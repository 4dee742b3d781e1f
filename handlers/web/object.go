package web

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is a member of an Object.
type Member struct {
	Key   string
	Value any
}

// NewObject returns an object from keys and values: key, value, key, value, …. It
// panics if a key is not a string.
func NewObject(pairs ...any) Object {
	var o Object
	for i := 0; i+1 < len(pairs); i += 2 {
		o = o.With(pairs[i].(string), pairs[i+1])
	}
	return o
}

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(m.Key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(m.Value); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Key, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// With returns o with another member at the end.
func (o Object) With(key string, value any) Object { return append(o, Member{Key: key, Value: value}) }

// EncodeIndentedJSON returns the JSON encoding of an object with indentation, without
// HTML escaping.
func EncodeIndentedJSON(doc Object) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(doc)
	return b.Bytes(), err
}

// EncodeJSON returns the JSON encoding of v as responses contain it: without HTML
// escaping and without a trailing newline.
func EncodeJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	err := encodeTo(&buf, v)
	return buf.Bytes(), err
}

// encodeTo appends the JSON encoding of v to buf.
func encodeTo(buf *bytes.Buffer, v any) error {
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	buf.Truncate(buf.Len() - 1) // the newline that Encode adds
	return nil
}

// EncodePage returns the JSON encoding of a page, or that of an internal error if it
// cannot be encoded.
func EncodePage(page Page) []byte {
	b, err := EncodeJSON(page)
	if err != nil {
		return []byte(`{"title":"Internal error","status":500,"code":"internal_error","message":"Something went wrong on our side.","hint":"Try again in a moment."}`)
	}
	return b
}
