package handlers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"

	"github.com/secondlight/secondlight/models"
)

// asTool is the plan for arguments, which all come by name: there is no path.
func (plan *bindPlan) asTool() *bindPlan {
	tool := &bindPlan{in: plan.in, params: slices.Clone(plan.params)}
	for i := range tool.params {
		tool.params[i].Path = false
	}
	return tool
}

// queryOf writes a tool's arguments, an object of JSON, as the query string that
// says the same, so that a tool and its address accept and refuse alike. It
// refuses what no query can say.
func (plan *bindPlan) queryOf(arguments json.RawMessage) (string, error) {
	if len(bytes.TrimSpace(arguments)) == 0 {
		return "", nil
	}
	var given map[string]any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if err := decoder.Decode(&given); err != nil {
		return "", &models.Error{Kind: models.Invalid, Code: "invalid_parameter",
			Message: "The arguments are not a JSON object.", Hint: "Give every argument by its name, such as {\"keyword\": \"canon r6\"}."}
	}
	query := url.Values{}
	var faults []fault
	for name, value := range given {
		values, wrong := textsOf(value)
		if wrong == "" && !clean(name) {
			wrong = "has a name with control characters"
		}
		if wrong != "" {
			faults = append(faults, fault{models.FieldError{Field: strconv.QuoteToASCII(name), Code: "invalid_value",
				Message: fmt.Sprintf("%q %s.", name, wrong)}, plan.takes(name)})
			continue
		}
		query[name] = values
	}
	if len(faults) > 0 {
		slices.SortFunc(faults, func(a, b fault) int { return bytes.Compare([]byte(a.Field), []byte(b.Field)) })
		return "", refuse(faults)
	}
	return query.Encode(), nil
}

// takes says what an argument wants.
func (plan *bindPlan) takes(name string) string {
	for _, p := range plan.params {
		if p.Name == name && p.Repeat {
			return "Give " + name + " as a list of strings."
		} else if p.Name == name {
			return "Give " + name + " as one value: " + p.Description + "."
		}
	}
	return ""
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
	}
	return nil, "is an object"
}

// number writes a whole number without a fraction: 24.0 and 2.4e1 are 24.
func number(n json.Number) string {
	if f, err := n.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatInt(int64(f), 10)
	}
	return n.String()
}
