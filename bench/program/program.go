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

// StartSite starts the program, a file, on the data in a folder.
func StartSite(ctx context.Context, file, folder string, env ...string) (*Server, error) {
	cmd, address := exec.Command(file), FreeAddress()
	cmd.Env = append(os.Environ(), "LISTEN_ADDR="+address, "DATA_DIR="+folder, "DATABASE_URL=", "DEMO=false", "RATE_LIMIT=100000000")
	cmd.Env = append(cmd.Env, env...)
	return Start(ctx, address, "/api/health", cmd)
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

// Settle waits until the server has done what follows its start, such as writing the bulk files:
// until it takes less than a twentieth of a processor for five seconds.
func (s *Server) Settle(ctx context.Context) {
	for ctx.Err() == nil {
		before := s.Processor()
		time.Sleep(5 * time.Second)
		if s.Processor()-before < 250*time.Millisecond {
			return
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

// Processor returns the processor time that the server and its child processes have taken since
// their start, in steps of 10 ms.
func (s *Server) Processor() time.Duration {
	const tick = 10 * time.Millisecond // the unit of /proc on every Linux
	ticks := 0
	for _, pid := range tree(s.PID()) {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		// The name in brackets may hold anything; behind it, the 12th to 15th field are user and
		// system time, and those of children that have ended.
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) < 15 {
			continue
		}
		for _, field := range fields[11:15] {
			n, _ := strconv.Atoi(field)
			ticks += n
		}
	}
	return time.Duration(ticks) * tick
}

// Memory returns the bytes of memory that the server and its child processes have in use. Memory
// that several share counts once.
func (s *Server) Memory() int {
	total := 0
	for _, pid := range tree(s.PID()) {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		_, rest, _ := bytes.Cut(text, []byte("\nPss:"))
		if fields := bytes.Fields(rest); len(fields) > 0 {
			kilobytes, _ := strconv.Atoi(string(fields[0]))
			total += kilobytes << 10
		}
	}
	return total
}

// tree returns the ids of a process and of all its descendants.
func tree(pid int) []int {
	pids := []int{pid}
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range threads {
		children, _ := os.ReadFile(name)
		for _, child := range strings.Fields(string(children)) {
			if id, err := strconv.Atoi(child); err == nil {
				pids = append(pids, tree(id)...)
			}
		}
	}
	return pids
}

// Resident returns the resident memory of the server.
func (s *Server) Resident() string { return s.status("VmRSS:") }

// Peak returns the most resident memory that the server has had.
func (s *Server) Peak() string { return s.status("VmHWM:") }

// status returns a line of the state of the process.
func (s *Server) status(name string) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID()))
	_, value, _ := strings.Cut(string(text), name)
	value, _, _ = strings.Cut(value, "\n")
	return strings.TrimSpace(value)
}
