package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const (
	// ImportsKept is the maximum number of stored imports.
	ImportsKept = 20
	// importPatience is how long a server may say nothing of an import that it runs.
	importPatience = 2 * time.Minute
)

// storedImport is a row of imports.
type storedImport struct {
	ID, Name, Source, Status, Report, Error string

	Bytes      int64
	BytesRead  int64       `db:"bytes_read"`
	StartedAt  models.Time `db:"started_at"`
	BeatAt     models.Time `db:"beat_at"`
	FinishedAt models.Time `db:"finished_at"`
}

// Errors of imports.
var (
	errImportRunning  = &problem.Error{Kind: problem.Conflict, Code: "import_running", Message: problem.Textf("An import is running."), Hint: problem.Textf("Wait until it's done, or cancel it.")}
	errImportEnded    = &problem.Error{Kind: problem.Conflict, Code: "import_ended", Message: problem.Textf("The import has ended."), Hint: problem.Textf("See its report.")}
	errImportNotFound = &problem.Error{Kind: problem.NotFound, Code: "import_not_found", Message: problem.Textf("There's no such import."), Hint: problem.Programf("List the imports with GET /api/admin/imports.")}
)

// importInterrupted is the error of imports whose server stopped.
const importInterrupted = "The server stopped. Import the file again for the rest."

// StartImport stores an import as running, or as prepared, and sets its id and times. It deletes those
// that are no longer kept. The error is import_running if another runs.
func (s *Imports) StartImport(ctx context.Context, operatorID string, im *models.Import) error {
	im.ID, im.Status, im.StartedAt = s.newID(), models.ImportRunning, s.now()
	im.BeatAt = im.StartedAt
	stored := im.Status
	if im.Options.Prepared {
		im.Status, stored = models.ImportPrepared, models.ImportCancelled
	}
	document, err := im.Document()
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		if err := endInterruptedImports(ctx, t, im.StartedAt); err != nil {
			return err
		}
		n, err := t.affected(ctx, `INSERT INTO imports (id, name, source, status, bytes, bytes_read, report, error, started_at, beat_at, finished_at)
			VALUES ($1, $2, $3, $4, $5, 0, $6, '', $7, $7, 0) ON CONFLICT DO NOTHING`, im.ID, im.Name, im.Source, stored, im.Bytes, document, im.StartedAt)
		if err != nil {
			return err
		}
		if n == 0 {
			return errImportRunning
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM imports WHERE id NOT IN (SELECT id FROM imports ORDER BY id DESC LIMIT $1)`, ImportsKept); err != nil {
			return err
		}
		return audit(ctx, t, &models.AuditEntry{OperatorID: operatorID, Action: models.ImportFile, Subject: im.ID, Note: im.Name, At: im.StartedAt})
	})
}

// ResumeImport stores an import that doesn't run as running, with its source and options. The
// error is import_running if one runs.
func (s *Imports) ResumeImport(ctx context.Context, im *models.Import) error {
	im.Status, im.Options.Prepared, im.FinishedAt, im.BeatAt = models.ImportRunning, false, 0, s.now()
	document, err := im.Document()
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		if err := endInterruptedImports(ctx, t, im.BeatAt); err != nil {
			return err
		}
		n, err := t.affected(ctx, `UPDATE imports SET status = 'running', source = $1, report = $2, beat_at = $3, finished_at = 0
			WHERE id = $4 AND NOT EXISTS (SELECT 1 FROM imports WHERE status = 'running')`, im.Source, document, im.BeatAt, im.ID)
		if err == nil && n == 0 {
			err = errImportRunning
		}
		return err
	})
}

// EndInterruptedImports marks imports as failed whose server has not reported progress for a while.
func (s *Imports) EndInterruptedImports(ctx context.Context) error {
	return s.update(ctx, func(t *tx) error { return endInterruptedImports(ctx, t, s.now()) })
}

func endInterruptedImports(ctx context.Context, t *tx, now models.Time) error {
	_, err := t.ExecContext(ctx, `UPDATE imports SET status = 'failed', error = $1, finished_at = $2 WHERE status = 'running' AND beat_at < $3`,
		importInterrupted, now, now.Add(-importPatience))
	return err
}

// ReportImport stores the progress of a running import. It returns false if the import
// no longer runs, because it was cancelled.
func (s *Imports) ReportImport(ctx context.Context, im *models.Import) (running bool, err error) {
	document, err := im.Document()
	if err != nil {
		return false, err
	}
	err = s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE imports SET bytes_read = $1, report = $2, beat_at = $3 WHERE id = $4 AND status = 'running'`, im.BytesRead, document, t.db.now(), im.ID)
		running = n == 1
		return err
	})
	return running, err
}

// FinishImport stores the result of an import: done, or failed with an error. One that was
// cancelled stays so.
func (s *Imports) FinishImport(ctx context.Context, im *models.Import) error {
	document, err := im.Document()
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE imports SET status = CASE WHEN status = 'running' THEN $1 ELSE status END, bytes_read = $2, report = $3, error = $4, finished_at = $5 WHERE id = $6`,
			im.Status, im.BytesRead, document, im.Error, t.db.now(), im.ID)
		return err
	})
}

// CancelImport cancels a running import. The error is import_ended if it doesn't run.
func (s *Imports) CancelImport(ctx context.Context, id string) error {
	if _, err := s.Import(ctx, id); err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE imports SET status = 'cancelled', finished_at = $1 WHERE id = $2 AND status = 'running'`, t.db.now(), id)
		if err == nil && n == 0 {
			err = errImportEnded
		}
		return err
	})
}

const importColumns = `id, name, source, status, bytes, bytes_read, report, error, started_at, beat_at, finished_at`

// Import returns the import with an id.
func (s *Imports) Import(ctx context.Context, id string) (*models.Import, error) {
	if !models.Storable(id) {
		return nil, errImportNotFound
	}
	var row storedImport
	err := s.read.GetContext(ctx, &row, `SELECT `+importColumns+` FROM imports WHERE id = $1`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errImportNotFound
	}
	if err != nil {
		return nil, err
	}
	return row.parse()
}

// Imports returns the stored imports, the latest first.
func (s *Imports) Imports(ctx context.Context) ([]*models.Import, error) {
	var rows []storedImport
	if err := s.read.SelectContext(ctx, &rows, `SELECT `+importColumns+` FROM imports ORDER BY id DESC LIMIT $1`, ImportsKept); err != nil {
		return nil, err
	}
	all := make([]*models.Import, len(rows))
	for i := range rows {
		var err error
		if all[i], err = rows[i].parse(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// parse returns the import of a row.
func (row *storedImport) parse() (*models.Import, error) {
	var d models.ImportDocument
	if err := json.Unmarshal([]byte(row.Report), &d); err != nil {
		return nil, err
	}
	if d.Options.Prepared {
		row.Status = string(models.ImportPrepared)
	}
	return &models.Import{ID: row.ID, Name: row.Name, Source: models.ImportSource(row.Source), Status: models.ImportStatus(row.Status), Bytes: row.Bytes, BytesRead: row.BytesRead,
		Options: d.Options, Report: d.Report, Rejected: d.Rejected, Error: row.Error, StartedAt: row.StartedAt, BeatAt: row.BeatAt, FinishedAt: row.FinishedAt}, nil
}
