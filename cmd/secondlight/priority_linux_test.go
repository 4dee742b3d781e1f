package main

import (
	"os"
	"strconv"
	"syscall"
	"testing"
)

// TestLowerPriorityWhileStarting checks that all threads have a lower priority and get back
// the one they had, which the tests may do if they run as root.
func TestLowerPriorityWhileStarting(t *testing.T) {
	before := niceness(t)
	if len(before) != 1 || before[startNiceness] > 0 {
		t.Skipf("NOT TESTED: the threads have the niceness %v", before)
	}
	var now int
	for now = range before {
	}
	if !mayRaisePriority(now) {
		lowerPriorityWhileStarting()
		if after := niceness(t); after[startNiceness] > 0 {
			t.Errorf("the priority, which can't be raised, is lowered: %v", after)
		}
		t.Skip("NOT TESTED: the process may not raise its priority")
	}
	raise := lowerPriorityWhileStarting()
	low := niceness(t)
	raise()
	if len(low) != 1 || low[startNiceness] == 0 {
		t.Errorf("while starting, the threads have the niceness %v", low)
	}
	if after := niceness(t); len(after) != 1 || after[now] == 0 {
		t.Errorf("the threads have the niceness %v, had %v", after, before)
	}
}

// niceness counts the threads of the process by their niceness.
func niceness(t *testing.T) map[int]int {
	t.Helper()
	threads, err := os.ReadDir("/proc/self/task")
	mustDo(t, err)
	counts := map[int]int{}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		mustDo(t, err)
		if n, err := syscall.Getpriority(syscall.PRIO_PROCESS, id); err == nil { // it may have ended
			counts[20-n]++
		}
	}
	return counts
}
