package serve

import (
	"bytes"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models/problem"
)

// errMalformedHeader reports a header that other servers may read differently.
var errMalformedHeader = &problem.Error{Kind: problem.Invalid, Code: "bad_request",
	Message: problem.Programf("The header of the request is malformed."),
	Hint:    problem.Programf("End every line with CRLF, send names without spaces, and either Content-Length or Transfer-Encoding.")}

// WellFormed reports whether a header is unambiguous (RFC 9112): every line ends with
// CRLF, no name contains or follows a space, and the length of the body is given once.
// fasthttp is more lenient, and a proxy in front of the server may see another
// request.
func wellFormed(h *fasthttp.RequestHeader) bool {
	var length, encoding bool
	for raw := h.RawHeaders(); len(raw) > 0; {
		end := bytes.IndexByte(raw, '\n')
		if end < 1 || raw[end-1] != '\r' {
			return false
		}
		name, _, _ := bytes.Cut(raw[:end], []byte(":"))
		if bytes.IndexByte(name, ' ') >= 0 || bytes.IndexByte(name, '\t') >= 0 {
			return false
		}
		length = length || isName(name, "content-length")
		encoding = encoding || isName(name, "transfer-encoding")
		raw = raw[end+1:]
	}
	return !length || !encoding
}

// isName reports whether a field name is lower, which is in lower case.
func isName(name []byte, lower string) bool {
	return len(name) == len(lower) && bytes.EqualFold(name, []byte(lower))
}
