package store_test

import (
	"context"
	"errors"
	"strconv"
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
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url, func() time.Time { return time.UnixMilli(int64(someTime)) })
		account(t, s, "jane")
		var checked atomic.Int32
		var group sync.WaitGroup
		for range 40 {
			group.Go(func() {
				var e *problem.Error
				if _, err := s.Accounts.SignIn(context.Background(), "jane@example.org", "not the password", "192.0.2.3"); !errors.As(err, &e) {
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

// TestBlockedLoginsLockNobodyOut checks that 10,000 attempts of blocked clients
// neither keep the member out elsewhere nor delay other members.
func TestBlockedLoginsLockNobodyOut(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, func() time.Time { return time.UnixMilli(int64(someTime)) }), t.Context()
		jane := account(t, s, "jane").ID
		account(t, s, "john")
		checked := 0
		for i := range len(part(make([]bool, 10_000))) {
			_, err := s.Accounts.SignIn(ctx, "jane@example.org", "not the password", "203.0.113."+strconv.Itoa(i%4))
			var e *problem.Error
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			if e.Code == "sign_in_failed" {
				checked++
			}
		}
		if checked != 4*6 {
			t.Errorf("%d attempts were checked, want 6 of each client", checked)
		}
		for _, client := range []string{"192.0.2.1", "2001:db8::1"} {
			_, err := s.Accounts.SignIn(ctx, "jane@example.org", goodPassword, client)
			must(t, err)
		}
		_, err := s.Accounts.SignIn(ctx, "john@example.org", goodPassword, "203.0.113.9")
		must(t, err)

		// Guessing from many addresses is limited, but not where the member was before.
		session(t, s, jane, "192.0.2.1")
		for i := range 18 {
			for range 6 {
				_, err = s.Accounts.SignIn(ctx, "jane@example.org", "not the password", "198.51.100."+strconv.Itoa(i))
			}
		}
		wantError(t, err, problem.TooMany, "too_many_guesses")
		_, err = s.Accounts.SignIn(ctx, "jane@example.org", goodPassword, "198.51.100.200")
		wantError(t, err, problem.TooMany, "too_many_guesses")
		_, err = s.Accounts.SignIn(ctx, "jane@example.org", goodPassword, "192.0.2.77") // the same network
		must(t, err)
	})
}

// TestLoginAttemptsAndClock checks that nobody is locked out by a clock that is set
// back, by however much.
func TestLoginAttemptsAndClock(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		account(t, s, "jane")
		for _, back := range []time.Duration{10 * time.Second, time.Hour, 1000 * 24 * time.Hour} {
			for range 7 {
				s.Accounts.SignIn(ctx, "jane@example.org", "not the password", home)
			}
			_, err := s.Accounts.SignIn(ctx, "jane@example.org", goodPassword, home)
			wantError(t, err, problem.TooMany, "too_many_guesses")
			now = now.Add(-back)
			_, err = s.Accounts.SignIn(ctx, "jane@example.org", goodPassword, home)
			must(t, err)
		}
	})
}
