package content

import (
	"regexp"
	"testing"
	"testing/fstest"
)

func TestSkills(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, s := range Skills() {
		if !name.MatchString(s.Name) || len(s.Name) > 64 {
			t.Errorf("%q is not the name of a skill", s.Name)
		}
		if len(s.Markdown) > 20_000 { // about 5,000 tokens, the most that is recommended
			t.Errorf("%s is %d bytes", s.Name, len(s.Markdown))
		}
	}
	if len(Skills()) == 0 {
		t.Error("there are no skills")
	}
	for problem, text := range map[string]string{
		"no head": "Text", "not closed": "---\nname: a\n", "other name": "---\nname: b\ndescription: c\n---\n", "no description": "---\nname: a\n---\n",
	} {
		if _, err := readSkills(fstest.MapFS{"skills/a/SKILL.md": {Data: []byte(text)}}); err == nil {
			t.Errorf("%s: no error", problem)
		}
	}
}
