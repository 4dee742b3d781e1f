package handlers

import (
	"bytes"
	"strings"

	"github.com/secondlight/secondlight/views"
)

// Face is one representation of a page.
type Face uint8

// Every face, and the media type it is sent with.
const (
	HTML     Face = iota // text/html
	Markdown             // text/markdown
	JSON                 // application/json; errors are application/problem+json
	CSV                  // text/csv
	SVG                  // image/svg+xml
	Atom                 // application/atom+xml
	JSONFeed             // application/feed+json
	faces                // how many there are
)

// faceFacts is what the contract says about a face: name is how messages call
// it, suffix asks for it in an address, contentType is what it is sent with.
type faceFacts struct{ name, suffix, main, sub, contentType string }

var faceTable = [faces]faceFacts{
	HTML:     {"HTML", "", "text", "html", "text/html; charset=utf-8"},
	Markdown: {"Markdown", ".md", "text", "markdown", "text/markdown; charset=utf-8"},
	JSON:     {"JSON", ".json", "application", "json", "application/json; charset=utf-8"},
	CSV:      {"CSV", ".csv", "text", "csv", "text/csv; charset=utf-8"},
	SVG:      {"SVG", ".svg", "image", "svg+xml", "image/svg+xml; charset=utf-8"},
	Atom:     {"Atom", views.AtomSuffix, "application", "atom+xml", views.AtomType + "; charset=utf-8"},
	JSONFeed: {"JSON Feed", views.JSONFeedSuffix, "application", "feed+json", views.JSONFeedType + "; charset=utf-8"},
}

// problemType is what an error's JSON is sent with.
const problemType = "application/problem+json; charset=utf-8"

// MediaType is the face's type without parameters: "text/markdown".
func (f Face) MediaType() string {
	media, _, _ := strings.Cut(faceTable[f].contentType, ";")
	return media
}

// Suffix asks for the face in an address: ".md"; "" for HTML.
func (f Face) Suffix() string { return faceTable[f].suffix }

// ContentType is the face's type as responses carry it.
func (f Face) ContentType() string { return faceTable[f].contentType }

// feed reports whether the face is for feed readers.
func (f Face) feed() bool { return f == Atom || f == JSONFeed }

func (f Face) String() string { return faceTable[f].name }

// A mediaRange is one member of an Accept field. The slices alias the field.
type mediaRange struct {
	main, sub []byte // "*" for any
	charset   []byte // as given; nil for none
	params    bool   // carries parameters other than q and charset
	q         int    // thousandths
}

// choose picks the face a request wants out of offers, whose order is the
// address's own preference, by the rules of RFC 9110, section 12.5.1: the most
// specific range that matches a face gives its quality, and a quality of 0
// refuses it. Among faces of equal quality the one that was named more
// precisely wins, then the one named earlier, then the one offered earlier.
//
// The fields are all the Accept lines of the request. None, or none that can be
// read, accepts everything. Parameters narrow a range, so that
// "text/html;level=1" does not ask for our HTML; but when nothing else is
// acceptable they are overlooked, since an answer is worth more than a 406.
// It returns false when nothing on offer is acceptable. It does not allocate.
func choose(fields [][]byte, offers []Face) (Face, bool) {
	var space [maxRanges]mediaRange
	ranges := parseRanges(space[:0], fields)
	if len(ranges) == 0 {
		return offers[0], true
	}
	if face, ok := pick(ranges, offers, false); ok {
		return face, true
	}
	return pick(ranges, offers, true)
}

// maxRanges is how many ranges of a request are heeded; browsers send up to ten.
const maxRanges = 32

// parseRanges reads the ranges of all Accept lines, in their order.
func parseRanges(ranges []mediaRange, fields [][]byte) []mediaRange {
	for _, field := range fields {
		for len(field) > 0 && len(ranges) < maxRanges {
			var member []byte
			member, field = cutMember(field)
			if r, ok := parseRange(member); ok {
				ranges = append(ranges, r)
			}
		}
	}
	return ranges
}

// pick is one pass of choose; a lenient one overlooks parameters.
func pick(ranges []mediaRange, offers []Face, lenient bool) (best Face, found bool) {
	bestQ, bestSpecific, bestOrder := 0, 0, 0
	for _, face := range offers {
		q, specific, order := quality(ranges, face, lenient)
		better := q > bestQ || q == bestQ && (specific > bestSpecific || specific == bestSpecific && order < bestOrder)
		if q > 0 && better {
			best, found = face, true
			bestQ, bestSpecific, bestOrder = q, specific, order
		}
	}
	return best, found
}

// quality is what the ranges say about one face: its quality, how specific the
// range was that said so (0 for none, 1 for */*, up to 4), and where it stood.
func quality(ranges []mediaRange, face Face, lenient bool) (q, specific, order int) {
	for i := range ranges {
		r := &ranges[i]
		if s := r.matches(face, lenient); s > specific || s == specific && s > 0 && r.q > q {
			q, specific, order = r.q, s, i
		}
	}
	return q, specific, order
}

// matches says how specifically the range names the face, 0 for not at all.
func (r *mediaRange) matches(face Face, lenient bool) int {
	facts := &faceTable[face]
	switch {
	case !lenient && (r.params || r.charset != nil && !equalFold(r.charset, "utf-8")):
		return 0
	case len(r.main) == 1 && r.main[0] == '*':
		return 1
	case !equalFold(r.main, facts.main) && !problem(r, face):
		return 0
	case len(r.sub) == 1 && r.sub[0] == '*':
		return 2
	case !equalFold(r.sub, facts.sub) && !problem(r, face):
		return 0
	case r.charset != nil:
		return 4
	default:
		return 3
	}
}

// problem reports whether a range names the type of our errors, which stands
// for the JSON face.
func problem(r *mediaRange, face Face) bool {
	return face == JSON && equalFold(r.main, "application") && equalFold(r.sub, "problem+json")
}

// cutMember takes the first member off a comma separated list; commas inside
// quoted strings do not count.
func cutMember(list []byte) (member, rest []byte) { return cutOutside(list, ',') }

func cutOutside(b []byte, sep byte) (head, rest []byte) {
	quoted := false
	for i := 0; i < len(b); i++ {
		switch {
		case quoted && b[i] == '\\':
			i++
		case b[i] == '"':
			quoted = !quoted
		case b[i] == sep && !quoted:
			return b[:i], b[i+1:]
		}
	}
	return b, nil
}

// parseRange reads "type/subtype;param=value;q=0.5". A lone "*", which old Java
// clients send, means "*/*". A member that cannot be read is not a range.
func parseRange(member []byte) (mediaRange, bool) {
	name, rest := cutOutside(member, ';')
	name = trim(name)
	r := mediaRange{q: 1000}
	main, sub, slash := bytes.Cut(name, []byte("/"))
	if !slash && equalFold(name, "*") {
		main, sub, slash = name, name, true
	}
	if !slash || !token(main) || !token(sub) || equalFold(main, "*") && !equalFold(sub, "*") {
		return r, false
	}
	r.main, r.sub = main, sub
	for len(rest) > 0 {
		var param []byte
		param, rest = cutOutside(rest, ';')
		if param = trim(param); len(param) == 0 {
			continue
		}
		key, value, _ := bytes.Cut(param, []byte("="))
		key, value = trim(key), unquote(trim(value))
		switch {
		case equalFold(key, "q"):
			q, ok := parseQ(value)
			if !ok {
				return r, false
			}
			r.q = q
		case equalFold(key, "charset"):
			r.charset = value
		default:
			r.params = true
		}
	}
	return r, true
}

// parseQ reads a weight, 0 to 1 with at most three decimals, as thousandths.
func parseQ(b []byte) (int, bool) {
	if len(b) == 0 || len(b) > 5 {
		return 0, false
	}
	whole, frac, _ := bytes.Cut(b, []byte("."))
	q := 0
	for i, unit := 0, 100; i < len(frac); i, unit = i+1, unit/10 {
		if frac[i] < '0' || frac[i] > '9' {
			return 0, false
		}
		q += int(frac[i]-'0') * unit
	}
	switch string(whole) {
	case "0", "":
		return q, len(frac) <= 3
	case "1":
		return 1000, q == 0 && len(frac) <= 3
	}
	return 0, false
}

// Encoding is a content coding the server can send.
type Encoding uint8

// The codings, in the server's order of preference when a client likes them equally.
const (
	Identity Encoding = iota
	Brotli
	Gzip
	encodings // how many there are
)

var encodingNames = [encodings]string{Identity: "identity", Brotli: "br", Gzip: "gzip"}

func (e Encoding) String() string { return encodingNames[e] }

// chooseEncoding picks a coding out of all the Accept-Encoding lines (RFC 9110,
// section 12.5.3). No line, or none we can satisfy, gives Identity.
func chooseEncoding(fields [][]byte) Encoding {
	var q [encodings]int
	star := 0
	for i := range q {
		q[i] = -1
	}
	for _, field := range fields {
		for len(field) > 0 {
			var member []byte
			member, field = cutMember(field)
			name, weight, ok := parseCoding(member)
			if !ok {
				continue
			}
			switch {
			case equalFold(name, "*"):
				star = weight
			case equalFold(name, "br"):
				q[Brotli] = weight
			case equalFold(name, "gzip"), equalFold(name, "x-gzip"):
				q[Gzip] = weight
			case equalFold(name, "identity"):
				q[Identity] = weight
			}
		}
	}
	best, bestQ := Identity, max(q[Identity], 0)
	for _, e := range []Encoding{Brotli, Gzip} {
		if q[e] < 0 {
			q[e] = star
		}
		if q[e] > bestQ || q[e] == bestQ && q[e] > 0 && best == Identity {
			best, bestQ = e, q[e]
		}
	}
	return best
}

func parseCoding(member []byte) (name []byte, q int, ok bool) {
	name, rest := cutOutside(member, ';')
	name, q = trim(name), 1000
	key, value, weighted := bytes.Cut(trim(rest), []byte("="))
	if weighted && equalFold(trim(key), "q") {
		if q, ok = parseQ(trim(value)); !ok {
			return nil, 0, false
		}
	}
	return name, q, len(name) > 0
}

// trim takes the white space of HTTP off both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// unquote takes the quotes off a quoted string. Escapes are left: no value we
// compare with needs one.
func unquote(b []byte) []byte {
	if len(b) >= 2 && b[0] == '"' && b[len(b)-1] == '"' {
		return b[1 : len(b)-1]
	}
	return b
}

// token reports whether b is a token of RFC 9110, or a wildcard.
func token(b []byte) bool {
	for _, c := range b {
		if !tokenBytes[c] {
			return false
		}
	}
	return len(b) > 0
}

var tokenBytes = func() (is [256]bool) {
	for c := byte('!'); c <= '~'; c++ {
		is[c] = strings.IndexByte(`()<>@,;:\"/[]?={}`, c) < 0
	}
	return is
}()

// equalFold compares ASCII without case; lower is in lower case already.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range b {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
