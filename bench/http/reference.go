//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/secondlight/secondlight/bench/program"
)

// reference starts a server that sends the same response to every request: body, or any
// body of that size.
type reference func(ctx context.Context, body []byte, size int, contentType string) (*program.Server, error)

// startFixed starts Fiber with a fixed body.
func startFixed(ctx context.Context, _ []byte, size int, contentType string) (*program.Server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address := program.FreeAddress()
	return program.Start(ctx, address, "/", exec.Command(self, "-fixed", address, "-size", strconv.Itoa(size), "-type", contentType))
}

func hasNginx() bool {
	_, err := exec.LookPath("nginx")
	return err == nil
}

// nginxConfig serves page.gz, as gzip_static does, with kept-alive connections.
const nginxConfig = `daemon off;
worker_processes auto;
pid %[1]s/pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
	access_log off;
	sendfile on;
	tcp_nopush on;
	keepalive_requests 1000000000;
	open_file_cache max=100;
	default_type "%[3]s";
	client_body_temp_path %[1]s; proxy_temp_path %[1]s; fastcgi_temp_path %[1]s; uwsgi_temp_path %[1]s; scgi_temp_path %[1]s;
	server {
		listen %[2]s;
		root %[1]s;
		gzip_static on;
		location / { rewrite ^ /page break; }
	}
}
`

// startNginx starts nginx with a body that is compressed with gzip.
func startNginx(ctx context.Context, body []byte, _ int, contentType string) (*program.Server, error) {
	folder, err := os.MkdirTemp("", "secondlight-nginx-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(folder, 0o755); err != nil { // its workers are another user
		return nil, err
	}
	for _, name := range []string{"page", "page.gz"} {
		if err := os.WriteFile(filepath.Join(folder, name), body, 0o644); err != nil {
			return nil, err
		}
	}
	address, config := program.FreeAddress(), filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, nginxConfig, folder, address, contentType), 0o644); err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { os.RemoveAll(folder) })
	return program.Start(ctx, address, "/", exec.Command("nginx", "-p", folder, "-c", config))
}

// ownFile returns the reference that is the program itself, asked for a static file.
func ownFile(site *program.Server) reference {
	return func(context.Context, []byte, int, string) (*program.Server, error) { return site, nil }
}
