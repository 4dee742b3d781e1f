//go:build linux

// Package reference starts servers that do no work, for benchmarks.
package reference

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/bench/program"
)

// Start starts a server that sends the same response to every request: body, or any body of that
// size.
type Start func(ctx context.Context, body []byte, size int, contentType string) (*program.Server, error)

// fixedBody is the argument of a process that Fixed starts.
const fixedBody = "fixed-body"

// Fixed starts Fiber with a fixed body. The main function of the benchmark must call ServeFixed.
func Fixed(ctx context.Context, _ []byte, size int, contentType string) (*program.Server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address := program.FreeAddress()
	return program.Start(ctx, address, "/", exec.Command(self, fixedBody, address, strconv.Itoa(size), contentType))
}

// ServeFixed serves the fixed body and doesn't return in a process that Fixed started. In others
// it does nothing.
func ServeFixed() {
	if len(os.Args) != 5 || os.Args[1] != fixedBody {
		return
	}
	if err := serveFixed(os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "fixed body:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serveFixed(address, size, contentType string) error {
	n, err := strconv.Atoi(size)
	if err != nil {
		return err
	}
	body := bytes.Repeat([]byte("x"), n)
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Use(func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, contentType)
		return c.Send(body)
	})
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	defer stop()
	context.AfterFunc(ctx, func() { _ = app.Shutdown() })
	return app.Listen(address)
}

// HasNginx reports whether nginx is installed.
func HasNginx() bool {
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

// Nginx starts nginx with a body that is compressed with gzip.
func Nginx(ctx context.Context, body []byte, _ int, contentType string) (*program.Server, error) {
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
