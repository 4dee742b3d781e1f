package handlers

import (
	"context"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/account"
	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/settings"
)

// TestSetup plays the owner of an empty site, and somebody who isn't.
func TestSetup(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	secret, err := s.store.Accounts.BeginSetup(context.Background())
	must(err)
	eve, owner := s.browser(), s.browser()
	for _, path := range []string{"/setup", "/setup?token=nonsense"} {
		if resp, _ := eve.send(t, "GET", path, ""); resp.StatusCode != 404 {
			t.Errorf("%s is %d", path, resp.StatusCode)
		}
	}
	form := []string{"site_name", "Foto Ecke", "purpose", "portfolio_and_shop", "name", "Ada Ortega", "handle", "ada", "email", "ada@example.org",
		"password", janesPassword, "currency", "CHF", "country", "CH", "language", "de"}
	if resp, _ := eve.send(t, "POST", "/setup", formBody(append(form, "token", "nonsense")...)); resp.StatusCode != 404 {
		t.Errorf("a wrong token is %d", resp.StatusCode)
	}
	if page := owner.read(t, account.SetupPath(secret)); !strings.Contains(page, `name="site_name"`) {
		t.Error("the page has no form")
	}
	if to := owner.fill(t, "/setup", append(form, "token", secret)...); !strings.HasPrefix(to, settings.ChecklistPage) {
		t.Errorf("leads to %s", to)
	}
	if page := owner.read(t, settings.ChecklistPage); !strings.Contains(page, "0 von 7 erledigt") || !strings.Contains(page, `href="/admin/look"`) {
		t.Error("the checklist doesn't say what is to be done")
	}
	if page := owner.read(t, admin.AdminSitePage); !strings.Contains(page, "Foto Ecke") || !strings.Contains(page, `lang="de"`) || !strings.Contains(page, `value="CHF"`) {
		t.Error("the settings are not those of the setup")
	}
	for _, b := range []*testBrowser{eve, owner} {
		if resp, _ := b.send(t, "GET", account.SetupPath(secret), ""); resp.StatusCode != 410 {
			t.Errorf("afterwards the link is %d", resp.StatusCode)
		}
	}
}

// TestSiteAfterSetup reads the pages of a site without listings, sales and photographs, as
// its owner and as a visitor.
func TestSiteAfterSetup(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	owner, visitor := s.browser(), s.browser()
	secret, err := s.store.Accounts.BeginSetup(context.Background())
	must(err)
	owner.fill(t, "/setup", "site_name", "Foto Ecke", "purpose", "portfolio_and_shop", "name", "Ada Ortega", "handle", "ada", "email", "ada@example.org",
		"password", janesPassword, "token", secret)
	for _, c := range []struct{ path, todo, visitor string }{
		{"/", "/admin/checklist", "Opening soon"},
		{"/listings", `href="/sell">Create a listing`, "Nothing for sale"},
		{"/prices", `href="/sell">Create a listing`, "Prices will appear here"},
		{"/portfolio", `href="/account/portfolio">Create a project`, "Photographs coming soon"},
	} {
		for range 3 { // cached, if it were
			page, public := owner.read(t, c.path), visitor.read(t, c.path)
			if !strings.Contains(page, c.todo) || strings.Contains(public, c.todo) {
				t.Errorf("%s doesn't say what to do to the owner alone", c.path)
			}
			if !strings.Contains(public, c.visitor) || strings.Contains(public, ">0 ") && c.path == "/" {
				t.Errorf("%s doesn't say to a visitor that it is empty", c.path)
			}
		}
	}
}
