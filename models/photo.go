package models

// MaxAlt is the maximum length of the alternative text of a photo, in
// characters.
const MaxAlt = 300
