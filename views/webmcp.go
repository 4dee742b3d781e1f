package views

// FormTool is an operation as the form that asks for it tells it to agents in
// the reader's browser: https://webmachinelearning.github.io/webmcp. Forms
// submit themselves for agents, since nothing they ask changes anything.
type FormTool struct {
	Name, Description string
	Params            map[string]string // what each parameter means
}

// tool is the form of an operation; one that is not there says nothing.
func (s *Site) tool(name string) FormTool { return s.Tools[name] }
