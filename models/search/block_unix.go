//go:build unix

package search

import "syscall"

// allocateBytes returns zeroed memory outside of the heap, or in the heap if there is none.
func allocateBytes(size int) []byte {
	bytes, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]byte, size)
	}
	return bytes
}

// freeBytes frees what allocateBytes returned.
func freeBytes(bytes []byte) { _ = syscall.Munmap(bytes) } // fails for memory in the heap
