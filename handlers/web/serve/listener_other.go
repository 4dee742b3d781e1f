//go:build !unix

package serve

import "net"

// hasPending returns false: this platform cannot tell whether a connection is pending.
func hasPending(net.Listener) bool { return false }
