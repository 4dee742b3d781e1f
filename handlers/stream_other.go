//go:build !unix

package handlers

import "net"

// peerLeft cannot tell here: a failing write will.
func peerLeft(net.Conn) bool { return false }
