package handlers

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// storeSizes makes checkGrowth store sizes, instead of checking them.
var storeSizes = flag.Bool("release", false, "store the sizes of a release in "+growthFile)

// growthFile has the sizes at the last release, a name and a number a line. A size that may be
// larger than that has a second line, with the reason.
const growthFile = "testdata/sizes.txt"

// growthMutex guards growthFile: tests run in parallel.
var growthMutex sync.Mutex

// checkGrowth tests that a size is at most 3% larger than at the last release, or than a line
// of growthFile allows with a reason.
func checkGrowth(t *testing.T, name string, size int) {
	t.Helper()
	growthMutex.Lock()
	defer growthMutex.Unlock()
	data, err := os.ReadFile(growthFile)
	must(err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if *storeSizes {
		storeSize(lines, name, size)
		return
	}
	allowed := 0
	for i, line := range lines {
		known, rest, _ := strings.Cut(line, " = ")
		if known != name || strings.HasPrefix(line, "#") {
			continue
		}
		number, reason, _ := strings.Cut(rest, ": ")
		var n int
		if _, err := fmt.Sscan(number, &n); err != nil || allowed > 0 && reason == "" {
			t.Errorf("%s:%d: want %s = NUMBER: REASON", growthFile, i+1, name)
		}
		allowed = max(allowed, n)
	}
	if size > allowed+allowed*3/100 {
		t.Errorf("%s has grown from %d to %d, more than 3%%. Make it smaller, or add a line to %s that says what readers get for it:\n%s = %d: …",
			name, allowed, size, growthFile, name, size)
	}
}

// storeSize replaces the lines of a size in growthFile by its size now.
func storeSize(lines []string, name string, size int) {
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, name+" = ") })
	lines = append(lines, fmt.Sprintf("%s = %d", name, size))
	head := slices.IndexFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "#") })
	slices.Sort(lines[head:])
	must(os.WriteFile(growthFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
}

// TestGrowthOfDocuments checks the sizes of documents and of the generated client.
func TestGrowthOfDocuments(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"openapi.json": "testdata/openapi.json", "openapi.json of operators": "testdata/openapi-admin.json", "client.go": "../clients/go/client.go", "schema.ts": "../clients/typescript/schema.ts",
	} {
		info, err := os.Stat(file)
		must(err)
		checkGrowth(t, name, int(info.Size()))
	}
}
