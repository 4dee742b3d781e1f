package models

// ModerationAction is an action of an operator on a listing, a member, a sale or a report
// of a theft.
type ModerationAction string

// The moderation actions. Each is recorded in the audit log.
const (
	DismissReports    ModerationAction = "dismiss"
	RemoveListing     ModerationAction = "remove"
	RestoreListing    ModerationAction = "restore"
	SuspendSeller     ModerationAction = "suspend"
	UnsuspendSeller   ModerationAction = "unsuspend"
	ApproveSale       ModerationAction = "approve_sale"
	VoidSale          ModerationAction = "void_sale"
	VerifyPossession  ModerationAction = "verify_possession"
	RejectPossession  ModerationAction = "reject_possession"
	ReleaseHold       ModerationAction = "release_hold"
	KeepHold          ModerationAction = "keep_hold" // the listing stays removed
	AcceptStolen      ModerationAction = "accept_stolen"
	RejectStolen      ModerationAction = "reject_stolen"
	EditHeldWords     ModerationAction = "edit_held_words" // Note is the number of words
	ClosePhotoNotes   ModerationAction = "close_photo_notes"
	EditSite          ModerationAction = "edit_site" // Note names the settings that changed
	SetUpSite         ModerationAction = "set_up"
	SetRole           ModerationAction = "set_role"   // Note names the role before and after
	SendReset         ModerationAction = "send_reset" // an email with which the member sets a new password
	ExportMember      ModerationAction = "export_member"
	ReplaceEmail      ModerationAction = "replace_email"
	EndSessions       ModerationAction = "end_sessions"
	DeleteMember      ModerationAction = "delete_member"
	RunJob            ModerationAction = "run_job"        // Note names the job
	EditText          ModerationAction = "edit_text"      // Note names the text
	CorrectGear       ModerationAction = "correct_gear"   // Subject is the slug of the gear
	UncorrectGear     ModerationAction = "uncorrect_gear" // Subject is the slug of the gear
	ImportFile        ModerationAction = "import"         // Note names the file
	MakeBackup        ModerationAction = "make_backup"    // Note names the backup
	DownloadBackup    ModerationAction = "download_backup"
	DeleteBackup      ModerationAction = "delete_backup"
	ResumeDeliveries  ModerationAction = "resume_deliveries" // email and webhooks are sent again
	MaxModerationNote                  = 2000
)

// AuditEntry is a record of a moderation action.
type AuditEntry struct {
	ID         string
	OperatorID string
	Action     ModerationAction
	Subject    string // id of the listing, member, sale report of a theft, or siteSubject
	Note       string
	At         Time
}

// ReportReasons lists the reasons for reporting a listing.
var ReportReasons = []string{"counterfeit", "stolen", "misleading", "prohibited", "spam", "offensive", "other"}

// Report is a member's complaint about a listing.
type Report struct {
	ID         string // UUIDv7
	ListingID  string
	ReporterID string
	Reason     string // one of ReportReasons
	Text       string // plain text, at most 2,000 characters
	At         Time
	ClosedAt   Time // 0 while open
}
