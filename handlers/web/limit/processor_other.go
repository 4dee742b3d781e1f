//go:build !linux

package limit

import "time"

// threadTime returns 0: only Linux has a clock of a thread.
func threadTime() time.Duration { return 0 }
