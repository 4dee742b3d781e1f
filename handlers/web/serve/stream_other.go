//go:build !unix

package serve

import "net"

// peerClosed returns false: this platform cannot detect a closed connection without
// reading from it. A failing write detects it later.
func peerClosed(net.Conn) bool { return false }
