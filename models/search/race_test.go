//go:build race

package search

// raceEnabled makes the long tests shorter where every access is watched.
const raceEnabled = true
