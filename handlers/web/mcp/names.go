package mcp

import "regexp"

// ToolOf returns the tool of an operation and the action that chooses it, "" if the tool
// has no other operation. The tool is "" if there is none.
func (s *Endpoint) ToolOf(operation string) (name, action string) {
	for _, t := range s.tools {
		for i, op := range t.ops {
			switch {
			case op.Name != operation:
			case t.Actions == nil:
				return t.Name, ""
			default:
				return t.Name, t.Actions[i].Name
			}
		}
	}
	return "", ""
}

// ToolPhrase returns how to call an operation over MCP: its tool, with the action if it
// has several. It returns the operation's name if it has no tool.
func (s *Endpoint) ToolPhrase(operation string) string {
	switch name, action := s.ToolOf(operation); {
	case name == "":
		return operation
	case action == "":
		return name
	default:
		return name + " (action=" + action + ")"
	}
}

var operationName = regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)

// inToolWords replaces the names of operations in a text with those of their tools.
func (s *Endpoint) inToolWords(text string) string {
	return operationName.ReplaceAllStringFunc(text, s.ToolPhrase)
}
