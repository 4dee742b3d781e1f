package problem_test

import (
	"encoding/json"
	"testing"

	"github.com/secondlight/secondlight/models/problem"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		text problem.Text
		want string
	}{
		{nil, ""},
		{problem.Textf(""), ""},
		{problem.Textf("Use 100 % of it."), "Use 100 % of it."},
		{problem.Textf("There's no %s %q.", "mount", "%s"), `There's no mount "%s".`},
		{problem.Textf("One.").And(problem.Programf("%d two.", 2)).And(nil), "One. 2 two."},
		{problem.Textf("Is it %s?", "Canon EOS R6").ForPrograms("Is it %s?", "canon/eos-r6"), "Is it canon/eos-r6?"},
		{problem.Textf("Correct %s.", problem.Fields{"budget_max", "limit"}), "Correct budget_max, limit."},
		{problem.Textf("Use %s or %s.", problem.Codes{"like_new", "new"}, problem.Or{"a", "b", "c"}), "Use like_new, new or a, b or c."},
		{problem.Textf("%s: wait %s.", problem.Field("limit"), problem.Textf("%d seconds", 3)), "limit: wait 3 seconds."},
		{problem.TextOf(problem.Errorf("%q is no day.", []byte("x"))), `"x" is no day.`},
	} {
		if got := c.text.String(); got != c.want {
			t.Errorf("%#v is %q, want %q", c.text, got, c.want)
		}
		stored, err := json.Marshal(struct{ T problem.Text }{c.text})
		var read struct{ T problem.Text }
		if err != nil || json.Unmarshal(stored, &read) != nil || read.T.String() != c.want {
			t.Errorf("%s is read as %q, want %q: %v", stored, read.T, c.want, err)
		}
	}
}

func TestAdvice(t *testing.T) {
	fields := []problem.FieldError{{Field: "title"}, {Field: "price"}}
	for _, c := range []struct {
		err  problem.Error
		want string
	}{
		{problem.Error{}, ""},
		{problem.Error{Hint: problem.Textf("Wait."), Fields: fields}, "Wait."},
		{problem.Error{Fields: fields}, "Correct title, price and try again."},
	} {
		if got := c.err.Advice().String(); got != c.want {
			t.Errorf("the advice is %q, want %q", got, c.want)
		}
	}
}
