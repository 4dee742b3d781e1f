// Package catalog knows camera gear: the catalogue with the owner's corrections, the
// resolver of titles, the lookup of keywords, and what fits what. It reads no database.
package catalog
