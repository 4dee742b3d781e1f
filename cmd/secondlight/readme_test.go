package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// asProgram is set in the environment of processes of the tests that are to be the program.
const asProgram = "TEST_AS_SECONDLIGHT"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestReadme runs the commands of the section "Selling and buying" of README.md as they are printed,
// one after the other, in another folder than that of the site.
func TestReadme(t *testing.T) {
	for _, name := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("NOT TESTED: " + name + " is not installed")
		}
	}
	_, section, _ := strings.Cut(readRoot(t, "README.md"), "\n## Selling and buying\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1) {
		script.WriteString(block[1])
	}
	folder, data, bin := t.TempDir(), t.TempDir(), t.TempDir()
	program, err := os.Executable()
	mustDo(t, err)
	mustDo(t, os.WriteFile(filepath.Join(bin, "secondlight"), []byte("#!/bin/sh\n"+asProgram+"=1 exec "+program+` "$@"`+"\n"), 0o700))
	photo, err := os.ReadFile("../../docs/home.jpg")
	mustDo(t, err)
	mustDo(t, os.WriteFile(filepath.Join(folder, "front.jpg"), photo, 0o600))
	env := append(os.Environ(), "DATA_DIR="+data, "DATABASE_URL=", "PATH="+bin+":"+os.Getenv("PATH"))
	whileServing(t, env, func(address string) {
		commands := "set -eo pipefail\n" + strings.ReplaceAll(script.String(), "http://127.0.0.1:8080", address)
		cmd := exec.CommandContext(t.Context(), "bash", "-c", commands+"\napi -f "+address+"/api/offers/$OFFER")
		cmd.Dir, cmd.Env = folder, env
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), `"status":"accepted"`) {
			t.Errorf("%v: %s", err, out)
		}
	})
}
