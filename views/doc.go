// Package views tests the pages of the packages below it together: ui is what all pages
// share, the others are named after what they show. A page is one value: its JSON is the
// value itself, its HTML and its Markdown are rendered from the same fields, so that all
// formats state the same facts.
package views
