package ui

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// TestKept checks that a kept part is rendered once a language, and again with other settings.
func TestKept(t *testing.T) {
	site, rendered := &Site{}, 0
	part := templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		rendered++
		_, err := io.WriteString(w, site.Name()+" "+languages.Of(ctx).Code())
		return err
	})
	site.Adjustable()
	for _, step := range []struct {
		name     string
		language *languages.Language
		want     string
		rendered int
	}{
		{"One", languages.English, "One en", 1}, {"", languages.English, "One en", 1}, {"", languages.German, "One de", 2}, {"", languages.English, "One en", 2},
		{"Two", languages.English, "Two en", 3}, {"", languages.German, "Two de", 4},
	} {
		if step.name != "" {
			site.Use(&models.SiteSettings{Name: step.name}, SiteState{})
		}
		var b strings.Builder
		if err := site.Kept("part", part).Render(step.language.NewContext(context.Background()), &b); err != nil {
			t.Fatal(err)
		}
		if b.String() != step.want || rendered != step.rendered {
			t.Errorf("got %q after rendering %d times, want %q after %d", &b, rendered, step.want, step.rendered)
		}
	}
}
