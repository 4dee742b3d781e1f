package document

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"

	"github.com/secondlight/secondlight/handlers/text"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/static"
	accountviews "github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

// mountWebApp serves what lets browsers install the site and open visited pages without a
// connection: the web app manifest and the service worker.
func (s Documents) mountWebApp(server *serve.Server) {
	server.MountObject("/manifest.webmanifest", "application/manifest+json", s.webManifest, "Cache-Control", web.CacheShort)
	server.MountDocument("/service-worker.js", "text/javascript; charset=utf-8", s.serviceWorker)
}

// webManifest returns the web app manifest, in the first language of the site:
// https://www.w3.org/TR/appmanifest/.
func (s Documents) webManifest() web.Object {
	l := s.Site.Languages()[0]
	paper, _ := s.Site.Settings().PaperColors()
	icon := func(name, size, purpose string) web.Object {
		return web.NewObject("src", static.Path("icons/"+name+".png"), "type", "image/png", "sizes", size+"x"+size, "purpose", purpose)
	}
	shortcut := func(name, path string) web.Object { return web.NewObject("name", name, "url", path) }
	return web.NewObject(
		"id", "/",
		"name", s.Site.Name(),
		"short_name", s.Site.Name(),
		"description", l.Text("Used cameras and lenses, and what they're worth"),
		"lang", l.Code(),
		"start_url", "/",
		"scope", "/",
		"display", "standalone",
		"theme_color", paper,
		"background_color", paper,
		"categories", []string{"shopping", "photo"},
		"icons", []web.Object{icon("app-192", "192", "any"), icon("app-512", "512", "any"), icon("app-maskable-512", "512", "maskable")},
		"shortcuts", []web.Object{shortcut(l.Text("Shop all"), "/listings"), shortcut(l.Text("Price guide"), "/gear"), shortcut(l.Text("Sell your gear"), "/sell")},
	)
}

// serviceWorker returns static/offline.js, preceded by the release it stores files of. The
// release has another version when any of these files changes.
func (s Documents) serviceWorker(ctx context.Context) ([]byte, error) {
	const name = "offline.js"
	worker, _ := static.ByName(name)
	version := sha256.New()
	version.Write(worker.Body)
	for _, l := range s.Site.Languages() {
		if err := ui.Document(s.Site, accountviews.NewOffline(s.Site)).Render(l.NewContext(ctx), version); err != nil {
			return nil, err
		}
	}
	files := []string{text.OfflinePage, static.Path("favicon.svg")}
	for _, f := range static.All() {
		if f.Name != name && slices.Contains([]string{".css", ".js", ".woff2"}, path.Ext(f.Name)) {
			files = append(files, f.Path)
			version.Write([]byte(f.Path))
		}
	}
	release, err := json.Marshal(map[string]any{"version": hex.EncodeToString(version.Sum(nil)[:5]), "files": files})
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{[]byte("const release = "), release, []byte("\n\n"), worker.Body}, nil), nil
}
