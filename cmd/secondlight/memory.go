package main

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"time"
)

// memoryShare is the share of the machine's or the container's memory that the garbage
// collector keeps the program under, if it can.
const memoryShare = 0.8

// limitMemory sets GOMEMLIMIT from the memory of the container or the machine, unless the
// environment sets it.
func limitMemory(log *slog.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	available := availableMemory(os.DirFS("/"))
	if available == 0 {
		log.Warn("set GOMEMLIMIT: the memory of the machine is unknown")
		return
	}
	debug.SetMemoryLimit(int64(memoryShare * float64(available)))
}

// availableMemory returns the least of the memory of the machine and the limits of the control
// groups (version 1 or 2) that the program is in, in bytes, or 0 if none is known.
func availableMemory(root fs.FS) (least uint64) {
	limit := func(file, text string) {
		b, err := fs.ReadFile(root, file)
		if err != nil {
			return
		}
		_, rest, _ := strings.Cut(string(b), text)
		var bytes uint64
		if _, err := fmt.Sscan(rest, &bytes); err != nil || bytes == 0 {
			return // "max"
		}
		if file == memoryInfo {
			bytes <<= 10
		}
		if least == 0 || bytes < least {
			least = bytes
		}
	}
	limit(memoryInfo, "MemTotal:")
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		controllers, group, _ := strings.Cut(strings.TrimSpace(line[strings.IndexByte(line, ':')+1:]), ":")
		folder, file := "sys/fs/cgroup", "memory.max"
		if controllers != "" {
			folder, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		if controllers != "" && !slices.Contains(strings.Split(controllers, ","), "memory") {
			continue
		}
		for group = path.Clean("/" + group); ; group = path.Dir(group) {
			limit(path.Join(folder, group, file), "")
			if group == "/" {
				break
			}
		}
	}
	return least
}

// memoryInfo has the memory of the machine, in KB.
const memoryInfo = "proc/meminfo"

// garbage is how much garbage may gather before it is collected: 48 MB and a thirty-second of
// the heap in use, at most the heap in use, which is Go's default. Most of the heap is the
// index, which has few pointers, so that collecting more often costs little.
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
