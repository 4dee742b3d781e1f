//go:build unix

package codec

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// allocator reserves the addresses of a module's memory, of which pages take memory once they
// are written to. wazero's own copies the memory each time that it grows.
var allocator experimental.MemoryAllocator = experimental.MemoryAllocatorFunc(func(_, size uint64) experimental.LinearMemory {
	memory, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err) // instantiate recovers
	}
	return reserved(memory)
})

// reserved is the memory of a module.
type reserved []byte

// Reallocate implements experimental.LinearMemory.
func (r reserved) Reallocate(size uint64) []byte {
	if size > uint64(len(r)) {
		return nil
	}
	return r[:size]
}

// Free implements experimental.LinearMemory.
func (r reserved) Free() { _ = syscall.Munmap(r) }
