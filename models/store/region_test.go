package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
)

func TestRegionValid(t *testing.T) {
	t.Parallel()
	for _, r := range []models.Region{"DE", "US", "US-CA", "US-PR", "DE-BE", "GB-ENG", "GB-SCT", "FR-IDF", "FR-75", "FR-75C",
		"CN-BJ", "IN-MH", "IN-TG", "PL-14", "PL-MZ", "ZA-GP", "NO-46", "JP-13", "AT-9"} {
		if !r.Valid() {
			t.Errorf("%s is not valid", r)
		}
	}
	for _, r := range []models.Region{"", "D", "XX", "de", "us-CA", "US-ca", "US-XX", "US-999", "DE-1", "US-", "US-CALI", "DEU", "UNKNOWN", "-CA", "\x00\x00"} {
		if r.Valid() {
			t.Errorf("%q is valid", r)
		}
	}
}

func TestRegionNames(t *testing.T) {
	for text, want := range map[string]models.Region{"Ivory Coast": "CI", "elfenbeinküste": "CI", "Burma": "MM", "Korea (the Republic of)": "KR", "Panamá": "PA", "Tokyo": "JP-13",
		"Île-de-France": "FR-IDF", "Sachsen": "DE-SN", "Córdoba, Argentina": "AR-X"} {
		var r models.Region
		if err := r.Set(text); err != nil || r != want {
			t.Errorf("%s is %q, %v; want %s", text, r, err, want)
		}
	}
	if name := models.Region("FR-IDF").SubdivisionName(); name != "Île-de-France" {
		t.Errorf("FR-IDF is %q", name)
	}
}

// TestRegionLists reads lists, in which a comma may also be within a region. Where one region is
// expected, a list is refused and not read as its last region.
func TestRegionLists(t *testing.T) {
	for list, want := range map[string]string{
		"DE,AT": "DE AT", "de, at": "DE AT", "US,CA": "US CA", "CA,US": "CA US", "DE,US-CA,EU": "DE US-CA EU",
		"Germany, Austria": "DE AT", "California, USA": "US-CA", "California, USA, Canada": "US-CA CA", "Georgia, USA": "US-GA", "LA, USA": "US-LA",
		"Munich, Germany": "DE DE", "Hintertupfing, Germany": "DE", "Hintertupfing, Germany, Austria": "DE AT", "London, Ontario, Canada": "CA", "San Jose, CA, US, DE": "US DE",
		"Atlantis": "!", "DE,Atlantis": "DE !", "XX,DE": "! DE",
	} {
		var got []string
		for _, text := range models.Region("").Split(list) {
			var r models.Region
			if r.Set(text) != nil {
				r = "!"
			}
			got = append(got, string(r))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is %q, want %s", list, got, want)
		}
	}
	for text, want := range map[string]string{"DE,AT": "[DE AT]", "Germany, Austria": "[DE AT]", "AT/DE": "[AT DE]"} {
		var r models.Region
		var unresolved *problem.Unresolved
		if err := r.Set(text); !errors.As(err, &unresolved) || fmt.Sprint(unresolved.Candidates) != want {
			t.Errorf("%q is %q, %v; want a choice of %s", text, r, err, want)
		}
	}
}

// TestUnknownRegions checks that unknown regions stored in a database are read
// as their country.
func TestUnknownRegions(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, s *store.Store) {
		anna := seller(t, s)
		listings := make([]models.Listing, 4)
		for i, region := range []models.Region{"US-CA", "US-ZZ9", "ZZ-1", "anything"} {
			listings[i] = someListing(anna, i)
			listings[i].Region = region
		}
		must(t, s.Listings.InsertListings(t.Context(), listings))
		want := map[string]models.Region{listings[0].ID: "US-CA", listings[1].ID: "US", listings[2].ID: "", listings[3].ID: ""}
		must(t, s.Listings.EachActiveListing(t.Context(), func(l *models.Listing) error {
			if l.Region != want[l.ID] {
				t.Errorf("loaded %q, want %q", l.Region, want[l.ID])
			}
			return nil
		}))
		for id, region := range want {
			l, err := s.Listings.Listing(t.Context(), id)
			must(t, err)
			if l.Region != region {
				t.Errorf("read %q, want %q", l.Region, region)
			}
		}
	})
}
