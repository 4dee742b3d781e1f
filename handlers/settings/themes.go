package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
)

// readThemes reads the themes of the program, and those in DATA_DIR/themes. It returns
// which of these can't be used, and why.
func (s *Settings) readThemes() (themes []*models.Theme, refused []string) {
	add := func(folders fs.FS, name string) {
		theme, err := models.ReadTheme(folders, name)
		if err != nil {
			s.Log.Warn("read theme", "theme", name, "err", err)
			refused = append(refused, name+": "+err.Error())
		} else if models.FindTheme(themes, name) == nil {
			themes = append(themes, theme)
		}
	}
	for _, name := range shippedThemes {
		add(content.Themes(), name)
	}
	own := os.DirFS(filepath.Join(s.DataDir, "themes"))
	folders, err := fs.ReadDir(own, ".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Log.Warn("read themes", "err", err)
	}
	for _, folder := range folders {
		if folder.IsDir() {
			add(own, folder.Name())
		}
	}
	return themes, refused
}

// shippedThemes are the themes that every site has, in the order in which they are shown.
var shippedThemes = []string{models.DefaultTheme, "gallery_white", "darkroom"}
