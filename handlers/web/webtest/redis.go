package webtest

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Redis is a redis-server that listens on a socket.
type Redis struct {
	URL     string
	Process *os.Process
	socket  string
}

// StartRedis starts the installed redis-server, or skips the test if there is none.
func StartRedis(t *testing.T) *Redis {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil { // apt-get install redis-server
		t.Skip("NOT TESTED WITH REDIS: ", err)
	}
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Redis{socket: filepath.Join(dir, "socket")}
	s.URL = "unix://" + s.socket
	s.Start(t)
	t.Cleanup(s.Kill)
	return s
}

// Start starts the server and waits until it answers.
func (s *Redis) Start(t *testing.T) {
	t.Helper()
	cmd := exec.Command("redis-server", "--port", "0", "--unixsocket", s.socket, "--save", "", "--dir", filepath.Dir(s.socket))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.Process = cmd.Process
	for deadline := time.Now().Add(10 * time.Second); !s.answers(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("redis-server does not answer")
		}
	}
}

// answers reports whether the server answers a PING.
func (s *Redis) answers() bool {
	conn, err := net.Dial("unix", s.socket)
	if err != nil {
		return false
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	return err == nil && line == "+PONG\r\n"
}

// Kill ends the server at once.
func (s *Redis) Kill() {
	s.Process.Kill()
	s.Process.Wait()
}
