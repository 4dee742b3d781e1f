package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

const galleryPassword = "amber lens quartet"

// TestGalleries follows a gallery from its first password to its end.
func TestGalleries(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		g := newGallery(t, s, "wedding")
		if g.Password == galleryPassword || len(g.Address) < 20 {
			t.Fatalf("stored %+v", g)
		}
		enter := func(g *models.Gallery, name, password, previous string) (string, error) {
			return s.Galleries.EnterGallery(ctx, g, name, password, "192.0.2.1", previous)
		}
		sees := func(g *models.Gallery, secret, want string) {
			t.Helper()
			name, entered, err := s.Galleries.GalleryVisitor(ctx, g, secret)
			if must(t, err); name != want || entered != (want != "") {
				t.Errorf("%q sees it: %v, want %q", name, entered, want)
			}
		}
		_, err := enter(g, "Vera", "wrong", "")
		wantError(t, err, problem.Invalid, "invalid_parameter")
		vera, err := enter(g, "Vera", galleryPassword, "")
		must(t, err)
		sees(g, vera, "Vera")
		sees(g, "", "")
		sees(g, "another", "")

		other := newGallery(t, s, "portraits")
		sees(other, vera, "")
		both, err := enter(other, "V.", galleryPassword, vera)
		must(t, err)
		sees(g, vera, "") // replaced
		sees(g, both, "Vera")
		sees(other, both, "V.")

		must(t, s.Galleries.SaveGallery(ctx, "wedding", "", models.TimeOf(now.Add(time.Hour))))
		g, err = s.Galleries.GalleryAt(ctx, g.Address)
		must(t, err)
		sees(g, both, "Vera")
		now = now.Add(time.Hour)
		sees(g, both, "")
		must(t, s.Galleries.SaveGallery(ctx, "wedding", "another good password", 0))
		stale := *g
		g, err = s.Galleries.Gallery(ctx, "wedding")
		must(t, err)
		sees(g, both, "") // the password is another
		late, err := enter(&stale, "Late", galleryPassword, "")
		must(t, err)
		sees(g, late, "")
		must(t, s.Galleries.DeleteGallery(ctx, "wedding"))
		if g, err := s.Galleries.Gallery(ctx, "wedding"); g != nil || err != nil {
			t.Errorf("deleted: %v, %v", g, err)
		}
		now = now.Add(store.GalleryVisit)
		sees(other, both, "")
	})
}

// newGallery returns the gallery of a project with galleryPassword.
func newGallery(t *testing.T, s *store.Store, project string) *models.Gallery {
	t.Helper()
	wantError(t, s.Galleries.SaveGallery(t.Context(), project, "short", 0), problem.Invalid, "invalid_parameter")
	must(t, s.Galleries.SaveGallery(t.Context(), project, galleryPassword, 0))
	g, err := s.Galleries.Gallery(t.Context(), project)
	must(t, err)
	return g
}

// TestGalleryGuesses checks that wrong passwords are limited, and that the right one is not
// counted.
func TestGalleryGuesses(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		g := newGallery(t, s, "wedding")
		try := func(client, password string) error {
			_, err := s.Galleries.EnterGallery(ctx, g, "Vera", password, client, "")
			return err
		}
		for range 10 {
			must(t, try("192.0.2.1", galleryPassword))
		}
		for range 6 {
			wantError(t, try("192.0.2.1", "wrong"), problem.Invalid, "invalid_parameter")
		}
		wantError(t, try("192.0.2.1", galleryPassword), problem.TooMany, "too_many_guesses")
		must(t, try("198.51.100.7", galleryPassword))
	})
}

// TestGalleryMarks checks that a visitor's mark replaces their former one.
func TestGalleryMarks(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		newGallery(t, s, "wedding")
		for _, m := range []models.GalleryMark{
			{Name: "Vera", File: "a.jpg", Favourite: true}, {Name: "Vera", File: "a.jpg", Favourite: true, Comment: "This one."},
			{Name: "Vera", File: "b.jpg", Favourite: true}, {Name: "Vera", File: "b.jpg"}, {Name: "Ben", File: "a.jpg", Comment: "No."},
		} {
			must(t, s.Galleries.MarkPhoto(ctx, "wedding", m))
		}
		for _, favourite := range []map[string]bool{{"a.jpg": false, "c.jpg": true, "d.jpg": true}, {"a.jpg": true, "b.jpg": false, "d.jpg": false}} {
			must(t, s.Galleries.ChooseFavourites(ctx, "wedding", "Vera", favourite))
		}
		marks, err := s.Galleries.GalleryMarks(ctx, "wedding")
		must(t, err)
		var got []string
		for _, m := range marks {
			got = append(got, fmt.Sprint(m.Name, " ", m.File, " ", m.Favourite, " ", m.Comment))
		}
		if want := []string{"Ben a.jpg false No.", "Vera a.jpg true This one.", "Vera c.jpg true "}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("stored %q, want %q", got, want)
		}
		for i := range 200 {
			must(t, s.Galleries.MarkPhoto(ctx, "wedding", models.GalleryMark{Name: fmt.Sprint("Guest ", i%198), File: "a.jpg", Favourite: true}))
		}
		wantError(t, s.Galleries.MarkPhoto(ctx, "wedding", models.GalleryMark{Name: "One more", File: "a.jpg", Favourite: true}), problem.Conflict, "conflict")
		wantError(t, s.Galleries.ChooseFavourites(ctx, "wedding", "One more", map[string]bool{"a.jpg": true}), problem.Conflict, "conflict")
	})
}
