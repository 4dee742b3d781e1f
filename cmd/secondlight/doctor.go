package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

type doctorCommand struct {
	Deep bool `help:"Also read the whole database and look for damage, which takes seconds for each gigabyte."`
	JSON bool `name:"json" help:"Print one JSON object: the worst status, and the findings."`
}

func (doctorCommand) Help() string {
	return "Checks settings, folders, disk, clock, DNS, mail, database and the public address, and says what is wrong and how to repair it. " +
		"Sends no email and changes nothing. The site may be running. The exit status is 1 if there is an error."
}

// doctorTimeout is how long each check may take. They run at the same time.
const doctorTimeout = 5 * time.Second

// severity says how bad a finding is.
type severity string

// The severities, from the best to the worst.
const (
	fine    severity = "ok"
	warning severity = "warning"
	failure severity = "error"
)

// finding is a result of a check.
type finding struct {
	Check   string   `json:"check"`
	Status  severity `json:"status"`
	Message string   `json:"message"`
	Repair  string   `json:"repair,omitempty"` // what to do about it
}

// diagnosis is what doctor prints.
type diagnosis struct {
	Status   severity  `json:"status"` // the worst of the findings
	Findings []finding `json:"findings"`
}

// check examines a part of the site. Its findings, at least one, are printed under its
// name unless they have another.
type check struct {
	name string
	run  func(context.Context) []finding
	deep bool // takes as long as it needs
}

func (cmd doctorCommand) Run(c *console) error {
	d := diagnose(c.ctx, c.env, cmd.Deep)
	if err := cmd.print(c.out, d); err != nil {
		return err
	}
	if n := d.count(failure); n > 0 {
		return fmt.Errorf("errors found: %d", n)
	}
	return nil
}

// print prints a line for each finding, or JSON.
func (cmd doctorCommand) print(w io.Writer, d *diagnosis) error {
	if cmd.JSON {
		return json.NewEncoder(w).Encode(d)
	}
	for _, f := range d.Findings {
		text := f.Message
		if f.Repair != "" {
			text += ". " + f.Repair
		}
		if _, err := fmt.Fprintf(w, "%-7s  %-8s  %s\n", f.Status, f.Check, printable(text)); err != nil {
			return err
		}
	}
	return nil
}

// diagnose runs the checks. Without valid settings there is nothing else to check.
func diagnose(ctx context.Context, environ []string, deep bool) *diagnosis {
	d := &diagnosis{Status: fine}
	set, err := readSettings(environ)
	if err != nil {
		d.add("settings", bad(err.Error(), "See secondlight serve --help; the other checks need valid settings"))
		return d
	}
	d.add("settings", misspelt(environ)...)
	checks := slices.DeleteFunc(set.checks(), func(c check) bool { return c.deep && !deep })
	results := make([]chan []finding, len(checks))
	for i, c := range checks {
		results[i] = make(chan []finding, 1)
		go func() { results[i] <- c.limited(ctx) }()
	}
	for i, c := range checks {
		d.add(c.name, <-results[i]...)
	}
	return d
}

// limited runs a check and gives up after doctorTimeout, also if it waits for a disk or a
// resolver that doesn't listen to its context.
func (c check) limited(ctx context.Context) []finding {
	if c.deep {
		return c.run(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	done := make(chan []finding, 1)
	go func() { done <- c.run(ctx) }()
	select {
	case findings := <-done:
		return findings
	case <-ctx.Done():
	}
	select { // a check that ends with the context says more
	case findings := <-done:
		return findings
	case <-time.After(doctorTimeout / 10):
		return []finding{bad(fmt.Sprintf("no result after %s", doctorTimeout), "Look for a disk, a resolver or a firewall that doesn't answer")}
	}
}

// add adds the findings of a check.
func (d *diagnosis) add(name string, findings ...finding) {
	for _, f := range findings {
		if f.Check == "" {
			f.Check = name
		}
		d.Findings = append(d.Findings, f)
	}
	switch {
	case d.count(failure) > 0:
		d.Status = failure
	case d.count(warning) > 0:
		d.Status = warning
	}
}

// count returns the number of findings with a severity.
func (d *diagnosis) count(s severity) (n int) {
	for _, f := range d.Findings {
		if f.Status == s {
			n++
		}
	}
	return n
}

func good(message string) finding { return finding{Status: fine, Message: message} }
func doubtful(message, repair string) finding {
	return finding{Status: warning, Message: message, Repair: repair}
}
func bad(message, repair string) finding {
	return finding{Status: failure, Message: message, Repair: repair}
}

// orGood returns the findings or, without any, that all is well.
func orGood(findings []finding, message string) []finding {
	if len(findings) == 0 {
		return []finding{good(message)}
	}
	return findings
}
