package handlers

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestDeadlineEnds(t *testing.T) {
	passed := &deadline{at: time.Now().Add(-time.Second)}
	<-passed.Done()
	if !errors.Is(passed.Err(), context.DeadlineExceeded) {
		t.Errorf("a deadline that passed says %v", passed.Err())
	}
	for name, begin := range map[string]func(*deadline){"before anybody waits": func(*deadline) {}, "while somebody waits": func(d *deadline) { d.Done() }} {
		d := &deadline{at: time.Now().Add(time.Hour)}
		begin(d)
		if at, ok := d.Deadline(); !ok || at != d.at {
			t.Errorf("%s: the deadline is %v, %v", name, at, ok)
		}
		child, cancel := context.WithCancel(d)
		defer cancel()
		d.end()
		<-child.Done()
		if !errors.Is(d.Err(), context.Canceled) || !errors.Is(child.Err(), context.Canceled) {
			t.Errorf("ended %s, it says %v, and what hangs on it %v", name, d.Err(), child.Err())
		}
	}
}
