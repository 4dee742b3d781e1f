package text

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/views/ui"
)

const ErrorsPage = "/errors"

// listErrors returns the operation that lists the error codes.
func (s pageOps) listErrors() web.Operation {
	return web.Op[struct{}, *ui.ErrorIndex]{
		Name:        "list_errors",
		Page:        ErrorsPage,
		Tag:         "Service",
		Title:       "Error codes",
		Summary:     "All error codes and what they mean.",
		Description: "Returns all error codes with their HTTP status and meaning.",
		Text:        true,
		Do: func(context.Context, *struct{}) (*ui.ErrorIndex, error) {
			var codes []ui.ErrorCode
			for _, c := range s.Codes() {
				codes = append(codes, ViewsErrorCode(c))
			}
			return ui.NewErrorIndex(s.Site, codes), nil
		},
	}.Operation()
}

// ViewsErrorCode returns an error code as pages show it.
func ViewsErrorCode(c web.ErrorCode) ui.ErrorCode {
	return ui.ErrorCode{Code: c.Code, Status: c.Status, Title: c.Title.String(), Meaning: c.Meaning.String(), Repair: c.Repair.String()}
}

type getErrorIn struct {
	Code string `json:"code" in:"path" jsonschema:"error code" example:"listing_not_found"`
}

// getError returns the operation that explains an error code.
func (s pageOps) getError() web.Operation {
	return web.Op[getErrorIn, *ui.ErrorCode]{
		Name:        "get_error",
		Page:        "/errors/{code}",
		Tag:         "Service",
		Title:       "Error code",
		Summary:     "What an error code means and how to fix the request.",
		Description: "Returns one error code: its HTTP status, what it means and what to do about it.",
		Errors:      []string{"error_not_found"},
		Do: func(_ context.Context, in *getErrorIn) (*ui.ErrorCode, error) {
			var names []string
			for _, c := range s.Codes() {
				if c.Code == in.Code {
					page := ViewsErrorCode(c)
					return page.On(s.Site), nil
				}
				names = append(names, c.Code)
			}
			e := &problem.Error{Kind: problem.NotFound, Code: "error_not_found", Message: problem.Textf("There's no error with the code %q.", in.Code),
				Links: []problem.Link{{Href: ErrorsPage, Label: "All errors"}}}
			if near := fuzzy.NearestName(in.Code, names); near != "" {
				e.Hint = problem.Textf("Did you mean %s?", near)
			}
			return nil, e
		},
	}.Operation()
}
