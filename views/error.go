package views

// Error is an error as every face tells it: RFC 9457 problem details with the
// three facts the site promises, code, message and hint.
type Error struct {
	Type      string       `json:"type" jsonschema:"address of the page that explains the code"`
	Title     string       `json:"title"`
	Status    int          `json:"status"`
	Code      string       `json:"code"`
	Message   string       `json:"message"`
	Hint      string       `json:"hint" jsonschema:"how to repair this request"`
	RequestID string       `json:"request_id"`
	Errors    []FieldError `json:"errors,omitempty"`
	Links     []Link       `json:"links,omitempty" jsonschema:"where to go instead"`
}

// FieldError is what is wrong with one field of a request.
type FieldError struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}
