//go:build amd64

// Package budget counts what requests cost, in units that no other load on the machine
// changes: see TestBudget.
package budget

import (
	"runtime"
	"unsafe"
)

// Requests of a program to Callgrind (callgrind.h).
const (
	zeroStatistics       = 0x43540001
	dumpStatistics       = 0x43540003
	startInstrumentation = 0x43540004
)

// callgrind sends a request to Callgrind. It does nothing if the program doesn't run under
// it. The text is the name of a dump.
func callgrind(request uint64, text string) {
	name := append([]byte(text), 0)
	clientRequest(&[6]uint64{request, uint64(uintptr(unsafe.Pointer(&name[0])))})
	runtime.KeepAlive(name)
}

// clientRequest executes the instructions that Valgrind recognizes as a request
// (valgrind.h): a number and its arguments.
//
//go:noescape
func clientRequest(arguments *[6]uint64)
