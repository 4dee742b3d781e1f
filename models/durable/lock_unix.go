//go:build linux || darwin || freebsd

package durable

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed, and reports whether nobody else has.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
