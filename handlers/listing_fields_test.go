package handlers

import (
	"net/url"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/handlers/listing"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// Every field of an item can be entered when a listing is created, edited or saved, with
// its limits.
func TestItemIsEntered(t *testing.T) {
	item := storetest.FullItem(t)
	query := url.Values{}
	for _, f := range models.ItemFields {
		for _, value := range f.Values(&item) {
			query.Add(f.Name, value)
		}
	}
	in, err := bind.NewBinder[listing.ListingFields](&vocabulary).Bind(query.Encode())
	if err != nil {
		t.Fatal(err)
	}
	var l models.Listing
	in.SetItem(&l)
	for _, f := range models.ItemFields {
		if got, want := f.Values(&l.Item), f.Values(&item); !slices.Equal(got, want) {
			t.Errorf("%s is %q, want %q", f.Name, got, want)
		}
	}

	s := newTestServer(t)
	for _, name := range []string{"create_listing", "edit_listing", "save_listing", "publish_draft"} {
		op := s.operation(t, name)
		fields := op.InputSchema().Properties
		for _, f := range models.ItemFields {
			schema := fields[f.Name]
			if schema == nil {
				t.Errorf("%s takes no %s", name, f.Name)
				continue
			}
			if f.Kind == models.NumberField && (schema.Maximum == nil || *schema.Maximum != float64(f.Max)) {
				t.Errorf("%s takes another maximum of %s than %d", name, f.Name, f.Max)
			}
			if published := name == "create_listing" || name == "edit_listing"; published {
				if f.Kind == models.LinesField {
					schema = schema.Items
				}
				if f.Written() && (schema.MaxLength == nil || *schema.MaxLength != f.Max) {
					t.Errorf("%s takes another length of %s than %d", name, f.Name, f.Max)
				}
			}
		}
	}
}
