package models

// SiteProgress tells which steps of setting up a site the owner has done.
type SiteProgress struct {
	Listed   bool // somebody with an account has published a listing
	MailAt   Time // when a mail server last took an email, 0 for never
	BackupAt Time // when a backup was last made, 0 for never
}
