package store

import (
	"context"
	"errors"
	"time"
)

// writeFailureMemory is for how long a failed write is reported. A small write may
// succeed while the disk has no space for larger ones.
const writeFailureMemory = time.Minute

// CheckWritable writes to the database and returns an error if that fails, or if
// another write failed within the last minute.
func (s *Site) CheckWritable(ctx context.Context) error {
	if at := s.writeFailed.Load(); at != nil && time.Since(*at) < writeFailureMemory {
		return errors.New("writes have failed within the last minute")
	}
	return s.update(ctx, func(t *tx) error {
		return t.setSetting(ctx, "write_check", s.newID())
	})
}
