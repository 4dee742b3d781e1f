package main

import (
	"fmt"
	"runtime/debug"
)

// version is the release. The version command adds the commit of the build.
const version = "0.1.0"

type versionCommand struct{}

func (versionCommand) Run(c *console) error {
	line := "secondlight " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				line += " (" + s.Value + ")"
			}
		}
		line += " " + info.GoVersion
	}
	_, err := fmt.Fprintln(c.out, line)
	return err
}
