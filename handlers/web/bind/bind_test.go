package bind

import (
	"errors"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/secondlight/secondlight/models/problem"
)

// rating is a type of text with fixed values, as the vocabulary has them.
type rating string

var words = Vocabulary{Types: map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[rating](): Enum[rating]("new", "like_new", "excellent", "good", "well_used", "heavily_used", "faulty"),
}}

type wordsIn struct {
	Word      string   `json:"word" in:"path" jsonschema:"a word" example:"lens"`
	List      []string `json:"list,omitempty" jsonschema:"several words" example:"a,b"`
	Condition []rating `json:"condition,omitempty" jsonschema:"ratings" example:"good"`
	Sort      string   `json:"sort,omitempty" jsonschema:"order" enum:"newest,price,-price" default:"newest" example:"price"`
	Limit     int      `json:"limit,omitempty" jsonschema:"how many" min:"1" max:"100" default:"24" example:"12"`
	Budget    string   `json:"budget_max,omitempty" jsonschema:"highest price" example:"800"`
	Fresh     bool     `json:"fresh,omitempty" jsonschema:"only new ones" example:"true"`
}

func probePlan(t testing.TB) *Plan {
	t.Helper()
	plan, err := PlanFor(reflect.TypeFor[wordsIn](), "/probes/{word}")
	if err != nil {
		t.Fatal(err)
	}
	plan.Describe(&words)
	return plan
}

func lens(string) string { return "lens" }

func TestBind(t *testing.T) {
	plan := probePlan(t)
	base := wordsIn{Word: "lens", Sort: "newest", Limit: 24}
	for _, c := range []struct {
		query  string
		change func(*wordsIn)
		canon  string
	}{
		{"", func(*wordsIn) {}, ""},
		{"limit=5", func(in *wordsIn) { in.Limit = 5 }, "limit=5"},
		{"sort=-price&limit=100", func(in *wordsIn) { in.Sort, in.Limit = "-price", 100 }, "sort=-price&limit=100"},
		{"list=a&list=b", func(in *wordsIn) { in.List = []string{"a", "b"} }, "list=a&list=b"},
		{"list=a,b,,a", func(in *wordsIn) { in.List = []string{"a", "b"} }, "list=a&list=b"},
		{"condition=good,like_new", func(in *wordsIn) { in.Condition = []rating{"good", "like_new"} }, "condition=good&condition=like_new"},
		{"budget_max=&limit=", func(*wordsIn) {}, ""},
		{"budget_max=+800+", func(in *wordsIn) { in.Budget = "800" }, "budget_max=800"},
		{"list=caf%C3%A9&&", func(in *wordsIn) { in.List = []string{"café"} }, "list=caf%C3%A9"},
		{"fresh=true", func(in *wordsIn) { in.Fresh = true }, "fresh=true"},
	} {
		want := base
		c.change(&want)
		got, err := plan.Bind(lens, c.query, true)
		if err != nil {
			t.Errorf("%q: %v", c.query, err)
			continue
		}
		if in := got.In.(*wordsIn); !reflect.DeepEqual(*in, want) || got.Query() != c.canon {
			t.Errorf("%q binds %+v as %q, want %+v as %q", c.query, *in, got.Query(), want, c.canon)
		}
	}
}

func TestBindRefuses(t *testing.T) {
	plan := probePlan(t)
	for _, c := range []struct{ query, code, field, hint string }{
		{"budget_maxx=800", "unknown_parameter", "budget_maxx", "`budget_max`"},
		{"buget=800", "unknown_parameter", "buget", "`budget_max`"},
		{"zzzzzzzzzz=1", "unknown_parameter", "zzzzzzzzzz", "This address takes list, condition, sort, limit, budget_max, fresh."},
		{"word=x", "unknown_parameter", "word", ""},
		{"limit=0", "invalid_parameter", "limit", ""},
		{"limit=101", "invalid_parameter", "limit", ""},
		{"limit=ten", "invalid_parameter", "limit", ""},
		{"limit=99999999999999999999", "invalid_parameter", "limit", ""},
		{"sort=nwest", "invalid_parameter", "sort", "`newest`"},
		{"condition=good&condition=gud", "invalid_parameter", "condition", "`good`"},
		{"limit=1&limit=2", "duplicate_parameter", "limit", "once"},
		{"fresh=perhaps", "invalid_parameter", "fresh", ""},
		{"limit=0&sort=x&nope=1", "invalid_parameter", "sort limit nope", "errors"},
		{"limit=%zz", "invalid_encoding", "", "percent-encode"},
		{"budget_max=%ff", "invalid_encoding", "", ""},
		{"budget_max=%00", "invalid_encoding", "", ""},
		{"budget_max=" + strings.Repeat("9", MaxValueLength+1), "invalid_parameter", "budget_max", ""},
	} {
		_, err := plan.Bind(lens, c.query, true)
		var refused *problem.Error
		if !errors.As(err, &refused) || refused.Code != c.code || !strings.Contains(refused.Advice().String(), c.hint) || refused.Advice() == nil {
			t.Errorf("%.40q: %+v, want %s with the hint %q", c.query, err, c.code, c.hint)
			continue
		}
		var named []string
		for _, f := range refused.Fields {
			named = append(named, f.Field)
		}
		if got := strings.Join(named, " "); got != c.field {
			t.Errorf("%.40q names the fields %q, want %q", c.query, got, c.field)
		}
	}
	if _, err := plan.Bind(lens, "utm_source=x&limit=5&limit=6", false); err != nil {
		t.Errorf("a page heeds what it does not know: %v", err)
	}
	for query, want := range map[string]string{"limit=0": "limit must be at least 1; it is 0.", "limit=101": "limit must be at most 100; it is 101."} {
		if _, err := plan.Bind(lens, query, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a page says of %s: %v, want %s", query, err, want)
		}
	}
}

func TestInvalidValuesNameTheAllowedOnes(t *testing.T) {
	_, err := probePlan(t).Bind(lens, "condition=mint", true)
	for _, c := range []rating{"new", "like_new", "excellent", "good", "well_used", "heavily_used", "faulty"} {
		if !strings.Contains(err.Error(), string(c)) {
			t.Errorf("%v does not name %s", err, c)
		}
	}
}

// TestWrongInputsDoNotStart tests that an input with wrong tags is found when
// the server starts.
func TestWrongInputsDoNotStart(t *testing.T) {
	for _, c := range []struct {
		name string
		in   any
		path string
	}{
		{"no name", struct {
			A string `jsonschema:"a"`
		}{}, ""},
		{"no description", struct {
			A string `json:"a"`
		}{}, ""},
		{"a type nobody can write", struct {
			A map[string]string `json:"a" jsonschema:"a"`
		}{}, ""},
		{"a range that is none", struct {
			A int `json:"a" jsonschema:"a" min:"low"`
		}{}, ""},
		{"a path parameter the path lacks", struct {
			A string `json:"a" in:"path" jsonschema:"a"`
		}{}, "/x"},
		{"a path with a parameter of its own", struct{}{}, "/x/{a}"},
	} {
		if _, err := PlanFor(reflect.TypeOf(c.in), c.path); err == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
}

// An override replaces what the tags of a field say.
func TestOverride(t *testing.T) {
	plan := probePlan(t)
	for name, o := range map[string]Override{
		"limit":      {Read: func(text string) (string, error) { return strings.ReplaceAll(text, ",", ""), nil }},
		"budget_max": {Required: true, Description: "what to spend", MaxLength: 3},
		"fresh":      {Default: "true"},
	} {
		if err := plan.Override(map[string]Override{name: o}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := plan.Bind(lens, "limit=1,2&budget_max=800", true)
	if in, ok := got.In.(*wordsIn); err != nil || !ok || in.Limit != 12 || in.Budget != "800" || !in.Fresh {
		t.Errorf("%+v, %v", got.In, err)
	}
	for _, query := range []string{"", "budget_max=8000", "budget_max=800&limit=1,000"} {
		if _, err := plan.Bind(lens, query, true); err == nil {
			t.Errorf("%q is accepted", query)
		}
	}
	if err := plan.Override(map[string]Override{"colour": {}}); err == nil {
		t.Error("a parameter that does not exist is overridden")
	}
}

// An input with FieldErrors gets what is invalid there, and the rest as usual.
func TestBindRejected(t *testing.T) {
	type formIn struct {
		Limit    *int    `json:"limit,omitempty" jsonschema:"how many" min:"1" max:"100"`
		Name     *string `json:"name,omitempty" jsonschema:"name" maxlength:"5"`
		Rejected FieldErrors
	}
	plan, err := PlanFor(reflect.TypeFor[formIn]())
	if err != nil {
		t.Fatal(err)
	}
	got, err := plan.Bind(nil, "limit=many&name=Anna", false)
	in := got.In.(*formIn)
	if err != nil || in.Limit != nil || in.Name == nil || *in.Name != "Anna" || len(in.Rejected) != 1 || !in.Rejected.Fields()["limit"] {
		t.Errorf("%+v, %v", in, err)
	}
}

// FuzzBind tests that any query string is bound or refused with a code of the
// catalogue, and that the canonical query binds to the same input.
func FuzzBind(f *testing.F) {
	for _, seed := range []string{"", "limit=5", "list=a&list=b,c", "condition=good", "a=%zz", "limit=-1", "sort=price&sort=newest", "budget_max=%C3%A9", "=&=", "list=%2c", "fresh=1&x"} {
		f.Add(seed)
	}
	plan := probePlan(f)
	f.Fuzz(func(t *testing.T, query string) {
		for _, strict := range []bool{true, false} {
			got, err := plan.Bind(lens, query, strict)
			if err != nil {
				var refused *problem.Error
				if !errors.As(err, &refused) || refused.Kind != problem.Invalid {
					t.Errorf("%q is refused with %v", query, err)
				} else if !slices.Contains([]string{"duplicate_parameter", "invalid_encoding", "invalid_parameter", "missing_parameter", "unknown_parameter"}, refused.Code) {
					t.Errorf("%q is refused with %s", query, refused.Code)
				}
				continue
			}
			again, err := plan.Bind(lens, got.Query(), true)
			if err != nil || again.Query() != got.Query() || !reflect.DeepEqual(again.In, got.In) {
				t.Errorf("%q is %+v, and as %q %+v: %v", query, got.In, got.Query(), again.In, err)
			}
			if _, err := url.ParseQuery(got.Query()); err != nil {
				t.Errorf("%q has the canonical query %q: %v", query, got.Query(), err)
			}
		}
	})
}
