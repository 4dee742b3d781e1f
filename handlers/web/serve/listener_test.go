package serve

import (
	"errors"
	"net"
	"runtime"
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
