// Package blobtest starts an S3 server for tests.
package blobtest

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/blob"
)

// S3 is an S3 server with one bucket.
type S3 struct {
	Address string // of the bucket, for blob.Open
	Bucket  blob.Bucket
	t       testing.TB
	server  *httptest.Server
	state   atomic.Int32
}

// States of an S3 server.
const (
	up = iota
	failing
	hanging
)

// NewS3 starts an S3 server, and sets the environment variables with its credentials.
func NewS3(t testing.TB) *S3 {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "a secret of the tests")
	s := &S3{t: t}
	next := newObjects("site")
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch s.state.Load() {
		case failing:
			w.WriteHeader(http.StatusServiceUnavailable)
		case hanging:
			for s.state.Load() == hanging && r.Context().Err() == nil {
				time.Sleep(10 * time.Millisecond)
			}
		default:
			next.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() { s.Up(); s.server.Close() })
	s.Address = "s3://site/files?endpoint=" + s.server.URL + "&region=eu-central-1"
	bucket, err := blob.Open(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	s.Bucket = bucket
	return s
}

// Up makes the server answer.
func (s *S3) Up() { s.state.Store(up) }

// Fail makes the server refuse all requests with 503.
func (s *S3) Fail() { s.state.Store(failing) }

// Kill ends the server at once, with its connections. It keeps its files.
func (s *S3) Kill() {
	s.server.CloseClientConnections()
	s.server.Close()
}

// Start starts a server that was killed at the address it had.
func (s *S3) Start() {
	s.t.Helper()
	listener, err := net.Listen("tcp", s.server.Listener.Addr().String())
	if err != nil {
		s.t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(s.server.Config.Handler)
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	s.server = server
}

// Hang makes the server answer nothing.
func (s *S3) Hang() { s.state.Store(hanging) }
