//go:build race

package models

// init makes hashing cheaper under the race detector, which slows it down twenty
// times. Such builds are for tests only.
func init() { argonParams.Memory, argonParams.Iterations = 1<<10, 1 }
