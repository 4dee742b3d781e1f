//go:build !race

package handlers

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
)

// sizesFile holds the size of every tool's result in tokens.
const sizesFile = "testdata/result-sizes.txt"

// resultBudgets are calls with the maximum number of tokens of their results.
var resultBudgets = []struct {
	name, tool string
	arguments  map[string]any
	max        int
}{
	{"search of 24", "search_listings", map[string]any{"keyword": "canon"}, 2500},
	{"search of 100", "search_listings", map[string]any{"limit": 100}, 10000},
	{"search of 24 with facets", "search_listings", map[string]any{"include": "facets"}, 5000},
	{"listing", "get_listing", map[string]any{"id": nil}, 700},
	{"listing with everything beside it", "get_listing", map[string]any{"id": nil, "include": []string{"similar", "seller", "specifications", "photos"}}, 2500},
	{"price trend", "get_trend", map[string]any{"brand": "canon", "model": "eos-r6"}, 600},
	{"price trend of 60 months", "get_trend", map[string]any{"brand": "canon", "model": "eos-r6", "months": 60}, 2000},
	{"brand", "get_brand", map[string]any{"brand": "canon"}, 2000},
	{"catalogue search", "find_gear", map[string]any{"keyword": "canon"}, 2000},
	{"all brands", "find_gear", map[string]any{}, 3500},
	{"price estimate", "get_price", map[string]any{"gear": "canon/eos-r6", "condition": "excellent"}, 600},
	{"seller", "get_seller", map[string]any{"handle": nil}, 400},
}

// TestResultBudgets tests the maximum sizes of tool results.
func TestResultBudgets(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	var rows []string
	for _, b := range resultBudgets {
		for name, value := range b.arguments {
			if value == nil {
				b.arguments[name] = s.operation(t, b.tool).Examples()[name]
			}
		}
		result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: b.tool, Arguments: b.arguments})
		if err != nil || result.IsError {
			t.Errorf("%s: %v %+v", b.name, err, result)
			continue
		}
		n := tokens(t, result)
		if n > b.max {
			t.Errorf("%s has %d tokens, of at most %d", b.name, n, b.max)
		}
		rows = append(rows, fmt.Sprintf("| %s | `%s` | %d | %d |", b.name, b.tool, n, b.max))
	}
	checkDocument(t, "results", "| Result | Tool | Tokens | At most |\n| --- | --- | --- | --- |\n"+strings.Join(rows, "\n")+"\n")
}

// TestResultSizes tests that no result of a tool has grown: of its example if it is
// public, else of its sample.
func TestResultSizes(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	recorded := map[string]int{}
	if data, err := os.ReadFile(sizesFile); err == nil {
		for line := range strings.Lines(string(data)) {
			name, size, _ := strings.Cut(strings.TrimSpace(line), " ")
			n, err := strconv.Atoi(size)
			must(err)
			recorded[name] = n
		}
	}
	var lines strings.Builder
	for _, op := range s.API() {
		if strings.Contains(op.Name, "probe") || !op.Tool() {
			continue
		}
		var result *mcp.CallToolResult
		var err error
		if op.Open() {
			arguments := map[string]any{}
			for _, p := range op.Parameters(nil) {
				if p.Required || slices.Contains(op.Exampled, p.Name) {
					arguments[p.Name] = op.Examples()[p.Name]
				}
			}
			result, err = session.CallTool(context.Background(), s.toolCall(op.Name, arguments))
		} else {
			result, err = s.ToolResult(op, op.Sample())
		}
		if err != nil || result.IsError {
			t.Errorf("%s: %v %+v", op.Name, err, result)
			continue
		}
		n := tokens(t, result)
		fmt.Fprintf(&lines, "%s %d\n", op.Name, n)
		switch known, ok := recorded[op.Name]; {
		case *update:
		case !ok:
			t.Errorf("%s isn't in %s: %s", op.Name, sizesFile, updateSizes)
		case n > known+known/20: // figures that change with the data
			t.Errorf("the result of %s has grown from %d to %d tokens: %s if that is worth it", op.Name, known, n, updateSizes)
		}
	}
	if *update {
		must(os.WriteFile(sizesFile, []byte(lines.String()), 0o644))
	}
}

// updateSizes is the command that records the sizes.
const updateSizes = "run go test ./handlers -run 'TestResult|TestAgentTasks' -update"

// agentsDocument describes what using the site costs an agent.
const agentsDocument = "../docs/reference/mcp-tools.md"

// documentMutex guards agentsDocument: tests that write it run in parallel.
var documentMutex sync.Mutex

// checkDocument tests that a generated section of agentsDocument is up to date, or
// writes it with -update.
func checkDocument(t *testing.T, section, want string) {
	t.Helper()
	documentMutex.Lock()
	defer documentMutex.Unlock()
	data, err := os.ReadFile(agentsDocument)
	must(err)
	begin, end := "<!-- begin "+section+" -->\n", "<!-- end "+section+" -->"
	before, rest, ok := strings.Cut(string(data), begin)
	got, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no section %s", agentsDocument, section)
	}
	if *update {
		must(os.WriteFile(agentsDocument, []byte(before+begin+want+end+after), 0o644))
	} else if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("the section %s of %s is out of date: %s", section, agentsDocument, updateSizes)
	}
}
