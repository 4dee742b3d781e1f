package limit

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
)

// TestTurns tests that a client does one thing at a time, that others don't wait for it, that
// waiting ends with its context, and that nothing is remembered of clients that are done.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns Turns
		one, other := Client{Addr: netip.MustParseAddr("192.0.2.1")}, Client{Member: "other"}
		release, err := turns.Take(t.Context(), one)
		if err != nil {
			t.Fatal(err)
		}
		second := false
		go func() {
			release, err := turns.Take(t.Context(), one)
			if err != nil {
				t.Error(err)
				return
			}
			second = true
			release()
		}()
		if release, err := turns.Take(t.Context(), other); err != nil {
			t.Error(err)
		} else {
			release()
		}
		late, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := turns.Take(late, one); !errors.Is(err, context.Canceled) {
			t.Errorf("waiting too long is %v", err)
		}
		synctest.Wait()
		if second {
			t.Error("a client does two things at a time")
		}
		release()
		synctest.Wait()
		if !second || len(turns.clients) > 0 {
			t.Errorf("the second had its turn: %v; %d clients are remembered", second, len(turns.clients))
		}
	})
}
