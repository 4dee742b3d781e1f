package handlers

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestMembersOnOtherServers checks that what happens to a member through one server is soon
// seen on the cached pages of another.
func TestMembersOnOtherServers(t *testing.T) {
	url := storetest.Postgres(t)
	here, there := newReplica(t, url), newReplica(t, url)
	ctx := context.Background()
	ann, ben := here.join(t, "ann", models.RoleMember), here.join(t, "ben", models.RoleMember)
	var trade string
	for _, step := range []struct {
		name, page string
		do         func() error
		want       string
	}{
		{"edit", "/sellers/ann", func() error {
			return here.store.Accounts.EditMember(ctx, ann.ID, "Ann of the Lake", "AT", "Glass only.")
		}, "Ann of the Lake"},
		{"edit again", "/api/sellers/ann", func() error {
			return here.store.Accounts.EditMember(ctx, ann.ID, "Ann of the Hill", "AT", "Glass only.")
		}, "Ann of the Hill"},
		{"sale", "/api/sellers/ann", func() error { trade = here.trade(t, ann, ben); return nil }, `"sold":1`},
		{"rating", "/sellers/ann", func() error { _, err := here.store.Trades.Rate(ctx, trade, ben.ID, 4, "Quick and kind"); return err }, "Quick and kind"},
		{"deletion of the rater", "/sellers/ann", func() error { return here.store.Accounts.DeleteAccount(ctx, ben.ID) }, "former-"},
		{"deletion", "/sellers/ann", func() error { return here.store.Accounts.DeleteAccount(ctx, ann.ID) }, "Seller not found"},
	} {
		for range 3 { // so that it is cached
			there.do(t, "GET", step.page)
		}
		must(step.do())
		began := time.Now()
		seen := func() bool {
			_, body := there.do(t, "GET", step.page)
			return strings.Contains(body, step.want)
		}
		for !seen() {
			if time.Since(began) > 10*time.Second {
				_, body := there.do(t, "GET", step.page)
				t.Fatalf("%s is not on %s of another server: %.3000s", step.name, step.page, body)
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Logf("%s after %v", step.name, time.Since(began).Round(time.Millisecond))
	}
}
