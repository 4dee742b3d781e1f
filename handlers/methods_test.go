package handlers

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
)

// problemType is what an error is sent with as JSON.
const problemType = "application/problem+json; charset=utf-8"

// everywhere holds a URL of every kind: operations, documents, files, errors.
func (s *testServer) everywhere() []string {
	all := []string{"/robots.txt", "/favicon.ico", "/static/favicon.svg", "/static/nothing.css", "/photos/nothing-320.jpg",
		"/nothing", "/api/nothing", "/api", "/api/probes/lens?nope=1", "/errors/", "/probes/lens.md.json"}
	all = append(all, s.documents()...)
	for _, target := range s.targets() {
		all = append(all, target.address)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// documents returns the paths without parameters of everything but operations, the
// stream of events, which does not end, and the endpoints of OAuth.
func (s *Server) documents() []string {
	var all []string
	for _, route := range s.App().GetRoutes(true) {
		operation := slices.ContainsFunc(s.Operations(), func(op *web.Operation) bool { return op.Path == route.Path || op.Page == route.Path })
		if route.Method == http.MethodGet && !operation && route.Path != watch.EventsPath && !strings.HasPrefix(route.Path, "/oauth/") && !strings.ContainsAny(route.Path, ":*") {
			all = append(all, route.Path)
		}
	}
	return all
}

// pathParameter matches a parameter in the pattern of an address.
var pathParameter = regexp.MustCompile(`\{\w+\}`)

// matches reports whether a path is one of a pattern's.
func matches(pattern, path string) bool {
	return regexp.MustCompile("^" + pathParameter.ReplaceAllString(pattern, "[^/]*") + "$").MatchString(path)
}

// TestHEADIsGETWithoutABody tests that HEAD has the same headers as GET.
func TestHEADIsGETWithoutABody(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for _, address := range s.everywhere() {
		for _, coding := range []string{"identity", "gzip"} {
			get, body := s.do(t, "GET", address, "Accept-Encoding", coding)
			head, nothing := s.do(t, "HEAD", address, "Accept-Encoding", coding)
			if nothing != "" || head.StatusCode != get.StatusCode {
				t.Errorf("HEAD %s is %d with %d bytes, GET is %d", address, head.StatusCode, len(nothing), get.StatusCode)
			}
			if n, err := strconv.Atoi(get.Header.Get("Content-Length")); err != nil || n != len(body) {
				t.Errorf("GET %s says %q of %d bytes", address, get.Header.Get("Content-Length"), len(body))
			}
			if get.StatusCode >= 400 { // the request id stands in the body
				get.Header.Del("Etag")
			}
			for _, own := range []string{"Date", "X-Request-Id", "Ratelimit", "Ratelimit-Remaining"} {
				get.Header.Del(own)
				head.Header.Del(own)
			}
			if !maps.EqualFunc(get.Header, head.Header, slices.Equal) {
				t.Errorf("%s: HEAD has the fields %v, GET %v", address, head.Header, get.Header)
			}
		}
	}
}

// TestOPTIONSEverywhere tests that every address says which methods it takes, and
// lets scripts of other sites read what is public.
func TestOPTIONSEverywhere(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for _, address := range s.everywhere() {
		get, _ := s.do(t, "GET", address)
		if get.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("GET %s may not be read by scripts of other sites", address)
		}
		if get.Header.Get("Access-Control-Expose-Headers") != "*" {
			t.Errorf("GET %s does not expose its header", address)
		}
		resp, body := s.do(t, "OPTIONS", address, "Origin", "https://other.example",
			"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "accept")
		webtest.CheckContract(t, "OPTIONS "+address, resp.Header)
		if get.StatusCode == 404 && resp.StatusCode == 404 {
			continue
		}
		if address == "/errors/" { // GET leads on, OPTIONS does not
			continue
		}
		if resp.StatusCode != 204 || body != "" || resp.Header.Get("Allow") != s.allowed(address) {
			t.Errorf("OPTIONS %s is %d, Allow %q, body %q", address, resp.StatusCode, resp.Header.Get("Allow"), body)
		}
		methods := "GET, HEAD, OPTIONS"
		if strings.HasPrefix(address, "/api/") {
			methods = resp.Header.Get("Allow")
		}
		for name, want := range map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": methods, "Access-Control-Allow-Headers": "Accept", "Access-Control-Max-Age": "86400"} {
			if !strings.Contains(resp.Header.Get(name), want) {
				t.Errorf("OPTIONS %s: %s is %q", address, name, resp.Header.Get(name))
			}
		}
	}
}

// allowed are the methods of everything that is mounted at an address of which GET
// is one. A path without parameters takes its own methods alone.
func (s *testServer) allowed(address string) string {
	path, _, _ := strings.Cut(address, "?")
	matches := matches
	if slices.ContainsFunc(s.Operations(), func(op *web.Operation) bool { return op.Path == path || op.Page == path }) {
		matches = func(pattern, path string) bool { return pattern == path }
	}
	methods := []string{"GET", "HEAD"}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} { // in the router's order
		if slices.ContainsFunc(s.Operations(), func(op *web.Operation) bool {
			return op.Writes() && (op.Method == method && op.Path != "" && matches(op.Path, path) || method == "POST" && op.Page != "" && matches(op.Page, path))
		}) {
			methods = append(methods, method)
		}
	}
	return strings.Join(append(methods, "OPTIONS"), ", ")
}

// TestUnknownAPIAddresses tests that unknown API paths return an error in JSON,
// whatever the method.
func TestUnknownAPIAddresses(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, address := range []string{"/api", "/api/nothing", "/api/trends/canon", "/api/health/more", "/api/health.json", "/api/../api/nothing", "/api/%00"} {
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"} {
			resp, body := s.do(t, method, address)
			if resp.StatusCode != 404 || resp.Header.Get("Content-Type") != problemType {
				t.Errorf("%s %s is %d %s", method, address, resp.StatusCode, resp.Header.Get("Content-Type"))
			}
			if method != "HEAD" && !strings.Contains(body, `"code":"page_not_found"`) {
				t.Errorf("%s %s says %s", method, address, body)
			}
			webtest.CheckContract(t, method+" "+address, resp.Header)
		}
	}
}

// TestShadowedMethods holds that the last part of a path without parameters is not
// taken for an id by the methods of another operation.
func TestShadowedMethods(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, method := range []string{"DELETE", "PATCH"} {
		resp, body := s.do(t, method, "/api/listings/search")
		if resp.StatusCode != 405 || resp.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("%s /api/listings/search is %d, Allow %q: %s", method, resp.StatusCode, resp.Header.Get("Allow"), body)
		}
	}
}

// TestPreflight tests that scripts of other sites may write to the API, and only read pages.
func TestPreflight(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for address, allowed := range map[string]bool{"/api/listings": true, "/sign-in": false} {
		resp, _ := s.do(t, "OPTIONS", address, "Origin", "https://other.example", "Access-Control-Request-Method", "POST")
		if methods := resp.Header.Get("Access-Control-Allow-Methods"); resp.StatusCode != 204 || strings.Contains(methods, "POST") != allowed {
			t.Errorf("a preflight for POST %s is %d and allows %q", address, resp.StatusCode, methods)
		}
	}
}
