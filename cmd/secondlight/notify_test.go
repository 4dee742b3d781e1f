package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// TestServeNotifiesSystemd checks that systemd is told when the site is ready and when it
// stops, as deploy/secondlight.service needs it.
func TestServeNotifiesSystemd(t *testing.T) {
	dir, err := os.MkdirTemp("", "notify") // t.TempDir may be too long for the address of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := &net.UnixAddr{Name: filepath.Join(dir, "socket"), Net: "unixgram"}
	systemd, err := net.ListenUnixgram("unixgram", socket)
	if err != nil {
		t.Skip(err) // Windows has no such sockets
	}
	defer systemd.Close()
	t.Setenv("NOTIFY_SOCKET", socket.Name)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	status := make(chan int, 1)
	var out bytes.Buffer
	go func() {
		env := []string{"DATA_DIR=" + t.TempDir(), "DEMO=false", "LISTEN_ADDR=127.0.0.1:0"}
		status <- run(ctx, nil, env, strings.NewReader(""), io.Discard, &out)
	}()
	receive := func(want string) {
		t.Helper()
		state := make([]byte, 100)
		systemd.SetReadDeadline(time.Now().Add(5 * time.Minute))
		if n, err := systemd.Read(state); err != nil || string(state[:n]) != want {
			cancel()
			t.Fatalf("received %q, %v, want %q; exit status %d:\n%s", state[:n], err, want, <-status, out.String())
		}
	}
	receive(daemon.SdNotifyReady)
	cancel()
	receive(daemon.SdNotifyStopping)
	if got := <-status; got != exitOK {
		t.Errorf("exit status %d", got)
	}
}
