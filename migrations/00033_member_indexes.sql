-- +goose Up

-- What members did, for their data and for the audit log of a member.
CREATE INDEX audit_operator ON audit (operator_id, at, id);
CREATE INDEX audit_subject ON audit (subject, at, id);
CREATE INDEX reports_reporter ON reports (reporter_id);
CREATE INDEX ratings_rater ON ratings (rater_id);
CREATE INDEX blocks_blocked ON blocks (blocked_id);
