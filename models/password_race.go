//go:build race

package models

// Under the race detector a hash takes twenty times as long. Such a build is for
// tests, and nobody's passwords are kept by one.
func init() { argonParams.Memory, argonParams.Iterations = 1<<10, 1 }
