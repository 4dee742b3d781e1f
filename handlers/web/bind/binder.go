package bind

import "reflect"

// Describe sets the allowed values and the schemas of the parameters from v.
func (plan *Plan) Describe(v *Vocabulary) {
	for i := range plan.Params {
		p := &plan.Params[i]
		if p.Enum == nil {
			p.Enum = v.enumOf(p.Typ)
		}
		p.Schema = v.ParamSchema(p)
	}
}

// Binder parses query strings into values of In outside of a request.
type Binder[In any] struct{ plan *Plan }

// NewBinder returns a Binder whose enums and schemas come from vocabulary. It panics
// if a tag of In is invalid.
func NewBinder[In any](vocabulary *Vocabulary) *Binder[In] {
	plan, err := PlanFor(reflect.TypeFor[In]())
	if err != nil {
		panic(err)
	}
	plan.Describe(vocabulary)
	return &Binder[In]{plan}
}

// Bind parses a raw query string. Unknown parameters are errors.
func (b *Binder[In]) Bind(rawQuery string) (*In, error) {
	in, err := b.plan.Bind(nil, rawQuery, true)
	if err != nil {
		return nil, err
	}
	return in.In.(*In), nil
}
