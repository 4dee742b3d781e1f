package models

// SiteProgress says what an owner has done of what a new site needs.
type SiteProgress struct {
	Listed   bool // somebody with an account has published a listing
	MailAt   Time // when a mail server last took an email, 0 for never
	BackupAt Time // when a backup was last made, 0 for never
}
