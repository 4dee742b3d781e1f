//go:build race

package handlers

// raceEnabled makes the long tests shorter where every access is watched.
const raceEnabled = true
