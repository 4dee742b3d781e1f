//go:build linux || darwin || freebsd

package durable

import "syscall"

// FreeBytes returns the number of bytes that can be written to the disk of a folder. It
// returns errors.ErrUnsupported if the system cannot tell.
func FreeBytes(folder string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}
