package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// version is the release, which the builds of releases set with -ldflags.
var version = "0.1.0"

type versionCommand struct{}

func (versionCommand) Run(c *console) error {
	_, err := fmt.Fprintln(c.out, versionLine())
	return err
}

// versionLine returns the version, and the commit, its date and the Go release that the
// program was built from, as far as the build recorded them.
func versionLine() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "secondlight " + version
	}
	return describeBuild(info)
}

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
	return fmt.Sprintf("secondlight %s (%s)", version, strings.Join(from, ", "))
}

// programSum returns the checksum of the running program, or what no other run returns if
// its file can't be read.
func programSum() string {
	name, err := os.Executable()
	if err != nil {
		return models.NewSecret()
	}
	file, err := os.Open(name)
	if err != nil {
		return models.NewSecret()
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return models.NewSecret()
	}
	return hex.EncodeToString(sum.Sum(nil))
}
