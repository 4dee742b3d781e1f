//go:build linux

// Package program builds the program and runs servers for benchmarks.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

// Build builds the program as a file.
func Build(ctx context.Context, file string) error {
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", file, "./cmd/secondlight").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}

// FreeAddress returns an address of this machine that nobody listens on.
func FreeAddress() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err) // the machine has no loopback interface
	}
	defer l.Close()
	return l.Addr().String()
}

// Server is a program that serves on an address.
type Server struct {
	Address string
	cmd     *exec.Cmd
	ended   chan struct{}
	said    strings.Builder
}

// Start runs a command that serves on an address, and waits until it answers a path with 200.
func Start(ctx context.Context, address, path string, cmd *exec.Cmd) (*Server, error) {
	s := &Server{Address: address, cmd: cmd, ended: make(chan struct{})}
	s.cmd.Stderr = &s.said
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.cmd.Wait() // what it ended with is of no interest
		close(s.ended)
	}()
	if err := s.await(ctx, path); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(s.cmd.Path), errors.Join(err, s.Stop()), s.said.String())
	}
	return s, nil
}

// await waits until the server answers, half an hour at most.
func (s *Server) await(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	for {
		status, _, err := fasthttp.GetTimeout(nil, "http://"+s.Address+path, 10*time.Second)
		if err == nil && status == fasthttp.StatusOK {
			return nil
		}
		select {
		case <-s.ended:
			return errors.New("ended before it answered")
		case <-ctx.Done():
			return fmt.Errorf("does not answer: status %d, %w", status, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Stop stops the server, which may write a snapshot for up to five minutes.
func (s *Server) Stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-s.ended:
		return nil
	case <-time.After(5 * time.Minute):
		return errors.Join(errors.New("the program does not stop"), s.cmd.Process.Kill())
	}
}

// PID returns the id of the process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Processor returns the processor time that the server has taken since its start, in steps of
// 10 ms.
func (s *Server) Processor() time.Duration {
	const tick = 10 * time.Millisecond // the unit of /proc on every Linux
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.PID()))
	// The name in brackets may hold anything; user and system time are the 12th and 13th
	// field behind it.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick
}

// Memory returns the resident memory of the server.
func (s *Server) Memory() string { return s.status("VmRSS:") }

// Peak returns the most resident memory that the server has had.
func (s *Server) Peak() string { return s.status("VmHWM:") }

// status returns a line of the state of the process.
func (s *Server) status(name string) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID()))
	_, value, _ := strings.Cut(string(text), name)
	value, _, _ = strings.Cut(value, "\n")
	return strings.TrimSpace(value)
}
