package handlers

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompt is a task people come with, and how a model goes about it with our tools.
type prompt struct {
	name, title, description string
	arguments                []*mcp.PromptArgument
	// text is the task; it is given the arguments, absent ones as "".
	text func(args map[string]string) string
}

var prompts = []prompt{
	{
		name: "find_a_kit", title: "Find me a kit for a budget",
		description: "Puts together a camera and lenses that fit each other and a budget, out of what is for sale now.",
		arguments: []*mcp.PromptArgument{
			{Name: "budget", Title: "Budget", Description: "what everything together may cost, such as 1500", Required: true},
			{Name: "use", Title: "What for", Description: "what you photograph: portraits, travel, birds, street"},
			{Name: "mount", Title: "Mount", Description: "lens mount of what you own already, such as canon-rf"},
			{Name: "region", Title: "Region", Description: "where to buy, ISO 3166: DE or US-CA"},
		},
		text: func(a map[string]string) string {
			return "Find me a used camera kit for at most " + a["budget"] + " in all" + given(", for ", a["use"]) + given(", fitting the lens mount ", a["mount"]) + given(", sold in ", a["region"]) + ".\n\n" +
				"1. Split the budget between a body and one or two lenses that suit the use, and say why.\n" +
				"2. Find bodies with search_listings (category=camera, budget, sort=deal" + given(", mount=", a["mount"]) + given(", region=", a["region"]) + "), then lenses of the same mount with category=lens.\n" +
				"3. Check each candidate with get_listing: condition, defects, what is included. Leave out what is faulty.\n" +
				"4. Check its price with get_trend: compare with the median of the same condition, and say when there are too few sales to tell.\n" +
				"5. Propose the best kit and one that is cheaper. Give for each part the price, the typical price and the link, and the sum of all."
		},
	},
	{
		name: "is_this_price_fair", title: "Is this price fair?",
		description: "Judges an asking price by what the same gear in the same condition really sold for.",
		arguments: []*mcp.PromptArgument{
			{Name: "gear", Title: "Camera or lens", Description: "what it is, by slug or by any name it is sold under", Required: true},
			{Name: "price", Title: "Asking price", Description: "what is asked, such as 950", Required: true},
			{Name: "condition", Title: "Condition", Description: "its grade, such as excellent"},
		},
		text: func(a map[string]string) string {
			return "Is " + a["price"] + " a fair price for a used " + a["gear"] + given(" in condition ", a["condition"]) + "?\n\n" +
				"1. Find its slug with find_gear (keyword) unless you have one; ask me when several models fit.\n" +
				"2. Read get_trend. Compare the price with the median and the quartiles" + given(" of condition ", a["condition"]) + ", say how many sales that is made of, and where the price is heading.\n" +
				"3. Look with search_listings (model, sort=price) at what is for sale now: asking prices are not sales, so name them apart.\n" +
				"4. Answer first: cheap, fair or dear, and by how much. Then the figures. With fewer than five sales say that nobody can tell."
		},
	},
	{
		name: "what_is_my_kit_worth", title: "What is my kit worth?",
		description: "Estimates what cameras and lenses would sell for, each and together.",
		arguments: []*mcp.PromptArgument{
			{Name: "kit", Title: "Your gear", Description: "what you own, separated by commas, with its condition where you know it", Required: true},
		},
		text: func(a map[string]string) string {
			return "What would this gear sell for?\n\n" + a["kit"] + "\n\n" +
				"1. Find the slug of each item with find_gear (keyword). Ask me when several models fit; leave nothing out silently.\n" +
				"2. Read get_trend of each. Take the median of its condition, of all conditions when I did not say, and the quartiles as the range.\n" +
				"3. Answer with a table: item, condition, typical price, range, number of sales, how the price moved in 90 days. Then the sum, without items of fewer than five sales, which you name.\n" +
				"4. Say what would be worth selling soon, and why. These are prices between people: a shop that buys pays less."
		},
	},
}

// given is a phrase about an argument, nothing without one.
func given(phrase, value string) string {
	if value == "" {
		return ""
	}
	return phrase + value
}

func (s *Server) addPrompts(server *mcp.Server) {
	for _, p := range prompts {
		server.AddPrompt(&mcp.Prompt{Name: p.name, Title: p.title, Description: p.description, Arguments: p.arguments, Icons: s.icons("")},
			func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return s.ask(&p, req)
			})
	}
}

// ask writes out a prompt. When it is about one gear that the catalogue knows,
// the trend of today comes with it.
func (s *Server) ask(p *prompt, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args, err := p.read(req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	messages := []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: p.text(args)}}}
	if gear, _ := s.lookup.Gear(args["gear"]); args["gear"] != "" && len(gear) > 0 {
		link := s.resourceLink("/gear/"+gear[0].Slug(), gear[0].Name())
		messages = append(messages, &mcp.PromptMessage{Role: "user", Content: link})
	}
	return &mcp.GetPromptResult{Description: p.description, Messages: messages}, nil
}

// read checks the arguments: the required ones are there, the others known.
func (p *prompt) read(given map[string]string) (map[string]string, error) {
	args := map[string]string{}
	var names []string
	for _, a := range p.arguments {
		value := strings.Join(strings.Fields(given[a.Name]), " ")
		if value == "" && a.Required {
			return nil, refusal("%s is required: %s.", a.Name, a.Description)
		}
		if len(value) > maxParameter || !clean(value) {
			return nil, refusal("%s is not plain text of at most %d bytes.", a.Name, maxParameter)
		}
		args[a.Name] = value
		names = append(names, a.Name)
	}
	for name := range given {
		if _, known := args[name]; !known {
			return nil, refusal("There is no argument %q; the arguments are %s.", name, strings.Join(names, ", "))
		}
	}
	return args, nil
}

// refusal is a failure of the protocol's own that the caller can repair.
func refusal(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
