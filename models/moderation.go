package models

// Judgement is what an operator does about reports.
type Judgement string

// The judgements. Each is written into the audit trail.
const (
	DismissReports   Judgement = "dismiss"
	RemoveListing    Judgement = "remove"
	RestoreListing   Judgement = "restore"
	SuspendSeller    Judgement = "suspend"
	UnsuspendSeller  Judgement = "unsuspend"
	maxJudgementNote           = 2000
)

// AuditEntry is one thing an operator did.
type AuditEntry struct {
	ID         string
	OperatorID string
	Action     Judgement
	Subject    string // id of the listing, or of the member
	Note       string
	At         Time
}
