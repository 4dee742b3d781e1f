//go:build !unix

package web

import "net"

// connWaits returns false: this platform cannot tell whether a connection waits to be
// accepted.
func connWaits(net.Listener) bool { return false }
