package bind

import (
	"fmt"
	"reflect"
	"slices"
)

// Describe sets the allowed values and the schemas of the parameters from v.
func (plan *Plan) Describe(v *Vocabulary) {
	plan.aliases = &v.Aliases
	for i := range plan.Params {
		p := &plan.Params[i]
		p.words = v.Aliases.Values[p.Name]
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

// JoinPlans returns a plan that binds to a struct with a field for the input of each plan.
// Corrections are those of the first.
func JoinPlans(plans []*Plan) *Plan {
	joined := &Plan{Body: plans[0].Body, aliases: plans[0].aliases}
	if plans[0].corrected != nil {
		joined.corrected = slices.Concat([]int{0}, plans[0].corrected)
	}
	var fields []reflect.StructField
	for i, plan := range plans {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Part%d", i), Type: plan.In})
		for _, p := range plan.Params {
			p.Index = slices.Concat([]int{i}, p.Index)
			joined.Params = append(joined.Params, p)
		}
	}
	joined.In = reflect.StructOf(fields)
	return joined
}
