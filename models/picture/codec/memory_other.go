//go:build !unix

package codec

import "github.com/tetratelabs/wazero/experimental"

// allocator is nil for wazero's own.
var allocator experimental.MemoryAllocator
