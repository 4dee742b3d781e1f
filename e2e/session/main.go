// Command session looks for a lens like an agent, through MCP alone: it finds one
// within a budget, reads its price trend, and compares two listings. It prints every
// call and the part of the result it uses.
//
//	go run ./e2e/session http://127.0.0.1:8080/api/mcp
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: session http://127.0.0.1:8080/api/mcp")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := shop(ctx, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// Parts of the structured content of results.
type (
	money struct{ Amount, Currency string }
	offer struct {
		ID, Title, Gear, Condition string
		Price                      money
		Deal                       *struct{ Text string }
	}
	found struct {
		Total    int
		Listings []offer
	}
	stats struct {
		Condition        string
		Median, P25, P75 *money
		SampleSize       int `json:"sample_size"`
	}
	trend struct {
		Basis, Confidence string
		Summary           stats
		ByCondition       []stats `json:"by_condition"`
		Change            struct {
			Direction string
		} `json:"trend"`
	}
	listing struct {
		offer
		Functional, Region string
		Defects            []struct{ Label string }
		Included           []string
	}
)

func (m money) String() string { return m.Amount + " " + m.Currency }

func (o offer) String() string {
	deal := "too few sales to compare"
	if o.Deal != nil {
		deal = o.Deal.Text
	}
	return fmt.Sprintf("%s, %s, %s: %s", o.Price, o.Condition, deal, o.Title)
}

func (f found) String() string {
	lines := fmt.Sprintf("%d found", f.Total)
	for _, l := range f.Listings {
		lines += "\n  " + l.String()
	}
	return lines
}

func (s stats) String() string {
	if s.Median == nil {
		return fmt.Sprintf("%d sales, too few to say", s.SampleSize)
	}
	return fmt.Sprintf("median %s, half between %s and %s, %d sales", s.Median, s.P25, s.P75, s.SampleSize)
}

func (t trend) String() string {
	lines := fmt.Sprintf("%s prices, %s, confidence %s\n  all: %s", t.Basis, t.Change.Direction, t.Confidence, t.Summary)
	for _, s := range t.ByCondition {
		if s.SampleSize > 0 {
			lines += "\n  " + s.Condition + ": " + s.String()
		}
	}
	return lines
}

func (l listing) String() string {
	var defects []string
	for _, d := range l.Defects {
		defects = append(defects, strings.ToLower(d.Label))
	}
	return fmt.Sprintf("%s\n  %s, in %s\n  defects: %s\n  included: %s", l.offer, l.Functional, l.Region, listed(defects), listed(l.Included))
}

func listed(words []string) string {
	if len(words) == 0 {
		return "none named"
	}
	return strings.Join(words, ", ")
}

func shop(ctx context.Context, address string) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "session", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: address, DisableStandaloneSSE: true}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	server := session.InitializeResult()
	fmt.Printf("# %s, protocol %s, %d tools\n", server.ServerInfo.Title, server.ProtocolVersion, len(tools.Tools))

	fmt.Println("\n# a lens for Nikon Z, at most 500, the best deals first")
	lenses, err := call[found](ctx, session, "search_listings", map[string]any{"category": "lens", "mount": "nikon-z", "budget": "500", "sort": "deal", "limit": 3})
	if err != nil {
		return err
	}
	if len(lenses.Listings) == 0 {
		return errors.New("nothing found")
	}

	fmt.Println("\n# what the first really sells for")
	gear := lenses.Listings[0].Gear
	brand, model, _ := strings.Cut(gear, "/")
	if _, err := call[trend](ctx, session, "get_trend", map[string]any{"brand": brand, "model": model}); err != nil {
		return err
	}

	fmt.Println("\n# another of the same, and what sets the two apart")
	same, err := call[found](ctx, session, "search_listings", map[string]any{"model": gear, "sort": "deal", "limit": 2})
	if err != nil {
		return err
	}
	for _, candidate := range same.Listings {
		if _, err := call[listing](ctx, session, "get_listing", map[string]any{"id": candidate.ID}); err != nil {
			return err
		}
	}
	return nil
}

// call calls a tool and prints the call and the used part of the result.
func call[T fmt.Stringer](ctx context.Context, session *mcp.ClientSession, tool string, arguments map[string]any) (answer T, err error) {
	given, err := json.Marshal(arguments)
	if err != nil {
		return answer, err
	}
	fmt.Printf("→ %s %s\n", tool, given)
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return answer, err
	}
	if result.IsError {
		return answer, fmt.Errorf("%s: %v", tool, result.StructuredContent)
	}
	whole, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return answer, err
	}
	if err := json.Unmarshal(whole, &answer); err != nil {
		return answer, err
	}
	fmt.Printf("← %s\n", answer)
	return answer, nil
}
