package main

import (
	"os"
	"path/filepath"
	"testing"

	"filippo.io/age"
)

// TestEncryptedBackup makes an encrypted backup and reads it with its key only.
func TestEncryptedBackup(t *testing.T) {
	key, err := age.GenerateX25519Identity()
	mustDo(t, err)
	dir := t.TempDir()
	identity, file, folder := filepath.Join(dir, "key.txt"), filepath.Join(dir, "copy.zip.age"), filepath.Join(dir, "copies")
	mustDo(t, os.WriteFile(identity, []byte("# created by age-keygen\n"+key.String()+"\n"), 0o600))
	env := []string{"DATA_DIR=" + filepath.Join(dir, "data"), "LISTEN_ADDR=127.0.0.1:1"}
	to := "--recipient=" + key.Recipient().String()
	steps(t, env, []step{
		{[]string{"migrate"}, exitOK, ""},
		{createJane, exitOK, ""},
		{[]string{"backup", file, "--recipient=jane"}, exitUsage, "not a public key"},
		{[]string{"backup", filepath.Join(dir, "copy.zip"), to}, exitOK, file},
		{[]string{"backup", folder, to, "--keep=2"}, exitOK, ".rows.zip.age"},
		{[]string{"restore", "--check", folder}, exitFailed, "encrypted"},
		{[]string{"restore", "--check", file, "--identity", file}, exitFailed, "no key of age"},
		{[]string{"restore", "--check", file, "--identity", identity}, exitOK, "is complete"},
		{[]string{"restore", "--check", folder, "--identity", identity}, exitOK, "is complete"},
		{[]string{"restore", "--force", folder, "--identity", identity}, exitOK, "restored"},
		{createJane, exitFailed, "taken"},
	})
}
