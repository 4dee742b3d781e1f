package models

// JobRun is the last run of a background job, on whichever server.
type JobRun struct {
	Job       string
	StartedAt Time
	Took      int64  // milliseconds
	Error     string // "" if it succeeded
	FailedAt  Time   // when it failed last, 0 for never
}
