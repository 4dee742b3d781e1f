package web

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// ToolInput returns the schema of the arguments with which a tool calls an operation.
func (s *Server) ToolInput(op *Operation) *jsonschema.Schema { return op.InputSchema() }

// resultType returns the type whose JSON encoding is the structured content of an
// operation's tool, without the pointer.
func (s *Server) resultType(op *Operation) reflect.Type { return op.out }
