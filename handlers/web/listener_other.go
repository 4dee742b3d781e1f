//go:build !unix

package web

import "net"

// hasPending returns false: this platform cannot tell whether a connection is pending.
func hasPending(net.Listener) bool { return false }
