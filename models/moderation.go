package models

// ModerationAction is an action of an operator on a listing, a member or a sale.
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
	MaxModerationNote                  = 2000
)

// AuditEntry is a record of a moderation action.
type AuditEntry struct {
	ID         string
	OperatorID string
	Action     ModerationAction
	Subject    string // id of the listing, member or sale
	Note       string
	At         Time
}
