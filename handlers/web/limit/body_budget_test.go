package limit

import (
	"errors"
	"fmt"
	"testing"
)

// TestBodyBudget tests that bodies take at most maxBodies, and that all of it is
// returned.
func TestBodyBudget(t *testing.T) {
	const size = 32 << 20
	var budget Bodies
	var all []*body
	var err error
	for i := 0; err == nil; i++ {
		b := &body{budget: &budget, owner: fmt.Sprint(i)}
		all = append(all, b)
		err = b.grow(size)
	}
	if len(all)-1 != maxBodies/size || !errors.Is(err, ErrBodiesBusy) {
		t.Errorf("%d bodies fit, then %v", len(all)-1, err)
	}
	for _, b := range all {
		b.Release()
		b.Release() // has no effect
	}
	if budget.Held != 0 || len(budget.Uploads) != 0 {
		t.Errorf("%d bytes are still held by %v", budget.Held, budget.Uploads)
	}
}
