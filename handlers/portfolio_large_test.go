package handlers

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/portfolio"
)

// largePortfolio returns a portfolio of projects with the same number of photographs each,
// with long texts, many tags and several cameras.
func largePortfolio(t *testing.T, projects, photos int) fstest.MapFS {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picturetest.Image(2400, 1600), nil); err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for i := range projects {
		dir := fmt.Sprintf("portfolio/project-%02d/", i)
		var index strings.Builder
		fmt.Fprintf(&index, "---\ntitle: A project with a long title, number %d\ndescription: Two weeks on the ring road, before the buses came and after they had left again.\ndate: 2026-06-%02d\nphotos:\n", i, i%28+1)
		for j := range photos {
			name := fmt.Sprintf("dsc_%04d.jpg", j)
			fmt.Fprintf(&index, "  - file: %s\n    title: Low water at the pier, number %d\n    caption: Before the buses, in the rain.\n    subject: Subject %d\n    tags: [Iceland, summer, tag %d, a longer tag %d]\n    camera: %s\n", name, j, i%30, i, j%70, []string{"canon/eos-r6", "fujifilm/x-t4", "leica/m6"}[j%3])
			files[dir+name] = &fstest.MapFile{Data: b.Bytes()}
		}
		files[dir+"index.md"] = &fstest.MapFile{Data: []byte(index.String() + "---\n")}
	}
	return files
}

// TestLargePortfolio serves 5,000 photographs, in many projects and in one: pages are
// small, fast, and lead to all projects and photographs.
func TestLargePortfolio(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	const maxHTML, all = 60_000, 5000
	for _, shape := range []struct{ projects, photos int }{{50, all / 50}, {1, all}} {
		data := t.TempDir()
		s := newTestServer(t, func(c *Config) {
			c.Library = portfolio.Open(largePortfolio(t, shape.projects, shape.photos), c.Catalog, filepath.Join(data, "photos"), quiet(*c).Log)
			c.Library.Prepare(t.Context())
		})
		for _, target := range []string{"/portfolio", "/portfolio/project-00", "/portfolio/project-00?cursor=24", "/portfolio/project-00/dsc-0010", "/portfolio?tag=summer", "/portfolio?camera=canon/eos-r6"} {
			start := time.Now()
			resp, html := s.do(t, "GET", target)
			t.Logf("%d projects: %s has %d bytes, %v", shape.projects, target, len(html), time.Since(start).Round(time.Millisecond))
			if resp.StatusCode != 200 || len(html) > maxHTML {
				t.Errorf("%d projects: %s: %d, %d bytes", shape.projects, target, resp.StatusCode, len(html))
			}
		}
		for first, want := range map[string]int{"/portfolio": shape.projects, "/portfolio/project-00": shape.photos} {
			link := regexp.MustCompile(`href="(` + first + `/[^/"?]+)"`)
			seen := map[string]bool{}
			for next := first; next != ""; {
				_, html := s.do(t, "GET", next)
				for _, m := range link.FindAllStringSubmatch(html, -1) {
					seen[m[1]] = true
				}
				next = ""
				if m := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(html); m != nil {
					next = strings.ReplaceAll(m[1], "&amp;", "&")
				}
			}
			if len(seen) != want {
				t.Errorf("%s leads to %d, want %d", first, len(seen), want)
			}
		}
	}
}
