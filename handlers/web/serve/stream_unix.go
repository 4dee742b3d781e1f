//go:build unix

package serve

import (
	"net"
	"syscall"
)

// peerClosed waits until the peer closes the connection and returns true. It returns
// false if the read deadline passes, or if the peer sends data; then only a failing
// write can detect that it closed the connection. It does not consume any data.
func peerClosed(conn net.Conn) bool {
	socket := rawConn(conn)
	if socket == nil {
		return false
	}
	closed := false
	err := socket.Read(func(fd uintptr) bool {
		var next [1]byte
		n, _, err := syscall.Recvfrom(int(fd), next[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		switch err {
		case syscall.EAGAIN, syscall.EINTR:
			return false // nothing yet: wait
		case nil:
			closed = n == 0
		default:
			closed = true
		}
		return true
	})
	return err == nil && closed
}
