//go:build !linux

package main

// lowerPriority does nothing: on this platform the operator sets the priority.
func lowerPriority() {}
