//go:build linux

// Command limits checks what a hostile client can cost the real program, and fails if it
// is more than allowed:
//
//   - the processor time of a single request of up to 4 MB from an anonymous client, and
//     the size of its error
//   - the memory of 500 uploads that stall
//   - the connections of one address
//
// It needs Linux.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/secondlight/secondlight/bench/program"
)

func main() {
	log.SetFlags(0)
	demo := flag.Bool("demo", true, "fill the database with demonstration data; without it searches find nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *demo); err != nil {
		log.Fatal(err)
	}
}

// run starts the program and makes all checks, even if one fails.
func run(ctx context.Context, demo bool) error {
	dir, err := os.MkdirTemp("", "limits-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := start(ctx, dir, demo)
	if err != nil {
		return err
	}
	defer s.Stop()
	return errors.Join(s.checkRequests(), s.checkStalledUploads(), s.checkConnections())
}

// server is a running program.
type server struct {
	*program.Server
	binary string
	env    []string
}

// start builds and starts the program, and waits until it serves.
func start(ctx context.Context, dir string, demo bool) (*server, error) {
	s := &server{binary: filepath.Join(dir, "secondlight")}
	if err := program.Build(ctx, s.binary); err != nil {
		return nil, err
	}
	address := program.FreeAddress()
	s.env = append(os.Environ(), "LISTEN_ADDR="+address, "DATA_DIR="+filepath.Join(dir, "data"), "DATABASE_URL=", "RATE_LIMIT=100000000", "DEMO="+strconv.FormatBool(demo))
	cmd := exec.CommandContext(ctx, s.binary, "serve")
	cmd.Env = s.env
	var err error
	s.Server, err = program.Start(ctx, address, "/listings", cmd)
	return s, err
}

// processorTime returns the processor time of the program so far.
func (s *server) processorTime() (time.Duration, error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.PID()))
	var sum time.Duration
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		if readErr != nil {
			continue // the thread has ended
		}
		running, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(running, 10, 64)
		sum += time.Duration(n)
	}
	return sum, err
}

// memory returns a field of the program's status in MB, such as VmRSS.
func (s *server) memory(field string) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID()))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), field+":")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	return kb >> 10, err
}

// dial connects to the program from a loopback address.
func (s *server) dial(from string) (net.Conn, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 5 * time.Second}
	return dialer.Dial("tcp", s.Address)
}

// Limits of each measurement.
const (
	maxTime   = 50 * time.Millisecond
	maxError  = 64 << 10
	maxMemory = 600 // MB
	maxConns  = 16384 / 10
	stalled   = 500
)

// checkConnections checks how many connections an address gets, and that another one is
// still served.
func (s *server) checkConnections() error {
	open := 0
	var refusal string
	for range maxConns + 1 {
		conn, err := s.dial("127.0.0.9")
		if err != nil {
			return err
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n") // a rejected connection may be closed
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		answer := make([]byte, 2048)
		n, _ := conn.Read(answer)
		if strings.HasPrefix(string(answer[:n]), "HTTP/1.1 200") {
			open++
		} else if refusal == "" {
			refusal, _, _ = strings.Cut(string(answer[:n]), "\r\n")
		}
	}
	fmt.Printf("connections of one address: %d, then %q\n", open, refusal)
	if status, _, err := s.send(request{method: "GET", path: "/api/health"}); status != 200 || err != nil {
		return fmt.Errorf("another address: status %d, %w", status, err)
	}
	if open > maxConns || !strings.HasPrefix(refusal, "HTTP/1.1 503") {
		return fmt.Errorf("one address has %d connections", open)
	}
	return nil
}

// checkStalledUploads checks the memory while uploads stall: those of a member after a few
// bytes, and those of many addresses just before the end.
func (s *server) checkStalledUploads() error {
	token, err := s.token()
	if err != nil {
		return err
	}
	before, err := s.memory("VmRSS")
	if err != nil {
		return err
	}
	var failures error
	for _, c := range []struct {
		name, path, head string
		length, sent     int
	}{
		{"32 MB of a member, after 10 bytes", "/api/mcp", "Authorization: Bearer " + token + "\r\n", 32 << 20, 10},
		{"32 MB of a member, after 1 MB", "/api/mcp", "Authorization: Bearer " + token + "\r\n", 32 << 20, 1 << 20},
		{"1 MB of 250 addresses, before the last byte", "/sign-up", "", 1 << 20, 1<<20 - 1},
	} {
		head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n", c.path, c.head, c.length)
		body := strings.Repeat("x", c.sent)
		sent := make(chan net.Conn, stalled)
		for i := range stalled {
			go func() {
				conn, err := s.dial(fmt.Sprintf("127.0.1.%d", 1+i/2))
				if err == nil {
					_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
					_, _ = io.WriteString(conn, head+body) // one that is refused may be closed
				}
				sent <- conn
			}()
		}
		most := 0
		for range 30 {
			now, err := s.memory("VmRSS")
			if err != nil {
				return err
			}
			most = max(most, now)
			time.Sleep(100 * time.Millisecond)
		}
		for range stalled {
			if conn := <-sent; conn != nil {
				conn.Close()
			}
		}
		fmt.Printf("%d stalled uploads, %s: %d MB, before %d MB\n", stalled, c.name, most, before)
		if most > maxMemory {
			failures = errors.Join(failures, fmt.Errorf("%s: %d MB", c.name, most))
		}
	}
	return failures
}

// token returns a token of a new member.
func (s *server) token() (string, error) {
	for _, args := range [][]string{
		{"member", "create", "--handle", "mallory", "--email", "mallory@example.org", "--password-stdin"},
		{"token", "create", "--handle", "mallory", "--scope", "listings:write"},
	} {
		cmd := exec.Command(s.binary, args...)
		cmd.Env, cmd.Stdin, cmd.Stderr = s.env, strings.NewReader("a long password of hers\n"), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
		if args[0] == "token" {
			return strings.TrimSpace(string(out)), nil
		}
	}
	panic("unreachable")
}
