package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// TestRepeatsAreCounted tests that the same error is written once, then with the number of those
// it stands for, and that others are written.
func TestRepeatsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no interval ends meanwhile
		var out bytes.Buffer
		log, flush := (&settings{}).logger(&console{errOut: &out})
		for port := range 400 {
			log.With("request_id", port).Error("handle request", "err", errors.New("dial 127.0.0.1:"+strings.Repeat("1", port%5+1)))
			log.Info("request")
		}
		log.Error("handle request", "err", errors.New("another cause"))
		log.Warn("handle request", "err", errors.New("another cause"))
		flush()
		flush()
		for pattern, want := range map[string]int{`level=ERROR .*dial`: 2, `request_id=399 .*dial.* repeated=399\n`: 1, `repeated=`: 1, `level=ERROR .*another`: 1, `level=WARN`: 1, `level=INFO`: 400} {
			if n := len(regexp.MustCompile(pattern).FindAllString(out.String(), -1)); n != want {
				t.Errorf("%d lines match %s, want %d", n, pattern, want)
			}
		}
	})
}

// TestLogIsInOneFormat tests that a server writes only JSON lines if LOG_FORMAT is json, that
// services that don't answer are in them, that a rejected request is found by its id, and that
// the last says that the server has stopped.
func TestLogIsInOneFormat(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	log, errOut := io.Pipe()
	env := []string{"DATA_DIR=" + t.TempDir(), "DEMO=false", "LISTEN_ADDR=127.0.0.1:0", "DRAIN_TIME=0s", "LOG_FORMAT=json", "REDIS_URL=redis://127.0.0.1:1", "SMTP_URL=smtp://127.0.0.1:1"}
	go func() { run(ctx, nil, env, strings.NewReader(""), io.Discard, errOut); errOut.Close() }()
	var id, last string
	missing := map[string]bool{"make the tables of an empty database": true, "redis can't be used": true, "the mail server can't be used": true, "answer with an error": true}
	asked := sync.OnceFunc(stop)
	for lines := json.NewDecoder(log); ; {
		var line map[string]any
		if err := lines.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("after %s: %v", last, err)
		}
		last, _ = line["msg"].(string)
		switch delete(missing, last); last {
		case "serving":
			address := line["address"].(string)
			go func() { // the server waits for the log
				if resp, err := http.Get(address + "/no-such-page?secret=hunter2"); err == nil {
					resp.Body.Close()
				}
			}()
		case "answer with an error":
			id, _ = line["request_id"].(string)
			if line["path"] != "/no-such-page" || line["code"] != "page_not_found" || id == "" || line["client"] != nil {
				t.Errorf("logged as %v", line)
			}
		}
		if len(missing) == 0 {
			asked()
		}
	}
	if last != "stopped" || len(missing) > 0 {
		t.Errorf("the last line says %s; missing: %v", last, missing)
	}
}

// TestFailedStartIsLogged tests that the reason why a server didn't start is in the log's format,
// and that of a command is text.
func TestFailedStartIsLogged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	mustDo(t, os.WriteFile(file, nil, 0o600))
	for _, c := range []struct {
		format, command, want string
		lines                 int
	}{
		{"text", "serve", "secondlight: the setting DATA_DIR is ", 1},
		{"json", "serve", `{"time":`, 1},
		{"json", "migrate", "database postgres://127.0.0.1:1/none, files ", 2},
	} {
		_, _, errOut := call(t, []string{"DATA_DIR=" + file, "DATABASE_URL=postgres://127.0.0.1:1/none", "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=" + c.format}, "", c.command)
		if !strings.HasPrefix(errOut, c.want) || strings.Count(errOut, "\n") != c.lines {
			t.Errorf("%s of %s: %q", c.format, c.command, errOut)
		}
	}
}
