package models

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Theme is a look of the site: a folder with light.css, dark.css and templates of text.
// docs/reference/theme-files.md describes it.
type Theme struct {
	Name        string
	Light, Dark Tokens
	texts       map[string]string // by file name
}

// DefaultTheme is the name of the theme of a site that has chosen none.
const DefaultTheme = "paper"

// Tokens are the custom properties of light or of dark pages, by name without dashes.
type Tokens map[string]string

// Properties of a theme. Colours are required in both files.
var (
	themeColors  = []string{"paper", "sheet", "tray", "ink", "pencil", "rule", "edge", "safelight", "glow", "onlight"}
	themeLengths = []string{"corner"}
	themeFonts   = []string{"sans", "serif"}
)

// fontStacks maps the names of fonts in a theme to those in a style sheet.
var fontStacks = map[string]string{
	"source-sans": `"Source Sans 3", "Text Fallback", system-ui, sans-serif`,
	"fraunces":    `Fraunces, "Heading Fallback", Georgia, serif`,
	"system-ui":   "system-ui, sans-serif",
	"var(--sans)": "var(--sans)",
}

var (
	themeName   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`)
	themeLength = regexp.MustCompile(`^(0|[0-9]{1,2}(\.[0-9]{1,3})?(px|rem|em))$`)
	cssComment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
)

// maxThemeFile is the size of a file of a theme in bytes.
const maxThemeFile = 4096

// ReadTheme reads the theme in a folder. Its error says which line is refused, and why.
func ReadTheme(folders fs.FS, name string) (*Theme, error) {
	if !themeName.MatchString(name) {
		return nil, fmt.Errorf("%q is no name of a theme: use small letters, digits, - and _", name)
	}
	theme := &Theme{Name: name, texts: map[string]string{}}
	for file, tokens := range map[string]*Tokens{"light.css": &theme.Light, "dark.css": &theme.Dark} {
		css, err := readThemeFile(folders, name+"/"+file)
		if err == nil {
			*tokens, err = parseTokens(css)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	texts, err := fs.Glob(folders, name+"/headline*.txt")
	if err != nil {
		return nil, err
	}
	for _, file := range texts {
		text, err := readThemeFile(folders, file)
		text = strings.TrimSpace(text)
		if err == nil && (!Storable(text) || strings.Contains(text, "\n") || utf8.RuneCountInString(text) > MaxTagline) {
			err = fmt.Errorf("use a line of at most %d characters", MaxTagline)
		}
		_, base, _ := strings.Cut(file, "/")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", base, err)
		}
		theme.texts[base] = text
	}
	return theme, nil
}

// readThemeFile reads a small file.
func readThemeFile(folders fs.FS, name string) (string, error) {
	info, err := fs.Stat(folders, name)
	if err != nil {
		return "", errors.New("the file is missing")
	}
	if info.Size() > maxThemeFile {
		return "", fmt.Errorf("use at most %d bytes", maxThemeFile)
	}
	body, err := fs.ReadFile(folders, name)
	return string(body), err
}

// parseTokens parses a style sheet that is a rule for :root with custom properties alone,
// and checks the contrast of its colours.
func parseTokens(css string) (Tokens, error) {
	css = strings.TrimSpace(cssComment.ReplaceAllString(css, ""))
	rule, ok := strings.CutPrefix(css, ":root")
	rule = strings.TrimSpace(rule)
	if !ok || !strings.HasPrefix(rule, "{") || !strings.HasSuffix(rule, "}") {
		return nil, errors.New("write one rule, :root { … }, and nothing else")
	}
	tokens := Tokens{}
	for declaration := range strings.SplitSeq(rule[1:len(rule)-1], ";") {
		if declaration = strings.TrimSpace(declaration); declaration == "" {
			continue
		}
		property, value, _ := strings.Cut(declaration, ":")
		property, value = strings.TrimSpace(property), strings.TrimSpace(value)
		checked, err := checkToken(strings.TrimPrefix(property, "--"), value)
		if !strings.HasPrefix(property, "--") {
			err = errors.New("only custom properties may be set")
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", declaration, err)
		}
		tokens[property[2:]] = checked
	}
	return tokens, tokens.check()
}

// checkToken returns the value of a property as it is in the style sheet.
func checkToken(property, value string) (string, error) {
	switch {
	case slices.Contains(themeColors, property):
		if _, ok := ParseColor(strings.ToLower(value)); !ok {
			return "", errors.New("write a colour as # and six digits")
		}
		return strings.ToLower(value), nil
	case slices.Contains(themeLengths, property):
		if !themeLength.MatchString(value) {
			return "", errors.New("write a length such as 4px or 0.25rem")
		}
		return value, nil
	case slices.Contains(themeFonts, property):
		stack := fontStacks[value]
		if stack == "" || property == "sans" && value == "var(--sans)" {
			return "", errors.New("choose source-sans, fraunces or system-ui")
		}
		return stack, nil
	}
	return "", errors.New("there is no such property")
}

// color returns a colour of the tokens, which were checked.
func (k Tokens) color(name string) Color {
	c, _ := ParseColor(k[name])
	return c
}

// check returns an error if a colour is missing, or a text is hard to read on what it is
// read on.
func (k Tokens) check() error {
	for _, name := range themeColors {
		if k[name] == "" {
			return fmt.Errorf("--%s is missing", name)
		}
	}
	pairs := [][2]string{{"safelight", "glow"}, {"onlight", "safelight"}, {"paper", "ink"}}
	for _, text := range []string{"ink", "pencil", "safelight"} {
		for _, ground := range []string{"paper", "sheet", "tray"} {
			pairs = append(pairs, [2]string{text, ground})
		}
	}
	for _, pair := range pairs {
		if got := Contrast(k.color(pair[0]), k.color(pair[1])); got < MinContrast {
			return fmt.Errorf("--%s on --%s has a contrast of %.1f:1, and must have at least 4.5:1", pair[0], pair[1], got)
		}
	}
	return nil
}

// IsDark reports whether pages are dark.
func (k Tokens) IsDark() bool { return k.color("paper").luminance() < 0.18 }

// Paper returns the background of pages.
func (k Tokens) Paper() Color { return k.color("paper") }

// Ground returns the colours that an accent is read on.
func (k Tokens) Ground() Ground {
	g := Ground{Papers: []Color{k.color("paper"), k.color("sheet"), k.color("tray")}, Text: k.color("onlight")}
	if k.IsDark() {
		g.toward = Color{255, 255, 255}
	}
	return g
}

// CSS returns the declarations of the tokens.
func (k Tokens) CSS() string {
	var b strings.Builder
	scheme := "light"
	if k.IsDark() {
		scheme = "dark"
	}
	b.WriteString("color-scheme:" + scheme)
	for _, name := range slices.Concat(themeColors, themeLengths, themeFonts) {
		if value := k[name]; value != "" {
			b.WriteString(";--" + name + ":" + value)
		}
	}
	return b.String()
}

// Headline returns the headline of the home page in a language, "" for that of the site.
func (t *Theme) Headline(language, site, owner string) string {
	text := t.texts["headline."+language+".txt"]
	if text == "" {
		text = t.texts["headline.txt"]
	}
	if owner == "" {
		owner = site
	}
	return strings.NewReplacer("{site}", site, "{owner}", owner).Replace(text)
}

// FindTheme returns the theme with a name, "" for the default, or nil.
func FindTheme(themes []*Theme, name string) *Theme {
	if name == "" {
		name = DefaultTheme
	}
	for _, t := range themes {
		if t.Name == name {
			return t
		}
	}
	return nil
}
