package ui

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Style returns the style sheet of the colours and fonts that the owner has chosen, empty
// if they have chosen none. It must not be modified.
func (s *SiteSettings) Style() []byte { return s.style }

// StylePath returns the path of the style sheet, "" if it is empty.
func (s *SiteSettings) StylePath() string { return s.stylePath }

// useTheme sets the theme, and computes the style sheet and its path. What was rendered with
// other settings is forgotten.
func (s *SiteSettings) useTheme(name string) {
	s.kept = new(sync.Map)
	s.theme, s.stylePath = models.FindTheme(s.Themes, name), ""
	if s.style = s.renderStyle(); len(s.style) > 0 {
		sum := sha256.Sum256(s.style)
		s.stylePath = "/brand/" + hex.EncodeToString(sum[:8]) + ".css"
	}
}

// renderStyle renders the style sheet.
func (s *SiteSettings) renderStyle() []byte {
	var b strings.Builder
	lightGround, darkGround := models.LightGround, models.DarkGround
	if s.theme != nil && s.theme.Name != models.DefaultTheme {
		lightGround, darkGround = s.theme.Light.Ground(), s.theme.Dark.Ground()
		fmt.Fprintf(&b, ":root{%[1]s}\n@media (prefers-color-scheme:dark){:root:not([data-theme=light]){%[2]s}}\n:root[data-theme=light]{%[1]s}\n:root[data-theme=dark]{%[2]s}\n", s.theme.Light.CSS(), s.theme.Dark.CSS())
	}
	colors := func(color string, ground models.Ground) string {
		accent, ok := models.ParseColor(color)
		if !ok {
			return ""
		}
		return fmt.Sprintf("--safelight:%s;--glow:%s", accent, ground.Glow(accent))
	}
	if light := colors(s.Accent, lightGround); light != "" {
		fmt.Fprintf(&b, ":root,:root[data-theme=light]{%s}\n", light)
	}
	if dark := colors(s.darkAccent(darkGround), darkGround); dark != "" {
		fmt.Fprintf(&b, "@media (prefers-color-scheme:dark){:root:not([data-theme=light]){%[1]s}}\n:root[data-theme=dark]{%[1]s}\n", dark)
	}
	switch s.Fonts {
	case models.SansFonts:
		b.WriteString(":root{--serif:var(--sans)}\n")
	case models.SystemFonts:
		b.WriteString(":root{--sans:system-ui,sans-serif;--serif:var(--sans)}\n")
	}
	return []byte(b.String())
}

// darkAccent returns the accent on dark pages: the owner's, or else the lightest that
// their accent needs to be there.
func (s *SiteSettings) darkAccent(ground models.Ground) string {
	if accent, ok := models.ParseColor(s.Accent); ok && s.AccentDark == "" {
		return ground.Readable(accent).String()
	}
	return s.AccentDark
}

// PicturePath returns the path of the logo or the favicon.
func PicturePath(name string) string { return "/brand/" + name + ".png" }

// brandPictureSize returns the width and height of a picture that is shown at most height
// pixels high, as its name has them.
func brandPictureSize(name string, height int) (w, h string) {
	_, size, _ := strings.Cut(name, "-")
	width, tall, _ := strings.Cut(size, "x")
	x, _ := strconv.Atoi(width)
	y, _ := strconv.Atoi(tall)
	if y == 0 {
		return "", ""
	}
	shown := min(y, height)
	return strconv.Itoa(max(1, x*shown/y)), strconv.Itoa(shown)
}

// ThemeHeadline returns the headline of the theme, "" if it has none.
func (s *Site) ThemeHeadline(ctx context.Context) string {
	if theme := s.Settings().theme; theme != nil {
		return theme.Headline(languages.Of(ctx).Code(), s.Name(), s.Owner())
	}
	return ""
}
