package content

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// SkillSite is the base URL in skills. Replace it with that of the site.
const SkillSite = "https://secondlight.example"

// Skill describes a task for agents, in the format of
// https://agentskills.io/specification.
type Skill struct {
	Name        string // the folder name: "judge-a-price"
	Description string // what it does and when to use it
	Markdown    string // the whole file
}

// Skills returns every skill, sorted by name.
var Skills = sync.OnceValue(func() []*Skill {
	all, err := readSkills(files)
	if err != nil {
		panic(err) // the files are embedded, and a test reads them
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

// parseSkill parses a SKILL.md, which begins with front matter that has a name and a
// description.
func parseSkill(folder, text string) (*Skill, error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	head, _, closed := strings.Cut(rest, "\n---\n")
	if !ok || !closed {
		return nil, fmt.Errorf("must begin with front matter between lines of ---")
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
		return nil, fmt.Errorf("has the name %q, but its folder is %q", s.Name, folder)
	case s.Description == "" || len(s.Description) > 1024:
		return nil, fmt.Errorf("has a description of %d bytes; must be 1 to 1024", len(s.Description))
	}
	return s, nil
}
