package store

import (
	"context"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// FailedMailPeriod is how long an email that was given up on is stored.
const FailedMailPeriod = 14 * 24 * time.Hour

// CountMail returns the numbers of emails that are not sent.
func (s *Deliveries) CountMail(ctx context.Context) (c models.MailCounts, err error) {
	err = s.read.GetContext(ctx, &c, `SELECT COALESCE(SUM(CASE WHEN failed_at = 0 AND error = '' THEN 1 ELSE 0 END), 0) AS waiting,
		COALESCE(SUM(CASE WHEN failed_at = 0 AND error <> '' THEN 1 ELSE 0 END), 0) AS retrying,
		COALESCE(SUM(CASE WHEN failed_at > 0 THEN 1 ELSE 0 END), 0) AS failed FROM deliveries WHERE kind = 'mail'`)
	return c, err
}

// UnsentMail returns up to limit emails that are not sent, without their text: first those
// that were given up on, then those that failed, the newest first.
func (s *Deliveries) UnsentMail(ctx context.Context, limit int) ([]models.Delivery, error) {
	var list []models.Delivery
	err := s.read.SelectContext(ctx, &list, `SELECT id, kind, recipient, subject, attempts, error, next_at, failed_at, created_at FROM deliveries
		WHERE kind = 'mail' ORDER BY CASE WHEN failed_at > 0 THEN 0 WHEN error <> '' THEN 1 ELSE 2 END, id DESC LIMIT $1`, limit)
	return list, err
}

// Requeue makes an email that failed due at once, with all attempts. It returns a NotFound
// error, email_not_found, if no email with the id has failed.
func (s *Deliveries) Requeue(ctx context.Context, id string) error {
	now := s.now()
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE deliveries SET attempts = 0, next_at = $2, failed_at = 0, error = '', created_at = $2
			WHERE id = $1 AND kind = 'mail' AND NOT claimed AND error <> ''`, id, now)
		if err == nil && n == 0 {
			err = errEmailNotFound
		}
		return err
	})
}

// eraseFailed deletes the emails that were given up on FailedMailPeriod ago.
func eraseFailed(ctx context.Context, t *tx, now models.Time) error {
	_, err := t.ExecContext(ctx, `DELETE FROM deliveries WHERE failed_at > 0 AND failed_at < $1`, now.Add(-FailedMailPeriod))
	return err
}

var errEmailNotFound = &problem.Error{Kind: problem.NotFound, Code: "email_not_found", Message: problem.Programf("There is no failed email with this id."),
	Hint: problem.Textf("It may have been sent meanwhile.").And(problem.Programf("GET /api/admin/mail lists the emails that are not sent."))}
