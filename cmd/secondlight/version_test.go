package main

import (
	"runtime/debug"
	"testing"
)

func TestDescribeBuild(t *testing.T) {
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, "secondlight " + version + " (go1.26.0)"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.time", Value: "2026-11-22T10:00:00Z"}, {Key: "vcs.modified", Value: "false"}},
			"secondlight " + version + " (commit c0ffee, 2026-11-22T10:00:00Z, go1.26.0)"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.modified", Value: "true"}},
			"secondlight " + version + " (commit c0ffee modified, go1.26.0)"},
	} {
		if got := describeBuild(&debug.BuildInfo{GoVersion: "go1.26.0", Settings: c.settings}); got != c.want {
			t.Errorf("%v: %q, want %q", c.settings, got, c.want)
		}
	}
}
