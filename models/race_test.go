//go:build race

package models_test

// raceEnabled skips the long tests of one goroutine where every access is watched.
const raceEnabled = true
