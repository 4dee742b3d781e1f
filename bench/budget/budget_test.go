//go:build linux && amd64 && !race

package budget

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

var (
	check   = flag.Bool("check", false, "count what requests cost, and fail if it is more than "+budgetFile+" allows")
	update  = flag.Bool("update", false, "write what requests cost to "+budgetFile)
	why     = flag.String("why", "", "with -update: what readers get for a budget that is raised")
	folder  = flag.String("instructions", "", "count the instructions of requests to the site in this folder: for Callgrind, which the test starts")
	listAll = flag.Bool("functions", false, "print the functions of every kind of request")
)

// Files of the budget and of the functions that it is spent in.
const (
	budgetFile  = "../budget.txt"
	profileFile = "../budget-functions.txt"
)

// tolerance is how much more than its budget a request may cost.
const tolerance = 0.02

// measures are what is counted of a request, in the order of the columns of budgetFile. The
// sizes are in bytes.
var measures = [...]string{"instructions", "allocations", "allocated", "statements", "header", "body"}

const (
	instructions = iota
	allocations
	allocated
	statements
	header
	body
)

// costs are what a request costs.
type costs [len(measures)]int

// profile says what a measure of a shape is made of: functions, statements, header fields.
type profile map[string]int

// result is what the requests of a shape cost.
type result struct {
	costs
	of [len(measures)]profile
}

// TestBudget counts what one request of each shape costs and compares it with budgetFile: `make
// budget`. Instructions are those of Callgrind, and are left out where it is not installed.
func TestBudget(t *testing.T) {
	if *folder != "" {
		runCounted(t, *folder)
		return
	}
	if !*check && !*update && !*listAll {
		t.Skip("make budget runs it")
	}
	results := measure(t)
	if *listAll {
		list(results)
	}
	old, profiles := readBudget()
	grown := compare(t, results, old, profiles)
	switch {
	case !*update && grown:
		t.Errorf("To raise a budget, say in the same commit what readers get for it: make budget WHY='…'")
	case *update && grown && *why == "" && len(old) > 0:
		t.Errorf("WHY must say what readers get for it")
	case *update && results[shapes[0].name].costs[instructions] == 0:
		t.Error("install valgrind: a budget has instructions")
	case *update:
		writeBudget(results)
	}
}

// measure returns the results of all shapes.
func measure(t *testing.T) map[string]*result {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	dir := t.TempDir()
	source := filepath.Join(dir, "source")
	must(os.Mkdir(source, 0o700))
	fill(source)
	database := func(name string) string { // a copy, as requests write
		to := filepath.Join(dir, name)
		must(os.CopyFS(to, os.DirFS(source)))
		return to
	}
	counting := startCallgrind(t, database("counted"))
	results := map[string]*result{}
	for _, shape := range shapes {
		results[shape.name] = &result{}
	}
	t.Run("statements", func(t *testing.T) { countStatements(t, database("traced"), results) })
	t.Run("memory", func(t *testing.T) { countMemory(t, database("plain"), results) })
	counting(results)
	if t.Failed() {
		t.FailNow()
	}
	return results
}

// eachShape calls visit with the requests of each shape.
func eachShape(s *site, visit func(name string, asks [][]byte)) {
	for _, shape := range shapes {
		asks := make([][]byte, requests)
		for i := range asks {
			asks[i] = []byte(shape.ask(s, i))
		}
		visit(shape.name, asks)
	}
}

// countStatements counts the SQL statements of the last request of each shape.
func countStatements(t *testing.T, folder string, results map[string]*result) {
	recorder := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(recorder))
	s := open(t, folder, provider)
	eachShape(s, func(name string, asks [][]byte) {
		for i, ask := range asks {
			if i == len(asks)-1 {
				recorder.Reset()
			}
			s.send(ask)
		}
		r := results[name]
		r.of[statements] = profile{}
		for _, span := range recorder.GetSpans() {
			for _, a := range span.Attributes {
				if a.Key == "db.query.text" || a.Key == "db.statement" {
					text := strings.Join(strings.Fields(a.Value.AsString()), " ")
					r.of[statements][text[:min(len(text), 100)]]++
					r.costs[statements]++
				}
			}
		}
	})
	must(provider.Shutdown(context.Background()))
}

// countMemory counts what requests allocate, and the sizes of their responses.
func countMemory(t *testing.T, folder string, results map[string]*result) {
	s := open(t, folder, nil)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	eachShape(s, func(name string, asks [][]byte) {
		r := results[name]
		objects, bytes := memoryByFunction()
		for _, ask := range asks[:warming] {
			s.send(ask)
		}
		var numbers, sizes []int
		var before, after runtime.MemStats
		for _, ask := range asks[warming:] {
			runtime.ReadMemStats(&before)
			h, b := s.send(ask)
			runtime.ReadMemStats(&after)
			numbers = append(numbers, int(after.Mallocs-before.Mallocs))
			sizes = append(sizes, int(after.TotalAlloc-before.TotalAlloc))
			r.costs[header] += len(h)
			r.costs[body] += len(b)
		}
		r.costs[allocations], r.costs[allocated] = median(numbers), median(sizes)
		r.costs[header] /= counted
		r.costs[body] /= counted
		r.of[header] = fieldsOf(s.answer[:s.used])
		r.of[allocations], r.of[allocated] = memoryByFunction()
		subtract(r.of[allocations], objects)
		subtract(r.of[allocated], bytes)
	})
}

// median returns the middle number: others include what the program does beside the requests.
func median(numbers []int) int {
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

// subtract makes a profile that of one request, since an earlier one.
func subtract(p, earlier profile) {
	for name := range p {
		p[name] = (p[name] - earlier[name]) / requests
	}
}

// fieldsOf returns the lengths of the lines of a response's header, by field name.
func fieldsOf(answer []byte) profile {
	fields := profile{}
	head, _, _ := strings.Cut(string(answer), "\r\n\r\n")
	for line := range strings.SplitSeq(head, "\r\n") {
		name, _, _ := strings.Cut(line, ":")
		fields[name] += len(line) + 2
	}
	return fields
}

const module = "github.com/secondlight/secondlight/"

// memoryByFunction returns how many objects and bytes were allocated so far, by the innermost
// function of the site, or the innermost of all if there is none.
func memoryByFunction() (objects, bytes profile) {
	runtime.GC() // the profile has what was allocated two collections ago
	runtime.GC()
	records := make([]runtime.MemProfileRecord, 1<<16)
	n, ok := runtime.MemProfile(records, true)
	if !ok {
		panic("too many records")
	}
	objects, bytes = profile{}, profile{}
	for _, record := range records[:n] {
		name := functionOf(record.Stack())
		objects[name] += int(record.AllocObjects)
		bytes[name] += int(record.AllocBytes)
	}
	return objects, bytes
}

func functionOf(stack []uintptr) (name string) {
	frames := runtime.CallersFrames(stack)
	for more := len(stack) > 0; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if rest, ok := strings.CutPrefix(frame.Function, module); ok && !strings.HasPrefix(rest, "bench/") {
			return rest
		}
		name = cmp.Or(name, frame.Function)
	}
	return name
}

// startCallgrind starts to count the instructions of requests to the site in a folder, and
// returns a function that waits for them. They are 0 if Callgrind is not installed.
func startCallgrind(t *testing.T, folder string) (wait func(map[string]*result)) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		t.Log("valgrind is not installed: instructions are not counted")
		return func(map[string]*result) {}
	}
	program, err := os.Executable()
	must(err)
	out := filepath.Join(folder, "callgrind")
	command := exec.CommandContext(t.Context(), valgrind, "--tool=callgrind", "--vgdb=no", "--instr-atstart=no", "--dump-line=no", "--compress-strings=no", "--compress-pos=no",
		"--callgrind-out-file="+out, program, "-test.run=^TestBudget$", "-instructions="+folder)
	// One thread at a time and no preemption: the same instructions in every run.
	command.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	var output strings.Builder
	command.Stdout, command.Stderr = &output, &output
	must(command.Start())
	return func(results map[string]*result) {
		if err := command.Wait(); err != nil {
			t.Fatalf("valgrind: %v\n%s", err, &output)
		}
		for i, shape := range shapes {
			data, err := os.ReadFile(fmt.Sprint(out, ".", i+1))
			must(err)
			r := results[shape.name]
			r.of[instructions], r.costs[instructions] = parseCallgrind(string(data))
		}
	}
}

// runCounted sends the requests of all shapes under Callgrind, which dumps the instructions of
// each.
func runCounted(t *testing.T, folder string) {
	runtime.MemProfileRate = 0 // samples are taken at random
	s := open(t, folder, nil)
	callgrind(startInstrumentation, "")
	eachShape(s, func(name string, asks [][]byte) {
		for _, ask := range asks[:warming] {
			s.send(ask)
		}
		callgrind(zeroStatistics, "")
		for _, ask := range asks[warming:] {
			s.send(ask)
		}
		callgrind(dumpStatistics, name)
	})
}

// parseCallgrind returns the instructions of one request of a dump: by function, in all.
// Those of the standard library count as those of the function that called it, too, and those
// of the scheduler don't count.
func parseCallgrind(dump string) (by profile, total int) {
	by = profile{}
	function, called, calling := "", "", false
	for line := range strings.Lines(dump) {
		line = strings.TrimSpace(line)
		switch key, value, _ := strings.Cut(line, "="); key {
		case "fn":
			function = functionName(value)
		case "cfn":
			called = functionName(value)
		case "calls":
			calling = true
		default:
			fields := strings.Fields(line)
			if len(fields) != 2 || line[0] < '0' || line[0] > '9' {
				continue
			}
			n, err := strconv.Atoi(fields[1])
			must(err)
			switch {
			case strings.HasPrefix(function, "runtime.") && !isLibrary(function): // the scheduler, which depends on the time
			case calling && (isLibrary(function) || !isLibrary(called)):
			case calling:
				by[function] += n
			default:
				by[function] += n
				total += n
			}
			calling = false
		}
	}
	for name := range by {
		by[name] /= counted
	}
	return by, total / counted
}

// functionName returns the name of a function in a dump without its level of recursion.
func functionName(name string) string {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, module), "'")
	return name
}

// library matches the functions of the standard library that neither wait nor call functions
// of the site.
var library = regexp.MustCompile(`^(bytes|encoding|fmt|hash|html|internal/bytealg|internal/runtime/maps|maps|math|regexp|slices|sort|strconv|strings|text|unicode)[./]|` +
	`^(index|count|cmp|mem)[a-z]*body|` +
	`^runtime\.(malloc|newobject|newarray|makeslice|growslice|concat|slicebyte|stringto|rawstring|intstring|mem|map|conv|str|aeshash|typed|bulkBarrier|nextFree|heapSetType|duff)`)

// isLibrary reports whether the instructions of a function are those of its caller.
func isLibrary(name string) bool { return library.MatchString(name) }

// compare reports what costs more than its budget, with the functions that have grown.
func compare(t *testing.T, results map[string]*result, old map[string]costs, profiles map[string]*result) (grown bool) {
	report := t.Errorf
	if *update {
		report = t.Logf
	}
	for _, shape := range shapes {
		r, budget := results[shape.name], old[shape.name]
		for i, name := range measures {
			now, before := r.costs[i], budget[i]
			switch {
			case i == instructions && now == 0: // not counted
				continue
			case float64(now) < float64(before)*(1-tolerance):
				t.Logf("%s: %d %s, %.1f%% of %d: make budget UPDATE=1 lowers the budget", shape.name, now, name, 100*float64(now-before)/float64(before), before)
				continue
			case float64(now) <= float64(before)*(1+tolerance):
				continue
			}
			grown = true
			report("%s: %d %s, %+.1f%% of %d:%s", shape.name, now, name, 100*float64(now-before)/float64(before), before, growth(r.of[i], profiles[shape.name], i, before))
		}
	}
	return grown
}

// growth lists what has grown most, a line each.
func growth(now profile, stored *result, measure, budget int) string {
	before := profile{}
	if stored != nil {
		before = stored.of[measure]
	}
	more := profile{}
	for name, n := range now {
		if known, ok := before[name]; ok || n >= least(measure, budget) {
			more[name] = n - known
		}
	}
	var lines strings.Builder
	for _, name := range largest(more, 5) {
		if more[name] > 0 {
			mark := ""
			if before[name] == 0 {
				mark = " (new)"
			}
			fmt.Fprintf(&lines, "\n\t%+8d  %s%s", more[name], name, mark)
		}
	}
	return lines.String()
}

// largest returns the names of at most n entries of a profile, the largest first.
func largest(p profile, n int) []string {
	names := slices.SortedFunc(maps.Keys(p), func(a, b string) int { return cmp.Or(cmp.Compare(p[b], p[a]), cmp.Compare(a, b)) })
	return names[:min(n, len(names))]
}

// least is the least part of a measure that profileFile has.
func least(measure, total int) int {
	if measure == statements || measure == header {
		return 0
	}
	return total / 100
}

func list(results map[string]*result) {
	for _, shape := range shapes {
		r := results[shape.name]
		for i, name := range measures {
			fmt.Println(shape.name, name, r.costs[i])
			for _, function := range largest(r.of[i], 25) {
				fmt.Printf("\t%9d  %s\n", r.of[i][function], function)
			}
		}
	}
}

// readBudget returns the stored costs and profiles of the shapes.
func readBudget() (map[string]costs, map[string]*result) {
	old, profiles := map[string]costs{}, map[string]*result{}
	data, _ := os.ReadFile(budgetFile) // none: nothing has a budget yet
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != len(measures)+1 || fields[0] == "#" {
			continue
		}
		var c costs
		for i := range c {
			n, err := strconv.Atoi(fields[i+1])
			must(err)
			c[i] = n
		}
		old[fields[0]] = c
	}
	data, _ = os.ReadFile(profileFile)
	var r *result
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3)
		switch {
		case len(parts) == 1:
			r = &result{}
			profiles[parts[0]] = r
		default:
			measure := slices.Index(measures[:], parts[0])
			amount, name, _ := strings.Cut(parts[1], " ")
			n, err := strconv.Atoi(amount)
			must(err)
			if r.of[measure] == nil {
				r.of[measure] = profile{}
			}
			r.of[measure][name] = n
		}
	}
	return old, profiles
}

// writeBudget stores the results. It keeps the comments of budgetFile and adds the reason.
func writeBudget(results map[string]*result) {
	data, _ := os.ReadFile(budgetFile)
	var table, functions strings.Builder
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "# shape ") {
			table.WriteString(line)
		}
	}
	if *why != "" {
		fmt.Fprintf(&table, "# %s\n", *why)
	}
	fmt.Fprintf(&table, "%-26s", "# shape")
	for _, name := range measures {
		fmt.Fprintf(&table, " %12s", name)
	}
	for _, shape := range shapes {
		r := results[shape.name]
		fmt.Fprintf(&table, "\n%-26s", shape.name)
		fmt.Fprintf(&functions, "%s\n", shape.name)
		for i, name := range measures {
			fmt.Fprintf(&table, " %12d", r.costs[i])
			for _, function := range largest(r.of[i], 1000) {
				if n := r.of[i][function]; n > 0 && n >= least(i, r.costs[i]) {
					fmt.Fprintf(&functions, "%s\t%d %s\n", name, n, function)
				}
			}
		}
	}
	table.WriteString("\n")
	must(os.WriteFile(budgetFile, []byte(table.String()), 0o644))
	must(os.WriteFile(profileFile, []byte(functions.String()), 0o644))
}
