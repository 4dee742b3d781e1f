//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// address is where the program listens: a free port.
var address = func() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err) // the machine has no loopback interface
	}
	defer l.Close()
	return l.Addr().String()
}()

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
	cmd   *exec.Cmd
	said  bytes.Buffer
	ready took // until it was ready
}

// start starts the program and waits until it is ready.
func (s *site) start(ctx context.Context, environment ...string) (*process, error) {
	p := &process{cmd: s.command(ctx, "serve")}
	p.cmd.Env = append(p.cmd.Env, environment...)
	p.cmd.Stderr = &p.said
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	for {
		if response, err := http.Get("http://" + address + "/readyz"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				p.ready = took{time.Since(began), p.processor()}
				return p, nil
			}
		}
		select {
		case err := <-ended:
			return nil, fmt.Errorf("the program ended before it was ready: %w\n%s", err, p.said.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// stop stops the program, which writes its snapshot.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	for range 6000 {
		if p.cmd.Process.Signal(syscall.Signal(0)) != nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("the program does not stop:\n%s", p.said.String())
}

// settle waits until the program has done what follows its start, such as writing the bulk
// files: until it takes less than a twentieth of a processor for five seconds.
func (p *process) settle(ctx context.Context) {
	for ctx.Err() == nil {
		before := p.processor()
		time.Sleep(5 * time.Second)
		if p.processor()-before < 250*time.Millisecond {
			return
		}
	}
}

// memory returns the resident memory in bytes.
func (p *process) memory() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid))
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}

// processor returns the processor time that the program has taken.
func (p *process) processor() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // the unit on every Linux
}
