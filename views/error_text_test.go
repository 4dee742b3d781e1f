package views

import (
	"strings"
	"testing"
)

func TestErrorsForPeople(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"There is no listing with the id “019aa7d2-7c00”.", ""},
		{"Search with GET /api/listings/search?keyword=…", ""},
		{"Did you mean canon/eos-r6? Or find the slug with GET /api/gear?keyword=…", ""},
		{"Wait for the reply, or withdraw it. GET /api/offers lists your offers.", "Wait for the reply, or withdraw it."},
		{"There is no parameter \"limits\". Did you mean `limit`?", ""},
		{"The email address or the password is wrong.", "The email address or the password is wrong."},
		{"Something went wrong on our side. Try again in a moment.", "Something went wrong on our side. Try again in a moment."},
		{"Read it again and send its new ETag in If-Match.", ""},
		{"budget_max must be greater than zero.", ""},
	} {
		if got := forPeople(c.text); got != c.want {
			t.Errorf("%q is %q for people, want %q", c.text, got, c.want)
		}
	}
	for _, e := range []*Error{{Status: 404, Code: "page_not_found"}, {Status: 404, Code: "listing_not_found"}, {Status: 400, Code: "invalid_parameter", Message: "limit=0"}, {Status: 412, Message: "ETag"}} {
		if lead := e.lead(); lead == "" || !strings.HasSuffix(lead, ".") || technical.MatchString(lead) {
			t.Errorf("%d %s says %q", e.Status, e.Code, lead)
		}
	}
}
