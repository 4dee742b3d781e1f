package settings

import (
	"context"
	"sync/atomic"
)

// DemoJob makes demonstration data in the background, once the owner has chosen it when
// they set up the site.
type DemoJob struct {
	Fill   func(context.Context) error // nil makes none
	Wanted atomic.Bool                 // it is still to be made
	Start  chan struct{}
}

// Request starts the job.
func (j *DemoJob) Request() {
	select {
	case j.Start <- struct{}{}:
	default: // it is requested already
	}
}
