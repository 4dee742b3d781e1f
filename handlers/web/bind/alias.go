package bind

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/problem"
)

// Aliases are other names of parameters and values.
type Aliases struct {
	// Names lists for a name the parameters that it may mean; the first that an operation has
	// is meant.
	Names map[string][]string
	// Hints are names whose values aren't those of the parameter that they mean.
	Hints map[string][]string
	// Values lists by parameter other words for its values.
	Values map[string]map[string]string
}

// afterWord matches the end of a word in a name such as maxPrice.
var afterWord = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// snakeCase returns a name as parameters are written: "maxPrice" is "max_price".
func snakeCase(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '-' || unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, afterWord.ReplaceAllString(name, "${1}_${2}")))
}

// meant returns the parameter of a request that another name means by a table of names, "" if
// there is none. It reports whether the table has the name.
func (plan *Plan) meant(name string, table map[string][]string, req *Request) (parameter string, known bool) {
	name = snakeCase(name)
	if plan.Accepts(name, req) {
		return name, true
	}
	meanings, known := table[name]
	if i := slices.IndexFunc(meanings, func(m string) bool { return plan.Accepts(m, req) }); i >= 0 {
		return meanings[i], true
	}
	return "", known
}

// Rename gives the arguments of a tool the names of the parameters that they mean. Names
// that are already given, and those that mean nothing, stay. Arguments that are null as a text
// are absent.
func (plan *Plan) Rename(arguments map[string]json.RawMessage) {
	if plan.aliases == nil {
		return
	}
	all := &Request{}
	for name, value := range arguments {
		if string(value) == `"null"` {
			delete(arguments, name)
			continue
		}
		if plan.Accepts(name, all) {
			continue
		}
		if to, _ := plan.meant(name, plan.aliases.Names, all); to != "" && arguments[to] == nil {
			delete(arguments, name)
			arguments[to] = value
		}
	}
}

// shownNames is the number of parameters that the hint for an unknown one names.
const shownNames = 8

// suggest returns the hint for an unknown parameter: the one that its name means, or else the
// most similar name, or else some of the names there are.
func (plan *Plan) suggest(name string, req *Request) problem.Text {
	known := false
	if plan.aliases != nil {
		for _, table := range []map[string][]string{plan.aliases.Names, plan.aliases.Hints} {
			to, listed := plan.meant(name, table, req)
			if to != "" {
				return problem.Programf("Did you mean `%s`?", to)
			}
			known = known || listed
		}
	}
	var names []string
	for _, p := range plan.Params {
		if p.InQuery() {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return problem.Programf("Remove it: this address takes no parameters.")
	}
	if near := fuzzy.NearestName(name, names); near != "" && !known {
		return problem.Programf("Did you mean `%s`?", near)
	}
	if more := len(names) - shownNames; more > 1 {
		return problem.Programf("This address takes %s and %d more.", strings.Join(names[:shownNames], ", "), more)
	}
	return problem.Programf("This address takes %s.", strings.Join(names, ", "))
}
