//go:build !race

package main

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/blob/blobtest"
	"github.com/secondlight/secondlight/models/storetest"
)

// documented runs TestDocumentedCommands.
var documented = flag.Bool("documented", false, "run the commands of docs/how-to/run/backup.md and restore.md")

// TestDocumentedCommands backs up, checks, restores and drills by the commands of
// docs/how-to/run/backup.md and restore.md, as they are printed, with the shipped units and env file: as it is, and
// with PostgreSQL and S3, whose addresses have &. It needs root.
func TestDocumentedCommands(t *testing.T) {
	if !*documented {
		t.Skip("make restore-drill")
	}
	program := buildProgram(t)
	shipped := readRoot(t, "deploy/secondlight.env")
	t.Run("as shipped", func(t *testing.T) {
		runDocumented(t, program, shipped, ":", "sqlite:/var/lib/secondlight/secondlight.db, files /var/lib/secondlight", "--net")
	})
	t.Run("PostgreSQL and S3", func(t *testing.T) {
		bucket, database := blobtest.NewS3(t), storetest.EmptyPostgres(t)
		u, err := url.Parse(database)
		mustDo(t, err)
		parameters := u.Query()
		mustDo(t, os.Chmod(parameters.Get("host"), 0o711)) // for the user of the service
		parameters.Set("connect_timeout", "5")
		parameters.Set("sslmode", "disable")
		u.RawQuery = parameters.Encode()
		settings := shipped
		for from, to := range map[string]string{
			`(?m)^LISTEN_ADDR=.*`:            "LISTEN_ADDR=127.0.0.1:18231",
			`(?m)^#BLOB_URL='.*'`:            "BLOB_URL='" + bucket.Address + "'",
			`(?m)^#AWS_ACCESS_KEY_ID=.*`:     "AWS_ACCESS_KEY_ID=test",
			`(?m)^#AWS_SECRET_ACCESS_KEY=.*`: `AWS_SECRET_ACCESS_KEY="a secret of the tests"`,
			`(?m)^#DATABASE_URL='.*'`:        "DATABASE_URL='" + u.String() + "'",
			`(?m)^#MIGRATE=.*`:               "MIGRATE=off",
		} {
			pattern := regexp.MustCompile(from)
			if len(pattern.FindAllString(settings, -1)) != 1 {
				t.Fatalf("the env file has not one line %s", from)
			}
			settings = pattern.ReplaceAllLiteralString(settings, to)
		}
		empty := fmt.Sprintf("psql -q '%s' -c 'DROP SCHEMA public CASCADE; CREATE SCHEMA public'; sed -i 's|s3://site/files|s3://site/restored|' /etc/secondlight/secondlight.env", u)
		runDocumented(t, program, settings, empty, "files s3://site/files")
	})
}

// runDocumented runs the commands with settings, on a machine that they can't leave. empty is a
// command that empties what is outside it.
func runDocumented(t *testing.T, program, settings, empty, place string, namespaces ...string) {
	dir, err := os.MkdirTemp("/tmp", "secondlight-machine-")
	mustDo(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	mustDo(t, os.Chmod(dir, 0o755))
	mustDo(t, os.Mkdir(filepath.Join(dir, "machine"), 0o755))
	backups := documentedCode(t, "backup")[0]
	lines := strings.SplitAfter(backups, "\n")
	drills := documentedCode(t, "restore")
	for name, text := range map[string]string{
		"secondlight.env": settings, "empty.sh": empty,
		"backup.sh": lines[0] + lines[1] + lines[3], "restore.sh": lines[2], // which needs an empty database
		"drill.sh": drills[0], "itself.sh": drills[1],
	} {
		mustDo(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	repository, err := filepath.Abs(root)
	mustDo(t, err)
	args := append([]string{"--mount", "--pid", "--fork", "--kill-child"}, namespaces...)
	run := exec.Command("unshare", append(args, "sh", "-c", `ip link set lo up; exec "$0" "$@"`, filepath.Join(repository, "cmd/secondlight/testdata/machine/run"), dir, program, repository)...)
	out, err := run.CombinedOutput()
	text := string(out)
	t.Log(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`backed up \d+ rows and [1-9]\d* files, [1-9]\d* of them new .*, to /backups/secondlight/`,
		`/backups/secondlight/\S+ of \S+ is complete: \d+ rows of \d+ tables, and [1-9]\d* files`,
		`to /backups/secondlight-\S+\.zip`,
		`database [^\n]*` + regexp.QuoteMeta(place),
		`the server that runs in /var/lib/secondlight uses database`,
		`to /var/lib/secondlight-backups/\S+\.rows\.zip\n(?:[^/\n][^\n]*\n)*/var/lib/secondlight-backups/\S+ of \S+ is complete`,
		`/var/lib/secondlight/outbox/\S+\.eml`,
		`"status":"ok"`,
		`== restore into an empty folder and database(?s:.*)restored /backups/secondlight(?s:.*)owner@shop\.example`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("the output lacks %s", want)
		}
	}
}

// documentedCode returns the code of a document in docs/how-to/run.
func documentedCode(t *testing.T, document string) (code []string) {
	t.Helper()
	text := readRoot(t, "docs/how-to/run/"+document+".md")
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(text, -1) {
		code = append(code, m[1])
	}
	return code
}
