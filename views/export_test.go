package views

import (
	"github.com/secondlight/secondlight/views/viewstest"
)

// Fixtures for the external tests.
var (
	TestPages = testPages
	TestSite  = viewstest.Site
	JSONOf    = jsonOf
)
