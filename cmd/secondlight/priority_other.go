//go:build !linux

package main

// yieldProcessor does nothing: on this platform the operator sets the priority.
func yieldProcessor() {}
