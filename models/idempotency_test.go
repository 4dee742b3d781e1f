package models_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestClaims holds that a write named with a key is done once: by one of many who
// ask at once, again when its process died before it changed anything, and not
// again when it had.
func TestClaims(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		replica := storetest.Open(t, url, func() time.Time { return now })
		jane := account(t, s, "jane")
		ask := func(store *models.Store, key, request string) (*models.Claim, string, string) {
			claim, answer, err := store.Claim(ctx, jane.ID, "make", key, request)
			var told *models.Error
			if err != nil && !errors.As(err, &told) {
				t.Fatal(err)
			}
			if told != nil {
				return claim, string(answer), told.Code
			}
			return claim, string(answer), ""
		}
		write := func(c *models.Claim, name string) error {
			_, err := s.CreateToken(c.Under(ctx), jane.ID, &models.Token{Name: name, Scopes: models.AllScopes})
			return err
		}

		var mu sync.Mutex
		var first *models.Claim
		var refused int
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				claim, answer, code := ask([]*models.Store{s, replica}[i%2], "one", "a")
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
			t.Errorf("another request under the key is %q", code)
		}
		must(t, write(first, "one"))
		must(t, s.Answered(ctx, first, []byte("the answer")))
		if claim, answer, code := ask(replica, "one", "a"); claim != nil || answer != "the answer" || code != "" {
			t.Errorf("afterwards: %v %q %q", claim, answer, code)
		}

		// What changed nothing may be tried again.
		given, _, _ := ask(s, "two", "a")
		must(t, s.Release(ctx, given))
		given, _, _ = ask(s, "two", "a")
		if given == nil {
			t.Fatal("a claim that was given back is not free")
		}

		// A claim of the dead is taken over, and the dead commit nothing any more.
		now = now.Add(2 * time.Minute)
		taken, _, _ := ask(replica, "two", "a")
		if taken == nil {
			t.Fatal("the claim of a dead process is not taken over")
		}
		var told *models.Error
		if err := write(given, "two by the dead"); !errors.As(err, &told) || told.Code != "idempotency_in_progress" {
			t.Errorf("the dead write: %v", err)
		}
		must(t, write(taken, "two"))
		if _, _, code := ask(s, "two", "a"); code != "idempotency_in_progress" {
			t.Errorf("a write that is done and not answered is %q", code)
		}
		must(t, s.Release(ctx, taken)) // too late: it changed something
		now = now.Add(2 * time.Minute)
		if claim, _, code := ask(s, "two", "a"); claim != nil || code != "idempotency_answer_lost" {
			t.Errorf("a write whose answer was lost is %v %q", claim, code)
		}

		tokens, err := s.Tokens(ctx, jane.ID)
		must(t, err)
		if len(tokens) != 2 {
			t.Errorf("two writes made %d tokens", len(tokens))
		}

		now = now.Add(24 * time.Hour)
		if claim, _, _ := ask(s, "one", "b"); claim == nil {
			t.Error("a key is kept for more than a day")
		}
	})
}

// TestKeyLimit holds that a member can use only so many keys in a day.
func TestKeyLimit(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := account(t, s, "jane")
		claim := func(key string) error {
			_, _, err := s.Claim(ctx, jane.ID, "make", key, "a")
			return err
		}
		_, err := raw(t, url).ExecContext(ctx, `INSERT INTO idempotency (member_id, operation, key_hash, request, state, answer, claimed_at)
			WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			SELECT $2, 'make', 'key ' || i, 'a', 0, '', CAST($3 AS BIGINT) FROM n`, models.MaxKeys, jane.ID, int64(someTime))
		must(t, err)
		must(t, claim("the last"))
		refused := claim("one more")
		wantError(t, refused, models.TooMany, "too_many_keys")
		var told *models.Error
		if errors.As(refused, &told); told.Wait <= 0 {
			t.Error("nobody says when another key can be used")
		}
		now = now.Add(time.Duration(told.Wait) * time.Second)
		must(t, claim("one more"))
	})
}
