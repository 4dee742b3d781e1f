// Command mcp compares the official Go and TypeScript clients of MCP: it prints how long
// each takes to connect to a running site, to list the tools, and to call one. The
// TypeScript client compiles the output schemas of all listed tools, so that large
// schemas cost its users time that a Go client doesn't show.
//
//	go run ./bench/mcp http://127.0.0.1:8080/api/mcp
//
// It needs Node and the modules in e2e. In the first round of a process, code is loaded
// and compiled; a chat client pays that once.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// times are the milliseconds of one round.
type times struct{ Connect, List, Call float64 }

func (t times) total() float64 { return t.Connect + t.List + t.Call }

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 21, "rounds of each client, each with a new connection")
	flag.Parse()
	if flag.NArg() != 1 || *rounds < 2 {
		log.Fatal("usage: mcp [-rounds N] http://127.0.0.1:8080/api/mcp, with at least 2 rounds")
	}
	if err := compare(context.Background(), flag.Arg(0), *rounds); err != nil {
		log.Fatal(err)
	}
}

// compare measures both clients against the server at address and prints a table.
func compare(ctx context.Context, address string, rounds int) error {
	goTimes, err := measureGo(ctx, address, rounds)
	if err != nil {
		return fmt.Errorf("measure the Go client: %w", err)
	}
	tsTimes, err := measureTypeScript(ctx, address, rounds)
	if err != nil {
		return fmt.Errorf("measure the TypeScript client: %w", err)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "ms\tconnect\tlist\tcall\ttotal\t")
	printRow(w, "Go, first", goTimes[0])
	printRow(w, "TypeScript, first", tsTimes[0])
	goMedian, tsMedian := median(goTimes[1:]), median(tsTimes[1:])
	printRow(w, "Go, median", goMedian)
	printRow(w, "TypeScript, median", tsMedian)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Printf("TypeScript behind Go: first %.0f ms, median %.1f ms\n",
		tsTimes[0].total()-goTimes[0].total(), tsMedian.total()-goMedian.total())
	return nil
}

func printRow(w *tabwriter.Writer, name string, t times) {
	fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.1f\t%.1f\t\n", name, t.Connect, t.List, t.Call, t.total())
}

// median returns the medians of each step.
func median(rounds []times) times {
	of := func(step func(times) float64) float64 {
		values := make([]float64, len(rounds))
		for i, r := range rounds {
			values[i] = step(r)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return times{
		Connect: of(func(t times) float64 { return t.Connect }),
		List:    of(func(t times) float64 { return t.List }),
		Call:    of(func(t times) float64 { return t.Call }),
	}
}

func measureGo(ctx context.Context, address string, rounds int) ([]times, error) {
	measured := make([]times, rounds)
	for i := range measured {
		var err error
		if measured[i], err = measureRound(ctx, address); err != nil {
			return nil, err
		}
	}
	return measured, nil
}

func measureRound(ctx context.Context, address string) (times, error) {
	var t times
	began := time.Now()
	step := func() float64 {
		ms := float64(time.Since(began).Microseconds()) / 1000
		began = time.Now()
		return ms
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: address}, nil)
	if err != nil {
		return t, err
	}
	defer session.Close()
	t.Connect = step()
	if _, err := session.ListTools(ctx, nil); err != nil {
		return t, err
	}
	t.List = step()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{"keyword": "canon", "limit": 24}})
	if err != nil {
		return t, err
	}
	if result.IsError {
		return t, errors.New("search_listings failed")
	}
	t.Call = step()
	return t, nil
}

func measureTypeScript(ctx context.Context, address string, rounds int) ([]times, error) {
	cmd := exec.CommandContext(ctx, "node", "bench/mcp/client.mjs", address, strconv.Itoa(rounds))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var measured []times
	err = json.Unmarshal(out, &measured)
	return measured, err
}
