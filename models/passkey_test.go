package models_test

import (
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestPasskeys(t *testing.T) {
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

		key := models.Passkey{MemberID: jane.ID, KeyID: "abc", Name: "phone", Credential: "{}"}
		must(t, s.AddPasskey(ctx, &key))
		again := key
		again.MemberID = john.ID
		wantError(t, s.AddPasskey(ctx, &again), problem.Conflict, "too_many_passkeys")
		must(t, s.UsePasskey(ctx, key.ID, `{"n":1}`))
		list, err := s.Passkeys(ctx, jane.ID)
		must(t, err)
		if len(list) != 1 || list[0].Name != "phone" || list[0].UsedAt != models.TimeOf(now) || list[0].Credential != `{"n":1}` {
			t.Errorf("got %+v", list)
		}
		for i := 1; i < models.MaxPasskeys; i++ {
			must(t, s.AddPasskey(ctx, &models.Passkey{MemberID: jane.ID, KeyID: models.NewSecret(), Name: "many", Credential: "{}"}))
		}
		wantError(t, s.AddPasskey(ctx, &models.Passkey{MemberID: jane.ID, KeyID: "more", Name: "many", Credential: "{}"}), problem.Conflict, "too_many_passkeys")
		wantError(t, s.RemovePasskey(ctx, john.ID, key.ID), problem.NotFound, "passkey_not_found")
		must(t, s.RemovePasskey(ctx, jane.ID, key.ID))
		wantError(t, s.RemovePasskey(ctx, jane.ID, key.ID), problem.NotFound, "passkey_not_found")
	})
}
