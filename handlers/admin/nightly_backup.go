package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/sealed"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/admin"
)

// nightlyPrefix begins the names of nightly backups. Others are never deleted by themselves.
const nightlyPrefix = "nightly-"

// The hour in which nightly backups are made, in the time zone of the site, and how old the last one
// must be: the server may have been off in that hour.
const (
	nightlyHour = 3
	nightlyAge  = 20 * time.Hour
	nightlyLate = 26 * time.Hour
)

// backupLease is the lease of the server that makes the nightly backup.
const backupLease = "nightly backup"

// backupBox names the password of the second place when it is encrypted.
const backupBox = "backup place"

// Nightly makes a backup if the owner wants one each night and it is due, or if an operator asks for
// it: then it restores its rows into a temporary database, copies it to the second place, and deletes
// nightly backups that are older than those that are kept.
func (b *Backups) Nightly(ctx context.Context, now bool) error {
	var plan models.BackupPlan
	if err := b.Records.OwnerSetting(ctx, models.BackupPlanSetting, &plan); err != nil {
		return err
	}
	if b.Dir == "" || !now && !(plan.Nightly && b.isDue()) {
		return job.ErrNotDue
	}
	return b.Leases.Exclusively(ctx, backupLease, func(ctx context.Context) error {
		if b.begin() != nil {
			return job.ErrNotDue
		}
		return b.nightly(ctx, &plan)
	})
}

// nightly makes the nightly backup.
func (b *Backups) nightly(ctx context.Context, plan *models.BackupPlan) error {
	file, err := b.write(ctx, nightlyPrefix+b.Clock().UTC().Format(backupTimes)+backupExt)
	b.end(err)
	if err == nil {
		err = errors.Join(b.tryRestore(ctx, file), b.copyAway(ctx, plan, file), b.prune(ctx, plan))
	}
	return err
}

// isDue reports whether it is time for the nightly backup.
func (b *Backups) isDue() bool {
	list, _ := b.list()
	var last time.Time
	for i := range list {
		if made, err := time.Parse(nightlyPrefix+backupTimes, list[i].Name); err == nil && made.After(last) {
			last = made
		}
	}
	age := b.Clock().Sub(last)
	return age > nightlyLate && !last.IsZero() || age > nightlyAge && b.Clock().In(b.zone()).Hour() == nightlyHour
}

// zone returns the time zone of the site.
func (b *Backups) zone() *time.Location { return cmp.Or(b.Site.Zone, time.UTC) }

// tryRestore reads a backup again, restores its rows into a temporary database, and records that it
// worked.
func (b *Backups) tryRestore(ctx context.Context, file string) error {
	dir, err := os.MkdirTemp(b.Dir, ".check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	archive, err := backup.Open(file)
	if err != nil {
		return err
	}
	defer archive.Close()
	db, err := store.Open(ctx, "sqlite:"+filepath.Join(dir, "check.db"), nil)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := archive.Check(ctx, db, func(int, int) {}); err != nil {
		return fmt.Errorf("restore %s: %w", filepath.Base(file), err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return b.Records.RecordBackupCheck(ctx, info.Size())
}

// place returns the second place of backups, nil if there is none.
func (b *Backups) place(plan *models.BackupPlan) (blob.Writer, error) {
	if plan.Place == "" {
		return nil, nil
	}
	password := ""
	if plan.Password != "" {
		var err error
		if password, err = b.Box.Open(backupBox, plan.Password); err != nil {
			return nil, err
		}
	}
	return blob.OpenWriter(plan.Place, plan.User, password)
}

// copyAway copies a backup to the second place, encrypted if there is a key, and records whether
// that worked.
func (b *Backups) copyAway(ctx context.Context, plan *models.BackupPlan, file string) error {
	to, err := b.place(plan)
	if to == nil && err == nil {
		return nil
	}
	name := copyName(plan, filepath.Base(file))
	if err == nil {
		err = b.copyTo(ctx, to, plan, file, name)
	}
	made := models.BackupCopy{Name: name, At: models.TimeOf(b.Clock())}
	if err != nil {
		made.Error = err.Error()
		err = fmt.Errorf("copy backup: %w", err)
	}
	return errors.Join(err, b.Records.SetOwnerSetting(ctx, "", models.BackupCopySetting, &made))
}

// copyName returns the name of the copy of a backup.
func copyName(plan *models.BackupPlan, name string) string {
	if plan.Recipient != "" {
		return name + ".age"
	}
	return name
}

func (b *Backups) copyTo(ctx context.Context, to blob.Writer, plan *models.BackupPlan, file, name string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	if plan.Recipient != "" {
		encrypted, err := encryptFile(in, b.Dir, plan.Recipient)
		if err != nil {
			return err
		}
		defer os.Remove(encrypted.Name())
		defer encrypted.Close()
		in = encrypted
	}
	size, err := in.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	return to.Write(ctx, name, io.NopCloser(in), size)
}

// encryptFile encrypts in for a public key of age, into a temporary file in a folder.
func encryptFile(in io.Reader, dir, recipient string) (*os.File, error) {
	key, err := age.ParseX25519Recipient(recipient)
	if err != nil {
		return nil, err
	}
	out, err := os.CreateTemp(dir, ".encrypted-")
	if err != nil {
		return nil, err
	}
	w, err := age.Encrypt(out, key)
	if err == nil {
		if _, err = io.Copy(w, in); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		out.Close()
		return nil, errors.Join(err, os.Remove(out.Name()))
	}
	return out, nil
}

// prune deletes the nightly backups that are older than those that are kept, and their copies.
func (b *Backups) prune(ctx context.Context, plan *models.BackupPlan) error {
	list, err := b.list()
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(m views.Backup) bool { return !strings.HasPrefix(m.Name, nightlyPrefix) })
	to, err := b.place(plan)
	for _, old := range list[min(len(list), cmp.Or(plan.Keep, models.DefaultKeptBackups)):] {
		err = errors.Join(err, os.Remove(filepath.Join(b.Dir, old.Name+backupExt)))
		if to != nil {
			err = errors.Join(err, to.Delete(ctx, copyName(plan, old.Name+backupExt)))
		}
	}
	return err
}

// backupPlanInput says when backups are made, and where copies of them go.
type backupPlanInput struct {
	Nightly   bool    `json:"nightly,omitempty" jsonschema:"make a backup each night and try to restore it; default: false"`
	Keep      int     `json:"keep,omitempty" jsonschema:"number of nightly backups to keep; default: 7" min:"1" max:"100" example:"7"`
	Place     string  `json:"second_place,omitempty" jsonschema:"where copies of nightly backups go: s3://BUCKET/FOLDER?endpoint=https://…&region=… or the https address of a WebDAV folder; empty: nowhere" maxlength:"300" example:"https://cloud.example/dav/backups"`
	User      string  `json:"user_name,omitempty" jsonschema:"user name, or id of the access key" maxlength:"200" example:"shop"`
	Password  *string `json:"password,omitempty" jsonschema:"password, or secret of the access key; default: the one that is stored" format:"password" maxlength:"1000"`
	Recipient string  `json:"recipient,omitempty" jsonschema:"public key of age that copies are encrypted for; empty: not encrypted" maxlength:"100"`
	NewKey    bool    `json:"new_key,omitempty" jsonschema:"make a key of age, and return its secret part once; default: false"`
}

func (s backupOps) editPlan() web.Operation {
	return web.Op[backupPlanInput, *views.Backups]{
		Name: "edit_backups", Method: http.MethodPut, Path: "/api/admin/backups", Page: backupsPage + "/plan", Form: backupsPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Plan backups",
		Done:        "Backup settings saved.",
		Summary:     "Says whether backups are made each night, how many are kept, and where copies go.",
		Description: "Replaces the plan. If there is a second place, a small file is written there and deleted again, so that a wrong password is found now. The password is encrypted and never returned.",
		Errors:      []string{"invalid_parameter", "backups_unavailable"},
		Sample:      s.sampleBackups,
		Do:          s.doEditPlan,
	}.Operation()
}

func (s backupOps) doEditPlan(ctx context.Context, in *backupPlanInput) (*views.Backups, error) {
	var before models.BackupPlan
	if err := s.Records.OwnerSetting(ctx, models.BackupPlanSetting, &before); err != nil {
		return nil, err
	}
	plan := &models.BackupPlan{Nightly: in.Nightly, Keep: cmp.Or(in.Keep, models.DefaultKeptBackups), Place: strings.TrimSpace(in.Place), User: strings.TrimSpace(in.User), Recipient: strings.TrimSpace(in.Recipient)}
	if plan.Place == before.Place {
		plan.Password = before.Password
	}
	if given := in.Password; given != nil && *given != "" {
		var err error
		if plan.Password, err = s.Backups.Box.Seal(backupBox, *given); err != nil {
			return nil, err
		}
	}
	secret := ""
	if in.NewKey {
		key, err := age.GenerateX25519Identity()
		if err != nil {
			return nil, err
		}
		plan.Recipient, secret = key.Recipient().String(), key.String()
	}
	if err := s.tryPlace(ctx, plan); err != nil {
		return nil, err
	}
	if err := s.Records.SetOwnerSetting(ctx, caller.ID(ctx), models.BackupPlanSetting, plan); err != nil {
		return nil, err
	}
	page, err := s.Backups.page(ctx)
	if err == nil {
		page.NewKey = secret
	}
	return page, err
}

// tryPlace writes a small file to the second place and deletes it, or returns a field error.
func (s backupOps) tryPlace(ctx context.Context, plan *models.BackupPlan) error {
	if plan.Recipient != "" {
		if _, err := age.ParseX25519Recipient(plan.Recipient); err != nil {
			return web.InvalidField("recipient", problem.Textf("This isn't a public key of age."), problem.Textf("It begins with age1. Leave it empty, or make a new key."))
		}
	}
	to, err := s.Backups.place(plan)
	if errors.Is(err, sealed.ErrKey) {
		return lostPassword()
	}
	if err == nil && to != nil {
		const name = "secondlight-test.txt"
		if err = to.Write(ctx, name, strings.NewReader("test\n"), 5); err == nil {
			err = to.Delete(ctx, name)
		}
	}
	if err != nil {
		return web.InvalidField("second_place", problem.Textf("We couldn't write to the second place: %s.", err.Error()), problem.Textf("Check the address, the user name and the password."))
	}
	return nil
}
