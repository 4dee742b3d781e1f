package codec

import (
	"os/exec"
	"runtime"
	"syscall"
)

// startNice starts a process at the lowest priority. A process inherits that of the thread that
// starts it; this one ends with its goroutine.
func startNice(process *exec.Cmd) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		const lowest = 19
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, lowest) // it works at any priority
		started <- process.Start()
	}()
	return <-started
}
