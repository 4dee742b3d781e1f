//go:build !unix

package search

// allocateBytes returns zeroed memory.
func allocateBytes(size int) []byte { return make([]byte, size) }

// freeBytes does nothing: the garbage collector frees the memory.
func freeBytes([]byte) {}
