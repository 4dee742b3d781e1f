package store_test

import (
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestPasskeys(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane"), account(t, s, "john")
		code, err := s.Accounts.BeginCeremony(ctx, jane.ID, "challenge")
		must(t, err)
		for _, somebody := range []string{john.ID, ""} {
			_, err = s.Accounts.EndCeremony(ctx, code, somebody)
			wantError(t, err, problem.NotFound, "code_invalid")
		}
		data, err := s.Accounts.EndCeremony(ctx, code, jane.ID)
		must(t, err)
		if data != "challenge" {
			t.Errorf("got session data %q", data)
		}
		_, err = s.Accounts.EndCeremony(ctx, code, jane.ID)
		wantError(t, err, problem.NotFound, "code_invalid")
		code, err = s.Accounts.BeginCeremony(ctx, "", "challenge")
		must(t, err)
		now = now.Add(11 * time.Minute)
		_, err = s.Accounts.EndCeremony(ctx, code, "")
		wantError(t, err, problem.NotFound, "code_invalid")

		janes, err := s.Accounts.Account(ctx, jane.ID)
		must(t, err)
		johns, err := s.Accounts.Account(ctx, john.ID)
		must(t, err)
		key := models.Passkey{KeyID: "abc", Name: "phone", Credential: "{}"}
		must(t, s.Accounts.AddPasskey(ctx, janes, &key))
		again := key
		wantError(t, s.Accounts.AddPasskey(ctx, johns, &again), problem.Conflict, "too_many_passkeys")
		must(t, s.Accounts.UsePasskey(ctx, key.ID, `{"n":1}`))
		list, err := s.Accounts.Passkeys(ctx, jane.ID)
		must(t, err)
		if len(list) != 1 || list[0].Name != "phone" || list[0].UsedAt != models.TimeOf(now) || list[0].Credential != `{"n":1}` || list[0].Suspended {
			t.Errorf("got %+v", list)
		}
		for i := 1; i < store.MaxPasskeys; i++ {
			must(t, s.Accounts.AddPasskey(ctx, janes, &models.Passkey{KeyID: models.NewSecret(), Name: "many", Credential: "{}"}))
		}
		wantError(t, s.Accounts.AddPasskey(ctx, janes, &models.Passkey{KeyID: "more", Name: "many", Credential: "{}"}), problem.Conflict, "too_many_passkeys")
		wantError(t, s.Accounts.KeepPasskey(ctx, john.ID, key.ID), problem.NotFound, "passkey_not_found")
		wantError(t, s.Accounts.KeepPasskey(ctx, jane.ID, "\x00"), problem.NotFound, "passkey_not_found")
		wantError(t, s.Accounts.RemovePasskey(ctx, john.ID, key.ID), problem.NotFound, "passkey_not_found")
		must(t, s.Accounts.RemovePasskey(ctx, jane.ID, key.ID))
		wantError(t, s.Accounts.RemovePasskey(ctx, jane.ID, key.ID), problem.NotFound, "passkey_not_found")
	})
}
