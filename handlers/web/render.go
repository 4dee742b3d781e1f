package web

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
)

// ResourceOf returns the API path of the resource that a page shows, or the path of
// the page if there is none.
func (s *Site) ResourceOf(page Page) string {
	if p, ok := page.(ResourcePage); ok {
		return p.Resource()
	}
	return s.Layout.Head(page).Path
}

// PanicError returns the error for a recovered panic, with its stack for the log.
func PanicError(value any) error { return fmt.Errorf("panic: %v\n%s", value, debug.Stack()) }

// RenderTo appends a page in a format, in the language of ctx, to dst. The viewer affects
// HTML only; nil stands for an anonymous one.
func (s *Site) RenderTo(ctx context.Context, dst []byte, page Page, format Format, viewer *Viewer) ([]byte, error) {
	if a, ok := page.(JSONAppender); ok && format == JSON {
		return a.AppendJSON(dst), nil
	}
	buf := bytes.NewBuffer(dst)
	err := s.write(ctx, buf, page, format, viewer)
	return buf.Bytes(), err
}

// write renders a page in a format.
func (s *Site) write(ctx context.Context, buf *bytes.Buffer, page Page, format Format, viewer *Viewer) error {
	switch format {
	case HTML:
		return s.Layout.Document(ctx, buf, page, viewer)
	case Markdown:
		return page.Markdown(ctx, &indexedMarkdown{buf: buf, index: s.URL("/llms.txt")})
	case CSV:
		return page.(CSVPage).CSV(buf)
	case SVG:
		return page.(SVGPage).SVG(ctx, buf)
	case Atom:
		return page.(FeedPage).Atom(buf)
	case JSONFeed:
		return page.(FeedPage).JSONFeed(buf)
	}
	return encodeTo(buf, page)
}

// Render returns a page in English in a format for an anonymous viewer. The page must have the
// format. A panic of the page is returned as an error.
func (s *Site) Render(page Page, format Format) ([]byte, error) {
	return s.RenderSafely(context.Background(), page, format)
}

// RenderSafely renders a page in a format, in the language of ctx, for an anonymous
// viewer. It returns a panic as an error.
func (s *Site) RenderSafely(ctx context.Context, page Page, format Format) (body []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = PanicError(r)
		}
	}()
	return s.RenderTo(ctx, nil, page, format, nil)
}

// indexedMarkdown is a writer that inserts a link to the index of the site below the
// heading of a page's Markdown.
type indexedMarkdown struct {
	buf   *bytes.Buffer
	index string // URL of llms.txt
	done  bool
}

// Write implements io.Writer. The heading must be written in one call.
func (w *indexedMarkdown) Write(p []byte) (int, error) {
	rest := p
	if end := bytes.IndexByte(p, '\n') + 1; end > 0 && !w.done {
		w.done = true
		w.buf.Write(p[:end])
		w.buf.WriteString("\n> Everything on this site: [llms.txt](" + w.index + ")\n")
		rest = p[end:]
	}
	w.buf.Write(rest)
	return len(p), nil
}

// CanonicalOf returns the canonical path of a page, with its query.
func (s *Site) CanonicalOf(page Page) string {
	if p, ok := page.(CanonicalPage); ok {
		return p.Canonical()
	}
	return s.Layout.Head(page).Path
}

// MediaTypes returns the media types of formats.
func MediaTypes(formats []Format) []string {
	types := make([]string, len(formats))
	for i, f := range formats {
		types[i] = f.MediaType()
	}
	return types
}
