package handlers

import (
	"context"
	"sync/atomic"
)

// demoJob makes demonstration data in the background, once the owner has chosen it when
// they set up the site.
type demoJob struct {
	fill   func(context.Context) error // nil makes none
	wanted atomic.Bool                 // it is still to be made
	start  chan struct{}
}

// request starts the job.
func (j *demoJob) request() {
	select {
	case j.start <- struct{}{}:
	default: // it is requested already
	}
}
