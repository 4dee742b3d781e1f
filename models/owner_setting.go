package models

// MailServer is the mail server that the owner has set. Password is encrypted.
type MailServer struct {
	Host     string
	Port     int
	TLS      bool // from the start, instead of STARTTLS
	User     string
	Password string
	Sender   string // address
}

// BackupPlan says when backups are made, and where copies of them go. Password is encrypted.
type BackupPlan struct {
	Nightly   bool
	Keep      int    // number of nightly backups that are kept
	Place     string // s3://BUCKET/FOLDER?endpoint=…&region=… or the https:// address of a WebDAV folder, "" for none
	User      string // user name, or id of the access key
	Password  string
	Recipient string // public key of age that copies are encrypted for, "" for none
}

// BackupCopy is the last copy of a backup at the second place.
type BackupCopy struct {
	Name  string
	At    Time
	Error string // why it failed, "" if it didn't
}

// Limits of BackupPlan.Keep.
const (
	DefaultKeptBackups = 7
	MaxKeptBackups     = 100
)

// OwnerSetting is the name of a setting of the owner that is stored as JSON.
type OwnerSetting string

// The settings of the owner beside SiteSettings.
const (
	MailServerSetting OwnerSetting = "mail_server"
	BackupPlanSetting OwnerSetting = "backup_plan"
	BackupCopySetting OwnerSetting = "backup_copy"
)
