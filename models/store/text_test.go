package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestTexts tests drafts, publication, schedules, history and the way back to the original.
func TestTexts(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		editor := seller(t, s)
		save := func(version int64, title string, publish bool, at time.Time) (*models.Text, error) {
			now = now.Add(time.Minute)
			return s.Site.SaveText(ctx, editor, &models.TextEdit{Section: models.JournalTexts, Slug: "winter", Language: "de", Version: version, Publish: publish, PublishAt: at,
				TextRevision: models.TextRevision{Title: title, Tags: []string{"Film", "film", "Über uns"}, Markdown: "One\r\n\r\nTwo\n"}})
		}
		state := func() string {
			t.Helper()
			all, err := s.Site.Texts(ctx)
			must(t, err)
			if len(all) != 1 {
				t.Fatalf("there are %d texts", len(all))
			}
			text, public := all[0], "nothing"
			if text.Public != nil {
				public = text.Public.Title
			}
			return fmt.Sprintf("version %d, %s, public %s, scheduled %v", text.Version, text.Latest.Title, public, text.PublishAt > 0)
		}
		check := func(want string) {
			t.Helper()
			if got := state(); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		text, err := save(0, " First  draft ", false, time.Time{})
		must(t, err)
		if text.Latest.Markdown != "One\n\nTwo" || !slices.Equal(text.Latest.Tags, []string{"film", "uber-uns"}) || !text.Draft() {
			t.Errorf("saved %+v", text)
		}
		check("version 1, First draft, public nothing, scheduled false")
		_, err = save(0, "Late", true, time.Time{})
		wantError(t, err, problem.Changed, "text_changed")
		_, err = save(1, " ", true, time.Time{})
		wantError(t, err, problem.Invalid, "invalid_parameter")
		_, err = save(1, "First", true, time.Time{})
		must(t, err)
		check("version 2, First, public First, scheduled false")
		_, err = save(2, "Second", false, time.Time{})
		must(t, err)
		check("version 3, Second, public First, scheduled false")
		_, err = save(3, "Second", true, now.Add(time.Hour))
		must(t, err)
		check("version 4, Second, public First, scheduled true")
		now = now.Add(2 * time.Hour)
		check("version 4, Second, public Second, scheduled false")
		_, err = save(4, "Third", false, time.Time{})
		must(t, err)
		check("version 5, Third, public Second, scheduled false")

		text, history, err := s.Site.TextHistory(ctx, models.JournalTexts, "winter", "de")
		must(t, err)
		var titles []string
		for _, r := range history {
			titles = append(titles, r.Title)
		}
		if got := strings.Join(titles, ", "); got != "Third, Second, First, First draft" || text.FirstAt == 0 {
			t.Errorf("the history is %s, first public at %d", got, text.FirstAt)
		}
		_, err = s.Site.WithdrawText(ctx, editor, &models.TextEdit{Section: models.JournalTexts, Slug: "winter", Language: "de", Version: 5})
		must(t, err)
		check("version 6, Third, public nothing, scheduled false")
		_, err = s.Site.WithdrawText(ctx, editor, &models.TextEdit{Section: models.PageTexts, Slug: "terms", Language: "de", Version: -1})
		wantError(t, err, problem.NotFound, "text_not_found")
		if text, _, err := s.Site.TextHistory(ctx, models.PageTexts, "terms", "de"); text != nil || err != nil {
			t.Errorf("a text that isn't written is %+v, %v", text, err)
		}
		log, err := s.Moderation.Audit(ctx, store.AuditFilter{}, store.AuditKey{}, 10)
		must(t, err)
		if len(log) != 6 || log[0].Action != models.EditText || log[0].Note != "journal/winter (de)" {
			t.Errorf("audit is %+v", log)
		}
		must(t, s.Site.AddTextPicture(ctx, "abc-3x2", "A lens", []byte{1, 2, 3}))
		must(t, s.Site.AddTextPicture(ctx, "abc-3x2", "A fast lens", []byte{1, 2, 3}))
		picture, err := s.Site.TextPicture(ctx, "abc-3x2")
		must(t, err)
		pictures, err := s.Site.TextPictures(ctx, 5)
		must(t, err)
		if none, err := s.Site.TextPicture(ctx, "x\x00"); len(picture) != 3 || len(pictures) != 1 || pictures[0].Alt != "A fast lens" || none != nil || err != nil {
			t.Errorf("pictures are %v, %+v and %v, %v", picture, pictures, none, err)
		}
	})
}

// TestMoveText tests that old addresses lead to the text, whatever they were.
func TestMoveText(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		editor := seller(t, s)
		write := func(slug, language string) {
			_, err := s.Site.SaveText(ctx, editor, &models.TextEdit{Section: models.GuideTexts, Slug: slug, Language: language, TextRevision: models.TextRevision{Title: slug}})
			must(t, err)
		}
		move := func(from, to string) error { return s.Site.MoveText(ctx, editor, models.GuideTexts, from, to) }
		write("a", "de")
		write("a", "en")
		write("other", "en")
		must(t, move("a", "b"))
		must(t, move("b", "c"))
		must(t, move("c", "a")) // back to the first
		must(t, move("a", "d"))
		wantError(t, move("d", "other"), problem.Conflict, "address_in_use")
		wantError(t, move("other", "b"), problem.Conflict, "address_in_use")
		wantError(t, move("none", "e"), problem.NotFound, "text_not_found")
		moves, err := s.Site.TextMoves(ctx)
		must(t, err)
		var got []string
		for _, m := range moves {
			got = append(got, m.OldSlug+"→"+m.Slug)
		}
		slices.Sort(got)
		if want := []string{"a→d", "b→d", "c→d"}; !slices.Equal(got, want) {
			t.Errorf("addresses lead %v, want %v", got, want)
		}
		all, err := s.Site.Texts(ctx)
		must(t, err)
		_, history, err := s.Site.TextHistory(ctx, models.GuideTexts, "d", "en")
		must(t, err)
		if len(all) != 3 || all[0].Slug != "d" || all[1].Slug != "d" || len(history) != 1 {
			t.Errorf("texts are %+v, %+v, with %d revisions", all[0], all[1], len(history))
		}
	})
}
