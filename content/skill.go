package content

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed skills/*/SKILL.md
var skills embed.FS

// SkillSite is the address that stands in skills for the site they are read from.
const SkillSite = "https://secondlight.example"

// Skill is a task an agent can do here, told the way agents load skills:
// https://agentskills.io/specification.
type Skill struct {
	Name        string // the name of its folder: "judge-a-price"
	Description string // what it does and when to use it
	Markdown    string // the whole file
}

// Skills are all of them, by name.
var Skills = sync.OnceValue(func() []*Skill {
	all, err := readSkills(skills)
	if err != nil {
		panic(err) // the files are part of the program; a test reads them
	}
	return all
})

func readSkills(fsys fs.FS) ([]*Skill, error) {
	names, err := fs.Glob(fsys, "skills/*/SKILL.md")
	if err != nil {
		return nil, err
	}
	var all []*Skill
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		skill, err := parseSkill(path.Base(path.Dir(name)), string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, skill)
	}
	return all, nil
}

// parseSkill reads a file that begins with its name and description between
// two lines of three dashes.
func parseSkill(folder, text string) (*Skill, error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	head, _, closed := strings.Cut(rest, "\n---\n")
	if !ok || !closed {
		return nil, fmt.Errorf("does not begin with its name and description between lines of ---")
	}
	s := &Skill{Markdown: text}
	for line := range strings.Lines(head) {
		field, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch field {
		case "name":
			s.Name = value
		case "description":
			s.Description = value
		}
	}
	switch {
	case s.Name != folder:
		return nil, fmt.Errorf("is named %q, its folder %q", s.Name, folder)
	case s.Description == "" || len(s.Description) > 1024:
		return nil, fmt.Errorf("has a description of %d bytes, not 1 to 1024", len(s.Description))
	}
	return s, nil
}
