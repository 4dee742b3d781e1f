package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestParseEnvFile compares values with what systemd makes of them: see systemd.exec(5).
func TestParseEnvFile(t *testing.T) {
	for line, want := range map[string]string{
		`A=b`: "A=b", `A = b `: "A=b", `A=`: "A=", `A="b c"`: "A=b c", `A='b "c"'`: `A=b "c"`, `A="a \"b\" \\ \$ \x"`: `A=a "b" \ $ \x`, `A='a\b'`: `A=a\b`, `A=a\ b`: "A=a b",
		`A=s3://shop?endpoint=https://s3.example&region=eu`: "A=s3://shop?endpoint=https://s3.example&region=eu",
		`A=p$ss;w#rd`: "A=p$ss;w#rd", "A=a\\\nb": "A=ab", `A="a"b'c'`: "A=abc", `A="a`: "A=a",
		"# A=b": "", "; A=b": "", "A": "", "": "",
	} {
		if got := strings.Join(parseEnvFile(line), "|"); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

// TestEnvFileOfPackage checks that every setting of the shipped file, with those that are
// commented out, is known and is the same in a shell, which quotes allow.
func TestEnvFileOfPackage(t *testing.T) {
	text, err := os.ReadFile("../../deploy/secondlight.env")
	mustDo(t, err)
	var lines []string
	for line := range strings.Lines(string(text)) {
		if commented, ok := strings.CutPrefix(line, "#"); ok && !strings.HasPrefix(commented, " ") {
			line = commented
		}
		lines = append(lines, line)
	}
	file := filepath.Join(t.TempDir(), "all.env")
	mustDo(t, os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600))
	variables := parseEnvFile(strings.Join(lines, ""))
	for _, variable := range variables {
		key, value, _ := strings.Cut(variable, "=")
		out, err := exec.Command("sh", "-c", `set -a; . "$0"; printenv "$1"`, file, key).Output()
		if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != value {
			t.Errorf("%s is %q in a shell, %v, and %q for systemd", key, got, err, value)
		}
	}
	if !slices.ContainsFunc(variables, func(v string) bool { return strings.HasPrefix(v, "BLOB_URL=") && strings.Contains(v, "&") }) {
		t.Error("the file has no BLOB_URL with &")
	}
}

// TestEnvFile uses the settings of a file, which the environment overrides.
func TestEnvFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "test.env")
	mustDo(t, os.WriteFile(file, []byte("DATA_DIR="+dir+"/a&b\nLISTEN_ADDR=127.0.0.1:1\n"), 0o600))
	t.Setenv("DATA_DIR", "")
	t.Setenv("LISTEN_ADDR", "")
	steps(t, nil, []step{
		{[]string{"migrate", "--env-file", file}, exitOK, ""},
		{[]string{"member", "list", "--env-file=" + file}, exitOK, ""},
		{[]string{"member", "list", "--env-file", filepath.Join(dir, "none")}, exitUsage, "none"},
	})
	if _, err := os.Stat(filepath.Join(dir, "a&b", "secondlight.db")); err != nil {
		t.Error(err)
	}
	steps(t, []string{"DATA_DIR=" + filepath.Join(dir, "c")}, []step{{[]string{"migrate", "--env-file", file}, exitOK, ""}})
	if _, err := os.Stat(filepath.Join(dir, "c", "secondlight.db")); err != nil {
		t.Error(err)
	}
}
