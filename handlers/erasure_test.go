//go:build !race

package handlers

import (
	"bytes"
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestDeletedIsErased calls every operation that writes, and deletes accounts, and checks that
// no text that a row had and none has any more is left in the files of the database.
func TestDeletedIsErased(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	file := strings.TrimPrefix(url, "sqlite:")
	db, err := sql.Open("sqlite", file)
	must(err)
	defer db.Close()
	s := newMarketServer(t, func(c *Config) { c.Store = storetest.Open(t, url, func() time.Time { return testNow }) })
	ann, bob, op := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	c := &scene{T: t, s: s, ann: ann, bob: bob, eve: s.join(t, "eve", models.RoleMember)}
	people := map[string]*testMember{"ann": ann, "bob": bob}
	seen := map[string]bool{}
	for _, o := range s.Operations() {
		if !o.Writes() || o.Access == web.SignedIn {
			continue
		}
		who := people[matrix[o.Name].right]
		if o.Access == web.Operators || who == nil {
			who = op
		}
		c.caller = who
		s.request(t, o, matrix[o.Name].ask(c), "Authorization", "Bearer "+who.token)
		maps.Copy(seen, texts(t, db))
	}
	outbox := filepath.Join(s.cfg.outbox, "1.eml")
	must(os.MkdirAll(s.cfg.outbox, 0o700))
	for name, to := range map[string]string{outbox: "Ann@example.org", outbox + ".other.eml": "bob@example.org"} {
		must(os.WriteFile(name, []byte("To: <"+to+">\r\nSubject: x\r\n\r\nx"), 0o600))
	}
	for _, m := range []*testMember{c.eve, ann} {
		m.beginSession()
		if resp, body := m.post(t, "/account/delete", "password=correct+horse+battery+"+m.Handle); resp.StatusCode != 303 {
			t.Fatalf("deleting %s is %d: %s", m.Handle, resp.StatusCode, body)
		}
	}
	if _, err := os.Stat(outbox); err == nil {
		t.Error("an email to a deleted member is left in the outbox")
	}
	if _, err := os.Stat(outbox + ".other.eml"); err != nil {
		t.Error("an email to another member was deleted")
	}
	for _, age := range []time.Duration{delivery.OutboxPeriod - time.Hour, delivery.OutboxPeriod + time.Hour} {
		written, kept := testNow.Add(-age), age < delivery.OutboxPeriod
		must(os.Chtimes(outbox+".other.eml", written, written))
		must(s.cleanUp(t.Context(), false))
		if _, err := os.Stat(outbox + ".other.eml"); (err == nil) != kept {
			t.Errorf("after %v an email in the outbox is kept: %v", age, err == nil)
		}
	}

	var left strings.Builder
	for text := range texts(t, db) {
		left.WriteString(text)
		left.WriteByte(0)
	}
	var files []byte
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(file + suffix)
		must(err)
		files = append(files, content...)
	}
	erased := 0
	for text := range seen {
		if strings.Contains(left.String(), text) {
			continue
		}
		if erased++; bytes.Contains(files, []byte(text)) {
			t.Errorf("%q was deleted and is in the files", text)
		}
	}
	if erased < 100 {
		t.Errorf("only %d texts were deleted", erased)
	}
}

// texts returns the texts of at least 8 bytes in all rows of all tables.
func texts(t *testing.T, db *sql.DB) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	tables, err := db.Query(`SELECT name FROM sqlite_master WHERE type = 'table'`)
	must(err)
	names := []string{"sqlite_master"} // the schema has texts of its own
	for tables.Next() {
		var name string
		must(tables.Scan(&name))
		names = append(names, name)
	}
	must(tables.Err())
	for _, name := range names {
		rows, err := db.Query(`SELECT * FROM ` + name)
		must(err)
		columns, err := rows.Columns()
		must(err)
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		for rows.Next() {
			must(rows.Scan(values...))
			for _, v := range values {
				if text, ok := (*v.(*any)).(string); ok && len(text) >= 8 {
					all[text] = true
				}
			}
		}
		must(rows.Err())
	}
	return all
}
