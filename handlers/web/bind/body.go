package bind

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fasthttp"
	"golang.org/x/text/currency"

	"github.com/secondlight/secondlight/models/number"
	"github.com/secondlight/secondlight/models/problem"
)

// readBody parses the body of a request, JSON or an HTML form, into req. An empty
// body has no parameters.
func (plan *Plan) readBody(ctx *fasthttp.RequestCtx, req *Request) (err error) {
	body := ctx.Request.Body()
	// An invalid Content-Type matches none of the cases below.
	mediaType, params, _ := mime.ParseMediaType(string(ctx.Request.Header.ContentType()))
	switch {
	case mediaType == "application/json":
		req.Pairs, err = ParseJSONObject(body, plan)
	case len(body) == 0:
		return nil
	case mediaType == "application/x-www-form-urlencoded":
		req.Pairs, err = parseQuery(string(body))
	case mediaType == "multipart/form-data":
		req.Pairs, req.files, err = readForm(multipart.NewReader(bytes.NewReader(body), params["boundary"]))
	default:
		return &problem.Error{Kind: problem.Invalid, Code: "unsupported_media_type",
			Message: problem.Programf("The media type of the request body isn't supported."),
			Hint:    problem.Programf("Send application/json, or a form as application/x-www-form-urlencoded or multipart/form-data.")}
	}
	return err
}

// readForm parses a multipart form.
func readForm(r *multipart.Reader) (pairs []Pair, files []file, err error) {
	malformed := &problem.Error{Kind: problem.Invalid, Code: "bad_request", Message: problem.Programf("The body is not valid multipart/form-data."),
		Hint: problem.Programf("Declare the boundary in Content-Type and end the body with it.")}
	parts := 0
	for {
		part, err := r.NextPart()
		if err == io.EOF {
			return pairs, files, nil
		}
		if err != nil {
			return nil, nil, malformed
		}
		if parts++; parts > MaxParams || len(files) >= maxFiles && part.FileName() != "" {
			return nil, nil, &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter",
				Message: problem.Textf("The form has more than %d files or %d parts.", maxFiles, MaxParams), Hint: problem.Textf("Send them in several requests.")}
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, nil, malformed
		}
		name := part.FormName()
		switch {
		case part.Header.Get("Content-Disposition") != "" && strings.Contains(part.Header.Get("Content-Disposition"), "filename"):
			if len(content) > 0 { // browsers send an empty file if none was chosen
				files = append(files, file{name, Upload{part.FileName(), content}})
			}
		case !ValidText(name) || !ValidText(string(content)):
			return nil, nil, errEncoding
		default:
			pairs = append(pairs, Pair{name, string(content)})
		}
	}
}

// errEncoding reports a body with invalid UTF-8 or control characters.
var errEncoding = &problem.Error{Kind: problem.Invalid, Code: "invalid_encoding", Message: problem.Programf("The body contains bytes that are not UTF-8 text."),
	Hint: problem.Programf("Encode every value as UTF-8, without control characters.")}

// ParseJSONObject returns the members of a JSON object as parameters, so that a
// body, the arguments of a tool and a query are validated alike. Values that no
// parameter of the plan can have, such as nested objects, are errors.
func ParseJSONObject(body []byte, plan *Plan) ([]Pair, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	if err := CheckJSONSize(body); err != nil {
		return nil, err
	}
	var members map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&members); err != nil || decoder.More() {
		return nil, &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter",
			Message: problem.Programf("The parameters are not a JSON object."), Hint: problem.Programf(`Send an object with a member for each value: {"keyword": "canon r6"}.`)}
	}
	var pairs []Pair
	var fieldErrors []FieldError
	for name, value := range members {
		values, wrong := jsonValues(plan.unquoted(name, value), plan.takesObjects(name))
		if wrong == "" && !ValidText(name) {
			wrong = "has a name with control characters"
		}
		if wrong != "" {
			fieldErrors = append(fieldErrors, FieldError{problem.FieldError{Field: strconv.QuoteToASCII(name), Code: "invalid_value", Message: problem.Programf("%q %s.", name, wrong)}, nil})
			continue
		}
		if len(values) == 0 {
			values = []string{""} // null and [] are present, but empty
		}
		for _, v := range values {
			pairs = append(pairs, Pair{name, v})
		}
	}
	if len(fieldErrors) > 0 {
		slices.SortFunc(fieldErrors, func(a, b FieldError) int { return strings.Compare(a.Field, b.Field) })
		return nil, InvalidRequest(fieldErrors)
	}
	if len(pairs) > MaxParams {
		return nil, errTooManyParams
	}
	slices.SortStableFunc(pairs, func(a, b Pair) int { return strings.Compare(a.Name, b.Name) })
	return pairs, nil
}

// Limits of a JSON text in a request. A text with MaxParams amounts of money has more
// values than parameters; a message that calls a tool is nested a little deeper than
// its arguments.
const (
	maxJSONValues = 4 * MaxParams
	maxJSONDepth  = 16
)

// CheckJSONSize returns an error if a JSON text is nested deeper than maxJSONDepth or
// has more than maxJSONValues values. It takes a fraction of the time of decoding and
// does not report other errors.
func CheckJSONSize(text []byte) error {
	depth, values := 0, 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			values++
		}
		if depth > maxJSONDepth {
			return &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter",
				Message: problem.Programf("The JSON is nested deeper than %d levels.", maxJSONDepth), Hint: problem.Programf("Send an object with a member for each value.")}
		}
		if values > maxJSONValues {
			return errTooManyParams
		}
	}
	return nil
}

// endOfString returns the index of the quote that ends the JSON string that starts at
// index start, or the length of text if there is none.
func endOfString(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		next := bytes.IndexByte(text[i:], '"')
		if next < 0 {
			break
		}
		i += next
		escapes := 0
		for text[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
	}
	return len(text)
}

// unquoted returns a text that is itself JSON as the value it stands for: language models
// write lists, amounts of money and null so. Values of parameters that are free text stay,
// unless they are amounts.
func (plan *Plan) unquoted(name string, value any) any {
	text, ok := value.(string)
	i := slices.IndexFunc(plan.Params, func(p Param) bool { return p.Name == name })
	if !ok || i < 0 || CheckJSONSize([]byte(text)) != nil {
		return value
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var inner any
	if decoder.Decode(&inner) != nil || decoder.More() {
		return value
	}
	p := &plan.Params[i]
	free := p.Typ == reflect.TypeFor[string]() && len(p.Enum) == 0
	switch v := inner.(type) {
	case []any:
		if p.Repeat {
			return v
		}
	case map[string]any:
		if _, wrong := jsonMoney(v); wrong == "" || p.Object {
			return v
		}
	case nil, string:
		if !free {
			return v
		}
	}
	return value
}

// takesObjects reports whether the values of a parameter may be JSON objects.
func (plan *Plan) takesObjects(name string) bool {
	return slices.ContainsFunc(plan.Params, func(p Param) bool { return p.Object && p.Name == name })
}

// jsonValues returns a JSON value as the values a query would have, none for null.
// Objects are returned as JSON if the parameter takes objects, otherwise as money. If
// there is no such form, it returns the reason: "is a list of lists".
func jsonValues(value any, objects bool) (texts []string, wrong string) {
	switch v := value.(type) {
	case nil:
		return nil, ""
	case string:
		if !ValidText(v) {
			return nil, "contains control characters"
		}
		return []string{v}, ""
	case bool:
		return []string{strconv.FormatBool(v)}, ""
	case json.Number:
		return []string{number.JSON(v)}, ""
	case []any:
		for _, item := range v {
			if _, nested := item.([]any); nested {
				return nil, "is a list of lists"
			}
			more, wrong := jsonValues(item, objects)
			if wrong != "" {
				return nil, wrong
			}
			texts = append(texts, more...)
		}
		return texts, ""
	case map[string]any:
		if objects {
			return jsonObject(v)
		}
		return jsonMoney(v)
	}
	return nil, "has an unsupported type"
}

// jsonObject returns a JSON object as JSON.
func jsonObject(v map[string]any) (texts []string, wrong string) {
	for name, value := range v {
		if text, ok := value.(string); !ValidText(name) || ok && !ValidText(text) {
			return nil, "contains control characters"
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, "has an unsupported type"
	}
	return []string{string(text)}, ""
}

// jsonMoney returns a JSON amount of money as a form writes it: "450.00 EUR".
func jsonMoney(v map[string]any) (texts []string, wrong string) {
	amount := fmt.Sprint(v["amount"]) // a string or a number
	code, known := v["currency"].(string)
	if _, nested := v["amount"].(map[string]any); nested || v["amount"] == nil || len(v) > 2 || len(v) == 2 && !known || !ValidText(amount+code) {
		return nil, "is an object other than an amount of money such as {\"amount\": \"450.00\", \"currency\": \"EUR\"}"
	}
	if n, ok := v["amount"].(json.Number); ok {
		amount = number.JSON(n)
	} else if number.IsPointGroup(amount) && !threeDecimals(code) {
		if strings.HasSuffix(amount, "0") {
			return nil, fmt.Sprintf("has the amount %q, which can be %s or %s", amount, strings.Replace(amount, ".", "", 1), amount[:len(amount)-1])
		}
		amount += "0" // three decimals, not a group
	}
	return []string{strings.TrimSpace(strings.ReplaceAll(amount, " ", "") + " " + code)}, ""
}

// threeDecimals reports whether amounts in a currency have three decimals.
func threeDecimals(code string) bool {
	unit, err := currency.ParseISO(code)
	decimals, _ := currency.Standard.Rounding(unit)
	return err == nil && decimals == 3
}

// AcceptsFiles reports whether any parameter is a file.
func (plan *Plan) AcceptsFiles() bool {
	return slices.ContainsFunc(plan.Params, func(p Param) bool { return p.Typ == reflect.TypeFor[Upload]() })
}
