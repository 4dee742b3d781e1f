//go:build !linux

package serve

import "syscall"

// ignoreConnections does nothing: this platform cannot ignore new connections and keep others.
func ignoreConnections(syscall.RawConn) {}
