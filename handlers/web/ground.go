package web

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/handlers/web/limit"
)

// What operations say of their input, from package bind.
type (
	Upload      = bind.Upload
	FieldErrors = bind.FieldErrors
	Override    = bind.Override
	Vocabulary  = bind.Vocabulary
)

// Binder binds queries to In.
type Binder[In any] = bind.Binder[In]

// NewBinder returns the Binder of an input type.
func NewBinder[In any](vocabulary *Vocabulary) *Binder[In] { return bind.NewBinder[In](vocabulary) }

// Enum returns the schema of a text with fixed values.
func Enum[T ~string](values ...T) *jsonschema.Schema { return bind.Enum(values...) }

// Functions of packages bind and limit for handlers.
var (
	InvalidField  = bind.InvalidField
	ValidText     = bind.ValidText
	ParseRedis    = limit.ParseRedis
	RateLimitAddr = limit.Addr
)

// Redis is the address of a Redis that counts requests.
type Redis = limit.Redis
