package web

import (
	"bytes"
	"slices"
	"strings"
)

// Format is a representation of a page.
type Format uint8

// Formats, with the media types they are sent as.
const (
	HTML     Format = iota // text/html
	Markdown               // text/markdown
	JSON                   // application/json; errors are application/problem+json
	CSV                    // text/csv
	SVG                    // image/svg+xml
	Atom                   // application/atom+xml
	JSONFeed               // application/feed+json
	Formats                // how many there are
)

// formatFacts describes a format: its name in messages, its suffix in paths, the two
// parts of its media type, and its content type with parameters.
type formatFacts struct{ name, suffix, main, sub, contentType string }

var formatTable = [Formats]formatFacts{
	HTML:     {"HTML", "", "text", "html", "text/html; charset=utf-8"},
	Markdown: {"Markdown", ".md", "text", "markdown", "text/markdown; charset=utf-8"},
	JSON:     {"JSON", ".json", "application", "json", "application/json"},
	CSV:      {"CSV", ".csv", "text", "csv", "text/csv; charset=utf-8"},
	SVG:      {"SVG", ".svg", "image", "svg+xml", "image/svg+xml; charset=utf-8"},
	Atom:     {"Atom", ".atom", "application", "atom+xml", "application/atom+xml; charset=utf-8"},
	JSONFeed: {"JSON Feed", ".feed.json", "application", "feed+json", "application/feed+json; charset=utf-8"},
}

// ProblemType is the content type of an error in JSON.
const ProblemType = "application/problem+json; charset=utf-8"

// MediaType returns the media type of the format without parameters: "text/markdown".
func (f Format) MediaType() string {
	media, _, _ := strings.Cut(formatTable[f].contentType, ";")
	return media
}

// Suffix returns the suffix that selects the format in a path: ".md"; "" for HTML.
func (f Format) Suffix() string { return formatTable[f].suffix }

// ContentType returns the value of Content-Type for the format.
func (f Format) ContentType() string { return formatTable[f].contentType }

// Feed reports whether the format is a feed.
func (f Format) Feed() bool { return f == Atom || f == JSONFeed }

// String returns the name of the format for messages: "JSON Feed".
func (f Format) String() string { return formatTable[f].name }

// mediaRange is a media range of an Accept field. Its slices alias the field.
type mediaRange struct {
	main, sub []byte // "*" for any
	charset   []byte // as given; nil for none
	params    bool   // carries parameters other than q and charset
	q         int    // thousandths
}

// Choose returns the format that a request accepts best, following RFC 9110, section
// 12.5.1: the most specific range that matches a format determines its quality, and
// quality 0 excludes it. Among formats of equal quality the one with the most specific
// range wins, then the one whose range comes first, then the one that comes first in
// available.
//
// Fields are the Accept lines of the request. If there are none, or none is valid,
// every format is accepted. A range with parameters, such as "text/html;level=1", is
// used only if no format is acceptable without it, since a response serves a client
// better than a 406.
//
// It returns false if no available format is acceptable. It does not allocate.
func Choose(fields [][]byte, available []Format) (Format, bool) {
	var buf [maxRanges]mediaRange
	ranges := parseRanges(buf[:0], fields)
	if len(ranges) == 0 {
		return available[0], true
	}
	if format, ok := pick(ranges, available, false); ok {
		return format, true
	}
	return pick(ranges, available, true)
}

// AcceptsText reports whether Accept lines have a range of a text type.
func AcceptsText(fields [][]byte) bool {
	var buf [maxRanges]mediaRange
	return slices.ContainsFunc(parseRanges(buf[:0], fields), func(r mediaRange) bool { return r.q > 0 && equalFold(r.main, "text") })
}

// AcceptsType reports whether Accept lines name a media type: "*/*" and "image/*" don't. Browsers name
// the formats that not all of them can show.
func AcceptsType(fields [][]byte, main, sub string) bool {
	var buf [maxRanges]mediaRange
	return slices.ContainsFunc(parseRanges(buf[:0], fields), func(r mediaRange) bool { return r.q > 0 && equalFold(r.main, main) && equalFold(r.sub, sub) })
}

// maxRanges is the maximum number of media ranges considered. Browsers send up to 10.
const maxRanges = 32

// parseRanges appends the valid media ranges of Accept lines to ranges, in order.
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

// pick returns the best available format. If lenient, it ignores the parameters of
// ranges.
func pick(ranges []mediaRange, available []Format, lenient bool) (best Format, found bool) {
	bestQ, bestSpecific, bestOrder := 0, 0, 0
	for _, format := range available {
		q, specific, order := quality(ranges, format, lenient)
		better := q > bestQ || q == bestQ && (specific > bestSpecific || specific == bestSpecific && order < bestOrder)
		if q > 0 && better {
			best, found = format, true
			bestQ, bestSpecific, bestOrder = q, specific, order
		}
	}
	return best, found
}

// quality returns the quality of a format in thousandths, the specificity of the range
// that determines it (0 for none, 1 for */*, up to 4), and the index of that range.
func quality(ranges []mediaRange, format Format, lenient bool) (q, specific, order int) {
	for i := range ranges {
		r := &ranges[i]
		if s := r.matches(format, lenient); s > specific || s == specific && s > 0 && r.q > q {
			q, specific, order = r.q, s, i
		}
	}
	return q, specific, order
}

// matches returns how specifically the range matches a format, 0 for not at all.
func (r *mediaRange) matches(format Format, lenient bool) int {
	facts := &formatTable[format]
	switch {
	case !lenient && (r.params || r.charset != nil && !equalFold(r.charset, "utf-8")):
		return 0
	case len(r.main) == 1 && r.main[0] == '*':
		return 1
	case !equalFold(r.main, facts.main) && !namesProblem(r, format):
		return 0
	case len(r.sub) == 1 && r.sub[0] == '*':
		return 2
	case !equalFold(r.sub, facts.sub) && !namesProblem(r, format):
		return 0
	case r.charset != nil:
		return 4
	default:
		return 3
	}
}

// namesProblem reports whether a range is application/problem+json, which is treated
// as JSON because errors are sent as that type.
func namesProblem(r *mediaRange, format Format) bool {
	return format == JSON && equalFold(r.main, "application") && equalFold(r.sub, "problem+json")
}

// cutMember cuts the first member off a comma-separated list. It ignores commas in
// quoted strings.
func cutMember(list []byte) (member, rest []byte) { return cutOutside(list, ',') }

// cutOutside cuts b around the first sep that is not in a quoted string.
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

// parseRange parses "type/subtype;param=value;q=0.5". It treats "*", which old Java
// clients send, as "*/*".
func parseRange(member []byte) (mediaRange, bool) {
	name, rest := cutOutside(member, ';')
	name = trim(name)
	r := mediaRange{q: 1000}
	main, sub, slash := bytes.Cut(name, []byte("/"))
	if !slash && equalFold(name, "*") {
		main, sub, slash = name, name, true
	}
	if !slash || !Token(main) || !Token(sub) || equalFold(main, "*") && !equalFold(sub, "*") {
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

// parseQ parses a weight, 0 to 1 with at most three decimals, into thousandths.
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

// Encoding is a content coding.
type Encoding uint8

// Content codings that the server supports.
const (
	IdentityEncoding Encoding = iota
	Brotli
	Gzip
	Encodings // how many there are
)

var encodingNames = [Encodings]string{IdentityEncoding: "identity", Brotli: "br", Gzip: "gzip"}

// String returns the name of the coding: "br".
func (e Encoding) String() string { return encodingNames[e] }

// Accepted holds the content codings that a request accepts.
type Accepted struct {
	Best Encoding // what it accepts best
	Fast Encoding // what takes the least time to encode; IdentityEncoding only if best is
}

// ChooseEncoding returns the content coding that a request accepts best.
func ChooseEncoding(fields [][]byte) Encoding { return AcceptedEncodings(fields).Best }

// AcceptedEncodings returns the content codings that a request accepts, following
// RFC 9110, section 12.5.3. Fields are the Accept-Encoding lines of the request. The
// codings are IdentityEncoding if there are none or no other coding is acceptable.
func AcceptedEncodings(fields [][]byte) Accepted {
	var q [Encodings]int
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
				q[IdentityEncoding] = weight
			}
		}
	}
	best, bestQ := IdentityEncoding, max(q[IdentityEncoding], 0)
	for _, e := range []Encoding{Brotli, Gzip} {
		if q[e] < 0 {
			q[e] = star
		}
		if q[e] > bestQ || q[e] == bestQ && q[e] > 0 && best == IdentityEncoding {
			best, bestQ = e, q[e]
		}
	}
	if best == Brotli && q[Gzip] > 0 {
		return Accepted{Best: Brotli, Fast: Gzip}
	}
	return Accepted{Best: best, Fast: best}
}

// parseCoding parses "br;q=0.5".
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

// trim removes spaces and tabs at both ends.
func trim(b []byte) []byte { return bytes.Trim(b, " \t") }

// unquote removes the quotes of a quoted string. It does not process escapes, which no
// value that is compared needs.
func unquote(b []byte) []byte {
	if len(b) >= 2 && b[0] == '"' && b[len(b)-1] == '"' {
		return b[1 : len(b)-1]
	}
	return b
}

// Token reports whether b is a token (RFC 9110, section 5.6.2). A wildcard "*" is one.
func Token(b []byte) bool {
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

// equalFold reports whether b equals lower, ignoring ASCII case. Lower must be in
// lower case.
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
