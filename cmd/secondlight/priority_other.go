//go:build !linux

package main

// lowerPriority does nothing: only on Linux is it implemented.
func lowerPriority() {}

// lowerPriorityWhileStarting does nothing, like lowerPriority.
func lowerPriorityWhileStarting() (raise func()) { return func() {} }
