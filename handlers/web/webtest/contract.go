package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/dunglas/httpsfv"
)

// CheckContract holds the fields of a response to what every response promises.
func CheckContract(t Reporter, what string, h http.Header) {
	t.Helper()
	if v := h.Get("Vary"); !strings.Contains(v, "Accept") {
		t.Errorf("%s: Vary is %q", what, v)
	}
	policy, limits := RateItem(t, what, h, "RateLimit-Policy", "q", "w")
	name, left := RateItem(t, what, h, "RateLimit", "r", "t")
	r, reset := left[0], left[1]
	if policy != name || fmt.Sprint(limits[0]) != h.Get("RateLimit-Limit") || limits[1] != 60 || r < 0 || r > limits[0] {
		t.Errorf("%s: RateLimit-Policy is %q and RateLimit %q, of %q", what, h.Get("RateLimit-Policy"), h.Get("RateLimit"), h.Get("RateLimit-Limit"))
	}
	if h.Get("RateLimit-Remaining") != fmt.Sprint(r) || h.Get("RateLimit-Reset") != fmt.Sprint(reset) || h.Get("RateLimit-Limit") == "" {
		t.Errorf("%s: RateLimit-Limit, -Remaining and -Reset are %q %q %q beside %q", what,
			h.Get("RateLimit-Limit"), h.Get("RateLimit-Remaining"), h.Get("RateLimit-Reset"), h.Get("RateLimit"))
	}
	if reset < 1 || reset > 60 {
		t.Errorf("%s: the window ends in %d seconds", what, reset)
	}
	for _, name := range []string{"X-Request-Id", "Content-Security-Policy", "X-Content-Type-Options",
		"Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Strict-Transport-Security", "Cache-Control"} {
		if h.Get(name) == "" || len(h.Values(name)) > 1 {
			t.Errorf("%s: %s is %q", what, name, h.Values(name))
		}
	}
	media, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	json := strings.HasSuffix(media, "json")
	for _, name := range []string{"Referrer-Policy", "Permissions-Policy", "Cross-Origin-Opener-Policy"} {
		if values := h.Values(name); len(values) > 1 || json == (h.Get(name) != "") {
			t.Errorf("%s: %s of %s is %q", what, name, media, values)
		}
	}
}

// Reporter is what a test and a generated check have in common.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// RateItem returns the name and the two integers of a RateLimit field: a list of one
// string with two parameters.
func RateItem(t Reporter, what string, h http.Header, field string, params ...string) (name string, values [2]int64) {
	t.Helper()
	list, err := httpsfv.UnmarshalList(h.Values(field))
	if err != nil || len(list) != 1 {
		t.Errorf("%s: %s is %q: %v", what, field, h.Values(field), err)
		return "", values
	}
	item, _ := list[0].(httpsfv.Item)
	name, ok := item.Value.(string)
	if !ok {
		t.Errorf("%s: %s is %q, not of a string", what, field, h.Get(field))
		return "", values
	}
	for i, param := range params {
		value, _ := item.Params.Get(param)
		if values[i], ok = value.(int64); !ok {
			t.Errorf("%s: %s is %q, without an integer %s", what, field, h.Get(field), param)
		}
	}
	return name, values
}

// Cause is a text of errors on the server's side that no client may be told.
const Cause = "the cause of it"

// CheckExchange sends a request and checks that the response has a status, what
// every response promises, and a body where there is to be one. Header holds names
// and values in turn.
func (c *Client) CheckExchange(t testing.TB, method, target string, header []string, status int) {
	t.Helper()
	what := fmt.Sprintf("%s %s %q", method, target, header)
	resp, body := c.Send(t, method, target, "", header...)
	if resp.StatusCode != status {
		t.Errorf("%s: status %d, want %d: %s", what, resp.StatusCode, status, body)
	}
	CheckContract(t, what, resp.Header)
	if strings.Contains(body, Cause) {
		t.Errorf("%s tells the cause: %s", what, body)
	}
	if status >= 400 && method != "HEAD" && len(body) < 100 {
		t.Errorf("%s has no error body: %q", what, body)
	}
	if (status == 304 || status == 204 || method == "HEAD") && body != "" {
		t.Errorf("%s has a body: %q", what, body)
	}
	if status == 304 && resp.Header.Get("ETag") == "" {
		t.Errorf("%s names no ETag", what)
	}
	if status == 405 && resp.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("%s: Allow is %q", what, resp.Header.Get("Allow"))
	}
}
