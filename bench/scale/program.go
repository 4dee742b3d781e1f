//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/secondlight/secondlight/bench/program"
)

// address is where the program listens.
var address = program.FreeAddress()

func (s *site) command(ctx context.Context, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.program, arguments...)
	cmd.Env = append(os.Environ(), "DATABASE_URL="+s.database, "LISTEN_ADDR="+address, "DATA_DIR="+s.folder, "RATE_LIMIT=100000000", "DEMO=false", "LOG_LEVEL=error")
	return cmd
}

// run runs a command to its end and prints its times and the most memory it took.
func (s *site) run(ctx context.Context, arguments ...string) error {
	cmd := s.command(ctx, arguments...)
	began := time.Now()
	name := strings.Join(arguments, " ")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	used := cmd.ProcessState
	fmt.Printf("%d listings: %s in %s, %d MB at most\n", s.listings, name, took{time.Since(began), used.SystemTime() + used.UserTime()}, used.SysUsage().(*syscall.Rusage).Maxrss>>10)
	return nil
}

// process is a running program.
type process struct {
	*program.Server
	ready took // until it was ready
}

// start starts the program and waits until it is ready.
func (s *site) start(ctx context.Context, environment ...string) (*process, error) {
	cmd := s.command(ctx, "serve")
	cmd.Env = append(cmd.Env, environment...)
	began := time.Now()
	server, err := program.Start(ctx, address, "/readyz", cmd)
	if err != nil {
		return nil, err
	}
	return &process{server, took{time.Since(began), server.Processor()}}, nil
}

// memory returns the resident memory in bytes.
func (p *process) memory() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.PID()))
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}
