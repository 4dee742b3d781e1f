//go:build unix

package web

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// connWaits reports whether a connection waits to be accepted.
func connWaits(ln net.Listener) bool {
	conn, ok := ln.(syscall.Conn)
	if !ok {
		return false
	}
	access, err := conn.SyscallConn()
	if err != nil {
		return false
	}
	waits := false
	err = access.Control(func(fd uintptr) {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		waits = err == nil && n > 0
	})
	return err == nil && waits
}
