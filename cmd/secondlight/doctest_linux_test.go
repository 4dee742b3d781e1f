//go:build !race

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asProgram is set in the environment of processes of the tests that are to be the program.
const asProgram = "TEST_AS_SECONDLIGHT"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// doctest runs TestDocumentsRun, which CI does too.
var doctest = flag.Bool("doctest", os.Getenv("CI") != "", "run the blocks of documents")

// documentAddress is the address of the site in documents.
const documentAddress = "127.0.0.1:8080"

// notRun has the documents, or their blocks by the first line, that a bare machine can't run, and why.
var notRun = map[string]string{
	"README.md: go install ./cmd/secondlight               # about two minutes the first time":                                                       "builds and serves what the tests are; docs/start/try.md runs the rest",
	"docs/start/try.md: go install ./cmd/secondlight               # about two minutes the first time":                                               "builds what the tests are",
	"docs/start/first-program.md: curl -s -H \"Authorization: Bearer $TOKEN\" https://shop.example/api/searches --json '{\"name\":\"R6 under 900\",": "needs two servers on the public internet",
	"docs/how-to/own/import.md: secondlight import listings shop.csv --seller ada":                                                                   "docs/start/first-shop.md runs it",
	"docs/how-to/own/import.md: secondlight import sales sales.csv":                                                                                  "docs/start/first-shop.md runs it",
	"docs/how-to/run/install.md":         "root, systemd, a domain: make clean-machine runs it",
	"docs/how-to/run/containers.md":      "Docker and a domain",
	"docs/how-to/run/several-servers.md": "several machines: make cluster restarts them so",
	"docs/how-to/run/object-storage.md":  "a bucket; TestBlobsCopy copies to one",
	"docs/how-to/run/backup.md":          "make restore-drill runs it (TestDocumentedCommands)",
	"docs/how-to/run/restore.md":         "make restore-drill runs it (TestDocumentedCommands)",
	"docs/how-to/run/point-in-time.md":   "Litestream, a second machine: make restore-drill does it (TestRestoreDrill)",
	"docs/how-to/run/database.md":        "PostgreSQL with a superuser: make outages replaces the database so",
	"docs/how-to/run/delete-data.md":     "changes the files of a site: TestFilesCommand runs the commands",
	"docs/how-to/run/upgrade.md":         "root, systemd, the next package: make clean-machine upgrades",
	"docs/how-to/run/monitor.md":         "METRICS_ADDR, and a profile of ten seconds: TestMetrics reads both",
	"docs/how-to/run/members.md":         "members of a site of its own: TestMemberCommands runs the commands",
	"docs/reference/portfolio-files.md: secondlight import photos ~/Pictures/iceland --title \"Iceland\"":                                               "docs/start/first-portfolio.md runs it",
	"docs/reference/csv-columns.md: secondlight import listings shop.csv --seller golden-ratio":                                                         "docs/start/first-shop.md runs it",
	`docs/how-to/use/alerts.md: secondlight webhook verify --secret "$secret" --id "$id" --timestamp "$timestamp" --signature "$signature" < body.json`: "docs/start/first-program.md runs it with a request",
	"CONTRIBUTING.md":            "CI runs the targets and tests",
	"docs/de/first-portfolio.md": "the blocks are those of the English version",
	"docs/de/first-shop.md":      "the blocks are those of the English version",
	"docs/de/import.md":          "the blocks are those of the English version",
}

// block is a block of code of a document.
type block struct {
	language, text, first string
	file                  string // to save it as, "" if it isn't
	output                bool   // of the block before it
}

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$|<!-- test: (.*?) -->")
	saveAs = regexp.MustCompile("Save as `([\\w.-]+)`:$")
)

// blocksOf returns the blocks of a document. A comment that begins with "test:" does what the
// document says to do in the browser.
func blocksOf(markdown string) (all []block) {
	end := 0
	for _, m := range fence.FindAllStringSubmatchIndex(markdown, -1) {
		between := strings.TrimSpace(markdown[end:m[0]])
		end = m[1]
		if m[6] >= 0 {
			all = append(all, block{language: "sh", text: markdown[m[6]:m[7]] + "\n", first: "test"})
			continue
		}
		b := block{language: markdown[m[2]:m[3]], text: markdown[m[4]:m[5]]}
		b.first, _, _ = strings.Cut(b.text, "\n")
		if s := saveAs.FindStringSubmatch(between); s != nil {
			b.file = s[1]
		}
		b.output = between == "" && len(all) > 0 && all[len(all)-1].language == "sh" && (b.language == "text" || b.language == "json")
		all = append(all, b)
	}
	return all
}

var (
	serves  = regexp.MustCompile(`(?m)^((?:\w+=\S+ )*secondlight)(?: +#.*)?$`)
	changes = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z`)
)

// pattern returns what an output that is shown must match: "…" stands for anything, and ids and
// times are those of the day.
func pattern(shown string) *regexp.Regexp {
	var b strings.Builder
	for part := range strings.SplitAfterSeq(strings.TrimSpace(shown), "…") {
		text, more := strings.CutSuffix(part, "…")
		for i, fixed := range changes.Split(text, -1) {
			if i > 0 {
				b.WriteString(`\S+`)
			}
			b.WriteString(regexp.QuoteMeta(fixed))
		}
		if more {
			b.WriteString(`(?s:.*?)`)
		}
	}
	return regexp.MustCompile(`\A` + b.String() + `\z`)
}

// separator is printed before the output of each block.
const separator = "\x1e"

// walk is what the documents share: folders, and the demonstration that docs/start/try.md starts.
type walk struct {
	parent          *testing.T
	home, bin, site string // folder, folder, address
	blocks, outputs int
}

// TestDocumentsRun runs the blocks of documents in order, each document in an empty folder, and
// compares the outputs that they show. Documents that start no site use the demonstration
// that docs/start/try.md starts.
func TestDocumentsRun(t *testing.T) {
	if !*doctest {
		t.Skip("make doctest, which CI runs")
	}
	for _, name := range []string{"bash", "curl", "jq", "openssl", "python3", "node", "unzip"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("NOT TESTED: " + name + " is not installed")
		}
	}
	w := &walk{parent: t, home: t.TempDir(), bin: t.TempDir()}
	program, err := os.Executable()
	mustDo(t, err)
	curl, err := exec.LookPath("curl")
	mustDo(t, err)
	for name, script := range map[string]string{
		"secondlight": asProgram + "=1 exec " + program + ` "$@"`,
		// An answer with an error fails, unless its status is what the document shows; head may close the pipe.
		"curl": `case " $* " in *" -w "*) ;; *) set -- --fail-with-body "$@" ;; esac; ` + curl + ` "$@"; code=$?; [ $code = 23 ] || exit $code`,
	} {
		mustDo(t, os.WriteFile(filepath.Join(w.bin, name), []byte("#!/bin/bash\n"+script+"\n"), 0o700))
	}
	start := time.Now()
	seen := map[string]bool{}
	names := documents(t)
	slices.SortStableFunc(names, func(a, b string) int { return strings.Compare(first(a), first(b)) })
	for _, name := range names {
		var run []block
		for _, b := range blocksOf(readRoot(t, name)) {
			for _, key := range []string{name, name + ": " + b.first} {
				if notRun[key] != "" {
					seen[key] = true
					b = block{first: b.first}
				}
			}
			run = append(run, b)
		}
		t.Run(name, func(t *testing.T) { w.run(t, run) })
		if w.site == "" {
			t.Fatal("the demonstration doesn't run")
		}
	}
	t.Run("developers", w.developers)
	for key := range notRun {
		if !seen[key] {
			t.Errorf("there is no block %q", key)
		}
	}
	var used syscall.Rusage
	mustDo(t, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used))
	t.Logf("%d blocks, %d outputs, %.0f s, %.0f s of processor time", w.blocks, w.outputs, time.Since(start).Seconds(), float64(used.Utime.Sec+used.Stime.Sec))
}

// first makes docs/start/try.md the first document.
func first(name string) string { return strings.Replace(name, "docs/start/try.md", "", 1) }

// run runs the blocks of a document.
func (w *walk) run(t *testing.T, blocks []block) {
	folder := t.TempDir()
	site, data := w.site, filepath.Join(w.home, "secondlight")
	var script strings.Builder
	script.WriteString("set -eo pipefail\n")
	var shown, texts []string // by block of sh
	for _, b := range blocks {
		switch {
		case b.file != "":
			mustDo(t, os.WriteFile(filepath.Join(folder, b.file), []byte(b.text), 0o600))
			w.blocks++
		case b.output:
			shown[len(shown)-1] = b.text
		case b.language == "json":
			w.blocks++
			if text := strings.ReplaceAll(b.text, "…", "x"); !json.Valid([]byte(text)) {
				t.Errorf("no JSON: %s", text)
			}
		case b.language == "sh":
			w.blocks++
			text := b.text
			if serves.MatchString(text) {
				site = freeAddress(t)
				text = serves.ReplaceAllString(text, "LISTEN_ADDR="+site+" $1 >>served.log 2>&1 &\necho $$! >served.pid; until LISTEN_ADDR="+site+" secondlight health >/dev/null 2>&1; do kill -0 $$! || { cat served.log; exit 1; }; sleep 0.2; done")
			}
			shown, texts = append(shown, ""), append(texts, text)
			fmt.Fprintf(&script, "printf '\\x1e'\n%s", strings.ReplaceAll(text, documentAddress, site))
		}
	}
	if len(shown) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script.String())
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "HOME="+w.home, "DATA_DIR="+data, "DATABASE_URL=", "LISTEN_ADDR="+site, "RATE_LIMIT=100000", "PATH="+w.bin+":"+os.Getenv("PATH"))
	var failures strings.Builder
	cmd.Stderr = &failures
	out, err := cmd.Output()
	if served, fail := os.ReadFile(filepath.Join(folder, "served.pid")); fail == nil {
		pid, fail := strconv.Atoi(strings.TrimSpace(string(served)))
		mustDo(t, fail)
		until := t
		if w.site == "" {
			until = w.parent
		}
		until.Cleanup(func() {
			_ = syscall.Kill(pid, syscall.SIGTERM)
			for {
				stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
				if err != nil || strings.Contains(string(stat), ") Z ") {
					return
				}
				time.Sleep(20 * time.Millisecond) // it isn't a child of the test, which could wait for it
			}
		})
	}
	outputs := strings.Split(strings.ReplaceAll(string(out), site, documentAddress), separator)[1:]
	if err != nil {
		t.Fatalf("%s%v\n%s\n%s", texts[len(outputs)-1], err, outputs[len(outputs)-1], &failures)
	}
	for i, want := range shown {
		if want == "" {
			continue
		}
		w.outputs++
		if got := strings.TrimSpace(outputs[i]); !pattern(want).MatchString(got) {
			t.Errorf("the output is\n%s\nthe document shows\n%s", got, want)
		}
	}
	if w.site == "" {
		w.site = site
	}
}

// developers runs the requests of /developers that need no token, and those of auth.md.
func (w *walk) developers(t *testing.T) {
	get := func(path string) string {
		out, err := exec.CommandContext(t.Context(), filepath.Join(w.bin, "curl"), "-s", "http://"+w.site+path).Output()
		if err != nil {
			t.Errorf("%s: %v %s", path, err, out)
		}
		return strings.ReplaceAll(string(out), "http://"+w.site, "http://"+documentAddress)
	}
	operations := regexp.MustCompile(`http://[\d.:]+(/developers/\w+\.md)`).FindAllStringSubmatch(get("/developers.md"), -1)
	if len(operations) < 50 {
		t.Errorf("/developers lists %d operations", len(operations))
	}
	var blocks []block
	for _, path := range operations {
		for _, b := range blocksOf(get(path[1])) {
			// What needs a token acts on what a member has: TestAuthorisation calls every operation. A
			// stream doesn't end, and estimates are computed only some minutes after the first start.
			if b.language == "sh" && !strings.Contains(b.text, "$TOKEN") && !strings.Contains(b.text, "-X ") && !strings.Contains(b.text, "/api/events") && !strings.HasSuffix(path[1], "/explain_estimate.md") {
				b.text = strings.ReplaceAll(b.text, "curl ", "curl -s -o /dev/null ")
				blocks = append(blocks, b)
			}
		}
	}
	for _, path := range []string{"/agent.txt", "/llms.txt", "/auth.md"} {
		for _, m := range regexp.MustCompile(`(\w*) (?:\[[^]]*\]\()?(http://[\d.:]+/[^\s)"’<>…\x60]*)`).FindAllStringSubmatch(get(path), -1) {
			writes := slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, m[1])
			if address := strings.TrimRight(m[2], ".,;:"); !writes && !strings.Contains(address, "{") && !strings.Contains(address, "/api/events") {
				blocks = append(blocks, block{language: "sh", text: "case $(command curl -so /dev/null -w '%{http_code}' '" + address + "') in 2??|3??|401|405|400) ;; *) echo '" + address + "' >&2; exit 1 ;; esac\n"})
			}
		}
	}
	w.run(t, blocks)
}

// TestGermanDocumentsHaveTheBlocks checks that documents in German have the blocks of the English ones.
func TestGermanDocumentsHaveTheBlocks(t *testing.T) {
	comments := regexp.MustCompile(` +#.*`)
	blocks := func(name string) (all []string) {
		for _, b := range blocksOf(readRoot(t, name)) {
			if b.first != "test" && b.language != "markdown" {
				all = append(all, comments.ReplaceAllString(b.text, ""))
			}
		}
		return all
	}
	for _, name := range markdown(t, "docs/de") {
		if german, english := blocks(name), blocks(englishOf(t, name)); !slices.Equal(german, english) {
			t.Errorf("%s has the blocks %q, the English document %q", name, german, english)
		}
	}
}
