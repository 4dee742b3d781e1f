package web

import (
	"errors"
	"fmt"
	"testing"
)

// TestBodyBudget tests that bodies take at most maxBodies, and that all of it is
// returned.
func TestBodyBudget(t *testing.T) {
	var budget bodyBudget
	var all []*body
	var err error
	for i := 0; err == nil; i++ {
		b := &body{budget: &budget, owner: fmt.Sprint(i)}
		all = append(all, b)
		err = b.grow(uploadBytes)
	}
	if len(all)-1 != maxBodies/uploadBytes || !errors.Is(err, errBodiesBusy) {
		t.Errorf("%d bodies fit, then %v", len(all)-1, err)
	}
	for _, b := range all {
		b.release()
		b.release() // has no effect
	}
	if budget.held != 0 || len(budget.uploads) != 0 {
		t.Errorf("%d bytes are still held by %v", budget.held, budget.uploads)
	}
}
