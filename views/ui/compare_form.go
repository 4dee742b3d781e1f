package ui

// Limits on the number of models and of listings in a comparison. Both need MinCompared.
const (
	MinCompared         = 2
	MaxCompared         = 6
	MaxComparedListings = 4
)
