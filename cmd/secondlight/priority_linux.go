package main

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
)

const (
	lowNiceness = 10 // of work that nobody waits for
	// startNiceness is that of a server that starts. With it a busy machine gives the start a
	// third of what it gives others: nginx sends requests again after 10 seconds.
	startNiceness = 5
)

// lowerPriority lets other programs, such as a server on the same machine, use the
// processors first.
func lowerPriority() { setNiceness(lowNiceness) }

// lowerPriorityWhileStarting lowers the priority a little until the function that it returns
// is called. It does nothing if the process may not raise its priority again, which takes the
// resource limit of systemd's LimitNICE or a privilege.
func lowerPriorityWhileStarting() (raise func()) {
	before, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	if before = 20 - before; err != nil || before >= startNiceness || !mayRaisePriority(before) { // the system call returns 20 - niceness
		return func() {}
	}
	setNiceness(startNiceness)
	return func() { setNiceness(before) }
}

// mayRaisePriority reports whether a thread can be set to a niceness after a higher one.
func mayRaisePriority(niceness int) bool {
	may := make(chan bool)
	go func() {
		runtime.LockOSThread() // and never unlock: the thread ends with the goroutine
		thread := syscall.Gettid()
		may <- syscall.Setpriority(syscall.PRIO_PROCESS, thread, niceness+1) == nil &&
			syscall.Setpriority(syscall.PRIO_PROCESS, thread, niceness) == nil
	}()
	return <-may
}

// setNiceness sets the niceness of every thread of the process, and looks again as long as
// there were others: threads inherit it from those that start them.
func setNiceness(niceness int) {
	for changed := true; changed; {
		changed = false
		threads, _ := os.ReadDir("/proc/self/task") // without it the priority stays
		for _, thread := range threads {
			id, err := strconv.Atoi(thread.Name())
			if err != nil {
				continue
			}
			if now, err := syscall.Getpriority(syscall.PRIO_PROCESS, id); err == nil && 20-now != niceness {
				changed = syscall.Setpriority(syscall.PRIO_PROCESS, id, niceness) == nil || changed
			}
		}
	}
}
