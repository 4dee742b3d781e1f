package portfolio

import (
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/problem"
)

// Problem reports a file that was left out of a portfolio, or an entry of one that was, and why.
type Problem struct {
	File   string
	Reason problem.Text // what is wrong with it
	Hint   problem.Text // how to repair it
	Err    error        // for the log
}

// fileError is an error in a file, for its owner.
type fileError struct{ reason, hint problem.Text }

// Error implements error.
func (e *fileError) Error() string { return e.reason.And(e.hint).String() }

func wrong(reason, hint problem.Text) error { return &fileError{reason, hint} }

// newProblem returns the problem that an error of a file is.
func newProblem(file string, err error) Problem {
	p := Problem{File: file, Err: err}
	var own *fileError
	switch refused := picture.Refusal(err); {
	case errors.As(err, &own):
		p.Reason, p.Hint = own.reason, own.hint
	case refused != nil:
		p.Reason, p.Hint = refused.Reason, refused.Hint
	case errors.Is(err, fs.ErrNotExist):
		p.Reason, p.Hint = problem.Textf("This file is missing."), problem.Textf("Put it back, or remove its entry from the text of the project.")
	default:
		p.Reason, p.Hint = problem.Textf("This file can't be opened."), problem.Textf("Check its permissions.")
	}
	return p
}

var (
	errNoFrontMatter = wrong(problem.Textf("It doesn't begin with a title between two lines of ---."), problem.Textf("Begin it with a line of ---, a line such as title: Iceland, and another line of ---."))
	errNoTitle       = wrong(problem.Textf("It has no title."), problem.Textf("Add a line such as %s.", "title: Iceland"))
	unknownKey       = regexp.MustCompile(`line (\d+): field (\S+) not found`)
	wrongValue       = regexp.MustCompile(`line (\d+): cannot unmarshal`)
	wrongLine        = regexp.MustCompile(`line (\d+)`)
)

// frontMatterError explains an error of YAML, which begins at the first line of its file.
func frontMatterError(err error) error {
	if found := unknownKey.FindStringSubmatch(err.Error()); found != nil {
		return wrong(problem.Textf("Line %d begins with %q, which isn't known.", lineOf(found), found[2]), problem.Textf("Correct its spelling, or remove the line."))
	}
	if strings.Contains(err.Error(), "parsing time") {
		return wrong(problem.Textf("The date can't be read."), problem.Textf("Write it like %s.", "2026-05-01"))
	}
	if found := wrongValue.FindStringSubmatch(err.Error()); found != nil {
		return wrong(problem.Textf("The value in line %d can't be read.", lineOf(found)), problem.Textf("Write each entry of a list in a line of its own that begins with a hyphen."))
	}
	if found := wrongLine.FindStringSubmatch(err.Error()); found != nil {
		return wrong(problem.Textf("Line %d can't be read.", lineOf(found)), problem.Textf("Put texts with a colon in quotation marks, and indent with spaces."))
	}
	return wrong(problem.Textf("The lines before the text can't be read."), problem.Textf("Put texts with a colon in quotation marks, and indent with spaces."))
}

func lineOf(found []string) int {
	line, _ := strconv.Atoi(found[1]) // digits
	return line
}

// unknownGear returns the error of gear that a catalogue doesn't have.
func unknownGear(c *catalog.Catalog, slug string) error {
	hint := problem.Textf("Write it as in the address of its page: %s.", "canon/eos-r6")
	if near := c.Nearest(slug, 1); len(near) > 0 {
		hint = problem.Textf("Did you mean %s?", problem.Or{near[0].Slug()})
	}
	return wrong(problem.Textf("The catalogue doesn't have %q.", slug), hint)
}
