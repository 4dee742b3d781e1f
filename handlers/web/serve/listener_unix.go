//go:build unix

package serve

import (
	"net"

	"golang.org/x/sys/unix"
)

// hasPending reports whether a connection waits to be accepted.
func hasPending(ln net.Listener) (pending bool) {
	socket := rawConn(ln)
	if socket == nil {
		return false
	}
	err := socket.Control(func(fd uintptr) {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		pending = err == nil && n > 0
	})
	return err == nil && pending
}
