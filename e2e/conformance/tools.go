//lint:file-ignore SA1019 the suite covers what the protocol is giving up: roots, sampling, logging
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// picture is a red pixel as PNG, sound is silence as WAV.
var (
	picture = decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
	sound   = decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=")
)

func decode(text string) []byte {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

// handler handles the call of a tool.
type handler func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)

// add adds a tool that accepts any arguments.
func add(server *mcp.Server, name string, do handler) {
	addWithSchema(server, name, `{"type": "object"}`, do)
}

func addWithSchema(server *mcp.Server, name, schema string, do handler) {
	tool := &mcp.Tool{Name: name, Description: "Fixture of the conformance suite.", InputSchema: json.RawMessage(schema)}
	mcp.AddTool(server, tool, func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		result, err := do(ctx, req)
		return result, nil, err
	})
}

// answer returns a result with the given parts; strings are text.
func answer(parts ...any) *mcp.CallToolResult {
	result := &mcp.CallToolResult{}
	for _, part := range parts {
		if text, ok := part.(string); ok {
			part = &mcp.TextContent{Text: text}
		}
		result.Content = append(result.Content, part.(mcp.Content))
	}
	return result
}

// says returns a handler with a constant result.
func says(parts ...any) handler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return answer(parts...), nil }
}

func embedded(uri string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "This is an embedded resource."}}
}

func addTools(server *mcp.Server) {
	image := &mcp.ImageContent{Data: picture, MIMEType: "image/png"}
	add(server, "test_simple_text", says("This is a simple text response for testing."))
	add(server, "test_image_content", says(image))
	add(server, "test_audio_content", says(&mcp.AudioContent{Data: sound, MIMEType: "audio/wav"}))
	add(server, "test_embedded_resource", says(embedded("test://embedded-resource")))
	add(server, "test_multiple_content_types", says("Multiple content types test:", image, embedded("test://mixed-content-resource")))
	add(server, "test_error_handling", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("this tool intentionally returns an error for testing")
	})
	add(server, "test_tool_with_progress", progress)
	add(server, "test_tool_with_logging", logging)
	add(server, "test_logging_tool", logging)
	add(server, "test_streaming_elicitation", says("The stream carries results and notifications, and no requests."))
	add(server, "test_missing_capability", needsSampling)
	add(server, "test_reconnection", reconnect)

	addWithSchema(server, "json_schema_2020_12_tool", schema2020, says("It fits."))
	addWithSchema(server, "test_x_mcp_header", `{"type": "object", "properties": {
		"region": {"type": "string", "x-mcp-header": "Region"},
		"level": {"type": "integer"}}}`, says("It came."))

	add(server, "test_trigger_tool_change", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		add(server, "transient", says("Here for now."))
		return answer("tools/list_changed is on its way."), nil
	})
	add(server, "test_trigger_prompt_change", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		server.AddPrompt(&mcp.Prompt{Name: "transient", Description: "Fixture of the conformance suite."}, simplePrompt("Here for now."))
		return answer("prompts/list_changed is on its way."), nil
	})
}

// schema2020 uses keywords that tools/list must not change.
const schema2020 = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object",
		"properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false}`

func progress(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	token := req.Params.GetProgressToken()
	for _, percent := range []float64{0, 50, 100} {
		err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: percent, Total: 100, Message: fmt.Sprintf("%.0f of 100", percent)})
		if err != nil {
			return nil, err
		}
		pause(ctx)
	}
	return answer(fmt.Sprint(token)), nil
}

func logging(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: line}); err != nil {
			return nil, err
		}
		pause(ctx)
	}
	return answer("Tool with logging executed successfully."), nil
}

// pause simulates work.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(50 * time.Millisecond):
	}
}

func needsSampling(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if caps := req.ClientCapabilities(); caps != nil && caps.Sampling != nil {
		return answer("The client can sample."), nil
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "This tool needs a client that can sample.", Data: data}
}

func reconnect(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Extra != nil && req.Extra.CloseSSEStream != nil {
		req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
	}
	pause(ctx)
	return answer("The client came back."), nil
}
