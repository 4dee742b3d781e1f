//go:build race

package store_test

// raceEnabled says whether the race detector is on, which makes tests many times as slow.
const raceEnabled = true
