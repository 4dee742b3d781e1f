package main

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memoryShare is the share of the machine's or the container's memory that the garbage
// collector keeps the program under, if it can.
const memoryShare = 0.8

// limitMemory sets GOMEMLIMIT from the memory of the container or the machine, unless the
// environment sets it.
func limitMemory(log *slog.Logger) {
	_, err := memlimit.Set(memlimit.WithRatio(memoryShare), memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
	if err != nil {
		log.Warn("set GOMEMLIMIT", "err", err)
	}
}

// garbage is how much garbage may gather before it is collected: as much as 48 MB and a
// thirty-second of what is in use, but no more than what is in use. By default it is what is
// in use, which is mostly the index. The index has few pointers, so that collecting more
// often costs little.
const (
	garbage      = 48 << 20
	garbageShare = 32
)

// collectInterval is how often keepCollecting measures what is in use.
const collectInterval = time.Minute

// collectGarbage returns to the system what loading the index has left, and sets how much
// garbage may gather.
func collectGarbage() {
	debug.FreeOSMemory()
	limitGarbage()
}

// keepCollecting sets how much garbage may gather, as the index grows, until ctx ends.
func keepCollecting(ctx context.Context) error {
	tick := time.NewTicker(collectInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			limitGarbage()
		}
	}
}

// limitGarbage sets GOGC from what is in use, unless the environment sets it.
func limitGarbage() {
	if os.Getenv("GOGC") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if used := live[0].Value.Uint64(); used > 0 {
		debug.SetGCPercent(int(min(100, 100*garbage/used+100/garbageShare)))
	}
}
