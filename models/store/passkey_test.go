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
		code, err := s.BeginCeremony(ctx, jane.ID, "challenge")
		must(t, err)
		for _, somebody := range []string{john.ID, ""} {
			_, err = s.EndCeremony(ctx, code, somebody)
			wantError(t, err, problem.NotFound, "code_invalid")
		}
		data, err := s.EndCeremony(ctx, code, jane.ID)
		must(t, err)
		if data != "challenge" {
			t.Errorf("got session data %q", data)
		}
		_, err = s.EndCeremony(ctx, code, jane.ID)
		wantError(t, err, problem.NotFound, "code_invalid")
		code, err = s.BeginCeremony(ctx, "", "challenge")
		must(t, err)
		now = now.Add(11 * time.Minute)
		_, err = s.EndCeremony(ctx, code, "")
		wantError(t, err, problem.NotFound, "code_invalid")

		janes, err := s.Account(ctx, jane.ID)
		must(t, err)
		johns, err := s.Account(ctx, john.ID)
		must(t, err)
		key := models.Passkey{KeyID: "abc", Name: "phone", Credential: "{}"}
		must(t, s.AddPasskey(ctx, janes, &key))
		again := key
		wantError(t, s.AddPasskey(ctx, johns, &again), problem.Conflict, "too_many_passkeys")
		must(t, s.UsePasskey(ctx, key.ID, `{"n":1}`))
		list, err := s.Passkeys(ctx, jane.ID)
		must(t, err)
		if len(list) != 1 || list[0].Name != "phone" || list[0].UsedAt != models.TimeOf(now) || list[0].Credential != `{"n":1}` || list[0].Suspended {
			t.Errorf("got %+v", list)
		}
		for i := 1; i < store.MaxPasskeys; i++ {
			must(t, s.AddPasskey(ctx, janes, &models.Passkey{KeyID: models.NewSecret(), Name: "many", Credential: "{}"}))
		}
		wantError(t, s.AddPasskey(ctx, janes, &models.Passkey{KeyID: "more", Name: "many", Credential: "{}"}), problem.Conflict, "too_many_passkeys")
		wantError(t, s.KeepPasskey(ctx, john.ID, key.ID), problem.NotFound, "passkey_not_found")
		wantError(t, s.KeepPasskey(ctx, jane.ID, "\x00"), problem.NotFound, "passkey_not_found")
		wantError(t, s.RemovePasskey(ctx, john.ID, key.ID), problem.NotFound, "passkey_not_found")
		must(t, s.RemovePasskey(ctx, jane.ID, key.ID))
		wantError(t, s.RemovePasskey(ctx, jane.ID, key.ID), problem.NotFound, "passkey_not_found")
	})
}
