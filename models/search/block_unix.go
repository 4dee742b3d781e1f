//go:build unix

package search

import (
	"os"
	"syscall"
)

// allocateBytes returns zeroed memory outside of the heap, or in the heap if there is none.
func allocateBytes(size int) []byte {
	bytes, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]byte, size)
	}
	return bytes
}

// mapBytes returns the first bytes of a file as memory outside of the heap. What is written
// to it is not written to the file.
func mapBytes(file *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
}

// freeBytes frees what allocateBytes or mapBytes returned.
func freeBytes(bytes []byte) { _ = syscall.Munmap(bytes) } // fails for memory in the heap
