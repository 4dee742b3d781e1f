package bind

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"github.com/valyala/fasthttp"
)

// Read parses the parameters of a write from its body, or from its query if it has
// none.
func (plan *Plan) Read(ctx *fasthttp.RequestCtx, req *Request) (err error) {
	query, err := parseQuery(string(ctx.URI().QueryString()))
	switch {
	case err != nil:
		return err
	case plan.Body:
		req.misplaced = query
	case !ctx.IsPost(): // a form always has a body
		req.Pairs = query
		return nil
	}
	return plan.readBody(ctx, req)
}

// maxFormText is the maximum number of bytes that a rejected form of an anonymous client
// is displayed again with.
const maxFormText = 4 << 10

// FormValues returns the values entered into a form, without passwords. If short, it
// leaves out values beyond maxFormText bytes.
func (plan *Plan) FormValues(req *Request, short bool) map[string][]string {
	values := map[string][]string{}
	size := 0
	for i := range plan.Params {
		p := &plan.Params[i]
		for _, pair := range req.Pairs {
			if pair.Name != p.Name || p.Format == "password" {
				continue
			}
			if size += len(pair.Value); !short || size <= maxFormText {
				values[p.Name] = append(values[p.Name], pair.Value)
			}
		}
	}
	return values
}

// Fingerprint returns a hash of the parameters of a request. It does not depend on
// whether they were sent as JSON, as a form or as tool arguments.
func (plan *Plan) Fingerprint(req *Request) string {
	hash := sha256.New()
	for i := range plan.Params {
		p := &plan.Params[i]
		values := p.values(nil, req)
		if req.names(p.Name) {
			values = append(values, "given")
		}
		for _, f := range req.files {
			if f.field == p.Name {
				sum := sha256.Sum256(f.Bytes)
				values = append(values, base64.StdEncoding.EncodeToString(sum[:]))
			}
		}
		fmt.Fprintf(hash, "%q %q\n", p.Name, values)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Examples returns the example values in the tags of the input by parameter name.
func (plan *Plan) Examples() map[string]string {
	values := map[string]string{}
	for _, p := range plan.Params {
		values[p.Name] = p.Example
	}
	return values
}
