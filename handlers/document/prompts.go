package document

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	gearviews "github.com/secondlight/secondlight/views/gear"
)

// maxArgument is the maximum length of a prompt argument, in bytes.
const maxArgument = 1000

// prompt is a common task, with instructions for a model on how to do it with the
// tools.
type prompt struct {
	Name, title, description string
	arguments                []*mcp.PromptArgument
	// text returns the instructions. Missing arguments are "".
	Text func(args map[string]string) string
}

var Prompts = []prompt{
	{
		Name: "find_a_kit", title: "Find me a kit for a budget",
		description: "Finds a camera and matching lenses within a budget, from current listings.",
		arguments: []*mcp.PromptArgument{
			{Name: "budget", Title: "Budget", Description: "maximum total price, such as 1500", Required: true},
			{Name: "use", Title: "What for", Description: "what you photograph: portraits, travel, birds, street"},
			{Name: "mount", Title: "Mount", Description: "lens mount of gear you already own, such as canon-rf"},
			{Name: "region", Title: "Region", Description: "region to buy in, as an ISO 3166 code: DE or US-CA"},
		},
		Text: func(a map[string]string) string {
			return "Find me a used camera kit for at most " + a["budget"] + " in total" + given(", for ", a["use"]) + given(", fitting the lens mount ", a["mount"]) + given(", sold in ", a["region"]) + ".\n\n" +
				"1. Split the budget between a body and one or two lenses that suit the use, and say why.\n" +
				"2. Find bodies with search_listings (category=camera, budget, sort=deal" + given(", mount=", a["mount"]) + given(", region=", a["region"]) + "), then lenses of the same mount with category=lens.\n" +
				"3. Check each candidate with get_listing: condition, defects, what is included. Leave out anything faulty.\n" +
				"4. Check its price with get_price (gear, condition, price), and say so if there are too few sales to tell.\n" +
				"5. Suggest the best kit and a cheaper one. For each item give the price, the estimate and the link, and then the total."
		},
	},
	{
		Name: "is_this_price_fair", title: "Is this price fair?",
		description: "Compares an asking price with what the same gear in the same condition really sold for.",
		arguments: []*mcp.PromptArgument{
			{Name: "gear", Title: "Camera or lens", Description: "slug or name of the camera or lens", Required: true},
			{Name: "price", Title: "Asking price", Description: "asking price, such as 950", Required: true},
			{Name: "condition", Title: "Condition", Description: "condition grade, such as excellent"},
		},
		Text: func(a map[string]string) string {
			return "Is " + a["price"] + " a fair price for a used " + a["gear"] + given(" in condition ", a["condition"]) + "?\n\n" +
				"1. Call get_price with gear, price" + given(" and condition=", a["condition"]) + ". If it lists several models, ask me which.\n" +
				"2. Start with the verdict: cheap, fair or expensive, and by how much; without a condition, by condition. Then give the estimate with its range and what it is based on. Report what is for sale now separately: asking prices are not sales. If there are too few sales, say that there isn't enough data."
		},
	},
	{
		Name: "what_is_my_kit_worth", title: "What is my kit worth?",
		description: "Estimates what each camera and lens would sell for, and the total.",
		arguments: []*mcp.PromptArgument{
			{Name: "kit", Title: "Your gear", Description: "your gear, separated by commas, with its condition if you know it", Required: true},
		},
		Text: func(a map[string]string) string {
			return "What would this gear sell for?\n\n" + a["kit"] + "\n\n" +
				"1. Call value_gear with all items at once. For each ambiguous item ask me which of its candidates I have, then call it again with the slugs.\n" +
				"2. Answer with a table: item, condition, low, median, high and number of sales. Then give the sums, and list what was left out and why.\n" +
				"3. These are prices between private sellers and buyers: a shop pays less."
		},
	},
}

// given returns a phrase followed by the value of an argument, or "" without a value.
func given(phrase, value string) string {
	if value == "" {
		return ""
	}
	return phrase + value
}

// addPrompts adds the prompts to the MCP server.
func (s Documents) addPrompts(server *mcp.Server) {
	for _, p := range Prompts {
		server.AddPrompt(&mcp.Prompt{Name: p.Name, Title: p.title, Description: p.description, Arguments: p.arguments, Icons: web.Icons(s.Site.BaseURL, "")},
			func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return s.ask(ctx, &p, req)
			})
	}
}

// ask returns the messages of a prompt. If its gear is in the catalogue, they include
// what get_trend returns.
func (s Documents) ask(ctx context.Context, p *prompt, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args, err := p.read(req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	messages := []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: p.Text(args)}}}
	if gear, _ := s.Catalog.Lookup().Gear(args["gear"]); args["gear"] != "" && len(gear) > 0 {
		page, err := s.Trend(ctx, gear[0])
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		if err := page.Result(&gearviews.TrendOptions{}).Text(&text); err != nil {
			return nil, err
		}
		messages = append(messages, &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: text.String()}})
	}
	return &mcp.GetPromptResult{Description: p.description, Messages: messages}, nil
}

// read returns the arguments with normalised white space. It returns an error if a
// required argument is missing, or one is invalid or unknown.
func (p *prompt) read(given map[string]string) (map[string]string, error) {
	args := map[string]string{}
	var names []string
	for _, a := range p.arguments {
		value := strings.Join(strings.Fields(given[a.Name]), " ")
		if value == "" && a.Required {
			return nil, refusal("%s is required: %s.", a.Name, a.Description)
		}
		if len(value) > maxArgument || !bind.ValidText(value) {
			return nil, refusal("%s must be plain text of at most %d bytes.", a.Name, maxArgument)
		}
		args[a.Name] = value
		names = append(names, a.Name)
	}
	for name := range given {
		if _, known := args[name]; !known {
			return nil, refusal("There is no argument %q. The arguments are %s.", name, strings.Join(names, ", "))
		}
	}
	return args, nil
}

// refusal returns a JSON-RPC error for invalid parameters.
func refusal(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
