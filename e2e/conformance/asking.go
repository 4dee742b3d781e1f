//lint:file-ignore SA1019 the suite covers what the protocol is giving up: roots, sampling, logging
package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Requests that a tool sends to its caller during a call.
func elicit(message, field, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{field: map[string]any{"type": kind}}, "required": []string{field}}}
}

func sample(question string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: question}}}}
}

// asks returns a result that requests input.
func asks(state string, questions mcp.InputRequestMap) *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: questions, RequestState: state}
}

// accepted returns a field of an accepted elicitation.
func accepted(responses mcp.InputResponseMap, key, field string) (any, bool) {
	result, ok := responses[key].(*mcp.ElicitResult)
	if !ok || result.Action != "accept" {
		return nil, false
	}
	value, ok := result.Content[field]
	return value, ok
}

// sampled returns the text of a sampled message.
func sampled(responses mcp.InputResponseMap, key string) (string, bool) {
	result, ok := responses[key].(*mcp.CreateMessageWithToolsResult)
	if !ok {
		return "", false
	}
	for _, part := range result.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			return text.Text, true
		}
	}
	return "", true
}

// addAskingTools adds the tools that request input in their result, and those that
// send requests as in older protocols, which a stateless server cannot do.
func addAskingTools(server *mcp.Server) {
	const prefix = "test_input_required_result_"
	add(server, prefix+"elicitation", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if name, ok := accepted(req.Params.InputResponses, "user_name", "name"); ok {
			return answer(fmt.Sprintf("Hello, %v!", name)), nil
		}
		return asks("", mcp.InputRequestMap{"user_name": elicit("What is your name?", "name", "string")}), nil
	})
	add(server, prefix+"sampling", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if text, ok := sampled(req.Params.InputResponses, "capital_question"); ok {
			return answer("Sampling response: " + text), nil
		}
		return asks("", mcp.InputRequestMap{"capital_question": sample("What is the capital of France?")}), nil
	})
	add(server, prefix+"list_roots", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if roots, ok := req.Params.InputResponses["client_roots"].(*mcp.ListRootsResult); ok {
			return answer(fmt.Sprintf("Client exposed %d root(s).", len(roots.Roots))), nil
		}
		return asks("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}), nil
	})
	add(server, prefix+"request_state", confirmed("request_state"))
	add(server, prefix+"tampered_state", confirmed("tampered_state"))
	add(server, prefix+"multiple_inputs", multipleInputs)
	add(server, prefix+"multi_round", multiRound)
	add(server, prefix+"capabilities", whatTheClientCan)

	add(server, "test_elicitation", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := req.Session.Elicit(ctx, elicit("Who are you?", "username", "string"))
		if err != nil {
			return nil, err
		}
		return answer(fmt.Sprintf("Elicitation result: action=%s, content=%v", result.Action, result.Content)), nil
	})
	add(server, "test_sampling", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := req.Session.CreateMessage(ctx, sample("Say something."))
		if err != nil {
			return nil, err
		}
		return answer(fmt.Sprintf("LLM response: %v", result.Content)), nil
	})
}

// confirmed requests a confirmation and checks that its state is returned unchanged.
func confirmed(state string) handler {
	return func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if back := req.Params.RequestState; back != "" && back != state {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid requestState"}
		}
		if _, ok := accepted(req.Params.InputResponses, "confirm", "ok"); ok && req.Params.RequestState == state {
			return answer("state-ok: requestState received and confirmation accepted"), nil
		}
		return asks(state, mcp.InputRequestMap{"confirm": elicit("Please confirm.", "ok", "boolean")}), nil
	}
}

func multipleInputs(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	name, named := accepted(req.Params.InputResponses, "user_name", "name")
	greeting, greeted := sampled(req.Params.InputResponses, "greeting")
	roots, rooted := req.Params.InputResponses["client_roots"].(*mcp.ListRootsResult)
	if named && greeted && rooted {
		return answer(fmt.Sprintf("%s %v, %d root(s) seen.", greeting, name, len(roots.Roots))), nil
	}
	return asks("multiple_inputs", mcp.InputRequestMap{
		"user_name":    elicit("What is your name?", "name", "string"),
		"greeting":     sample("Generate a greeting."),
		"client_roots": &mcp.ListRootsParams{},
	}), nil
}

// multiRound requests input twice and keeps the first input in its state.
func multiRound(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	responses, state := req.Params.InputResponses, req.Params.RequestState
	if name, ok := strings.CutPrefix(state, "round=2;name="); ok {
		color, _ := accepted(responses, "step2", "color")
		return answer(fmt.Sprintf("%s likes %v.", name, color)), nil
	}
	if name, ok := accepted(responses, "step1", "name"); ok && state == "round=1" {
		return asks(fmt.Sprintf("round=2;name=%v", name), mcp.InputRequestMap{"step2": elicit("What is your favourite colour?", "color", "string")}), nil
	}
	return asks("round=1", mcp.InputRequestMap{"step1": elicit("What is your name?", "name", "string")}), nil
}

// whatTheClientCan requests only input that the client supports.
func whatTheClientCan(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(req.Params.InputResponses) > 0 {
		return answer("It answered."), nil
	}
	questions := mcp.InputRequestMap{}
	if caps := req.ClientCapabilities(); caps != nil {
		if caps.Elicitation != nil {
			questions["user_name"] = elicit("What is your name?", "name", "string")
		}
		if caps.Sampling != nil {
			questions["greeting"] = sample("Generate a greeting.")
		}
		if caps.RootsV2 != nil {
			questions["client_roots"] = &mcp.ListRootsParams{}
		}
	}
	if len(questions) == 0 {
		return answer("The client can be asked nothing."), nil
	}
	return asks("", questions), nil
}
