// Command session looks for a lens like an agent, through MCP alone: it finds one
// within a budget, reads its price trend, and compares two listings. It prints every
// call and the part of the result it uses.
//
//	go run ./e2e/session http://127.0.0.1:8080/api/mcp
package main

import (
	"cmp"
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

// Parts of the structured content of results. Amounts are texts such as "1249.00 EUR".
type (
	offer struct {
		ID, Title, Gear, Condition, Price string
		Deal                              *int
		DealSales                         int `json:"deal_sample_size"`
	}
	found struct {
		Total    int
		Listings []offer
	}
	prices struct {
		Condition, Median, P25, P75 string
		Sales                       int `json:"sample_size"`
		To                          string
	}
	estimate struct {
		Condition, Median, Low, High string
		Error                        float64 `json:"median_error"`
	}
	trend struct {
		Estimate    *estimate
		Sold        prices
		ByCondition []prices `json:"by_condition"`
		Change      struct{ Direction string }
	}
	listing struct {
		offer
		Functional, Region string
		Defects, Included  []string
	}
)

func (o offer) String() string {
	deal := "too few sales to compare"
	if o.Deal != nil {
		deal = fmt.Sprintf("%+d%% against the market (%d sales)", *o.Deal, o.DealSales)
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

func (p prices) String() string {
	if p.Median == "" {
		return fmt.Sprintf("%d sales, too few to say", p.Sales)
	}
	return fmt.Sprintf("median %s, half between %s and %s, %d sales", p.Median, p.P25, p.P75, p.Sales)
}

func (t trend) String() string {
	lines := ""
	if e := t.Estimate; e != nil {
		lines = fmt.Sprintf("%s: estimate %s, 80%% sell for %s to %s, half of such estimates are within %.0f%%\n", e.Condition, e.Median, e.Low, e.High, e.Error)
	}
	lines += fmt.Sprintf("sold in the 12 months to %s\n  all: %s", t.Sold.To, t.Sold)
	for _, p := range t.ByCondition {
		lines += "\n  " + p.Condition + ": " + p.String()
	}
	return lines
}

func (l listing) String() string {
	return fmt.Sprintf("%s\n  %s, in %s\n  defects: %s\n  included: %s", l.offer, cmp.Or(l.Functional, "fully_working"), l.Region, listed(l.Defects), listed(l.Included))
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

	fmt.Println("\n# a Nikkor Z 50 mm f/1.8, the best deals first")
	lenses, err := call[found](ctx, session, "search_listings", map[string]any{"model": "nikon/nikkor-z-50mm-f1-8-s", "sort": "deal", "limit": 3})
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
