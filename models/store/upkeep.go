package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
)

// Settings of Upkeep, beside those of SiteProgress.
const (
	backupBytesSetting  = "backup_bytes"
	checkedSetting      = "backup_checked_at"
	checkedBytesSetting = "backup_checked_bytes"
	photosSetting       = "photos_stored"
)

// Upkeep returns what was recorded about backups and files.
func (s *Site) Upkeep(ctx context.Context) (*models.Upkeep, error) {
	var rows []struct {
		Name  string
		Value int64
	}
	err := s.read.SelectContext(ctx, &rows, `SELECT name, CAST(value AS BIGINT) AS value FROM settings WHERE name IN ($1, $2, $3, $4, $5)`,
		backupSetting, backupBytesSetting, checkedSetting, checkedBytesSetting, photosSetting)
	values := map[string]int64{}
	for _, row := range rows {
		values[row.Name] = row.Value
	}
	return &models.Upkeep{
		BackupAt: models.Time(values[backupSetting]), BackupBytes: values[backupBytesSetting],
		CheckedAt: models.Time(values[checkedSetting]), CheckedBytes: values[checkedBytesSetting],
		Photos: int(values[photosSetting]),
	}, err
}

// RecordBackup records that a complete backup of a size in bytes was made.
func (s *Site) RecordBackup(ctx context.Context, bytes int64) error {
	return recordSized(ctx, s, backupSetting, backupBytesSetting, bytes)
}

// RecordBackupCheck records that a backup of a size in bytes was read and found to be complete.
func (s *Site) RecordBackupCheck(ctx context.Context, bytes int64) error {
	return recordSized(ctx, s, checkedSetting, checkedBytesSetting, bytes)
}

func recordSized(ctx context.Context, s *Site, at, size string, bytes int64) error {
	return s.update(ctx, func(t *tx) error {
		if err := t.setSetting(ctx, at, strconv.FormatInt(int64(t.db.now()), 10)); err != nil {
			return err
		}
		return t.setSetting(ctx, size, strconv.FormatInt(bytes, 10))
	})
}

// RecordPhotos records how many photographs are stored.
func (s *Site) RecordPhotos(ctx context.Context, n int) error {
	return s.update(ctx, func(t *tx) error { return t.setSetting(ctx, photosSetting, strconv.Itoa(n)) })
}

// LogBytes returns the size of the write-ahead log: of SQLite its file; of PostgreSQL what is
// kept for the replication slot that is the farthest behind, 0 without slots.
func (s *Site) LogBytes(ctx context.Context) (int64, error) { return s.engine.logBytes(ctx, s.read) }

func (e sqlite) logBytes(context.Context, *sqlx.DB) (int64, error) {
	info, err := os.Stat(e.path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (postgres) logBytes(ctx context.Context, db *sqlx.DB) (bytes int64, err error) {
	return bytes, db.GetContext(ctx, &bytes, `SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE
		(SELECT COALESCE(MAX(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::bigint FROM pg_replication_slots) END`)
}
