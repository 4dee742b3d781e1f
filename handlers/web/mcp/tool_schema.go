package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
)

// argumentsOf returns the schema of a tool's arguments: those of its operations, and the
// action.
func (s *Endpoint) argumentsOf(t *tool) *jsonschema.Schema {
	schema := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for i, op := range t.ops {
		input := s.ToolInput(op)
		if i == 0 {
			schema.Required = slices.Clone(input.Required)
		}
		schema.Required = slices.DeleteFunc(schema.Required, func(name string) bool { return !slices.Contains(input.Required, name) })
		for _, name := range argumentNames(op, input) {
			if !slices.Contains(t.Omit, name) {
				t.addArgument(schema, name, shorten(input.Properties[name]), i)
			}
		}
	}
	for name, p := range schema.Properties {
		if text, ok := t.Arguments[name]; ok {
			p.Description = text
		}
		p.Description = s.inToolWords(p.Description)
	}
	if p := schema.Properties[web.KeyArgument]; p != nil {
		p.Description = "" // the instructions say it
	}
	if t.Actions != nil {
		schema.Properties[actionArgument] = s.actionSchema(t, schema.Required)
		schema.Required = slices.Insert(schema.Required, 0, actionArgument)
		schema.PropertyOrder = slices.Insert(schema.PropertyOrder, 0, actionArgument)
	}
	return schema
}

// argumentNames returns the names of an operation's arguments in the order of its
// parameters, the others last.
func argumentNames(op *web.Operation, input *jsonschema.Schema) []string {
	var names, rest []string
	for i := range op.Plan.Params {
		names = append(names, op.Plan.Params[i].Name)
	}
	for name := range input.Properties {
		if !slices.Contains(names, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	return append(names, rest...)
}

// addArgument adds an argument of an action's operation. An argument of several actions
// has the types and descriptions of all of them.
func (t *tool) addArgument(schema *jsonschema.Schema, name string, argument *jsonschema.Schema, action int) {
	previous := schema.Properties[name]
	if previous == nil {
		schema.Properties[name] = argument
		schema.PropertyOrder = append(schema.PropertyOrder, name)
		return
	}
	if previous.Description != argument.Description {
		previous.Description += "; " + t.Actions[action].Name + ": " + argument.Description
	}
	if types := unite(typesOf(previous), typesOf(argument)); len(types) > 1 {
		*previous = jsonschema.Schema{Types: types, Description: previous.Description}
	}
	if !bytes.Equal(previous.Default, argument.Default) {
		previous.Default = nil
	}
}

// shorten returns the schema of an argument as tools list it. Limits are left to
// descriptions and errors, and an amount of money is text, as a form has it.
func shorten(full *jsonschema.Schema) *jsonschema.Schema {
	p := full.CloneSchemas()
	if p.Properties["amount"] != nil && p.Properties["currency"] != nil {
		return &jsonschema.Schema{Type: "string", Description: p.Description + ": 450.00 EUR"}
	}
	bind.WalkSchema(p, func(p *jsonschema.Schema) {
		p.Pattern, p.Format, p.MinLength, p.MaxLength, p.Minimum, p.Maximum = "", "", nil, nil, nil, nil
	})
	return p
}

// actionSchema returns the schema of the argument action. Its description names the
// arguments that actions require in addition to those that all require.
func (s *Endpoint) actionSchema(t *tool, common []string) *jsonschema.Schema {
	schema := &jsonschema.Schema{Type: "string"}
	var texts []string
	for i, a := range t.Actions {
		schema.Enum = append(schema.Enum, a.Name)
		own := slices.DeleteFunc(slices.Clone(s.ToolInput(t.ops[i]).Required), func(name string) bool { return slices.Contains(common, name) || a.Preset[name] != "" })
		if len(own) > 0 {
			texts = append(texts, a.Name+" needs "+strings.Join(own, ", "))
		}
	}
	schema.Description = strings.Join(texts, "; ")
	return schema
}

// envelopeOf returns the schema of a tool's structured content: the names and types of
// the first properties that every result of an operation has, at most maxEnvelope. The
// full schema is a resource (see addSchemas). An error has the properties of problem
// details instead, so none is required.
func (s *Endpoint) envelopeOf(t *tool) *jsonschema.Schema {
	schema := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	var results []*jsonschema.Schema
	for _, op := range t.ops {
		full := s.site.Vocabulary.SharedSchema(s.resultType(op))
		always := slices.DeleteFunc(slices.Clone(full.PropertyOrder), func(name string) bool { return !slices.Contains(full.Required, name) })
		for _, name := range always[:min(len(always), maxEnvelope)] {
			if schema.Properties[name] == nil && len(schema.Properties) < maxEnvelope {
				schema.Properties[name] = &jsonschema.Schema{}
				schema.PropertyOrder = append(schema.PropertyOrder, name)
			}
		}
		if results = append(results, full); s.hasDetail(op) {
			results = append(results, s.site.Vocabulary.SharedSchema(op.Out))
		}
	}
	for _, result := range append(results, s.site.Vocabulary.SharedSchema(reflect.TypeFor[ToolError]()), s.site.Vocabulary.SharedSchema(s.site.ProblemPage)) {
		for name, property := range result.Properties {
			if schema.Properties[name] != nil {
				addTypes(schema.Properties[name], property)
			}
		}
	}
	return schema
}

// maxEnvelope is the maximum number of properties of its results that a tool lists.
const maxEnvelope = 8

// addTypes allows the types of another schema.
func addTypes(s, other *jsonschema.Schema) {
	types := unite(typesOf(s), typesOf(other))
	if s.Type, s.Types = "", types; len(types) == 1 {
		s.Type, s.Types = types[0], nil
	}
}

// typesOf returns the types that a schema allows.
func typesOf(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

// unite returns the values of a, then those that only b has.
func unite(a, b []string) []string {
	all := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// schemasOf returns the full schemas of a tool, of each action if it has several.
func (s *Endpoint) schemasOf(t *tool) web.Object {
	schemas := func(op *web.Operation) web.Object {
		return web.NewObject("arguments", s.ToolInput(op), "result", s.site.Vocabulary.SchemaOf(s.resultType(op)), "error", s.site.Vocabulary.SchemaOf(reflect.TypeFor[ToolError]()))
	}
	if t.Actions == nil {
		return schemas(t.ops[0])
	}
	var actions web.Object
	for i, a := range t.Actions {
		actions = actions.With(a.Name, schemas(t.ops[i]))
	}
	return web.NewObject("actions", actions)
}

// addSchemas adds the full schemas of the tools' arguments and results as resources.
func (s *Endpoint) addSchemas(server *mcp.Server) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: schemaAddress + "{" + toolArgument + "}", Name: "tool_schema", Title: "Schema of a tool",
		Description: "JSON Schemas of a tool's arguments and structured results in full, by action. Lists of tools name only the properties of results.",
		MIMEType:    "application/json",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		for _, t := range s.tools {
			if req.Params.URI == schemaAddress+t.Name {
				text, err := web.EncodeJSON(s.schemasOf(t))
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "application/json", Text: string(text)}}}, err
			}
		}
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	})
}

// encodeSchema returns the JSON encoding of a schema, so that it is not encoded again
// for each list.
func encodeSchema(schema *jsonschema.Schema) json.RawMessage {
	text, err := json.Marshal(schema)
	if err != nil {
		panic(err)
	}
	return text
}
