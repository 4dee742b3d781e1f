package store_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestListings(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		owner := seller(t, s)
		listings := make([]models.Listing, 6)
		for i := range listings {
			listings[i] = someListing(owner, i)
		}
		listings[1].Photos, listings[1].Defects, listings[1].Included, listings[1].Gear, listings[1].Demo = nil, nil, nil, "", true
		listings[2].Status, listings[3].Status, listings[4].Status = models.StatusDraft, models.StatusRemoved, models.StatusSold
		must(t, s.Listings.InsertListings(ctx, listings))
		if l := listings[0]; l.ID == "" || l.CreatedAt == 0 || l.PublishedAt != l.CreatedAt || l.UpdatedAt != l.CreatedAt {
			t.Errorf("not completed: %+v", l)
		}
		if listings[2].PublishedAt != 0 {
			t.Error("a draft was published")
		}

		for _, i := range []int{0, 1, 4} {
			got, err := s.Listings.Listing(ctx, listings[i].ID)
			must(t, err)
			if !reflect.DeepEqual(*got, listings[i]) {
				t.Errorf("got %+v, want %+v", *got, listings[i])
			}
		}
		for _, id := range []string{listings[2].ID, listings[3].ID, "nothing", ""} {
			_, err := s.Listings.Listing(ctx, id)
			wantError(t, err, problem.NotFound, "listing_not_found")
		}
		found, err := s.Listings.ListingsByID(ctx, []string{listings[5].ID, "nothing", listings[2].ID, listings[0].ID, listings[5].ID})
		must(t, err)
		if got := idsOf(found); !slices.Equal(got, []string{listings[5].ID, listings[0].ID}) {
			t.Errorf("ListingsByID gave %v", got)
		}

		active := map[string]*models.Listing{}
		must(t, s.Listings.EachActiveListing(ctx, func(l *models.Listing) error { active[l.ID] = l; return nil }))
		if len(active) != 3 {
			t.Fatalf("%d listings are active, want 3", len(active))
		}
		for _, i := range []int{0, 1, 5} {
			want := listings[i]
			want.Text, want.Included, want.Serial, want.CreatedAt, want.UpdatedAt, want.Version = "", nil, "", 0, 0, 0
			want.Photos = want.Photos[:min(1, len(want.Photos))]
			if !reflect.DeepEqual(*active[want.ID], want) {
				t.Errorf("got %+v, want %+v", *active[want.ID], want)
			}
		}
	})
}

func TestListingsBySeller(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		members := sellers(2)
		must(t, s.Accounts.InsertMembers(ctx, members))
		listings := make([]models.Listing, 40)
		for i := range listings {
			listings[i] = someListing(members[i%2].ID, i)
			listings[i].PublishedAt = someTime + models.Time(i/10) // many at once: the id decides
			if i%8 == 0 {
				listings[i].Status = models.StatusSold
			}
		}
		must(t, s.Listings.InsertListings(ctx, listings))
		var want []string
		newestFirst := func(a, b models.Listing) int {
			return -strings.Compare(fmt.Sprint(int64(a.PublishedAt), a.ID), fmt.Sprint(int64(b.PublishedAt), b.ID))
		}
		for _, l := range slices.SortedFunc(slices.Values(listings), newestFirst) {
			if l.SellerID == members[0].ID && l.Status == models.StatusActive {
				want = append(want, l.ID)
			}
		}
		var got []string
		for key := (store.ListingKey{}); ; {
			page, err := s.Listings.ListingsBySeller(ctx, members[0].ID, []models.Status{models.StatusActive, models.StatusReserved}, key, 4)
			must(t, err)
			if len(page) == 0 {
				break
			}
			if len(page[0].Photos) != 2 {
				t.Error("photos are missing")
			}
			got = append(got, idsOf(page)...)
			last := page[len(page)-1]
			key = store.ListingKey{PublishedAt: last.PublishedAt, ID: last.ID}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		counts, err := s.Listings.CountBySeller(ctx, members[0].ID)
		must(t, err)
		if want := map[models.Status]int{models.StatusActive: 15, models.StatusSold: 5}; !reflect.DeepEqual(counts, want) {
			t.Errorf("got %v, want %v", counts, want)
		}
	})
}

func TestImportListings(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		owner := seller(t, s)
		rows := func() []models.Listing {
			rows := make([]models.Listing, 700)
			for i := range rows {
				rows[i] = someListing(owner, i)
				rows[i].ExternalID = fmt.Sprint("x", i)
			}
			return rows
		}
		importing := func(rows []models.Listing, inserted, updated, unchanged int) {
			t.Helper()
			i, u, n, err := s.Listings.ImportListings(ctx, rows)
			must(t, err)
			if i != inserted || u != updated || n != unchanged {
				t.Errorf("%d inserted, %d updated, %d unchanged; want %d, %d, %d", i, u, n, inserted, updated, unchanged)
			}
		}
		first := rows()
		importing(first, 700, 0, 0)
		at, err := s.Position(ctx)
		must(t, err)
		importing(rows(), 0, 0, 700)
		if now, err := s.Position(ctx); err != nil || changesSince(t, s, at, now) != 0 {
			t.Error("an import without changes logged changes", err)
		}

		changed := rows()
		changed[3].Price, changed[4].Photos, changed[5].Title = 99, nil, "Canon EOS R6, boxed"
		must(t, advance(ctx, s, first[6].ID, models.Move{Step: models.Sell, Price: 100, At: someTime}))
		changed[6].Price = 5 // sold meanwhile
		changed = append(changed, someListing(owner, 1000), someListing(owner, 1000))
		changed[700].ExternalID, changed[701].ExternalID, changed[701].Price = "twice", "twice", 7
		importing(changed, 1, 2, 699)
		for i, want := range map[int]models.Cents{3: 99, 5: 124900, 6: 124900} {
			l, err := s.Listings.Listing(ctx, first[i].ID)
			must(t, err)
			if l.Price != want || len(l.Photos) != 2 || l.PublishedAt != first[i].PublishedAt || l.Title != changed[i].Title {
				t.Errorf("row %d: %+v", i, l)
			}
		}
		twice, err := s.Listings.Listing(ctx, changed[700].ID)
		must(t, err)
		if twice.Price != 7 {
			t.Errorf("the last of two rows with the same external id must win: %+v", twice)
		}
		if _, _, _, err := s.Listings.ImportListings(ctx, []models.Listing{someListing(owner, 1)}); err == nil {
			t.Error("a row without external id was imported")
		}
	})
}

// TestImportListingsRace checks that concurrent imports of the same rows insert
// each row once.
func TestImportListingsRace(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		a, b := open(), open()
		owner := seller(t, a)
		var wg sync.WaitGroup
		var mu sync.Mutex
		var inserted int
		for _, s := range []*store.Store{a, b, a, b} {
			wg.Go(func() {
				rows := make([]models.Listing, 200)
				for i := range rows {
					rows[i] = someListing(owner, i)
					rows[i].ExternalID = fmt.Sprint(i)
				}
				n, updated, _, err := s.Listings.ImportListings(context.Background(), rows)
				if err != nil || updated > 0 {
					t.Error(updated, err)
				}
				mu.Lock()
				defer mu.Unlock()
				inserted += n
			})
		}
		wg.Wait()
		if inserted != 200 {
			t.Errorf("%d rows inserted, want 200", inserted)
		}
	})
}

// TestCloseListing checks that of twenty concurrent sales of a listing one
// succeeds and is recorded.
func TestCloseListing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		a, b, ctx := open(), open(), t.Context()
		listings := []models.Listing{someListing(seller(t, a), 1)}
		must(t, a.Listings.InsertListings(ctx, listings))
		id := listings[0].ID
		var wg sync.WaitGroup
		errs := make([]error, 20)
		for i := range errs {
			wg.Go(func() {
				errs[i] = advance(context.Background(), []*store.Store{a, b}[i%2], id, models.Move{Step: models.Sell, Price: models.Cents(1000 + i), At: someTime})
			})
		}
		wg.Wait()
		winner := slices.Index(errs, nil)
		for i, err := range errs {
			if i != winner {
				wantError(t, err, problem.Conflict, "wrong_status")
			}
		}
		l, err := b.Listings.Listing(ctx, id)
		must(t, err)
		if l.Status != models.StatusSold || l.SoldPrice != models.Cents(1000+winner) || l.ClosedAt != someTime {
			t.Errorf("winner %d, listing %+v", winner, l)
		}
		sales, err := b.Trades.SalesOf(ctx, l.SellerID, store.SaleKey{}, 100)
		must(t, err)
		if len(sales) != 1 || sales[0].Price != l.SoldPrice || sales[0].SoldAt != someTime || sales[0].Source != models.SaleDeclared {
			t.Errorf("sales %+v", sales)
		}
		wantError(t, advance(ctx, a, "nothing", models.Move{Step: models.End}), problem.NotFound, "listing_not_found")
	})
}

// TestBatchesByID checks that batch reads return the same as single reads.
func TestBatchesByID(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		jane, john := account(t, s, "jane"), account(t, s, "john")
		public, draft := inStatus(t, s, jane.ID, models.StatusActive), inStatus(t, s, john.ID, models.StatusDraft)
		ids := []string{public, "nobody's", draft, public, "\x00"}

		all, err := s.Listings.AllListingsByID(ctx, ids)
		must(t, err)
		if len(all) != 2 || all[public].SellerID != jane.ID || all[draft].Status != models.StatusDraft {
			t.Errorf("listings are %+v", all)
		}
		listings, err := s.Listings.ListingsByID(ctx, ids)
		must(t, err)
		if len(listings) != 1 || listings[0].ID != public {
			t.Errorf("public listings are %+v", listings)
		}
		accounts, err := s.Accounts.AccountsByID(ctx, []string{jane.ID, "nobody", john.ID, "\x00"})
		must(t, err)
		one, err := s.Accounts.Account(ctx, jane.ID)
		must(t, err)
		if len(accounts) != 2 || *accounts[jane.ID] != *one {
			t.Errorf("accounts are %+v", accounts)
		}
	})
}
