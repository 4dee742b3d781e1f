package store_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestClaims checks that a request with an idempotency key is processed once:
// by one of several concurrent callers, and again only if the process died
// before changing anything.
func TestClaims(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		replica := storetest.Open(t, url, func() time.Time { return now })
		jane := account(t, s, "jane")
		ask := func(store *store.Store, key, request string) (*store.Claim, string, string) {
			claim, answer, err := store.Tokens.Claim(ctx, jane.ID, "make", key, request)
			var e *problem.Error
			if err != nil && !errors.As(err, &e) {
				t.Fatal(err)
			}
			if e != nil {
				return claim, string(answer), e.Code
			}
			return claim, string(answer), ""
		}
		write := func(c *store.Claim, name string) error {
			_, err := s.Tokens.CreateToken(c.WithContext(ctx), jane.ID, &models.Token{Name: name, Scopes: models.RoleMember.Scopes()})
			return err
		}

		var mu sync.Mutex
		var first *store.Claim
		var refused int
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				claim, answer, code := ask([]*store.Store{s, replica}[i%2], "one", "a")
				mu.Lock()
				defer mu.Unlock()
				switch {
				case claim != nil && first == nil:
					first = claim
				case code == "idempotency_in_progress" && claim == nil && answer == "":
					refused++
				default:
					t.Errorf("got %v %q %q", claim, answer, code)
				}
			})
		}
		all.Wait()
		if first == nil || refused != 19 {
			t.Fatalf("claim %v, %d refused", first, refused)
		}
		if _, _, code := ask(s, "one", "b"); code != "idempotency_key_reused" {
			t.Errorf("claim with a different request: code %q", code)
		}
		must(t, write(first, "one"))
		must(t, s.Tokens.StoreResponse(ctx, first, []byte("the answer"), ""))
		if claim, answer, code := ask(replica, "one", "a"); claim != nil || answer != "the answer" || code != "" {
			t.Errorf("afterwards: %v %q %q", claim, answer, code)
		}

		// A released claim can be claimed again.
		given, _, _ := ask(s, "two", "a")
		must(t, s.Tokens.Release(ctx, given))
		given, _, _ = ask(s, "two", "a")
		if given == nil {
			t.Fatal("can't claim after Release")
		}

		// An abandoned claim is taken over, and its process can no longer commit.
		now = now.Add(2 * time.Minute)
		taken, _, _ := ask(replica, "two", "a")
		if taken == nil {
			t.Fatal("can't take over an abandoned claim")
		}
		var e *problem.Error
		if err := write(given, "two under a lost claim"); !errors.As(err, &e) || e.Code != "idempotency_in_progress" {
			t.Errorf("write under a lost claim: %v", err)
		}
		must(t, write(taken, "two"))
		if _, _, code := ask(s, "two", "a"); code != "idempotency_in_progress" {
			t.Errorf("claim of a write without a response: code %q", code)
		}
		must(t, s.Tokens.Release(ctx, taken)) // too late: it changed something
		now = now.Add(2 * time.Minute)
		if claim, _, code := ask(s, "two", "a"); claim != nil || code != "idempotency_answer_lost" {
			t.Errorf("claim of a write with a lost response: %v, code %q", claim, code)
		}

		tokens, err := s.Tokens.Tokens(ctx, jane.ID)
		must(t, err)
		if len(tokens) != 2 {
			t.Errorf("got %d tokens of two writes", len(tokens))
		}

		now = now.Add(24 * time.Hour)
		if claim, _, _ := ask(s, "one", "b"); claim == nil {
			t.Error("a key is valid for more than a day")
		}
	})
}

// TestKeyLimit checks the number of keys a member can use per day.
func TestKeyLimit(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := account(t, s, "jane")
		claim := func(key string) error {
			_, _, err := s.Tokens.Claim(ctx, jane.ID, "make", key, "a")
			return err
		}
		_, err := raw(t, url).ExecContext(ctx, `INSERT INTO idempotency (member_id, operation, key_hash, request, state, answer, claimed_at)
			WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			SELECT $2, 'make', 'key ' || i, 'a', 0, '', CAST($3 AS BIGINT) FROM n`, store.MaxIdempotencyKeys, jane.ID, int64(someTime))
		must(t, err)
		must(t, claim("the last"))
		refused := claim("one more")
		wantError(t, refused, problem.TooMany, "too_many_keys")
		var e *problem.Error
		if errors.As(refused, &e); e.Wait <= 0 {
			t.Error("error has no Wait")
		}
		now = now.Add(time.Duration(e.Wait) * time.Second)
		must(t, claim("one more"))
	})
}

// TestResponseStorageIsLimited checks that the oldest responses of a member are
// deleted when they take too much, that their requests are still not repeated, and that
// the error names the address of the result.
func TestResponseStorageIsLimited(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		random := make([]byte, 1<<20) // cannot be compressed
		_, _ = rand.Read(random)
		respond := func(member, key string, response []byte) {
			t.Helper()
			now = now.Add(time.Second)
			claim, _, err := s.Tokens.Claim(ctx, member, "make", key, "a")
			must(t, err)
			must(t, s.Tokens.StoreResponse(ctx, claim, response, "/api/things/"+key))
		}
		respond(john, "his", random)
		const n = 25
		for i := range n {
			respond(jane, fmt.Sprint(i), random)
		}
		respond(jane, "text", bytes.Repeat([]byte("compressible "), 10<<20/13))
		var stored int64
		must(t, raw(t, url).QueryRow(`SELECT SUM(LENGTH(answer)) FROM idempotency WHERE member_id = $1`, jane).Scan(&stored))
		if stored > store.MaxResponseStorage || stored < store.MaxResponseStorage-2*int64(len(random)) {
			t.Errorf("%d bytes are stored", stored)
		}
		if _, response, err := s.Tokens.Claim(ctx, john, "make", "his", "a"); err != nil || !bytes.Equal(response, random) {
			t.Errorf("another member's response is lost: %v", err)
		}
		for i, key := range []string{fmt.Sprint(n - 1), "text"} {
			claim, response, err := s.Tokens.Claim(ctx, jane, "make", key, "a")
			if claim != nil || err != nil || len(response) < len(random) {
				t.Errorf("response %d: %d bytes, %v", i, len(response), err)
			}
		}
		claim, _, err := s.Tokens.Claim(ctx, jane, "make", "0", "a")
		wantError(t, err, problem.Conflict, "idempotency_answer_lost")
		var e *problem.Error
		if errors.As(err, &e); claim != nil || !strings.Contains(e.Hint.String(), "/api/things/0") {
			t.Errorf("claim %v, hint %q", claim, e.Hint)
		}
		_, _, err = s.Tokens.Claim(ctx, jane, "make", "0", "b")
		wantError(t, err, problem.Invalid, "idempotency_key_reused")
		respond(jane, "huge", append(slices.Clone(random), random...)) // alone too large, and evicts no others
		_, _, err = s.Tokens.Claim(ctx, jane, "make", "huge", "a")
		wantError(t, err, problem.Conflict, "idempotency_answer_lost")
		if _, _, err = s.Tokens.Claim(ctx, jane, "make", "text", "a"); err != nil {
			t.Errorf("a huge response evicted the others: %v", err)
		}
	})
}
