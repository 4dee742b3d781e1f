package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
)

type versionCommand struct{}

func (versionCommand) Run(c *console) error {
	_, err := fmt.Fprintln(c.out, describeBuild(buildInfo()))
	return err
}

// buildInfo returns what the build recorded, or only the Go release if it recorded nothing.
func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{GoVersion: runtime.Version()}
}

// release returns the version of a build: the tag of the commit, such as 1.0.0, or without a
// tag the pseudo-version of the commit. Builds that don't record the commit, such as those of
// go run, are "devel".
func release(info *debug.BuildInfo) string {
	if info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// describeBuild returns the version, and the commit, its date and the Go release that the
// program was built from, as far as the build recorded them.
func describeBuild(info *debug.BuildInfo) string {
	recorded := map[string]string{}
	for _, s := range info.Settings {
		recorded[s.Key] = s.Value
	}
	var from []string
	if commit := recorded["vcs.revision"]; commit != "" {
		if recorded["vcs.modified"] == "true" {
			commit += " modified"
		}
		from = append(from, "commit "+commit)
	}
	if date := recorded["vcs.time"]; date != "" {
		from = append(from, date)
	}
	from = append(from, info.GoVersion)
	return fmt.Sprintf("secondlight %s (%s)", release(info), strings.Join(from, ", "))
}

// programID identifies the running program: another release, and another build of one, has another ID.
// It is what no other run has if the file of the program can't be read.
func programID() string {
	name, err := os.Executable()
	if err != nil {
		return models.NewSecret()
	}
	file, err := os.Stat(name)
	if err != nil {
		return models.NewSecret()
	}
	return fmt.Sprintf("%s, %d bytes of %s", describeBuild(buildInfo()), file.Size(), file.ModTime().UTC().Format(time.RFC3339Nano))
}
