package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// GalleryVisit is how long a browser that entered the password of a gallery sees it.
const GalleryVisit = 30 * 24 * time.Hour

// maxGalleryNames is the number of names that visitors of a gallery may mark photographs under.
const maxGalleryNames = 200

const galleryColumns = `project, address, password, ends_at, created_at`

// Gallery returns the gallery of a project, given its folder, or nil.
func (s *Galleries) Gallery(ctx context.Context, project string) (*models.Gallery, error) {
	return s.gallery(ctx, `project`, project)
}

// GalleryAt returns the gallery at an address, or nil.
func (s *Galleries) GalleryAt(ctx context.Context, address string) (*models.Gallery, error) {
	return s.gallery(ctx, `address`, address)
}

func (s *Galleries) gallery(ctx context.Context, column, value string) (*models.Gallery, error) {
	if !models.Storable(value) {
		return nil, nil
	}
	var g models.Gallery
	err := s.read.QueryRowxContext(ctx, `SELECT `+galleryColumns+` FROM galleries WHERE `+column+` = $1`, value).
		Scan(&g.Project, &g.Address, &g.Password, &g.EndsAt, &g.CreatedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &g, err
}

// SaveGallery makes a project a gallery, or changes its end and, unless it is "", its password.
// A new password ends the visits of all browsers; what visitors chose stays.
func (s *Galleries) SaveGallery(ctx context.Context, project, password string, endsAt models.Time) error {
	g, err := s.Gallery(ctx, project)
	if err != nil {
		return err
	}
	if g == nil || password != "" {
		if fault := models.CheckPassword(password, "", ""); fault != nil {
			return &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: fault.Message, Fields: []problem.FieldError{*fault}}
		}
	}
	hash := ""
	if password != "" {
		if hash, err = models.HashPassword(ctx, password); err != nil {
			return err
		}
	}
	return s.update(ctx, func(t *tx) error {
		if g == nil {
			_, err := t.ExecContext(ctx, `INSERT INTO galleries (project, address, password, ends_at, created_at) VALUES ($1, $2, $3, $4, $5)`,
				project, strings.ToLower(rand.Text()), hash, endsAt, s.now())
			return err
		}
		if hash == "" {
			_, err := t.ExecContext(ctx, `UPDATE galleries SET ends_at = $2 WHERE project = $1`, project, endsAt)
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM gallery_visitors WHERE project = $1`, project); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `UPDATE galleries SET ends_at = $2, password = $3 WHERE project = $1`, project, endsAt, hash)
		return err
	})
}

// DeleteGallery deletes the gallery of a project, with what its visitors chose.
func (s *Galleries) DeleteGallery(ctx context.Context, project string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM galleries WHERE project = $1`, project)
		return err
	})
}

// EnterGallery checks a password and lets a browser in under a name. It returns the secret for
// its cookie, which replaces the one that the browser had: that is worth nothing afterwards, so
// that nobody can plant one, and its other galleries stay open. Wrong passwords are limited like
// those of accounts: by client, by client and gallery, and by gallery.
func (s *Galleries) EnterGallery(ctx context.Context, g *models.Gallery, name, password, client, previous string) (secret string, err error) {
	leave, err := models.QueuePassword()
	if err != nil {
		return "", err
	}
	defer leave()
	onGallery := attemptLimit{"gallery:" + g.Address + ":" + client, 5}
	limits := []attemptLimit{{"address:" + client, 30}, onGallery, {"gallery:" + g.Address, 100}}
	if err := s.accounts.countAttempts(ctx, limits); err != nil {
		var limited *problem.Error
		if errors.As(err, &limited) {
			limited.Hint = problem.Textf("Wait %s and try again.", secondsText(limited.Wait))
		}
		return "", err
	}
	matches, err := passwordMatches(ctx, s.database, limits, password, g.Password)
	if err != nil {
		return "", err
	}
	if !matches {
		return "", &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: problem.Textf("The password is wrong."), Hint: problem.Textf("Check it for typing errors, or ask the photographer."),
			Fields: []problem.FieldError{{Field: "password", Code: "invalid_value", Message: problem.Textf("The password is wrong.")}}}
	}
	secret = models.NewSecret()
	return secret, s.update(ctx, func(t *tx) error {
		if err := takeBackAttempts(ctx, t, limits); err != nil {
			return err
		}
		if err := clearAttempts(ctx, t, onGallery.subject); err != nil {
			return err
		}
		return admitVisitor(ctx, t, g, name, models.SecretHash(secret), models.SecretHash(previous))
	})
}

// admitVisitor lets the browser with a cookie into a gallery, and moves it there from the
// previous one. A password that was changed meanwhile lets nobody in.
func admitVisitor(ctx context.Context, t *tx, g *models.Gallery, name, hash, previous string) error {
	now := t.db.now()
	if _, err := t.ExecContext(ctx, `DELETE FROM gallery_visitors WHERE entered_at < $1 OR hash = $2 AND project = $3`, now.Add(-GalleryVisit), previous, g.Project); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `UPDATE gallery_visitors SET hash = $2 WHERE hash = $1`, previous, hash); err != nil {
		return err
	}
	if n, err := t.affected(ctx, `UPDATE galleries SET password = password WHERE project = $1 AND password = $2`, g.Project, g.Password); err != nil || n == 0 {
		return err
	}
	_, err := t.ExecContext(ctx, `INSERT INTO gallery_visitors (hash, project, name, entered_at) VALUES ($1, $2, $3, $4)`, hash, g.Project, name, now)
	return err
}

// GalleryVisitor returns the name under which the browser with the secret of a cookie entered a
// gallery, and whether it did and the gallery has not ended.
func (s *Galleries) GalleryVisitor(ctx context.Context, g *models.Gallery, secret string) (name string, entered bool, err error) {
	if secret == "" || g.Ended(s.now()) {
		return "", false, nil
	}
	err = s.read.GetContext(ctx, &name, `SELECT name FROM gallery_visitors WHERE hash = $1 AND project = $2 AND entered_at > $3`,
		models.SecretHash(secret), g.Project, s.now().Add(-GalleryVisit))
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return name, err == nil, err
}

// MarkPhoto stores what a visitor of a gallery chose and wrote at a photograph. Nothing is stored
// of one that is no favourite and has no comment.
func (s *Galleries) MarkPhoto(ctx context.Context, project string, m models.GalleryMark) error {
	return s.update(ctx, func(t *tx) error { return storeMark(ctx, t, project, m) })
}

// ChooseFavourites stores which photographs are favourites of a visitor of a gallery and which
// are not, by file. Those it doesn't name stay as they are, and so do all comments.
func (s *Galleries) ChooseFavourites(ctx context.Context, project, name string, favourite map[string]bool) error {
	return s.update(ctx, func(t *tx) error {
		var before []models.GalleryMark
		if err := t.SelectContext(ctx, &before, `SELECT file, favourite, comment FROM gallery_marks WHERE project = $1 AND name = $2`, project, name); err != nil {
			return err
		}
		marks := map[string]models.GalleryMark{}
		for _, m := range before {
			marks[m.File] = m
		}
		for _, file := range slices.Sorted(maps.Keys(favourite)) {
			m := marks[file]
			if m.Favourite == favourite[file] {
				continue
			}
			m.Name, m.File, m.Favourite = name, file, favourite[file]
			if err := storeMark(ctx, t, project, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// storeMark replaces what a visitor chose and wrote at a photograph.
func storeMark(ctx context.Context, t *tx, project string, m models.GalleryMark) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM gallery_marks WHERE project = $1 AND name = $2 AND file = $3`, project, m.Name, m.File); err != nil || !m.Favourite && m.Comment == "" {
		return err
	}
	var others int
	if err := t.GetContext(ctx, &others, `SELECT COUNT(DISTINCT name) FROM gallery_marks WHERE project = $1 AND name <> $2`, project, m.Name); err != nil {
		return err
	}
	if others >= maxGalleryNames {
		return &problem.Error{Kind: problem.Conflict, Code: "conflict", Message: problem.Textf("This gallery has too many visitors."), Hint: problem.Textf("Use the name of someone who has chosen photographs before.")}
	}
	_, err := t.ExecContext(ctx, `INSERT INTO gallery_marks (project, name, file, favourite, comment, at) VALUES ($1, $2, $3, $4, $5, $6)`, project, m.Name, m.File, m.Favourite, m.Comment, t.db.now())
	return err
}

// GalleryMarks returns what visitors of a gallery chose and wrote, by name and file.
func (s *Galleries) GalleryMarks(ctx context.Context, project string) ([]models.GalleryMark, error) {
	var marks []models.GalleryMark
	err := s.read.SelectContext(ctx, &marks, `SELECT name, file, favourite, comment, at FROM gallery_marks WHERE project = $1 ORDER BY name, file`, project)
	return marks, err
}
