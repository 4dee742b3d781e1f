package handlers

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
)

// TestPublishingTimesAreInTheZoneOfReaders checks that the forms of texts and projects name the time zone
// of the reader and take times in it, and that programs write UTC.
func TestPublishingTimesAreInTheZoneOfReaders(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := newMarketServer(t, func(c *Config) {
		c.DataDir = data
		c.Library = portfolio.Open(os.DirFS(data), c.Catalog, filepath.Join(data, "photos"), c.Log)
	})
	op := s.join(t, "the-operator", models.RoleOperator)
	op.ask(t, "POST", "/api/admin/portfolio", `{"title":"Iceland"}`, 201)
	op.ask(t, "POST", "/api/admin/pages", `{"section":"journal","title":"Winter","language":"en"}`, 201)
	for _, c := range []struct{ page, api, method, change string }{
		{"/account/portfolio/iceland", "/api/admin/portfolio/iceland", "PUT", `"visibility":"public"`},
		{"/admin/pages/journal/winter/en", "/api/admin/pages/journal/winter/en", "PATCH", `"publish":true`},
	} {
		stored := func() string {
			at, _ := op.ask(t, "GET", c.api, "", 200)["publish_at"].(string)
			return strings.TrimSuffix(at, ":00Z")
		}
		shown := func(zone string) string {
			_, page := s.do(t, "GET", c.page, "Cookie", op.cookie+"; zone="+zone, "Accept", "text/html")
			return page
		}
		for _, zoned := range [][2]string{{"Europe/Berlin", "2099-07-01T07:00"}, {"", "2099-07-01T09:00"}} {
			zone, utc := zoned[0], zoned[1]
			form := url.Values{"title": {"Iceland"}, "text": {"Cold."}, "visibility": {"public"}, "publish": {"true"}, "publish_at": {"2099-07-01T09:00"}}
			resp, body := s.send(t, "POST", c.page, form.Encode(), "Cookie", op.cookie+"; zone="+zone, "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html", "Sec-Fetch-Site", "same-origin")
			if resp.StatusCode != 303 || stored() != utc {
				t.Errorf("%s in %q: %d, public from %s, want %s: %s", c.page, zone, resp.StatusCode, stored(), utc, body)
			}
		}
		if page := shown("Europe/Berlin"); !strings.Contains(page, `value="2099-07-01T11:00"`) || !strings.Contains(page, "Time zone: Europe/Berlin.") {
			t.Errorf("%s doesn't have the time of the reader", c.page)
		}
		if page := shown(""); !strings.Contains(page, `value="2099-07-01T09:00"`) || !strings.Contains(page, "Time zone: UTC.") {
			t.Errorf("%s doesn't have the time in UTC", c.page)
		}
		op.ask(t, c.method, c.api, `{"title":"Iceland","text":"Cold.","publish_at":"2099-07-01T05:00",`+c.change+`}`, 200, "Cookie", "zone=Europe/Berlin")
		if stored() != "2099-07-01T05:00" {
			t.Errorf("a program's time is %s", stored())
		}
	}
}
