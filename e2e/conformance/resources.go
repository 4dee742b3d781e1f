package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func addResources(server *mcp.Server) {
	server.AddResource(&mcp.Resource{URI: "test://static-text", Name: "static-text", MIMEType: "text/plain"}, reads(&mcp.ResourceContents{Text: "This is the content of the static text resource."}))
	server.AddResource(&mcp.Resource{URI: "test://static-binary", Name: "static-binary", MIMEType: "image/png"}, reads(&mcp.ResourceContents{Blob: picture}))
	server.AddResource(&mcp.Resource{URI: "test://watched-resource", Name: "watched-resource", MIMEType: "text/plain"}, reads(&mcp.ResourceContents{Text: "Watched resource content."}))
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", MIMEType: "application/json"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.Split(req.Params.URI, "/")[3]
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id)}}}, nil
		})
}

// reads returns a handler of a constant resource.
func reads(c *mcp.ResourceContents) mcp.ResourceHandler {
	return func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		copied := *c
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&copied}}, nil
	}
}

func addPrompts(server *mcp.Server) {
	server.AddPrompt(&mcp.Prompt{Description: "Fixture of the conformance suite.", Name: "test_simple_prompt"}, simplePrompt("This is a simple prompt for testing."))
	server.AddPrompt(&mcp.Prompt{Description: "Fixture of the conformance suite.", Name: "test_prompt_with_arguments", Arguments: []*mcp.PromptArgument{
		{Name: "arg1", Description: "First argument", Required: true}, {Name: "arg2", Description: "Second argument", Required: true},
	}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return prompted(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", req.Params.Arguments["arg1"], req.Params.Arguments["arg2"])), nil
	})
	server.AddPrompt(&mcp.Prompt{Description: "Fixture of the conformance suite.", Name: "test_prompt_with_embedded_resource", Arguments: []*mcp.PromptArgument{
		{Name: "resourceUri", Description: "URI of the resource to embed", Required: true},
	}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return prompted(embedded(req.Params.Arguments["resourceUri"]), "Please process the embedded resource above."), nil
	})
	server.AddPrompt(&mcp.Prompt{Description: "Fixture of the conformance suite.", Name: "test_prompt_with_image"}, simplePrompt(&mcp.ImageContent{Data: picture, MIMEType: "image/png"}, "Please analyze the image above."))
	server.AddPrompt(&mcp.Prompt{Description: "Fixture of the conformance suite.", Name: "test_input_required_result_prompt"}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if context, ok := accepted(req.Params.InputResponses, "user_context", "context"); ok {
			return prompted(fmt.Sprintf("Context: %v", context)), nil
		}
		return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": elicit("Please provide context.", "context", "string")}}, nil
	})
}

func simplePrompt(parts ...any) mcp.PromptHandler {
	return func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return prompted(parts...), nil
	}
}

// prompted returns a prompt with one message for each part; strings are text.
func prompted(parts ...any) *mcp.GetPromptResult {
	result := &mcp.GetPromptResult{}
	for _, part := range answer(parts...).Content {
		result.Messages = append(result.Messages, &mcp.PromptMessage{Role: "user", Content: part})
	}
	return result
}
