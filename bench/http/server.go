//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fasthttp"
)

// server is a program that serves on an address of this machine.
type server struct {
	address string
	cmd     *exec.Cmd
	ended   chan struct{}
	said    strings.Builder
}

// start runs the command that serves on an address, a free one, and waits until
// it answers path with 200.
func start(ctx context.Context, path string, command func(address string) *exec.Cmd) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	s := &server{address: address, cmd: command(address), ended: make(chan struct{})}
	s.cmd.Stdout, s.cmd.Stderr = io.Discard, &s.said
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		s.cmd.Wait()
		close(s.ended)
	}()
	if err := s.await(ctx, path); err != nil {
		s.stop()
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(s.cmd.Path), err, s.said.String())
	}
	return s, nil
}

func (s *server) await(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	for {
		status, _, err := fasthttp.GetTimeout(nil, "http://"+s.address+path, 10*time.Second)
		if err == nil && status == fasthttp.StatusOK {
			return nil
		}
		select {
		case <-s.ended:
			return errors.New("ended before it answered")
		case <-ctx.Done():
			return fmt.Errorf("does not answer: status %d, %w", status, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (s *server) stop() {
	s.cmd.Process.Signal(os.Interrupt)
	select {
	case <-s.ended:
	case <-time.After(15 * time.Second):
		s.cmd.Process.Kill()
		<-s.ended
	}
}

// cpu is the processor time the server has taken since its start, in steps of
// 10 ms, and 0 where there is no /proc.
func (s *server) cpu() time.Duration {
	const tick = 10 * time.Millisecond // the unit of /proc on every Linux
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	// The name in brackets may hold anything; user and system time are the 12th
	// and 13th field behind it.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick
}

// freeAddress is an address on this machine that nobody listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
