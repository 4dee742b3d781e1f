package web

import "github.com/secondlight/secondlight/handlers/web/bind"

// What operations say of their input, from package bind.
type (
	Upload      = bind.Upload
	FieldErrors = bind.FieldErrors
)

// InvalidField reports an invalid value of a field: see bind.InvalidField.
var InvalidField = bind.InvalidField
