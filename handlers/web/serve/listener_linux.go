package serve

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// ignoreConnections makes the kernel drop requests for new connections to a listening socket. Those
// that are established, accepted or not, stay. Nothing happens if socket is nil.
//
// The filter reads the TCP flags, byte 13 of the header (RFC 9293, section 3.1). Packets of a
// listening socket begin with that header.
func ignoreConnections(socket syscall.RawConn) {
	if socket == nil {
		return
	}
	const syn, flags = 0x02, 13
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: 1, K: syn},
		{Code: unix.BPF_RET | unix.BPF_K, K: 1<<32 - 1}, // the whole packet
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
	}
	_ = socket.Control(func(fd uintptr) {
		_ = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]})
	})
}
