package store_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

var spin = flag.Bool("spin", false, "check the model of sales with Spin, which must be installed with gcc")

// saleGuards are guards without each of which the model is wrong.
var saleGuards = []string{
	"make: for sale", "accept: for sale", "accept: turn", "complete: turn", "complete: status", "relist: nothing agreed", "edit: nothing agreed",
	"agree_handover: the other's proposal", "agree_handover: address", "silence: no problem", "void: once",
}

// without returns a model without a guard.
func (m *saleModel) without(name string) *saleModel {
	less := *m
	less.rules = slices.Clone(m.rules)
	for i := range less.rules {
		r := &less.rules[i]
		r.guards = slices.DeleteFunc(slices.Clone(r.guards), func(g guard) bool { return g.name == name })
	}
	return &less
}

// TestSaleModel searches all states of the model of sales with Spin: none breaks an
// invariant. Without one of its guards, or if a seller's step reads the listing before it
// locks it, one does. `make model` runs it.
func TestSaleModel(t *testing.T) {
	if !*spin {
		t.Skip("runs with -spin")
	}
	m := newSaleModel()
	broken, statistics := runSpin(t, m)
	t.Logf("%d rules, %d invariants: %s", len(m.rules), len(m.invariants), statistics)
	if broken != "" {
		t.Errorf("the model is wrong: %s", broken)
	}
	found := 0
	for _, name := range saleGuards {
		broken, statistics := runSpin(t, m.without(name))
		t.Logf("without %q: %s (%s)", name, broken, statistics)
		if broken != "" {
			found++
		}
	}
	unlocked := *m
	unlocked.rules = slices.Clone(m.rules)
	for i := range unlocked.rules {
		if r := &unlocked.rules[i]; r.action.buyer < 0 && r.action.step == string(models.Relist) {
			r.reads = r.guards[0].is
		}
	}
	if broken, statistics = runSpin(t, &unlocked); broken == "" {
		t.Errorf("a seller's step that reads the listing before it locks it breaks nothing (%s)", statistics)
	} else {
		t.Logf("without the lock: %s (%s)", broken, statistics)
	}
	if found < len(saleGuards) {
		t.Errorf("Spin finds %d of %d guards that were removed", found, len(saleGuards))
	}
}

// runSpin searches the states of a model until it has seen all or one breaks an invariant.
// It returns the name of the invariant, and how many states there are, how deep the search
// was and what memory it took.
func runSpin(t *testing.T, m *saleModel) (broken, statistics string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sale.pml"), []byte(m.writePromela()), 0o600); err != nil {
		t.Fatal(err)
	}
	var out string
	for _, line := range []string{"spin -a sale.pml", "gcc -O1 -DSAFETY -DCOLLAPSE -DMEMLIM=4000 -o pan pan.c", "./pan -m2000000 -E"} {
		command := exec.CommandContext(t.Context(), "sh", "-c", line)
		command.Dir = dir
		said, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, said)
		}
		out = string(said)
	}
	if strings.Contains(out, "Search not completed") && !strings.Contains(out, "assertion violated") || strings.Contains(out, "max search depth too small") {
		t.Fatalf("the search is not complete:\n%s", out)
	}
	for _, s := range []string{`[\d.e+]+ states, stored`, `depth reached \d+`, `[\d.]+\s+total actual memory usage`, `pan: elapsed time [\d.]+ seconds`} {
		statistics += strings.Join(strings.Fields(regexp.MustCompile(s).FindString(out)), " ") + "; "
	}
	if violated := regexp.MustCompile(`assertion violated \D*(\d+)`).FindStringSubmatch(out); violated != nil {
		n, _ := strconv.Atoi(violated[1])
		broken = m.invariants[n].name
	}
	return broken, statistics
}

// TestSaleGuards takes every rule of the model in the code, and tries every step where all
// guards are true but one, which the code must refuse: a guard that the code loses fails
// here. `make model` runs it.
func TestSaleGuards(t *testing.T) {
	if !*spin {
		t.Skip("runs with -spin")
	}
	m := newSaleModel()
	walks, refusals, implied := m.walks()
	t.Logf("%d walks with %d steps that one guard refuses; never the only one that is false: %q", len(walks), refusals, implied)
	for _, name := range saleGuards {
		if slices.Contains(implied, name) {
			t.Errorf("no walk tries a step without %q", name)
		}
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		market := newSequences(t, url, m)
		for _, walk := range walks {
			q := market.start(t)
			for _, a := range walk {
				q.try(a)
			}
		}
	})
}

// walks returns the shortest sequences of actions that take every rule, blocked and not,
// and try every rule whose guards are true but one, in a state in which no other rule of
// the action is possible, once for each status of the listing and the offer. It returns how
// many are tried, and the names of the guards that are never the only false one.
func (m *saleModel) walks() (walks [][]action, refusals int, implied []string) {
	type reached struct {
		state state
		path  []action
	}
	type refusal struct {
		rule           *rule
		guard          int
		listing, offer byte
	}
	actions, seen := m.actions(), map[state]bool{m.start: true}
	sorted := slices.SortedFunc(maps.Keys(actions), func(x, y action) int { return strings.Compare(x.String(), y.String()) })
	taken, refused := map[string]bool{}, map[refusal]bool{}
	for queue := []reached{{state: m.start}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		walk := slices.Clone(at.path)
		for _, a := range sorted {
			rules := actions[a]
			if r := m.possible(rules, &at.state); r != nil {
				path := append(slices.Clone(at.path), a)
				if next := m.take(r, at.state); !seen[next] {
					seen[next], queue = true, append(queue, reached{next, path})
				}
				if key := fmt.Sprint(r.action, r.guards, at.state[m.variable("blocked0")]); !taken[key] {
					taken[key], walks = true, append(walks, path)
				}
				continue
			}
			for _, r := range rules {
				key := refusal{r, m.onlyFalse(r, &at.state), at.state[m.variable("listing")], at.state[m.variable(fmt.Sprint("offer", max(a.buyer, 0)))]}
				if key.guard >= 0 && !refused[key] {
					refused[key], walk = true, append(walk, a)
				}
			}
		}
		if len(walk) > len(at.path) {
			walks = append(walks, walk)
		}
	}
	tried := map[string]bool{}
	for r := range refused {
		tried[r.rule.guards[r.guard].name] = true
	}
	for _, r := range m.rules {
		for _, g := range r.guards {
			if !tried[g.name] && !slices.Contains(implied, g.name) {
				implied = append(implied, g.name)
			}
		}
	}
	return walks, len(refused), implied
}

// onlyFalse returns the index of the only guard of a rule that is false in a state, or -1.
func (m *saleModel) onlyFalse(r *rule, s *state) int {
	only := -1
	for i, g := range r.guards {
		if m.is(g.is, s) {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = i
	}
	return only
}
