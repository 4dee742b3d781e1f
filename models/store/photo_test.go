package store_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// keys returns the keys of photos in order.
func keys(photos []models.Photo) (all []string) {
	for _, p := range photos {
		all = append(all, p.Key)
	}
	return all
}

func TestPhotos(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		owner, id := seller(t, s), ""
		add := func(status models.Status) string {
			l := someListing(owner, 1)
			l.Status, l.Photos = status, nil
			one := []models.Listing{l}
			must(t, s.Listings.InsertListings(ctx, one))
			return one[0].ID
		}
		id = add(models.StatusDraft)
		l, err := s.Listings.AddPhotos(ctx, id, owner, []models.Photo{{Key: "one", Width: 3, Height: 2}, {Key: "two", Alt: "two", Width: 3, Height: 2}, {Key: "one", Width: 3, Height: 2}})
		must(t, err)
		if !slices.Equal(keys(l.Photos), []string{"one", "two"}) || l.Version != 2 {
			t.Errorf("added %v at version %d", l.Photos, l.Version)
		}
		for _, c := range []struct {
			what           string
			key, member    string
			public, theirs bool
		}{{"a draft's for its owner", "one", owner, false, true}, {"a draft's for another", "one", "somebody", false, false}, {"none", "three", owner, false, false}} {
			public, err := s.Listings.HasPhoto(ctx, c.key)
			must(t, err)
			theirs, err := s.Listings.HasOwnPhoto(ctx, c.key, c.member)
			must(t, err)
			if public != c.public || theirs != c.theirs {
				t.Errorf("%s: public %v, theirs %v", c.what, public, theirs)
			}
		}
		must(t, advance(ctx, s, id, models.Move{Step: models.Publish}))
		if public, err := s.Listings.HasPhoto(ctx, "one"); err != nil || !public {
			t.Errorf("the photo of a published listing is not public: %v", err)
		}
		l, err = s.Listings.ArrangePhotos(ctx, id, owner, 0, store.Arrangement{Order: []string{"two", "one"}, Alts: map[string]string{"one": "first"}, MoveDown: "two"})
		must(t, err)
		if !slices.Equal(keys(l.Photos), []string{"one", "two"}) || l.Photos[0].Alt != "first" {
			t.Errorf("arranged %v", l.Photos)
		}
		_, err = s.Listings.ArrangePhotos(ctx, id, owner, l.Version-1, store.Arrangement{MoveDown: "one"})
		wantError(t, err, problem.Changed, "listing_changed")
		for _, order := range [][]string{{"one"}, {"one", "one"}, {"one", "two", "three"}, {}} {
			_, err = s.Listings.ArrangePhotos(ctx, id, owner, 0, store.Arrangement{Order: order})
			wantError(t, err, problem.Invalid, "invalid_parameter")
		}
		_, err = s.Listings.RemovePhoto(ctx, id, "somebody", "one")
		wantError(t, err, problem.Forbidden, "not_yours")
		_, err = s.Listings.RemovePhoto(ctx, id, owner, "three")
		wantError(t, err, problem.NotFound, "photo_not_found")
		_, err = s.Listings.RemovePhoto(ctx, id, owner, "one")
		must(t, err)
		used, err := s.Listings.UsedPhotos(ctx, []string{"one", "two", "three"})
		must(t, err)
		if !slices.Equal(used, []string{"two"}) {
			t.Errorf("in use are %q", used)
		}
		must(t, advance(ctx, s, id, models.Move{Step: models.Remove}))
		if public, err := s.Listings.HasPhoto(ctx, "two"); err != nil || public {
			t.Errorf("the photo of a removed listing is public: %v", err)
		}

		// Concurrently, every photo is added once, up to the limit.
		id = add(models.StatusDraft)
		var all sync.WaitGroup
		errs := make([]error, models.MaxPhotos+3)
		for i := range errs {
			all.Go(func() {
				_, errs[i] = s.Listings.AddPhotos(ctx, id, owner, []models.Photo{{Key: fmt.Sprint("many-", i), Width: 1, Height: 1}})
			})
		}
		all.Wait()
		refused := 0
		for _, err := range errs {
			if err != nil {
				wantError(t, err, problem.Invalid, "invalid_parameter")
				refused++
			}
		}
		l, err = s.Listings.OwnListing(ctx, id, owner)
		must(t, err)
		if len(l.Photos) != models.MaxPhotos || refused != 3 {
			t.Errorf("of %d concurrent photos %d were added and %d rejected", len(errs), len(l.Photos), refused)
		}
	})
}

// TestPhotoStorageIsLimited checks the total size of a member's photos while two
// servers add to several listings at once.
func TestPhotoStorageIsLimited(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		servers := []*store.Store{s, storetest.Open(t, url, nil)}
		jane := account(t, s, "jane").ID
		boss, err := s.Accounts.CreateAccount(ctx, registration("boss"), models.RoleOperator)
		must(t, err)
		draft := func(seller string) string {
			t.Helper()
			l := []models.Listing{someListing(seller, 1)}
			l[0].Status, l[0].Photos, l[0].ExternalID = models.StatusDraft, nil, ""
			must(t, s.Listings.InsertListings(ctx, l))
			return l[0].ID
		}
		photo := func(key string) []models.Photo {
			return []models.Photo{{Key: key, Width: 1, Height: 1, Bytes: store.MaxPhotoStorage / 10}}
		}
		ids := make([]string, 14)
		for i := range ids {
			ids[i] = draft(jane)
		}
		errs := make([]error, len(ids))
		var group sync.WaitGroup
		for i, id := range ids {
			group.Go(func() { _, errs[i] = servers[i%2].Listings.AddPhotos(ctx, id, jane, photo(fmt.Sprint("photo-", i))) })
		}
		group.Wait()
		added, full := -1, 0
		for i, err := range errs {
			if err == nil {
				added = i
				continue
			}
			full++
			wantError(t, err, problem.Conflict, "photo_storage_full")
		}
		if full != len(ids)-10 {
			t.Fatalf("%d of %d photos were refused, want %d", full, len(ids), len(ids)-10)
		}
		same, other := draft(jane), draft(jane)
		_, err = s.Listings.AddPhotos(ctx, same, jane, photo(fmt.Sprint("photo-", added))) // stored once
		must(t, err)
		_, err = s.Listings.AddPhotos(ctx, other, jane, photo("another"))
		wantError(t, err, problem.Conflict, "photo_storage_full")
		_, err = s.Listings.ArrangePhotos(ctx, same, jane, 0, store.Arrangement{Alts: map[string]string{fmt.Sprint("photo-", added): "the front"}})
		must(t, err)
		_, err = s.Listings.RemovePhoto(ctx, ids[added], jane, fmt.Sprint("photo-", added))
		must(t, err)
		_, err = s.Listings.RemovePhoto(ctx, same, jane, fmt.Sprint("photo-", added))
		must(t, err)
		_, err = s.Listings.AddPhotos(ctx, other, jane, photo("another"))
		must(t, err)
		for i := range 12 {
			_, err = s.Listings.AddPhotos(ctx, draft(boss.ID), boss.ID, photo(fmt.Sprint("shop-", i)))
			must(t, err)
		}
	})
}
