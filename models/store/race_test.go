//go:build race

package store_test

// raceEnabled is whether the race detector is on, which makes tests many times slower.
const raceEnabled = true
