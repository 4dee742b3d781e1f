package store_test

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestPooler checks that a pool whose clients share connections is refused in clear words,
// and that one in session mode that is told which parameters to ignore is not.
func TestPooler(t *testing.T) {
	t.Parallel()
	server := storetest.Postgres(t)
	for _, pool := range []struct {
		name, settings string
		refused        bool
	}{
		{"transaction mode", "pool_mode = transaction", true},
		{"transaction mode, parameters ignored", "pool_mode = transaction\nignore_startup_parameters = jit,plan_cache_mode", true},
		{"transaction mode, in turns", "pool_mode = transaction\nserver_round_robin = 1\nmin_pool_size = 2\nignore_startup_parameters = jit,plan_cache_mode", true},
		{"statement mode", "pool_mode = statement\nignore_startup_parameters = jit,plan_cache_mode", true},
		{"session mode", "pool_mode = session\nignore_startup_parameters = jit,plan_cache_mode", false},
	} {
		t.Run(pool.name, func(t *testing.T) {
			s, err := store.Open(t.Context(), pgBouncer(t, server, pool.settings), nil)
			if err == nil {
				err = s.Migrate(t.Context())
				must(t, s.Close())
			}
			switch {
			case pool.refused && (err == nil || !strings.Contains(err.Error(), "use the address of PostgreSQL itself")):
				t.Errorf("the error is %v", err)
			case !pool.refused && err != nil:
				t.Error(err)
			}
		})
	}
}
