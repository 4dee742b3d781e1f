package main

import (
	"os"
	"strconv"
	"syscall"
)

// lowerPriority lets other programs, such as a server on the same machine, use the
// processors first. It lowers the priority of every thread of the process; threads that
// they start inherit it.
func lowerPriority() {
	const niceness = 10
	threads, _ := os.ReadDir("/proc/self/task") // without it the priority stays
	for _, thread := range threads {
		if id, err := strconv.Atoi(thread.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, niceness)
		}
	}
}
