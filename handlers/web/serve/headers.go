package serve

import (
	"bytes"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models/problem"
)

// errMalformedHeader reports a header that other servers may read differently.
var errMalformedHeader = &problem.Error{Kind: problem.Invalid, Code: "bad_request",
	Message: problem.Programf("The header of the request is malformed."),
	Hint:    problem.Programf("End every line with CRLF, send names without spaces, and either Content-Length or Transfer-Encoding: chunked.")}

// WellFormed reports whether a header is unambiguous (RFC 9112): every line ends with
// CRLF, no name contains or follows a space, and the length of the body is given once, by a
// number or by the encoding chunked: fasthttp ignores others, and takes the body for the next
// request.
// fasthttp is more lenient, and a proxy in front of the server may see another
// request.
func wellFormed(h *fasthttp.RequestHeader) bool {
	var length, encoding bool
	for raw := h.RawHeaders(); len(raw) > 0; {
		end := bytes.IndexByte(raw, '\n')
		if end < 1 || raw[end-1] != '\r' {
			return false
		}
		name, value, _ := bytes.Cut(raw[:end-1], []byte(":"))
		if bytes.IndexByte(name, ' ') >= 0 || bytes.IndexByte(name, '\t') >= 0 {
			return false
		}
		length = length || isName(name, "content-length")
		if isName(name, "transfer-encoding") {
			if encoding || !isName(bytes.Trim(value, " \t"), "chunked") {
				return false
			}
			encoding = true
		}
		raw = raw[end+1:]
	}
	return !length || !encoding
}

// isName reports whether a name is lower, which is in lower case.
func isName(name []byte, lower string) bool {
	return len(name) == len(lower) && bytes.EqualFold(name, []byte(lower))
}
