package admin

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/admin"
)

// auditEntry returns an audit log entry for a page.
func (s Deps) auditEntry(ctx context.Context, e *models.AuditEntry) (*views.AuditEntry, error) {
	entries, err := s.auditEntries(ctx, []models.AuditEntry{*e})
	if err != nil {
		return nil, err
	}
	return entries[0], nil
}

// decision completes an operation by which a moderator decides about something. It returns
// the entry that decide adds to the audit log.
func decision[In any](s Deps, op web.Op[In, *views.AuditEntry], decide func(context.Context, *In) (*models.AuditEntry, error)) web.Operation {
	op.Method, op.Access, op.Scope, op.Tag, op.Sample = http.MethodPost, web.Operators, string(models.Moderation), "Trust", s.sampleAudit
	op.Do = func(ctx context.Context, in *In) (*views.AuditEntry, error) {
		e, err := decide(ctx, in)
		if err != nil {
			return nil, err
		}
		return s.auditEntry(ctx, e)
	}
	return op.Operation()
}

// sampleAudit returns an example audit log entry.
func (s Deps) sampleAudit() *views.AuditEntry {
	l, _, operator := sample.Reported()
	return views.NewAuditEntry(s.Site, &models.AuditEntry{ID: "019aa7d2-7c00-7000-8000-000000000002", Action: models.RemoveListing, Subject: l.ID,
		Note: "The photographs are those of another shop.", At: 1_795_251_600_000}, operator, l, nil, nil, false)
}

// readAuditLog returns the last n entries of the audit log, newest first.
func (s Deps) readAuditLog(ctx context.Context, n int) ([]*views.AuditEntry, error) {
	log, err := s.Moderation.Audit(ctx, store.AuditFilter{}, store.AuditKey{}, n)
	if err != nil {
		return nil, err
	}
	return s.auditEntries(ctx, log)
}

// auditEntries returns audit log entries with their operators, listings and members.
func (s Deps) auditEntries(ctx context.Context, log []models.AuditEntry) ([]*views.AuditEntry, error) {
	ids := make([]string, 0, 2*len(log))
	for i := range log {
		ids = append(ids, log[i].OperatorID, log[i].Subject)
	}
	members, err := s.Accounts.MembersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	accounts, err := s.Accounts.AccountsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	listings, err := s.Listings.AllListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	sales, err := s.reviewedSales(ctx, ids)
	if err != nil {
		return nil, err
	}
	entries := make([]*views.AuditEntry, len(log))
	for i := range log {
		e := &log[i]
		account := accounts[e.Subject]
		entries[i] = views.NewAuditEntry(s.Site, e, members[e.OperatorID], listings[e.Subject], members[e.Subject], sales[e.Subject], account != nil && account.Suspended())
	}
	return entries, nil
}

// reviewedSales returns those of the ids that are sales, by id.
func (s Deps) reviewedSales(ctx context.Context, ids []string) (map[string]*views.SaleRecord, error) {
	found, err := s.Trades.SalesByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	sales := make([]models.Sale, 0, len(found))
	for _, sale := range found {
		sales = append(sales, *sale)
	}
	list, err := s.saleViews(ctx, sales)
	byID := make(map[string]*views.SaleRecord, len(list))
	for i := range list {
		byID[list[i].ID] = &list[i].SaleRecord
	}
	return byID, err
}
