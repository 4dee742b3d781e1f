//go:build !unix

package search

import "os"

// allocateBytes returns zeroed memory.
func allocateBytes(size int) []byte { return make([]byte, size) }

// mapBytes reads the first bytes of a file.
func mapBytes(file *os.File, size int) ([]byte, error) {
	bytes := make([]byte, size)
	_, err := file.ReadAt(bytes, 0)
	return bytes, err
}

// freeBytes does nothing: the garbage collector frees the memory.
func freeBytes([]byte) {}
