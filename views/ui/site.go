package ui

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Site holds what pages depend on of the site. Its settings may change while pages are
// rendered.
type Site struct {
	BaseURL string // scheme and host without a trailing slash: "https://secondlight.example"
	// Defaults apply where the owner has set nothing.
	Defaults SiteSettings
	// SecurityContact is the mailto: or https: URL for reporting vulnerabilities, "" for the default.
	SecurityContact string
	// Clock returns the time by which pages say how long ago something was; nil means
	// time.Now.
	Clock func() time.Time
	// Zone is the time zone of emails, and of pages for readers whose own is unknown; nil means
	// UTC.
	Zone *time.Location
	// Tools maps the names of operations to their WebMCP forms.
	Tools map[string]FormTool

	current *atomic.Pointer[SiteSettings] // shared with copies; nil if Defaults apply
}

// SiteSettings are the settings of the site, in the types that pages use.
type SiteSettings struct {
	models.SiteSettings
	SiteState
	Currency models.Currency
	// Languages are those of pages, the first for readers who ask for none of them; nil
	// means English.
	Languages []*languages.Language

	theme     *models.Theme // nil for the default
	style     []byte        // see Style
	stylePath string
	kept      *sync.Map // HTML by keptKey, see Kept; nil for the defaults
}

// keptKey names HTML of Kept.
type keptKey struct {
	name     string
	language *languages.Language
}

// Kept returns a component that is rendered once in each language while the settings of the
// site stay the same. It depends on nothing else but its name, which has few values: the parts
// of a page that many pages share.
func (s *Site) Kept(name string, part templ.Component) templ.Component {
	kept := s.Settings().kept
	if kept == nil {
		return part
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		key := keptKey{name, languages.Of(ctx)}
		html, ok := kept.Load(key)
		if !ok {
			var b bytes.Buffer
			if err := part.Render(key.language.NewContext(context.Background()), &b); err != nil {
				return err
			}
			html, _ = kept.LoadOrStore(key, b.Bytes())
		}
		_, err := w.Write(html.([]byte))
		return err
	})
}

// SiteState is what changes of the site beside the settings.
type SiteState struct {
	Version int64 // of the settings; increases when the owner changes them
	Demo    bool  // the database holds demonstration data; every format says so
	Filling bool  // demonstration data is being made
	// Rates are the last exchange rates; nil for none.
	Rates *models.Rates

	Themes  []*models.Theme
	Refused []string // themes of the owner that can't be used, each with why
}

// Adjustable lets Use replace the settings of the site and of its copies.
func (s *Site) Adjustable() {
	if s.current == nil {
		s.current = new(atomic.Pointer[SiteSettings])
		s.current.Store(&s.Defaults)
	}
}

// Use replaces the settings by those the owner has set, and the defaults where there are
// none.
func (s *Site) Use(set *models.SiteSettings, state SiteState) {
	now := SiteSettings{SiteSettings: set.Or(s.Defaults.SiteSettings), SiteState: state, Currency: s.Defaults.Currency, Languages: s.Defaults.Languages}
	if currency, err := models.ParseCurrency(set.Currency); err == nil {
		now.Currency = currency
	}
	if chosen := findLanguages(set.Languages); len(chosen) > 0 {
		now.Languages = chosen
	}
	now.useTheme(now.Theme)
	s.current.Store(&now)
}

// Preview returns a copy of the site with another theme.
func (s *Site) Preview(theme string) *Site {
	now := *s.Settings()
	now.useTheme(theme)
	preview := *s
	preview.current = new(atomic.Pointer[SiteSettings])
	preview.current.Store(&now)
	return &preview
}

// StyleAt returns the style sheet at a path: that of the site, or of a preview of a theme.
func (s *Site) StyleAt(path string) []byte {
	set := s.Settings()
	if path == set.StylePath() {
		return set.Style()
	}
	for _, theme := range set.Themes {
		if preview := s.Preview(theme.Name).Settings(); path == preview.StylePath() {
			return preview.Style()
		}
	}
	return nil
}

// findLanguages returns the languages with the given tags that the site has.
func findLanguages(tags []string) (found []*languages.Language) {
	for _, tag := range tags {
		if l := languages.Find(tag); l != nil {
			found = append(found, l)
		}
	}
	return found
}

// Settings returns the settings now.
func (s *Site) Settings() *SiteSettings {
	if s.current == nil {
		return &s.Defaults
	}
	return s.current.Load()
}

// Name returns the name of the site.
func (s *Site) Name() string { return s.Settings().Name }

// Owner returns the photographer or shop behind the site, "" if unknown.
func (s *Site) Owner() string { return s.Settings().Owner }

// Address returns the postal address of the owner for the imprint, "" if unknown.
func (s *Site) Address() string { return s.Settings().Address }

// Email returns the public email address of the owner, "" if unknown.
func (s *Site) Email() string { return s.Settings().Email }

// Currency returns the currency of prices.
func (s *Site) Currency() models.Currency { return s.Settings().Currency }

// Rates returns the last exchange rates, none if there are none.
func (s *Site) Rates() *models.Rates {
	if set := s.Settings(); set.Rates != nil {
		return set.Rates
	}
	return &models.Rates{Main: s.Currency()}
}

// Languages returns the languages of pages, the first for readers who ask for none of
// them: English if none is set.
func (s *Site) Languages() []*languages.Language {
	if all := s.Settings().Languages; len(all) > 0 {
		return all
	}
	return []*languages.Language{languages.English}
}

// Demo reports whether the database holds demonstration data.
func (s *Site) Demo() bool { return s.Settings().Demo }

// Purpose returns which halves of the site there are.
func (s *Site) Purpose() models.SitePurpose {
	return cmp.Or(s.Settings().Purpose, models.PortfolioAndShop)
}

// URL returns the absolute URL of a path.
func (s *Site) URL(path string) string { return s.BaseURL + path }

// Now returns the time of the site's clock.
func (s *Site) Now() time.Time {
	if s.Clock == nil {
		return time.Now()
	}
	return s.Clock()
}

// HTTPS reports whether the site is served over HTTPS.
func (s *Site) HTTPS() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// Local turns the absolute URLs of this site in s into paths, so that a page works
// under any host name. A srcset may contain several URLs.
func (s *Site) Local(url string) string { return strings.ReplaceAll(url, s.BaseURL+"/", "/") }

// Notice returns the demonstration notice, "" when the data is real.
func (s *Site) Notice() string {
	if s.Demo() {
		return DemoNotice
	}
	return ""
}

// HomeSections returns the sections of the home page that are shown, in order.
func (s *SiteSettings) HomeSections() []models.HomeSection {
	if len(s.Home) == 0 {
		return models.DefaultHome
	}
	return s.Home
}
