package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/cache"
)

// Each returns what convert makes of each element of list, never nil.
func Each[From, To any](list []From, convert func(*From) To) []To {
	all := make([]To, len(list))
	for i := range list {
		all[i] = convert(&list[i])
	}
	return all
}

// List returns a slice that encodes as a JSON array: an empty one for nil.
func List[T any](of []T) []T {
	if of == nil {
		return []T{}
	}
	return of
}

// AppendFirst appends the first member of an object, without a comma.
func AppendFirst(dst []byte, name, value string) []byte {
	dst = append(append(append(dst, '"'), name...), `":`...)
	return AppendString(dst, value)
}

// AppendField appends a comma and a member of an object, or nothing if value is empty.
func AppendField(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":`...)
	return AppendString(dst, value)
}

// AppendString appends a JSON string. It copies strings that need no escapes, and uses
// encoding/json for others.
func AppendString(dst []byte, s string) []byte {
	var high byte
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			return AppendAny(dst, s)
		}
		high |= c
	}
	if high >= utf8.RuneSelf && (!utf8.ValidString(s) || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029")) {
		return AppendAny(dst, s)
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// AppendAny appends the JSON of v. It panics if v cannot be encoded.
func AppendAny(dst []byte, v any) []byte {
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("views: " + err.Error()) // a bug: all types passed can be encoded
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// JSON returns the card rendered for a CardList.
func (c *Card) JSON() json.RawMessage { return AppendAny(nil, c) }

// Warning describes a change that the site made to a request so that it could be
// answered.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Field   string `json:"field,omitempty"`
}

// CardList is a list of cards rendered as JSON, so that the page of a search only
// copies them. Decode returns their fields.
type CardList []json.RawMessage

// Decode decodes the cards, for the formats that need their fields. What the fields point
// to must not be modified.
func (l CardList) Decode() ([]Card, error) {
	cards := make([]Card, len(l))
	for i, raw := range l {
		card, err := decodeCard(raw)
		if err != nil {
			return nil, fmt.Errorf("card %d of a search: %w", i, err)
		}
		cards[i] = *card
	}
	return cards, nil
}

// decodedCards caches decoded cards, decodedBytes of them: enough for 16,000 of about
// decodedCard bytes.
var decodedCards = cache.New[jsonKey, *Card](decodedBytes)

const (
	decodedCard  = 1500
	decodedBytes = 24 << 20
)

// decodeCard decodes a card.
func decodeCard(raw json.RawMessage) (*Card, error) {
	key := newJSONKey(raw)
	if card, ok := decodedCards.Get(key); ok {
		return card, nil
	}
	card := new(Card)
	if err := json.Unmarshal(raw, card); err != nil {
		return nil, err
	}
	return decodedCards.Add(key, card, decodedCard), nil
}

// Pages returns the paths of the pages of the cards without decoding them. In the JSON they come
// before what members write.
func (l CardList) Pages() []string {
	pages := make([]string, len(l))
	for i, raw := range l {
		_, rest, _ := bytes.Cut(raw, []byte(`"page":"`))
		page, _, _ := bytes.Cut(rest, []byte(`"`))
		pages[i] = string(page)
	}
	return pages
}

// AppendJSON appends the cards as a JSON array.
func (l CardList) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, card := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, card...)
	}
	return append(dst, ']')
}
