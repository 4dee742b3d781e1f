package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandsOfAnotherSite checks that every command that touches data refuses a database or
// files that the server in DATA_DIR doesn't use, and says what it uses without passwords.
func TestCommandsOfAnotherSite(t *testing.T) {
	dir := t.TempDir()
	env := []string{"DATA_DIR=" + dir}
	steps(t, env, []step{{[]string{"migrate"}, exitOK, "database sqlite:"}, {createJane, exitOK, dir}})
	set, err := readSettings(env)
	mustDo(t, err)
	end, err := recordServing(t.Context(), set)
	mustDo(t, err)
	again, err := recordServing(t.Context(), set) // another server with the same database
	mustDo(t, err)
	again()
	folder := filepath.Join(dir, "backups")
	all := [][]string{
		{"backup", folder}, {"backup", folder, "--files"}, {"migrate"}, {"setup"}, {"member", "list"}, {"token", "create", "--handle", "jane", "--scope", "account:read"},
		{"files"}, {"files", "sweep"}, {"deliveries", "pause"}, {"import", "photos", t.TempDir()}, {"notify", "x"},
	}
	other := append(env, "CONTACT_EMAIL=a@b.example", "DATABASE_URL=postgres://ada:hunter2@127.0.0.1:1/shop?sslmode=disable&connect_timeout=1")
	for _, args := range all {
		status, out, errOut := call(t, other, "", args...)
		if text := out + errOut; status != exitFailed || !strings.Contains(text, "uses database sqlite:") || !strings.Contains(text, "postgres://127.0.0.1:1/shop") || strings.Contains(text, "hunter2") {
			t.Errorf("%v: exit status %d\n%s", args, status, text)
		}
	}
	otherSet, err := readSettings(other)
	mustDo(t, err)
	if _, err := recordServing(t.Context(), otherSet); err == nil {
		t.Error("another server with another database starts")
	}
	consult(t, other...).expect(t, "settings", failure, "uses database")
	steps(t, env, []step{{[]string{"backup", folder, "--check"}, exitOK, "is complete"}, {[]string{"member", "list"}, exitOK, "jane"}})
	link := filepath.Join(t.TempDir(), "link")
	mustDo(t, os.Symlink(dir, link))
	steps(t, []string{"DATA_DIR=" + link}, []step{{[]string{"member", "list"}, exitOK, "jane"}}) // the same place
	end()
	if err := otherSet.checkServing(); err != nil {
		t.Errorf("no server runs: %v", err)
	}
}
