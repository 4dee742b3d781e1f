package handlers

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models"
)

// upload is a file a request brings: as a part of a form, or in JSON as base64.
type upload struct {
	Name  string // as the sender calls it: to be shown, never to be opened
	Bytes []byte
}

// file is an upload under its field's name.
type file struct {
	field string
	upload
}

// maxFiles is how many files one request may bring.
const maxFiles = 20

// readBody reads the parameters in the body of a request: JSON, or what a form
// sends. An empty body says nothing.
func readBody(ctx *fasthttp.RequestCtx, g *request) (err error) {
	body := ctx.Request.Body()
	// What is no media type is none of those below.
	mediaType, params, _ := mime.ParseMediaType(string(ctx.Request.Header.ContentType()))
	switch {
	case mediaType == "application/json":
		g.pairs, err = pairsOf(body)
	case len(body) == 0:
		return nil
	case mediaType == "application/x-www-form-urlencoded":
		g.pairs, err = parseQuery(string(body))
	case mediaType == "multipart/form-data":
		g.pairs, g.files, err = readForm(multipart.NewReader(bytes.NewReader(body), params["boundary"]))
	default:
		return &models.Error{Kind: models.Invalid, Code: "unsupported_media_type",
			Message: "The request body is not of a type this address reads.",
			Hint:    "Send application/json, or a form as application/x-www-form-urlencoded or multipart/form-data."}
	}
	if err == nil && len(g.pairs) > maxParts {
		err = &models.Error{Kind: models.Invalid, Code: "invalid_parameter",
			Message: fmt.Sprintf("The body gives more than %d values.", maxParts), Hint: "Send them in several requests."}
	}
	return err
}

// readForm reads a form of several parts.
func readForm(r *multipart.Reader) (pairs []pair, files []file, err error) {
	malformed := &models.Error{Kind: models.Invalid, Code: "bad_request", Message: "The body is not multipart/form-data.",
		Hint: "Send the boundary in Content-Type, and end the body with it."}
	for {
		part, err := r.NextPart()
		if err == io.EOF {
			return pairs, files, nil
		}
		if err != nil {
			return nil, nil, malformed
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, nil, malformed
		}
		name := part.FormName()
		switch {
		case len(pairs)+len(files) >= maxParts || len(files) >= maxFiles && part.FileName() != "":
			return nil, nil, &models.Error{Kind: models.Invalid, Code: "invalid_parameter",
				Message: fmt.Sprintf("The form has more than %d files or %d parts.", maxFiles, maxParts), Hint: "Send them in several requests."}
		case part.Header.Get("Content-Disposition") != "" && strings.Contains(part.Header.Get("Content-Disposition"), "filename"):
			if len(content) > 0 { // a file that was not chosen is sent as an empty one
				files = append(files, file{name, upload{part.FileName(), content}})
			}
		case !clean(name) || !clean(string(content)):
			return nil, nil, errEncoding
		default:
			pairs = append(pairs, pair{name, string(content)})
		}
	}
}

// maxParts is how many parts a form may have.
const maxParts = 200

// errEncoding refuses text that is none.
var errEncoding = &models.Error{Kind: models.Invalid, Code: "invalid_encoding", Message: "The body holds bytes that are not UTF-8 text.",
	Hint: "Encode every value as UTF-8, without control characters."}

// pairsOf are the members of a JSON object as the parameters that say the same,
// so that a body, a tool's arguments and a query accept and refuse alike. It
// refuses what no parameter can say.
func pairsOf(body []byte) ([]pair, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	var members map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&members); err != nil || decoder.More() {
		return nil, &models.Error{Kind: models.Invalid, Code: "invalid_parameter",
			Message: "What was sent is not a JSON object.", Hint: "Give every value by its name, such as {\"keyword\": \"canon r6\"}."}
	}
	var pairs []pair
	var faults []fault
	for name, value := range members {
		values, wrong := textsOf(value)
		if wrong == "" && !clean(name) {
			wrong = "has a name with control characters"
		}
		if wrong != "" {
			faults = append(faults, fault{models.FieldError{Field: strconv.QuoteToASCII(name), Code: "invalid_value", Message: fmt.Sprintf("%q %s.", name, wrong)}, ""})
			continue
		}
		if len(values) == 0 {
			values = []string{""} // null and [] are given, and empty
		}
		for _, v := range values {
			pairs = append(pairs, pair{name, v})
		}
	}
	if len(faults) > 0 {
		slices.SortFunc(faults, func(a, b fault) int { return strings.Compare(a.Field, b.Field) })
		return nil, refuse(faults)
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return strings.Compare(a.name, b.name) })
	return pairs, nil
}

// textsOf are the values of a JSON value as a query has them, or what is wrong
// with it. Null is none.
func textsOf(value any) (texts []string, wrong string) {
	switch v := value.(type) {
	case nil:
		return nil, ""
	case string:
		if !clean(v) {
			return nil, "has control characters"
		}
		return []string{v}, ""
	case bool:
		return []string{strconv.FormatBool(v)}, ""
	case json.Number:
		return []string{number(v)}, ""
	case []any:
		for _, item := range v {
			if _, nested := item.([]any); nested {
				return nil, "is a list of lists"
			}
			more, wrong := textsOf(item)
			if wrong != "" {
				return nil, wrong
			}
			texts = append(texts, more...)
		}
		return texts, ""
	case map[string]any:
		return moneyOf(v)
	}
	return nil, "is nothing a request can hold"
}

// moneyOf is an object that is an amount of money as a form writes it: "450.00 EUR".
func moneyOf(v map[string]any) (texts []string, wrong string) {
	amount := fmt.Sprint(v["amount"]) // a string or a number
	currency, known := v["currency"].(string)
	if _, nested := v["amount"].(map[string]any); nested || v["amount"] == nil || len(v) > 2 || len(v) == 2 && !known || !clean(amount+currency) {
		return nil, "is an object, and not an amount of money such as {\"amount\": \"450.00\", \"currency\": \"EUR\"}"
	}
	return []string{strings.TrimSpace(strings.ReplaceAll(amount, " ", "") + " " + currency)}, ""
}

// number writes a whole number without a fraction: 24.0 and 2.4e1 are 24.
func number(n json.Number) string {
	if f, err := n.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatInt(int64(f), 10)
	}
	return n.String()
}

// bindFiles sets a field that takes files; it returns what is wrong, or nil.
func (p *param) bindFiles(field reflect.Value, g *request) *fault {
	var all []upload
	for _, f := range g.files {
		if f.field == p.Name {
			all = append(all, f.upload)
		}
	}
	for _, pair := range g.pairs {
		if pair.name != p.Name || pair.value == "" {
			continue
		}
		encoded := pair.value
		if head, rest, ok := strings.Cut(encoded, ";base64,"); ok && strings.HasPrefix(head, "data:") {
			encoded = rest
		}
		content, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return &fault{models.FieldError{Field: p.Name, Code: "invalid_value", Message: p.Name + " is not base64."},
				"Send the file's bytes as base64 (RFC 4648), or the request as multipart/form-data."}
		}
		all = append(all, upload{Bytes: content})
	}
	switch {
	case len(all) == 0 && p.Required:
		return p.missing()
	case len(all) > maxFiles, len(all) > 1 && !p.Repeat:
		return &fault{models.FieldError{Field: p.Name, Code: "duplicate_parameter", Message: p.Name + " brings too many files."}, "Send them in several requests."}
	case p.Repeat:
		field.Set(reflect.ValueOf(all))
	case len(all) == 1:
		field.Set(reflect.ValueOf(all[0]))
	}
	return nil
}

// setUpload is never called: files are bound by bindFiles.
func setUpload(reflect.Value, string) error { return nil }

// takesFiles reports whether a parameter is a file.
func (plan *bindPlan) takesFiles() bool {
	return slices.ContainsFunc(plan.params, func(p param) bool { return p.typ == reflect.TypeFor[upload]() })
}
