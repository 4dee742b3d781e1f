package admin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/sealed"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// Backups makes backups in the background, one at a time, and lists those in a folder.
type Backups struct {
	Moderation *store.Moderation
	Records    *store.Site
	Store      *store.Store
	Site       *ui.Site
	Files      blob.Bucket
	Log        *slog.Logger
	Clock      models.Clock
	Leases     *job.Leases
	Box        sealed.Box // of the password of the second place

	Dir    string // "" without a data folder
	Wanted chan struct{}

	mu      sync.Mutex
	running *views.RunningBackup // nil if none is being made
	failed  string               // why the last one failed, "" if it didn't
}

// backupName matches the names of backups without their extension. They are safe in paths.
var backupName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)

// backupExt is the extension of backups, and backupTimes the time in their names.
const (
	backupExt   = ".zip"
	backupTimes = "2006-01-02-150405"
)

// backupsShown is how many backups are listed.
const backupsShown = 100

// Mount serves the backups to operators.
func (b *Backups) Mount(server interface {
	web.Routes
	Identify(*fiber.Ctx) *web.Identity
}) {
	server.Get(backupsPage+"/:file", func(c *fiber.Ctx) error { return b.serve(c, server.Identify(c)) })
}

// list returns the backups, the newest first. It leaves out other files.
func (b *Backups) list() ([]views.Backup, error) {
	entries, err := os.ReadDir(b.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	list := []views.Backup{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), backupExt)
		if !ok || !backupName.MatchString(name) || !e.Type().IsRegular() {
			continue
		}
		if made, err := readBackup(filepath.Join(b.Dir, e.Name())); err == nil {
			made.Name = name
			list = append(list, made)
		}
	}
	slices.SortFunc(list, func(a, b views.Backup) int { return strings.Compare(b.MadeAt+b.Name, a.MadeAt+a.Name) })
	return list[:min(len(list), backupsShown)], nil
}

// readBackup returns what an archive says about itself.
func readBackup(file string) (views.Backup, error) {
	archive, err := backup.Open(file)
	if err != nil {
		return views.Backup{}, err
	}
	defer archive.Close()
	info, err := os.Stat(file)
	if err != nil {
		return views.Backup{}, err
	}
	m := &archive.Manifest
	return views.Backup{Bytes: info.Size(), Records: m.Rows(), Files: m.Files, MadeAt: models.TimeOf(m.CreatedAt).RFC3339()}, nil
}

// path returns the path of a backup, or a NotFound error if there is none.
func (b *Backups) path(name string) (string, error) {
	if b.Dir != "" && backupName.MatchString(name) {
		file := filepath.Join(b.Dir, name+backupExt)
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			return file, nil
		}
	}
	return "", codes.New("backup_not_found")
}

// start asks for a backup. It returns an error if there is no folder, no space, or if one
// is being made.
func (b *Backups) start() error {
	if b.Dir == "" {
		return codes.New("backups_unavailable")
	}
	if err := b.checkSpace(); err != nil {
		return err
	}
	if err := b.begin(); err != nil {
		return err
	}
	b.Wanted <- struct{}{} // has room, because none is running
	return nil
}

// begin notes that a backup is being made. It returns an error if one is.
func (b *Backups) begin() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running != nil {
		return codes.New("backup_running")
	}
	b.running = &views.RunningBackup{StartedAt: models.TimeOf(b.Clock()).RFC3339()}
	return nil
}

// end notes that the backup was made, or why it failed.
func (b *Backups) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running, b.failed = nil, ""
	if err != nil {
		b.failed = models.TimeOf(b.Clock()).RFC3339()
	}
}

// checkSpace returns an error unless there is room for a backup as large as the last one.
func (b *Backups) checkSpace() error {
	list, err := b.list()
	if err != nil || len(list) == 0 {
		return err
	}
	free, err := durable.FreeBytes(b.Dir)
	if err != nil || free > uint64(list[0].Bytes)+MinFreeBytes {
		return nil // some systems can't tell
	}
	return codes.New("disk_full")
}

// Run makes the backups that are asked for until ctx ends.
func (b *Backups) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.Wanted:
			_, err := b.write(ctx, "secondlight-"+b.Clock().UTC().Format(backupTimes)+backupExt)
			b.end(err)
			if err != nil && ctx.Err() == nil {
				b.Log.Error("make backup", "err", err)
			}
		}
	}
}

// write writes a backup, and returns the path of its file.
func (b *Backups) write(ctx context.Context, name string) (string, error) {
	file := filepath.Join(b.Dir, name)
	m, err := backup.WriteFile(ctx, file, b.Store, b.Files, func(done, _ int) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.running.Done = done
	})
	if err != nil {
		return "", err
	}
	b.Log.Info("backup made", "file", name, "rows", m.Rows(), "files", m.Files)
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	return file, b.Records.RecordBackup(ctx, info.Size())
}

// page returns the page of the backups.
func (b *Backups) page(ctx context.Context) (*views.Backups, error) {
	list, err := b.list()
	if err != nil {
		return nil, fmt.Errorf("list backups: %w", err)
	}
	var plan models.BackupPlan
	var copied models.BackupCopy
	upkeep, err := b.Records.Upkeep(ctx)
	err = errors.Join(err, b.Records.OwnerSetting(ctx, models.BackupPlanSetting, &plan), b.Records.OwnerSetting(ctx, models.BackupCopySetting, &copied))
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var running *views.RunningBackup
	if b.running != nil {
		now := *b.running
		running = &now
	}
	return views.NewBackups(b.Site, list, running, b.failed).WithPlan(&plan, &copied, upkeep), nil
}

// serve sends a backup to a caller who is an operator, or the range of it that is asked for.
func (b *Backups) serve(c *fiber.Ctx, caller *web.Identity) error {
	web.VaryByCaller(c)
	if caller == nil || caller.Suspended || !slices.Contains(caller.Staff, string(models.Admin)) || !slices.Contains(caller.Scopes, string(models.Admin)) {
		return codes.New("backup_not_found")
	}
	name, _ := strings.CutSuffix(strings.Clone(c.Params("file")), backupExt)
	file, err := b.path(name)
	if err != nil {
		return err
	}
	if c.Method() == fiber.MethodGet && strings.TrimPrefix(c.Get("Range", "bytes=0-"), "bytes=0-") == "" {
		ctx, end := web.RequestContext(c)
		defer end()
		if err := b.Moderation.AuditBackup(ctx, caller.ID, models.DownloadBackup, name); err != nil {
			return err
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	c.Set("Content-Disposition", `attachment; filename="`+name+backupExt+`"`)
	return web.SendFile(c, file, "application/zip", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()), web.CacheNever)
}

// backupOps holds the operations on backups.
type backupOps struct{ Deps }

const backupsPage = "/admin/backups"

func (s backupOps) listBackups() web.Operation {
	return web.Op[struct{}, *views.Backups]{
		Name: "list_backups", Path: "/api/admin/backups", Page: backupsPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Backups",
		Summary:     "Lists the backups of the site, newest first.",
		Description: "Returns the backups with their size and age, and whether one is being made. Download one at /admin/backups/{name}.zip with the same token; ranges work. Backups are private: they contain every account and message.",
		Sample:      s.sampleBackups,
		Do:          func(ctx context.Context, _ *struct{}) (*views.Backups, error) { return s.Backups.page(ctx) },
	}.Operation()
}

func (s backupOps) makeBackup() web.Operation {
	return web.Op[struct{}, *views.Backups]{
		Name: "make_backup", Method: http.MethodPost, Path: "/api/admin/backups", Page: backupsPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Make a backup",
		Done:        "Backup in progress. Reload this page to see when it's done.",
		Summary:     "Starts a backup of the database and the files.",
		Description: "Makes a backup in the background, while the site is in use. list_backups says when it is done. The audit log names it.",
		Errors:      []string{"backup_running", "backups_unavailable", "disk_full"},
		Sample:      s.sampleBackups,
		Do: func(ctx context.Context, _ *struct{}) (*views.Backups, error) {
			if err := s.Backups.start(); err != nil {
				return nil, err
			}
			if err := s.Moderation.AuditBackup(ctx, caller.ID(ctx), models.MakeBackup, ""); err != nil {
				return nil, err
			}
			return s.Backups.page(ctx)
		},
	}.Operation()
}

type backupInput struct {
	Name string `json:"name" in:"path" jsonschema:"name of the backup, from list_backups" maxlength:"100" example:"secondlight-2026-11-22-031500"`
}

func (s backupOps) deleteBackup() web.Operation {
	return web.Op[backupInput, *views.Backups]{
		Name: "delete_backup", Method: http.MethodDelete, Path: "/api/admin/backups/{name}", Page: backupsPage + "/{name}/delete", Form: backupsPage,
		Access: web.Operators, Scope: string(models.Admin), Destructive: true, Tag: "Administration", Title: "Delete a backup",
		Done:        "Backup deleted.",
		Summary:     "Deletes a backup.",
		Description: "Permanently deletes a backup and returns the remaining ones. Recorded in the audit log.",
		Errors:      []string{"backup_not_found"},
		Sample:      s.sampleBackups,
		Do: func(ctx context.Context, in *backupInput) (*views.Backups, error) {
			file, err := s.Backups.path(in.Name)
			if err != nil {
				return nil, err
			}
			if err := s.Moderation.AuditBackup(ctx, caller.ID(ctx), models.DeleteBackup, in.Name); err != nil {
				return nil, err
			}
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			return s.Backups.page(ctx)
		},
	}.Operation()
}

// sampleBackups returns an example response.
func (s backupOps) sampleBackups() *views.Backups {
	return views.NewBackups(s.Site, []views.Backup{{Name: "secondlight-2026-11-22-031500", Bytes: 734_003_200, Records: 61_204, Files: 812, MadeAt: "2026-11-22T03:15:00Z"}}, nil, "").
		WithPlan(&models.BackupPlan{Nightly: true, Place: "https://cloud.example/dav/backups", User: "shop"}, &models.BackupCopy{Name: "nightly-2026-11-22-031500.zip", At: sample.Day},
			&models.Upkeep{CheckedAt: sample.Day, CheckedBytes: 734_003_200})
}

// Limits of the health check.
const (
	HealthInterval = 5 * time.Second  // checks in between return the last result, as a check writes
	HealthTimeout  = 4 * time.Second  // of both the read and the write; a busy server may take seconds
	MinFreeBytes   = 256 << 20        // of the disk with the data folder
	MaxLag         = 30 * time.Second // of the search index behind the database
	MaxReadyLag    = 5 * time.Second  // with which the server still receives requests
)
