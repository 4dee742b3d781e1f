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

// runDemo makes the data that is wanted, now and when it is requested, until ctx ends.
func (s *app) runDemo(ctx context.Context) {
	j := s.demo
	for {
		if j.wanted.Load() && j.fill != nil {
			s.log.Info("make demonstration data")
			if err := j.fill(ctx); err != nil && ctx.Err() == nil {
				s.log.Error("make demonstration data", "err", err)
				if err := s.store.GiveUpDemo(ctx); err != nil {
					s.log.Error("give up demonstration data", "err", err)
				}
			}
			s.reloadSite()
			if s.library != nil {
				s.library.Reload()
			}
			s.server.Changed()
		}
		select {
		case <-ctx.Done():
			return
		case <-j.start:
		}
	}
}
