package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

func TestMembersAndTokens(t *testing.T) {
	dir := t.TempDir()
	env := []string{"DATA_DIR=" + dir}
	create := func(handle string) []string {
		return []string{"member", "create", "--handle", handle, "--email", handle + "@example.org", "--password-stdin"}
	}
	for _, c := range []struct {
		name  string
		stdin string
		args  []string
		want  int
		says  string
	}{
		{"member", "three words in a row\n", create("jane"), exitOK, "created member jane"},
		{"operator", "three words in a row", append(create("olga"), "--operator", "--name", "Olga", "--region", "DE"), exitOK, "created member olga"},
		{"handle again", "three words in a row\n", create("jane"), exitFailed, "Choose another handle"},
		{"short password", "short\n", create("john"), exitFailed, "at least 10 characters"},
		{"no password", "", create("john"), exitFailed, "at least 10 characters"},
		{"password on the command line", "", append(create("john"), "--password", "x"), exitUsage, "--password"},
		{"no handle", "", []string{"member", "create", "--email", "x@example.org", "--password-stdin"}, exitUsage, "--handle"},
		{"unknown scope", "", []string{"token", "create", "--handle", "jane", "--scope", "root"}, exitUsage, "listings:write"},
		{"token of nobody", "", []string{"token", "create", "--handle", "nobody", "--scope", "account:read"}, exitFailed, "nobody"},
		{"token of the past", "", []string{"token", "create", "--handle", "jane", "--scope", "account:read", "--expires=-1h"}, exitUsage, "negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errOut := call(t, env, c.stdin, c.args...)
			if status != c.want || !strings.Contains(out+errOut, c.says) {
				t.Errorf("exit status %d, want %d, and %q in\n%s%s", status, c.want, c.says, out, errOut)
			}
		})
	}
	status, out, errOut := call(t, env, "", "token", "create", "--handle", "jane", "--scope", "listings:write,offers:write", "--scope", "account:read", "--expires", "1h")
	if status != exitOK || errOut != "" || strings.Count(out, "\n") != 1 {
		t.Fatalf("%d %q %q", status, out, errOut)
	}
	store, err := models.Open(t.Context(), "sqlite:"+filepath.Join(dir, "secondlight.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	id, err := store.TokenIdentity(t.Context(), strings.TrimSpace(out))
	if err != nil || id == nil || id.Member.Handle != "jane" || id.Scopes.String() != "listings:write offers:write account:read" {
		t.Errorf("%+v %v", id, err)
	}
}
