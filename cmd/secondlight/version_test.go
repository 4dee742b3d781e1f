package main

import (
	"runtime/debug"
	"testing"
)

func TestDescribeBuild(t *testing.T) {
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"", nil, "secondlight devel (go1.26.0)"},
		{"(devel)", nil, "secondlight devel (go1.26.0)"},
		{"v1.0.0", []debug.BuildSetting{{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.time", Value: "2026-11-22T10:00:00Z"}, {Key: "vcs.modified", Value: "false"}},
			"secondlight 1.0.0 (commit c0ffee, 2026-11-22T10:00:00Z, go1.26.0)"},
		{"v0.0.0-20261122100000-c0ffeec0ffee+dirty", []debug.BuildSetting{{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.modified", Value: "true"}},
			"secondlight 0.0.0-20261122100000-c0ffeec0ffee+dirty (commit c0ffee modified, go1.26.0)"},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: c.version}, Settings: c.settings}
		if got := describeBuild(info); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.version, c.settings, got, c.want)
		}
	}
}
