package serve

import (
	"errors"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"
)

// TestFinish checks that the pending connections are accepted after a call of finish, and that
// the listener is closed then: while Accept runs, and while it does not.
func TestFinish(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("hasPending cannot tell there")
	}
	const waiting = 20
	for name, finishFirst := range map[string]bool{"before Accept": true, "during Accept": false} {
		t.Run(name, func(t *testing.T) {
			ln, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer ln.Close()
			l := newProbes().newLimitListener(ln)
			dial := func() error {
				c, err := net.Dial("tcp", ln.Addr().String())
				if err == nil {
					t.Cleanup(func() { c.Close() })
				}
				return err
			}
			finished := make(chan struct{})
			finish := func() {
				l.finish(t.Context())
				close(finished)
			}
			want := waiting
			if finishFirst {
				for range waiting {
					if err := dial(); err != nil {
						t.Fatal(err)
					}
				}
				go finish()
				for !l.closing.Load() {
					runtime.Gosched()
				}
			} else {
				want = 0
				time.AfterFunc(10*time.Millisecond, finish)
			}
			got := 0
			for {
				c, err := l.Accept()
				if err != nil {
					if !errors.Is(err, net.ErrClosed) {
						t.Error(err)
					}
					break
				}
				c.Close()
				got++
			}
			<-finished
			if got != want {
				t.Errorf("%d connections accepted, want %d", got, want)
			}
			if dial() == nil {
				t.Error("the listener is open")
			}
		})
	}
}

// TestFinishResetsNothing checks that every connection that is made is accepted, while clients
// connect as fast as they can and the listener is closed. A client that sends a write over one
// that is reset can't know whether it was carried out.
func TestFinishResetsNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("new connections can't be ignored there")
	}
	for range 10 {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l := newProbes().newLimitListener(ln)
		l.server.Drain()
		var clients sync.WaitGroup
		for range 8 {
			clients.Go(func() {
				for {
					c, err := net.DialTimeout("tcp", ln.Addr().String(), 100*time.Millisecond)
					if err != nil {
						return
					}
					if _, err := c.Read(make([]byte, 1)); err != nil {
						t.Errorf("a connection was made and not accepted: %v", err)
					}
					c.Close()
				}
			})
		}
		time.AfterFunc(5*time.Millisecond, func() { l.finish(t.Context()) })
		for {
			c, err := l.Accept()
			if err != nil {
				break
			}
			_, _ = c.Write([]byte{1})
			c.Close()
		}
		clients.Wait()
	}
}
