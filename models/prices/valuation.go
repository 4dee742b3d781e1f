package prices

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Limits of a valuation.
const (
	MaxValuationItems = 200
	MaxItemCount      = 100 // of the same item
)

// ValuationItem is an item to value, with the name and condition as they were entered.
type ValuationItem struct {
	Name      string `json:"name" jsonschema:"camera or lens by any name, or its slug"`
	Condition string `json:"condition,omitempty" jsonschema:"condition grade, such as excellent; default: all conditions"`
	Count     int    `json:"count,omitempty" jsonschema:"number of such items, 1 to 100; default: 1" min:"1" max:"100"`
}

// Set parses a line such as "2x Canon EOS R6, excellent" or "Sony 50mm f/1.8, good, x2":
// a name, followed by the condition and the number of items if they are given. It has
// the signature of flag.Value and never fails: what it cannot tell apart is part of the
// name.
func (i *ValuationItem) Set(line string) error {
	*i = ValuationItem{}
	var name []string
	for _, part := range splitItem(line) {
		switch {
		case len(name) > 0 && i.Count == 0 && countOf(part) > 0:
			i.Count = countOf(part)
		case len(name) > 0 && i.Condition == "" && conditionOf(part) != "":
			i.Condition = string(conditionOf(part))
		default:
			name = append(name, part)
		}
	}
	i.Name = strings.Join(name, ", ")
	if m := leadingCount.FindStringSubmatch(i.Name); m != nil && i.Count == 0 {
		i.Count, _ = strconv.Atoi(m[1])
		i.Name = i.Name[len(m[0]):]
	}
	if i.Condition == "" {
		i.Name, i.Condition = cutCondition(i.Name)
	}
	return nil
}

// Grade returns the condition of the item, "" for none, and whether there is such a
// condition.
func (i *ValuationItem) Grade() (c models.Condition, ok bool) {
	if strings.TrimSpace(i.Condition) == "" {
		return "", true
	}
	c = conditionOf(i.Condition)
	return c, c != ""
}

// String returns the item as a line that Set parses.
func (i ValuationItem) String() string {
	line := i.Name
	if i.Condition != "" {
		line += ", " + i.Condition
	}
	if i.Count > 1 {
		line += ", x" + strconv.Itoa(i.Count)
	}
	return line
}

var (
	itemSeparator = regexp.MustCompile(`[;\t|]|,\s|,\D|,$`)
	leadingCount  = regexp.MustCompile(`^(\d{1,3})\s?[x×]\s+`)
	itemCount     = regexp.MustCompile(`^(?:[x×]\s?(\d{1,3})|(\d{1,3})\s?[x×]?|(\d{1,3}) (?:pcs|pieces))$`)
)

// splitItem splits a line at semicolons, tabs, bars and commas. A comma between digits
// is part of a number.
func splitItem(line string) []string {
	var parts []string
	for {
		at := itemSeparator.FindStringIndex(line)
		if at == nil {
			break
		}
		parts = append(parts, line[:at[0]])
		line = line[at[0]+1:]
	}
	parts = append(parts, line)
	for i := range parts {
		parts[i] = strings.Join(strings.Fields(parts[i]), " ")
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// countOf returns the number that a text such as "2", "x2" or "2 x" counts, otherwise 0.
func countOf(text string) int {
	m := itemCount.FindStringSubmatch(strings.ToLower(text))
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1] + m[2] + m[3])
	return n
}

// germanConditions maps the German labels of conditions, with underscores.
var germanConditions = map[string]models.Condition{
	"neu": models.ConditionNew, "wie_neu": models.ConditionLikeNew, "sehr_gut": models.ConditionExcellent, "gut": models.ConditionGood,
	"abgenutzt": models.ConditionWellUsed, "stark_abgenutzt": models.ConditionHeavilyUsed, "stark_gebraucht": models.ConditionWellUsed, "sehr_stark_gebraucht": models.ConditionHeavilyUsed, "defekt": models.ConditionFaulty,
}

// conditionOf returns the condition with a code or label, in any case, otherwise "".
func conditionOf(text string) models.Condition {
	code := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(text)))
	if c := models.Condition(code); c.Valid() {
		return c
	}
	return germanConditions[code]
}

// cutCondition cuts the condition that a name ends with: "Canon EOS R6 like new".
func cutCondition(name string) (rest, condition string) {
	words := strings.Fields(name)
	for _, n := range []int{3, 2, 1} {
		if at := len(words) - n; at > 0 {
			if c := conditionOf(strings.Join(words[at:], " ")); c != "" {
				return strings.TrimRight(strings.Join(words[:at], " "), " -–:("), string(c)
			}
		}
	}
	return name, ""
}

// PriceRange is the range of half of the prices.
type PriceRange struct {
	Low, Median, High models.Cents // quartiles
	Sales             int
	Condition         models.Condition // of the sales; "" for all conditions
	Estimated         bool             // it is that of an estimate, otherwise of sales
}

// RangeOf returns what gear in a condition sells for: the range of its sales in the
// condition, or in all conditions if there are too few. It returns false if there are
// too few sales in all. The trend may be nil.
func (t *Trend) RangeOf(c models.Condition) (PriceRange, bool) {
	if t == nil {
		return PriceRange{}, false
	}
	s := t.ByCondition[c]
	if !s.Enough() {
		s, c = t.Summary, ""
	}
	return PriceRange{Low: s.P25, Median: s.Median, High: s.P75, Sales: s.Count, Condition: c}, s.Enough()
}

// Neighbours returns the nearest better and the nearest worse condition that have enough
// sales to state prices.
func (t *Trend) Neighbours(c models.Condition) []models.Condition {
	enough := func(c models.Condition) bool { return t.ByCondition[c].Enough() }
	at := slices.Index(models.Conditions, c)
	if at < 0 {
		return nil
	}
	var near []models.Condition
	for i := at - 1; i >= 0; i-- {
		if enough(models.Conditions[i]) {
			near = append(near, models.Conditions[i])
			break
		}
	}
	if i := slices.IndexFunc(models.Conditions[at+1:], enough); i >= 0 {
		near = append(near, models.Conditions[at+1+i])
	}
	return near
}

// Verdict says how a price compares with the range of an estimate or the middle half of
// sold prices.
type Verdict string

// The verdicts on a price.
const (
	BelowRange     Verdict = "below"
	WithinRange    Verdict = "within"
	AboveRange     Verdict = "above"
	VerdictUnknown Verdict = "insufficient_data"
)

// Verdicts lists all verdicts.
var Verdicts = []Verdict{BelowRange, WithinRange, AboveRange, VerdictUnknown}

// verdictOn compares a price with a range.
func verdictOn(price, low, high models.Cents) Verdict {
	switch {
	case price < low:
		return BelowRange
	case price > high:
		return AboveRange
	}
	return WithinRange
}

// Verdict compares a price with the sold prices. percent is its difference from the
// median, rounded; it is 0 if there are too few sales.
func (s Stats) Verdict(price models.Cents) (v Verdict, percent int) {
	if !s.Enough() || s.Median <= 0 {
		return VerdictUnknown, 0
	}
	return verdictOn(price, s.P25, s.P75), roundPercent(int64(price-s.Median), int64(s.Median))
}

// Verdict compares a price with the range of an estimate. percent is its difference from
// the estimate, rounded.
func (t Typical) Verdict(price models.Cents) (v Verdict, percent int) {
	return verdictOn(price, t.Low, t.High), t.Deal(price).Percent
}
