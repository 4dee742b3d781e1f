package handlers

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
)

// TestBackups tests that an operator makes a backup in the background, downloads it whole
// and in part, and deletes it, and that nobody else gets it.
func TestBackups(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newMarketServer(t, func(c *Config) { c.BackupDir = filepath.Join(dir, "backups") })
	op, editor := s.join(t, "the-operator", models.RoleOperator), s.join(t, "the-editor", models.RoleEditor)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.backups.Run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })

	if list := op.ask(t, "GET", "/api/admin/backups", "", 200); len(list["backups"].([]any)) != 0 {
		t.Fatalf("listed %v", list)
	}
	op.ask(t, "POST", "/api/admin/backups", "", 200)
	var name string
	eventually(t, "the backup is made", func() bool {
		list := op.ask(t, "GET", "/api/admin/backups", "", 200)
		if len(list["backups"].([]any)) == 1 && list["running_backup"] == nil {
			name = get(t, list, "backups.0.name").(string)
		}
		return name != ""
	})
	must(os.WriteFile(filepath.Join(dir, "backups", "holiday.zip"), []byte("no backup"), 0o600))
	must(os.WriteFile(filepath.Join(dir, "outside.zip"), []byte("no backup"), 0o600))

	path := "/admin/backups/" + name + ".zip"
	for _, m := range []*testMember{nil, editor} {
		var header []string
		if m != nil {
			header = []string{"Cookie", m.cookie}
		}
		if resp, _ := s.do(t, "GET", path, header...); resp.StatusCode != 404 {
			t.Errorf("somebody else gets the backup: %d", resp.StatusCode)
		}
	}
	narrow, err := s.store.Tokens.CreateToken(t.Context(), op.ID, &models.Token{Name: "narrow", Scopes: models.Scopes{models.Moderation}})
	must(err)
	if resp, _ := s.do(t, "GET", path, "Authorization", "Bearer "+narrow); resp.StatusCode != 404 {
		t.Errorf("a token without the scope gets the backup: %d", resp.StatusCode)
	}
	resp, whole := s.do(t, "GET", path, "Cookie", op.cookie)
	if resp.StatusCode != 200 || resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("Content-Disposition") != `attachment; filename="`+name+`.zip"` {
		t.Errorf("downloaded with %d and %v", resp.StatusCode, resp.Header)
	}
	if part, text := s.do(t, "GET", path, "Authorization", "Bearer "+op.token, "Range", "bytes=10-19"); part.StatusCode != 206 || text != whole[10:20] {
		t.Errorf("a part is %d", part.StatusCode)
	}
	file := filepath.Join(dir, "copy.zip")
	must(os.WriteFile(file, []byte(whole), 0o600))
	archive, err := backup.Open(file)
	must(err)
	must(archive.Close())

	for _, wrong := range []string{"outside", "..%2Foutside", "holiday2", "%2e%2e%2foutside"} {
		if resp, text := s.do(t, "GET", "/admin/backups/"+wrong+".zip", "Cookie", op.cookie); resp.StatusCode != 404 || bytes.Contains([]byte(text), []byte("no backup")) {
			t.Errorf("%s is %d", wrong, resp.StatusCode)
		}
		op.ask(t, "DELETE", "/api/admin/backups/"+wrong, "", 404)
	}
	if resp, _ := op.post(t, "/admin/backups/"+name+"/delete", ""); resp.StatusCode != 303 {
		t.Errorf("deleted with %d", resp.StatusCode)
	}
	if list := op.ask(t, "GET", "/api/admin/backups", "", 200); len(list["backups"].([]any)) != 0 {
		t.Errorf("listed %v", list)
	}
	var actions []string
	for _, e := range op.ask(t, "GET", "/api/audit", "", 200)["entries"].([]any) {
		actions = append(actions, e.(map[string]any)["action"].(string))
	}
	if want := []string{"delete_backup", "download_backup", "make_backup"}; len(actions) != 3 || actions[0] != want[0] || actions[1] != want[1] || actions[2] != want[2] {
		t.Errorf("the audit log has %v", actions)
	}
}
