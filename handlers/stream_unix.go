//go:build unix

package handlers

import (
	"net"
	"syscall"
)

// peerLeft waits until the peer has closed the connection; false when the watch
// was stopped, or when the peer sent more: then a failing write will tell. It
// looks at the connection without taking anything from it.
func peerLeft(conn net.Conn) bool {
	raw, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	access, err := raw.SyscallConn()
	if err != nil {
		return false
	}
	left := false
	err = access.Read(func(fd uintptr) bool {
		var next [1]byte
		n, _, err := syscall.Recvfrom(int(fd), next[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		switch err {
		case syscall.EAGAIN, syscall.EINTR:
			return false // nothing yet: wait
		case nil:
			left = n == 0
		default:
			left = true
		}
		return true
	})
	return err == nil && left
}
