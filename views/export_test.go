package views

// What the tests outside the package share with those inside.
var (
	TestPages = testPages
	TestSite  = testSite
	JSONOf    = jsonOf
)
