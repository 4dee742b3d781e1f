package ui

// FormTool describes the form of an operation to agents in the browser:
// https://webmachinelearning.github.io/webmcp. Agents may submit these forms without
// confirmation, since they only read.
type FormTool struct {
	Name, Description string
	Params            map[string]string // descriptions of the parameters by name
}

// Tool returns the form of an operation, the zero FormTool when it has none.
func (s *Site) Tool(name string) FormTool { return s.Tools[name] }
