package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImport(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "shop.csv")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	call := func(ctx context.Context, args ...string) (int, string, string) {
		var out, errOut bytes.Buffer
		status := run(ctx, append([]string{"import"}, args...), []string{"DATA_DIR=" + dir}, strings.NewReader(""), &out, &errOut)
		return status, out.String(), errOut.String()
	}
	ctx := context.Background()
	steps(t, []string{"DATA_DIR=" + dir}, []step{{[]string{"migrate"}, exitOK, ""}})
	write("external_id,title,condition,price,region\na,Canon EOS R6 body,good,900,DE\nb,Nikon D750,excelent,400,DE\n")
	status, out, errOut := call(ctx, "listings", file, "--seller", "anna")
	rejects := filepath.Join(dir, "shop.rejects.csv")
	if status != exitOK || !strings.Contains(out, "2 rows: 1 new, 0 changed, 0 unchanged, 1 rejected") || !strings.Contains(out, rejects) {
		t.Fatalf("%d %s %s", status, out, errOut)
	}
	if text, err := os.ReadFile(rejects); err != nil || !strings.Contains(string(text), "Did you mean excellent?") {
		t.Errorf("%s %v", text, err)
	}
	if _, out, _ := call(ctx, "listings", file, "--seller", "anna"); !strings.Contains(out, "0 new, 0 changed, 1 unchanged") {
		t.Errorf("again: %s", out)
	}
	write("external_id,titel\n")
	if status, out, errOut := call(ctx, "sales", file); status != exitFailed || out != "" || !strings.Contains(errOut, "Did you mean title?") {
		t.Errorf("%d %q %q", status, out, errOut)
	}
	for _, args := range [][]string{{"sales", filepath.Join(dir, "missing.csv")}, {"listings", file, "--seller", "Anna Keller"}, {"sales"}} {
		if status, _, errOut := call(ctx, args...); status != exitUsage || errOut == "" {
			t.Errorf("%q: %d %q", args, status, errOut)
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	write("external_id,title,brand,model,condition,price,sold_at,region\na,,Canon,EOS R6,good,900,2026-01-01,DE\n")
	if status, _, _ := call(stopped, "sales", file); status != exitFailed {
		t.Errorf("stopped: %d", status)
	}
}
