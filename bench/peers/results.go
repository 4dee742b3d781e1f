//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/secondlight/secondlight/bench/load"
	"github.com/secondlight/secondlight/models/search"
)

// agreement is how many searches of a kind have the same total in another program as in this one.
type agreement struct {
	searches, same, more, fewer int
	examples                    []string
}

func (a *agreement) add(q *search.Query, ours, theirs int) {
	a.searches++
	switch {
	case ours == theirs:
		a.same++
		return
	case theirs > ours:
		a.more++
	default:
		a.fewer++
	}
	a.examples = append(a.examples, fmt.Sprintf("%q %d instead of %d", q.Keyword, theirs, ours))
}

// compare asks all programs for the same searches and prints how often they find as many
// listings as this one.
func (b *benchmark) compare() error {
	queries := make([]search.Query, b.compared)
	totals := make([]int, b.compared)
	for i := range queries {
		queries[i] = b.query()
		var err error
		if totals[i], err = b.programs[0].find(&queries[i]); err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\n%d searches\twith filters only\tsame total\twith a keyword\tsame total\tmore\tfewer\t\n", b.compared)
	var examples []string
	for _, p := range b.programs[1:] {
		if p.total == "" {
			continue
		}
		var filters, keyword agreement
		for i := range queries {
			theirs, err := p.find(&queries[i])
			if err != nil {
				return err
			}
			kind := &filters
			if queries[i].Keyword != "" {
				kind = &keyword
			}
			kind.add(&queries[i], totals[i], theirs)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", p.name, filters.searches, filters.same, keyword.searches, keyword.same, keyword.more, keyword.fewer)
		differing := append(filters.examples, keyword.examples...)
		for _, example := range differing[:min(5, len(differing))] {
			examples = append(examples, p.name+": "+example)
		}
	}
	w.Flush()
	for _, example := range examples {
		fmt.Println(example)
	}
	return nil
}

// find returns how many listings the program finds.
func (p *side) find(q *search.Query) (int, error) {
	body, err := get(p.server.Address + p.address(q))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", p.name, err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return 0, fmt.Errorf("%s: %w", p.name, err)
	}
	var total int
	err = json.Unmarshal(fields[p.total], &total)
	return total, err
}

// print prints the median of each figure.
func (b *benchmark) print(connections int, outcomes [][]*load.Outcome) {
	fmt.Printf("\n%d connections\n", connections)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\trequests/s\tp50\tp99\tCPU\tbody\tof Secondlight\t")
	perSecond := func(o *load.Outcome) float64 { return o.PerSecond() }
	ours := median(outcomes[0], perSecond)
	for i, p := range b.programs {
		quantile := func(q int) float64 {
			return median(outcomes[i], func(o *load.Outcome) float64 { return o.Quantile(q).Seconds() * 1000 })
		}
		fmt.Fprintf(w, "%s\t%.0f\t%.2f ms\t%.2f ms\t%.0f µs\t%.1f KB\t%.3f\t\n", p.name, median(outcomes[i], perSecond), quantile(50), quantile(99),
			median(outcomes[i], (*load.Outcome).PerRequest), median(outcomes[i], func(o *load.Outcome) float64 { return float64(o.Size()) / 1000 }),
			median(outcomes[i], perSecond)/ours)
	}
	w.Flush()
}

func median(outcomes []*load.Outcome, of func(*load.Outcome) float64) float64 {
	figures := make([]float64, len(outcomes))
	for i, o := range outcomes {
		figures[i] = of(o)
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}

// printSizes prints what the programs take besides: time to load and start, and memory.
func (b *benchmark) printSizes() {
	fmt.Printf("\nA copy of %.1f KB from one place in memory to another takes %s.\n\n", float64(b.size)/1000, copyTime(b.size))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tload\tstart\tmemory after the run\t")
	for _, p := range b.programs {
		if p.total == "" {
			continue
		}
		loaded := "an earlier run"
		if p.load > 0 {
			loaded = fmt.Sprintf("%.1f s", p.load.Seconds())
		}
		fmt.Fprintf(w, "%s\t%s\t%.1f s\t%d MB\t\n", p.name, loaded, p.startTime.Seconds(), p.server.Memory()>>20)
	}
	w.Flush()
}

// copyTime returns how long a copy of n bytes takes, in the fastest of ten passes over more memory
// than processors cache.
func copyTime(n int) time.Duration {
	from, to := make([]byte, 256<<20), make([]byte, 256<<20)
	copy(to, from) // the first touch of memory is slower
	count := len(from) / n
	fastest := time.Hour
	for range 10 {
		began := time.Now()
		for i := range count {
			copy(to[i*n:(i+1)*n], from[i*n:])
		}
		fastest = min(fastest, time.Since(began)/time.Duration(count))
	}
	return fastest
}
