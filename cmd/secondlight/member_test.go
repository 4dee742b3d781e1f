package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestMembersAndTokens(t *testing.T) {
	dir := t.TempDir()
	env := []string{"DATA_DIR=" + dir}
	steps(t, env, []step{{[]string{"migrate"}, exitOK, ""}})
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
		{"handle again", "three words in a row\n", create("jane"), exitFailed, "Choose another username"},
		{"short password", "short\n", create("john"), exitFailed, "at least 10 characters"},
		{"no password", "", create("john"), exitFailed, "at least 10 characters"},
		{"password on the command line", "", append(create("john"), "--password", "x"), exitUsage, "--password"},
		{"no handle", "", []string{"member", "create", "--email", "x@example.org", "--password-stdin"}, exitUsage, "--handle"},
		{"unknown scope", "", []string{"token", "create", "--handle", "jane", "--scope", "root"}, exitUsage, "listings:write"},
		{"token of nobody", "", []string{"token", "create", "--handle", "nobody", "--scope", "account:read"}, exitFailed, "nobody"},
		{"scope of operators", "", []string{"token", "create", "--handle", "jane", "--scope", "account:read,admin"}, exitFailed, "The role member doesn't have the scope admin"},
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
	if status != exitOK || strings.Count(errOut, "\n") != 1 || strings.Count(out, "\n") != 1 {
		t.Fatalf("%d %q %q", status, out, errOut)
	}
	store, err := store.Open(t.Context(), "sqlite:"+filepath.Join(dir, "secondlight.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	id, err := store.Tokens.TokenIdentity(t.Context(), strings.TrimSpace(out))
	if err != nil || id == nil || id.Member.Handle != "jane" || id.Scopes.String() != "listings:write offers:write account:read" {
		t.Errorf("%+v %v", id, err)
	}
}

// TestModerateMembers lists, suspends, restores and resets members on both engines.
func TestModerateMembers(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, databaseURL string) {
		env := []string{"DATABASE_URL=" + databaseURL, "DATA_DIR=" + t.TempDir(), "BASE_URL=https://shop.example", "MIGRATE=auto"}
		create := func(handle string, more ...string) []string {
			return append([]string{"member", "create", "--handle", handle, "--email", handle + "@example.org", "--password-stdin"}, more...)
		}
		suspend := []string{"member", "suspend", "jane", "--reason", "asks for payment elsewhere"}
		steps(t, env, []step{
			{[]string{"migrate"}, exitOK, ""},
			{createJane, exitOK, ""},
			{suspend, exitFailed, "member create --operator"},
			{create("olga", "--operator"), exitOK, ""},
			{[]string{"member", "suspend", "jane"}, exitUsage, "--reason"},
			{[]string{"member", "suspend", "jane", "--reason", " "}, exitUsage, "--reason"},
			{[]string{"member", "suspend", "nobody", "--reason", "x"}, exitFailed, "nobody"},
			{[]string{"member", "suspend", "olga", "--reason", "x"}, exitFailed, "can't be suspended"},
			{suspend, exitOK, "suspended member jane"},
			{[]string{"member", "list", "--suspended"}, exitOK, "jane                            suspended"},
			{create("otto", "--operator"), exitOK, ""},
			{[]string{"member", "restore", "jane", "--reason", "settled"}, exitUsage, "--operator"},
			{[]string{"member", "restore", "jane", "--reason", "settled", "--operator", "jane"}, exitFailed, "jane is not an operator"},
			{[]string{"member", "restore", "jane", "--reason", "settled", "--operator", "OTTO"}, exitOK, "restored member jane"},
			{[]string{"member", "list", "--limit=-1"}, exitUsage, "negative"},
			{[]string{"member", "reset", "nobody"}, exitFailed, "nobody"},
		})
		for args, want := range map[string]string{
			"":                     "jane olga otto",
			"JANE@":                "jane",
			"--operators":          "olga otto",
			"--limit=1":            "jane",
			"--limit=1 --after=jo": "olga",
			"--suspended":          "",
		} {
			_, out, _ := call(t, env, "", append([]string{"member", "list", "--json"}, strings.Fields(args)...)...)
			var handles []string
			for line := range strings.Lines(out) {
				var m listedMember
				mustDo(t, json.Unmarshal([]byte(line), &m))
				if m.Email != m.Handle+"@example.org" || m.JoinedAt == "" || m.SuspendedAt != "" {
					t.Errorf("%+v", m)
				}
				handles = append(handles, m.Handle)
			}
			if got := strings.Join(handles, " "); got != want {
				t.Errorf("member list %s lists %q, want %q", args, got, want)
			}
		}
		db := storetest.Open(t, databaseURL, nil)
		audit, err := db.Moderation.Audit(t.Context(), store.AuditFilter{}, store.AuditKey{}, 9)
		mustDo(t, err)
		if len(audit) != 2 || audit[0].Note != "On the command line: settled" || audit[1].Note != "On the command line: asks for payment elsewhere" || audit[0].OperatorID == audit[1].OperatorID {
			t.Errorf("%+v", audit)
		}
		checkReset(t, env, db)
		mustDo(t, db.Accounts.InsertMembers(t.Context(), []models.Member{{Handle: "shop", Name: "Imported"}}))
		steps(t, env, []step{{[]string{"member", "reset", "shop"}, exitFailed, "shop has no account"}})
	})
}

// checkReset signs jane in, and checks that member reset signs her out and prints a link
// that works once.
func checkReset(t *testing.T, env []string, store *store.Store) {
	t.Helper()
	account, err := store.Accounts.SignIn(t.Context(), "jane@example.org", "correct horse battery", "192.0.2.1")
	mustDo(t, err)
	session, err := store.Accounts.BeginSession(t.Context(), account, "", "192.0.2.1")
	mustDo(t, err)
	status, out, errOut := call(t, env, "", "member", "reset", "jane")
	code, ok := strings.CutPrefix(strings.TrimSpace(out), "https://shop.example/reset-password/new?code=")
	if status != exitOK || !ok || !strings.Contains(errOut, "works once") {
		t.Fatalf("%d %q %q", status, out, errOut)
	}
	if id, err := store.Accounts.Session(t.Context(), session); id != nil || err != nil {
		t.Errorf("still signed in: %+v %v", id, err)
	}
	for _, want := range []bool{true, false} {
		if _, err := store.Accounts.ResetPassword(t.Context(), code, "four other words here"); (err == nil) != want {
			t.Errorf("the link works: %v, want %v", err, want)
		}
	}
}

// TestMemberSupport tests what operators do for members who can't: find them by the id in a log,
// export their data, change a lost address, end their sessions and delete their account, each with
// a reason in the audit log.
func TestMemberSupport(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		env := migrated(t, url)
		steps(t, env, []step{
			{[]string{"member", "create", "--handle", "olga", "--email", "olga@example.org", "--password-stdin", "--operator"}, exitOK, ""},
			{createJane, exitOK, ""},
		})
		db, err := store.Open(t.Context(), url, nil)
		mustDo(t, err)
		defer db.Close()
		jane, err := db.Accounts.Member(t.Context(), "jane")
		mustDo(t, err)
		account, err := db.Accounts.Account(t.Context(), jane.ID)
		mustDo(t, err)
		_, err = db.Accounts.BeginSession(t.Context(), account, "Firefox/1", "192.0.2.1")
		mustDo(t, err)
		because := func(args ...string) []string {
			return append([]string{"member"}, append(args, "--reason", "asked in writing")...)
		}
		steps(t, env, []step{
			{[]string{"member", "list", jane.ID}, exitOK, "jane "},
			{[]string{"member", "list", "--json", jane.ID}, exitOK, `"id":"` + jane.ID + `"`},
			{[]string{"member", "sessions", "jane"}, exitOK, "Firefox/1"},
			{because("sessions", "jane", "--end"), exitOK, "signed out"},
			{because("export", "jane"), exitOK, `"email":"jane@example.org"`},
			{because("email", "jane", "--to", "nonsense"), exitFailed, "email"},
			{because("email", "jane", "--to", "olga@example.org"), exitFailed, "already"},
			{because("email", "jane", "--to", "new@example.org"), exitOK, "queued for both"},
			{[]string{"member", "list", "jane"}, exitOK, "new@example.org"},
			{because("delete", "jane"), exitUsage, "--yes"},
			{because("delete", "olga", "--yes"), exitFailed, "only operator"},
			{because("delete", "jane", "--yes"), exitOK, "deleted"},
			{because("delete", "jane", "--yes"), exitFailed, "no member"},
			{[]string{"member", "delete", "olga", "--yes", "--reason", " "}, exitUsage, "--reason is empty"},
		})
		if sessions, err := db.Accounts.Sessions(t.Context(), jane.ID); err != nil || len(sessions) != 0 {
			t.Errorf("sessions: %v, %v", sessions, err)
		}
		entries, err := db.Moderation.Audit(t.Context(), store.AuditFilter{}, store.AuditKey{}, 10)
		mustDo(t, err)
		var actions []string
		for _, e := range entries {
			if e.Note != "On the command line: asked in writing" || e.Subject != jane.ID {
				t.Errorf("%+v", e)
			}
			actions = append(actions, string(e.Action))
		}
		if got := strings.Join(actions, " "); got != "delete_member replace_email export_member end_sessions" {
			t.Error(got)
		}
	})
}
