package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// textRow is a text with one of its revisions as the database has it.
type textRow struct {
	Section            models.TextSection
	Slug, Language     string
	Version, Latest    int64
	Public             int64
	PublishAt          models.Time `db:"publish_at"`
	FirstAt            models.Time `db:"first_at"`
	Number             int64
	Title, Description string
	Tags, Markdown     string
	At                 models.Time
}

func (r *textRow) revision() models.TextRevision {
	return models.TextRevision{Number: r.Number, Title: r.Title, Description: r.Description, Tags: strings.Fields(r.Tags), Markdown: r.Markdown, At: r.At}
}

const selectTexts = `SELECT t.section, t.slug, t.language, t.version, t.latest, t.public, t.publish_at, t.first_at, r.number, r.title, r.description, r.tags, r.markdown, r.at
	FROM texts t JOIN text_revisions r ON r.section = t.section AND r.slug = t.slug AND r.language = t.language AND (r.number = t.latest OR r.number = t.public)`

// Texts returns all texts that the owner has written, as they are now.
func (s *Site) Texts(ctx context.Context) ([]*models.Text, error) {
	return s.texts(ctx, s.read, selectTexts+` ORDER BY t.section, t.slug, t.language`)
}

func (s *Site) texts(ctx context.Context, q sqlx.QueryerContext, query string, args ...any) (all []*models.Text, err error) {
	var rows []textRow
	if err := sqlx.SelectContext(ctx, q, &rows, query, args...); err != nil {
		return nil, err
	}
	var t *models.Text
	for i := range rows {
		r := &rows[i]
		if t == nil || t.Section != r.Section || t.Slug != r.Slug || t.Language != r.Language {
			t = &models.Text{Section: r.Section, Slug: r.Slug, Language: r.Language, Version: r.Version, PublishAt: r.PublishAt, FirstAt: r.FirstAt}
			all = append(all, t)
		}
		revision := r.revision()
		if r.Number == r.Latest {
			t.Latest = revision
		}
		if r.Number == r.Public {
			t.Public = &revision
		}
	}
	for _, t := range all {
		t.At(s.now())
	}
	return all, nil
}

// TextHistory returns a text with its revisions, the newest first. The text is nil if the
// owner hasn't written it.
func (s *Site) TextHistory(ctx context.Context, section models.TextSection, slug, language string) (text *models.Text, revisions []models.TextRevision, err error) {
	if !models.Storable(slug) {
		return nil, nil, nil
	}
	if text, err = s.textIn(ctx, s.read, section, slug, language); text == nil || err != nil {
		return nil, nil, err
	}
	var rows []textRow
	err = s.read.SelectContext(ctx, &rows, `SELECT number, title, description, tags, markdown, at FROM text_revisions
		WHERE section = $1 AND slug = $2 AND language = $3 ORDER BY number DESC`, section, slug, language)
	for i := range rows {
		revisions = append(revisions, rows[i].revision())
	}
	return text, revisions, err
}

// textIn returns a text, nil if there is none.
func (s *Site) textIn(ctx context.Context, q sqlx.QueryerContext, section models.TextSection, slug, language string) (*models.Text, error) {
	all, err := s.texts(ctx, q, selectTexts+` WHERE t.section = $1 AND t.slug = $2 AND t.language = $3`, section, slug, language)
	if len(all) == 0 || err != nil {
		return nil, err
	}
	return all[0], nil
}

// SaveText saves a revision of a text. It returns a Changed error, text_changed, if the
// text has another version.
func (s *Site) SaveText(ctx context.Context, editorID string, edit *models.TextEdit) (*models.Text, error) {
	if err := edit.Check(); err != nil {
		return nil, err
	}
	return s.changeText(ctx, editorID, edit, func(t *tx, text *models.Text, now models.Time) error {
		if text.Latest.Number == 0 || !text.Latest.Same(&edit.TextRevision) {
			text.Latest, text.Latest.Number, text.Latest.At = edit.TextRevision, text.Version, now
			r := &text.Latest
			if _, err := t.ExecContext(ctx, `INSERT INTO text_revisions (section, slug, language, number, title, description, tags, markdown, at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, text.Section, text.Slug, text.Language, r.Number, r.Title, r.Description, strings.Join(r.Tags, " "), r.Markdown, r.At); err != nil {
				return err
			}
		}
		text.PublishAt = 0
		if edit.Publish {
			text.PublishAt = max(models.TimeOf(edit.PublishAt), 1)
			if text.PublishAt <= now {
				text.PublishAt = now
			}
			text.At(now)
		}
		return nil
	})
}

// WithdrawText ends the publication of a text, so that visitors read the original, if there
// is one. Its revisions stay.
func (s *Site) WithdrawText(ctx context.Context, editorID string, edit *models.TextEdit) (*models.Text, error) {
	return s.changeText(ctx, editorID, edit, func(_ *tx, text *models.Text, _ models.Time) error {
		if text.Latest.Number == 0 {
			return models.TextNotFound()
		}
		text.Public, text.PublishAt = nil, 0
		return nil
	})
}

// ChangeText changes a text at a version, and records that in the audit log.
func (s *Site) changeText(ctx context.Context, editorID string, edit *models.TextEdit, change func(t *tx, text *models.Text, now models.Time) error) (text *models.Text, err error) {
	err = s.update(ctx, func(t *tx) error {
		now := t.db.now()
		if text, err = s.textIn(ctx, t, edit.Section, edit.Slug, edit.Language); err != nil {
			return err
		}
		if text == nil {
			text = &models.Text{Section: edit.Section, Slug: edit.Slug, Language: edit.Language}
		}
		before := text.Version
		if edit.Version >= 0 && edit.Version != before {
			return models.ErrTextChanged
		}
		text.Version++
		if before == 0 {
			n, err := t.affected(ctx, `INSERT INTO texts (section, slug, language, version, latest, public, publish_at, first_at) VALUES ($1, $2, $3, $4, 0, 0, 0, 0) ON CONFLICT DO NOTHING`,
				text.Section, text.Slug, text.Language, before)
			if err != nil {
				return err
			}
			if n == 0 {
				return models.ErrTextChanged
			}
		}
		if err := change(t, text, now); err != nil {
			return err
		}
		public := int64(0)
		if text.Public != nil {
			public = text.Public.Number
		}
		n, err := t.affected(ctx, `UPDATE texts SET version = $1, latest = $2, public = $3, publish_at = $4, first_at = $5 WHERE section = $6 AND slug = $7 AND language = $8 AND version = $9`,
			text.Version, text.Latest.Number, public, text.PublishAt, text.FirstAt, text.Section, text.Slug, text.Language, before)
		if err != nil {
			return err
		}
		if n == 0 {
			return models.ErrTextChanged
		}
		t.changed(models.SiteChanged, siteSubject)
		return audit(ctx, t, &models.AuditEntry{OperatorID: editorID, Action: models.EditText, Subject: siteSubject, Note: text.Name(), At: now})
	})
	return text, err
}

// MoveText gives a text of the owner another address in all its languages. The old one
// leads to it from then on. It returns a Conflict error, address_in_use, if another text
// has or had the new address.
func (s *Site) MoveText(ctx context.Context, editorID string, section models.TextSection, from, to string) error {
	return s.update(ctx, func(t *tx) error {
		var taken bool
		if err := t.GetContext(ctx, &taken, `SELECT EXISTS (SELECT 1 FROM texts WHERE section = $1 AND slug = $2) OR EXISTS (SELECT 1 FROM text_moves WHERE section = $1 AND old_slug = $2 AND slug <> $3)`, section, to, from); err != nil {
			return err
		}
		if taken {
			return errAddressInUse
		}
		n, err := t.affected(ctx, `UPDATE texts SET slug = $1, version = version + 1 WHERE section = $2 AND slug = $3`, to, section, from)
		if err != nil {
			return err
		}
		if n == 0 {
			return models.TextNotFound()
		}
		if err := moveAddress(ctx, t, section, from, to); err != nil {
			return err
		}
		t.changed(models.SiteChanged, siteSubject)
		return audit(ctx, t, &models.AuditEntry{OperatorID: editorID, Action: models.EditText, Subject: siteSubject, Note: string(section) + "/" + from + " → " + to, At: t.db.now()})
	})
}

// moveAddress makes all old addresses of a text lead to the new one, which is no longer an
// old one.
func moveAddress(ctx context.Context, t *tx, section models.TextSection, from, to string) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM text_moves WHERE section = $1 AND old_slug = $2`, section, to); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `UPDATE text_moves SET slug = $1 WHERE section = $2 AND slug = $3`, to, section, from); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `INSERT INTO text_moves (section, old_slug, slug) VALUES ($1, $2, $3)`, section, from, to)
	return err
}

var errAddressInUse = &problem.Error{Kind: problem.Conflict, Code: "address_in_use", Message: problem.Textf("Another page uses this address, or used to."), Hint: problem.Textf("Choose another address.")}

// TextMove is an earlier address of a text, with the present one.
type TextMove struct {
	Section models.TextSection
	OldSlug string `db:"old_slug"`
	Slug    string
}

// TextMoves returns all addresses that texts had before.
func (s *Site) TextMoves(ctx context.Context) (moves []TextMove, err error) {
	return moves, s.read.SelectContext(ctx, &moves, `SELECT section, old_slug, slug FROM text_moves`)
}

// AddTextPicture stores a JPEG under a name, its hash.
func (s *Site) AddTextPicture(ctx context.Context, name, alt string, jpeg []byte) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO text_pictures (name, alt, at, data) VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO UPDATE SET alt = excluded.alt, at = excluded.at`,
			name, alt, t.db.now(), base64.StdEncoding.EncodeToString(jpeg))
		return err
	})
}

// TextPictures returns the pictures added last, the newest first.
func (s *Site) TextPictures(ctx context.Context, limit int) (pictures []models.TextPicture, err error) {
	return pictures, s.read.SelectContext(ctx, &pictures, `SELECT name, alt, at FROM text_pictures ORDER BY at DESC, name LIMIT $1`, limit)
}

// TextPicture returns the JPEG with a name, nil if there is none.
func (s *Site) TextPicture(ctx context.Context, name string) ([]byte, error) {
	if !models.Storable(name) {
		return nil, nil
	}
	var data string
	err := s.read.GetContext(ctx, &data, `SELECT data FROM text_pictures WHERE name = $1`, name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(data)
}
