package handlers

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// formAction finds the address of a new draft on /sell.
var formAction = regexp.MustCompile(`/sell/[0-9a-f]{8}-[0-9a-f-]{27}`)

// newDraft returns the address of the form of a new draft.
func (m *testMember) newDraft(t testing.TB) string {
	t.Helper()
	return formAction.FindString(m.read(t, "/sell"))
}

// stored returns the listing that a form has stored.
func (m *testMember) stored(t testing.TB, form string) map[string]any {
	t.Helper()
	return m.ask(t, "GET", "/api/listings/"+strings.TrimPrefix(form, "/sell/"), "", 200)
}

// TestDraftIsSavedAtEveryChange saves a form field by field.
func TestDraftIsSavedAtEveryChange(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	form := ann.newDraft(t)
	for _, step := range []struct{ body, field, want string }{
		{"title=Canon+EOS+R6+body%2C+boxed&gear=", "gear", "canon/eos-r6"},
		{"", "title", "Canon EOS R6 body, boxed"},
		{"condition=good", "condition", "good"},
		{"price=1.250%2C00+%E2%82%AC", "price", "map[amount:1250.00 currency:EUR]"},
		{"price=%E2%82%AC580", "price", "map[amount:580.00 currency:EUR]"},
		{"price=1%2C250", "price", "map[amount:1250.00 currency:EUR]"},
		{"use_price=1020.00", "price", "map[amount:1020.00 currency:EUR]"},
		{"shutter_count=12%2C400", "shutter_count", "12400"},
		{"shutter_count=", "shutter_count", "<nil>"},
		{"defects=&defects=dents&defects=dead_pixels", "defects", "[map[code:dents label:Dents] map[code:dead_pixels label:Dead pixels]]"},
		{"included=battery%0D%0A%0D%0Abox", "included", "[battery box]"},
		{"region=FR", "region", "FR"},
		{"title=Leica&gear=", "gear", "<nil>"},
		{"gear=none", "category", "other"},
		{"gear=none&category=accessory", "category", "accessory"},
		{"use_gear=canon%2Feos-r6", "category", "mirrorless"},
	} {
		if resp, body := ann.post(t, form, step.body); resp.StatusCode != 303 {
			t.Fatalf("%q is %d: %.600s", step.body, resp.StatusCode, body)
		}
		if got := fmt.Sprint(ann.stored(t, form)[step.field]); got != step.want {
			t.Errorf("%q stores %s %s, want %s", step.body, step.field, got, step.want)
		}
	}
	if resp, _ := ben.post(t, form, "title=Mine"); resp.StatusCode != 404 {
		t.Errorf("another member saves the draft: %d", resp.StatusCode)
	}
	if resp, _ := s.do(t, "GET", "/listings/"+strings.TrimPrefix(form, "/sell/")); resp.StatusCode != 404 {
		t.Errorf("everybody sees the draft: %d", resp.StatusCode)
	}
	if body := ann.read(t, "/sell"); !strings.Contains(body, "Finish a draft") || !strings.Contains(body, `href="`+form+`"`) {
		t.Error("the draft can't be continued")
	}
	for _, path := range []string{form, "/account/listings", "/listings/" + strings.TrimPrefix(form, "/sell/")} {
		ann.read(t, path)
	}
}

// TestFormAsksForEverythingAtOnce publishes incomplete and wrong forms.
func TestFormAsksForEverythingAtOnce(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	for _, c := range []struct {
		name   string
		change url.Values
		faults []string // in their order on the page
	}{
		{"nothing", url.Values{"title": {""}, "gear": {""}, "condition": {""}, "functional": {""}, "price": {""}, "region": {""}}, []string{"title", "condition", "functional", "price", "region"}},
		{"two mistakes", url.Values{"price": {"plenty"}, "shutter_count": {"many"}}, []string{"shutter-count", "price"}},
		{"a mistake and something missing", url.Values{"price": {"1,2,3"}, "condition": {""}}, []string{"condition", "price"}},
		{"unknown gear", url.Values{"title": {"A box of odds and ends"}, "gear": {""}, "postage": {"by pigeon"}}, []string{"gear", "postage"}},
		{"too long", url.Values{"title": {strings.Repeat("x", models.MaxTitle+1)}, "price": {"$5"}}, []string{"title", "price"}},
	} {
		form, fields := ann.newDraft(t), r6Form()
		for name, values := range c.change {
			fields[name] = values
		}
		resp, body := ann.post(t, form+"/publish", fields.Encode())
		if resp.StatusCode != 400 {
			t.Errorf("%s: %d", c.name, resp.StatusCode)
			continue
		}
		at := 0
		for _, field := range c.faults {
			i := strings.Index(body, `id="save-listing-`+field+`-fault"`)
			if i < at {
				t.Errorf("%s: the error of %s is at %d, after %d", c.name, field, i, at)
			}
			at = i
			if !strings.Contains(body, `href="#save-listing-`+field+`"`) || !strings.Contains(body, `id="save-listing-`+field+`"`) {
				t.Errorf("%s: the summary does not link to %s", c.name, field)
			}
		}
		if n := strings.Count(body, `-fault"`+">"); n != len(c.faults) {
			t.Errorf("%s: %d errors, want %d", c.name, n, len(c.faults))
		}
		if strings.Count(body, " autofocus") != 1 || !regexp.MustCompile(`id="save-listing-`+c.faults[0]+`"[^>]* autofocus`).MatchString(body) {
			t.Errorf("%s: the focus is not on %s", c.name, c.faults[0])
		}
		if !strings.Contains(body, "Hardly used.") {
			t.Errorf("%s: what was typed is lost", c.name)
		}
	}
}

// TestFormTakesPhotos sends photos with the form, some of which are rejected.
func TestFormTakesPhotos(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	form := anna.newDraft(t)
	good := part{"photo", "a.jpg", string(picturetest.JPEG(t, 40, 30))}
	resp, body := anna.postParts(t, form, good, part{"title", "", "Canon EOS R6"}, part{"gear", "", ""}, part{"price", "", "plenty"})
	if resp.StatusCode != 400 || !strings.Contains(body, "isn&#39;t an amount") || !strings.Contains(body, `class="prints"`) {
		t.Fatalf("a wrong price loses the photo: %d", resp.StatusCode)
	}
	resp, body = anna.postParts(t, form, part{"photo", "page.jpg", "<html>"}, part{"price", "", "900"})
	if resp.StatusCode != 400 || !strings.Contains(body, `id="save-listing-photo-fault"`) {
		t.Errorf("a wrong photo is %d", resp.StatusCode)
	}
	l := anna.stored(t, form)
	if l["gear"] != "canon/eos-r6" || get(t, l, "price.amount") != "900.00" || len(l["photos"].([]any)) != 1 {
		t.Errorf("stored is %v", l)
	}
	anna.postParts(t, form, part{"photo", "b.jpg", string(picturetest.JPEG(t, 50, 30))})
	keys, _ := keysOf(anna.ask(t, "GET", "/api"+strings.Replace(form, "/sell/", "/listings/", 1)+"/photos", "", 200))
	anna.post(t, form, "photos="+keys[0]+"&alt=The+front&photos="+keys[1]+"&alt=&earlier="+keys[1])
	moved, alts := keysOf(anna.ask(t, "GET", "/api"+strings.Replace(form, "/sell/", "/listings/", 1)+"/photos", "", 200))
	if moved[0] != keys[1] || alts[1] != "The front" {
		t.Errorf("the photos are %v with %q", moved, alts)
	}
	rest := "condition=good&functional=untested&region=DE"
	if resp, body := anna.post(t, form+"/publish", rest); resp.StatusCode != 303 {
		t.Errorf("publishing with photos is %d: %.300s", resp.StatusCode, body)
	}
	// A published listing is changed as a whole, or not at all.
	if resp, body := anna.post(t, form, "price=&title=Another"); resp.StatusCode != 400 || !strings.Contains(body, "Enter a price.") {
		t.Errorf("a listing without a price is %d", resp.StatusCode)
	}
	if l := anna.stored(t, form); l["title"] != "Canon EOS R6" || l["status"] != "active" {
		t.Errorf("half an edit is stored: %v", l)
	}
}
