package admin

import (
	"cmp"
	"context"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Backups is the page of the backups of the site.
type Backups struct {
	Backups  []Backup       `json:"backups" jsonschema:"newest first, at most 100"`
	Running  *RunningBackup `json:"running_backup,omitempty" jsonschema:"the backup that is being made"`
	FailedAt string         `json:"failed_at,omitempty" jsonschema:"when the last backup failed, if it did since the server was started; the log says why"`
	Plan     BackupPlan     `json:"plan" jsonschema:"when backups are made, and where copies of them go"`
	// TriedAt is when a restore was tried last, and TriedBytes the size of that backup.
	TriedAt    string      `json:"restore_tried_at,omitempty" jsonschema:"when a backup was last read again and its rows restored into a temporary database"`
	TriedBytes int64       `json:"-"`
	Copy       *BackupCopy `json:"last_copy,omitempty" jsonschema:"the last copy at the second place"`
	NewKey     string      `json:"new_key,omitempty" jsonschema:"secret part of the key that was made; it is returned once and not stored"`
	Links      []ui.Link   `json:"links"`
	site       *ui.Site
}

// BackupPlan says when backups are made, and where copies of them go.
type BackupPlan struct {
	Nightly     bool   `json:"nightly" jsonschema:"whether a backup is made each night"`
	Keep        int    `json:"keep" jsonschema:"number of nightly backups that are kept" min:"1"`
	Place       string `json:"second_place,omitempty" jsonschema:"where copies go; absent if nowhere"`
	User        string `json:"user_name,omitempty" jsonschema:"user name there, or id of the access key"`
	HasPassword bool   `json:"has_password,omitempty" jsonschema:"whether a password is stored"`
	Recipient   string `json:"recipient,omitempty" jsonschema:"public key of age that copies are encrypted for; absent if they aren't"`
}

// BackupCopy is a copy of a backup at the second place.
type BackupCopy struct {
	Name  string `json:"name" jsonschema:"name of the file"`
	At    string `json:"copied_at" jsonschema:"when it was copied"`
	Error string `json:"error,omitempty" jsonschema:"why that failed; absent if it didn't"`
}

// Backup is an archive of the database and the files.
type Backup struct {
	Name    string `json:"name" jsonschema:"name of the backup, for /admin/backups/{name}.zip"`
	MadeAt  string `json:"made_at" jsonschema:"when it was made"`
	Bytes   int64  `json:"bytes" jsonschema:"size of the file" min:"0"`
	Records int    `json:"records" jsonschema:"number of rows of the database" min:"0"`
	Files   int    `json:"files" jsonschema:"number of files, such as photos" min:"0"`
}

// RunningBackup is a backup that is being made.
type RunningBackup struct {
	StartedAt string `json:"started_at" jsonschema:"when it was started"`
	Done      int    `json:"done" jsonschema:"number of rows and files that are done" min:"0"`
}

// NewBackups returns the page of backups, the newest first. running is nil if none is
// being made, and failedAt "" if the last one did not fail.
func NewBackups(site *ui.Site, list []Backup, running *RunningBackup, failedAt string) *Backups {
	return &Backups{Backups: list, Running: running, FailedAt: failedAt, Links: []ui.Link{{Href: ui.AdminPath, Label: "Dashboard"}}, site: site}
}

// WithPlan adds the plan of backups, and what became of the last ones.
func (p *Backups) WithPlan(plan *models.BackupPlan, copied *models.BackupCopy, upkeep *models.Upkeep) *Backups {
	p.Plan = BackupPlan{Nightly: plan.Nightly, Keep: cmp.Or(plan.Keep, models.DefaultKeptBackups), Place: plan.Place, User: plan.User, HasPassword: plan.Password != "", Recipient: plan.Recipient}
	p.TriedAt, p.TriedBytes = instant(upkeep.CheckedAt), upkeep.CheckedBytes
	if copied.At > 0 && plan.Place != "" {
		p.Copy = &BackupCopy{Name: copied.Name, At: copied.At.RFC3339(), Error: copied.Error}
	}
	return p
}

// Shown implements ShownPage: the secret part of a key is shown once.
func (p *Backups) Shown() bool { return p.NewKey != "" }

// notes says what became of the last backups.
func (p *Backups) notes(ctx context.Context) (notes []string) {
	if p.TriedAt != "" {
		notes = append(notes, ui.T(ctx, "A restore was tried %s (%s) and worked (%s).", ui.AgoOf(ctx, p.TriedAt, p.site.Now()), ui.MomentIn(ctx, p.TriedAt), sizeText(ctx, float64(p.TriedBytes)/1e6)))
	}
	if c := p.Copy; c != nil && c.Error != "" {
		notes = append(notes, ui.T(ctx, "The last copy to the second place, %s, failed on %s: %s", c.Name, ui.MomentIn(ctx, c.At), c.Error))
	} else if c != nil {
		notes = append(notes, ui.T(ctx, "The last copy to the second place was made %s: %s.", ui.MomentIn(ctx, c.At), c.Name))
	}
	return notes
}

// path returns the path of the file.
func (b *Backup) path() string { return ui.AdminBackupsPath + "/" + b.Name + ".zip" }

// size returns the size of the file.
func (b *Backup) size(ctx context.Context) string { return sizeText(ctx, float64(b.Bytes)/1e6) }

// sizeText formats a size in MB, or in GB if it is large.
func sizeText(ctx context.Context, mega float64) string {
	if mega >= 1000 {
		return ui.T(ctx, "%s GB", decimalIn(ctx, mega/1000))
	}
	return ui.T(ctx, "%s MB", decimalIn(ctx, mega))
}

// decimalIn formats a number with one decimal, rounded up.
func decimalIn(ctx context.Context, n float64) string {
	return languages.Of(ctx).Decimal(strconv.FormatFloat(math.Ceil(n*10)/10, 'f', 1, 64))
}

// contents says how much is in the backup.
func (b *Backup) contents(ctx context.Context) string {
	return ui.TN(ctx, b.Records, "%s record", "%s records") + ", " + ui.TN(ctx, b.Files, "%s file", "%s files")
}

// oldBackup is the age from which the page advises to make a backup.
const oldBackup = 7 * 24 * time.Hour

// lead says how old the last backup is.
func (p *Backups) lead(ctx context.Context) string {
	if len(p.Backups) == 0 {
		return ui.T(ctx, "There's no backup here yet. Make one now, and keep a copy on another machine.")
	}
	last, now := p.Backups[0].MadeAt, p.site.Now()
	text := ui.T(ctx, "The last backup was made %s.", ui.AgoOf(ctx, last, now))
	if at, err := time.Parse(time.RFC3339, last); err == nil && now.Sub(at) > oldBackup {
		text += " " + ui.T(ctx, "Time to make a new one.")
	}
	return text
}

// state says what becomes of a backup that is being made, or that the last one failed.
func (p *Backups) state(ctx context.Context) string {
	switch {
	case p.Running != nil:
		return ui.T(ctx, "Backup in progress since %s: %s records and files so far. Reload this page to check progress.", ui.MomentIn(ctx, p.Running.StartedAt), ui.NumberIn(ctx, p.Running.Done))
	case p.FailedAt != "":
		return ui.T(ctx, "The backup failed on %s. See the server log for details.", ui.MomentIn(ctx, p.FailedAt))
	}
	return ""
}

// backupTexts say what a backup contains and how it is restored.
var backupTexts = []struct {
	heading string
	texts   []string
}{
	{languages.Mark("What a backup contains"), []string{
		languages.Mark("The whole database (accounts, listings, sales, messages, settings), the photos of listings, your portfolio with its originals, and the pages you wrote."),
		languages.Mark("Not included: server settings such as SMTP_URL, emails in the outbox folder, and resized images (which are regenerated)."),
		languages.Mark("Keep it private: it contains members' addresses and messages. Encrypt it, and keep a copy on another machine."),
	}},
	{languages.Mark("How to restore it"), []string{
		languages.Mark("Install the same version of Secondlight or a newer one, and stop the server."),
		languages.Mark("Run secondlight restore with the file, an empty DATA_DIR and an empty database. You can switch between SQLite and PostgreSQL."),
		languages.Mark("Start the server. Members sign in as before."),
	}},
}

// passwordHelp says what becomes of the password.
func (p *Backups) passwordHelp() string {
	if p.Plan.HasPassword {
		return languages.Mark("Leave it empty to keep the one you saved. It’s stored encrypted, and we never show it again.")
	}
	return languages.Mark("It’s stored encrypted, and we never show it again.")
}

// planFacts returns the plan for display.
func (p *Backups) planFacts(ctx context.Context) []ui.Fact {
	nightly := ui.T(ctx, "No")
	if p.Plan.Nightly {
		nightly = ui.T(ctx, "Yes")
	}
	return []ui.Fact{{Name: "Nightly backup", Value: nightly}, {Name: languages.Mark("Backups to keep"), Value: ui.NumberIn(ctx, p.Plan.Keep)},
		{Name: languages.Mark("Second place"), Value: ui.MarkdownText(p.Plan.Place)}, {Name: languages.Mark("Encrypted for"), Value: p.Plan.Recipient}, {Name: "Username", Value: p.Plan.User}}
}

// Head implements Page.
func (p *Backups) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Backups"), Description: ui.T(ctx, "Make, download and delete backups of the site."), Path: ui.AdminBackupsPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Markdown implements Page.
func (p *Backups) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Backups"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.lead(ctx))
	m.Paragraph(p.state(ctx))
	for _, note := range p.notes(ctx) {
		m.Paragraph(ui.MarkdownText(note))
	}
	m.Raw("\n")
	m.FactRows(p.planFacts(ctx))
	if len(p.Backups) > 0 {
		m.Raw("\n")
		m.Head("Backup", "Made", "Size", "Bytes", "Contents")
		for i := range p.Backups {
			b := &p.Backups[i]
			m.Row(ui.MarkdownText(b.Name), ui.MomentIn(ctx, b.MadeAt), b.size(ctx), ui.NumberIn(ctx, int(b.Bytes)), b.contents(ctx))
		}
	}
	for _, part := range backupTexts {
		m.Section(part.heading)
		for _, text := range part.texts {
			m.Paragraph(ui.T(ctx, text))
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}
