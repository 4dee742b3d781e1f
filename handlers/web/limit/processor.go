package limit

import (
	"runtime"
	"sync/atomic"
	"time"
)

// maxMeters is the number of meters that run at a time, because each has a thread even
// while its goroutine waits. It is more than the connections that one address may have.
const maxMeters = 512

// meters is the number of meters that run.
var meters atomic.Int32

// Meter measures the processor time of a goroutine, without that of goroutines it starts.
// The goroutine has a thread of its own until it stops the meter.
type Meter struct {
	start   time.Duration
	running bool
}

// StartMeter starts a meter, which measures nothing if there are too many. The caller must
// stop it.
func StartMeter() Meter {
	if meters.Add(1) > maxMeters {
		meters.Add(-1)
		return Meter{}
	}
	runtime.LockOSThread()
	return Meter{start: threadTime(), running: true}
}

// Stop stops the meter and returns the time since it was started, 0 if it measures nothing.
func (m Meter) Stop() time.Duration {
	if !m.running {
		return 0
	}
	took := threadTime() - m.start
	runtime.UnlockOSThread()
	meters.Add(-1)
	return took
}
