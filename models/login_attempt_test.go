package models_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestConcurrentLoginAttempts checks that concurrent attempts don't exceed the
// limit.
func TestConcurrentLoginAttempts(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url, func() time.Time { return time.UnixMilli(int64(someTime)) })
		account(t, s, "jane")
		var checked atomic.Int32
		var group sync.WaitGroup
		for range 40 {
			group.Go(func() {
				var e *problem.Error
				if _, err := s.SignIn(context.Background(), "jane@example.org", "not the password", "192.0.2.3"); !errors.As(err, &e) {
					t.Error(err)
				} else if e.Code == "sign_in_failed" {
					checked.Add(1)
				}
			})
		}
		group.Wait()
		if n := checked.Load(); n != 6 { // five are free, and the next begins the wait
			t.Errorf("%d attempts were checked, want 6", n)
		}
	})
}
