package views

// Fixtures for the external tests.
var (
	TestPages = testPages
	TestSite  = testSite
	JSONOf    = jsonOf
)
