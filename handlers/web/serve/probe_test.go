package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models/problem"
)

// testNow is the time in every test.
var testNow = time.Date(2026, 11, 21, 9, 0, 0, 123456000, time.UTC)

// probe is a page that says how it was asked for.
type probe struct {
	Word  string   `json:"word" jsonschema:"the word asked for"`
	List  []string `json:"list" jsonschema:"the words asked for"`
	Limit int      `json:"limit"`
	Text  string   `json:"note" jsonschema:"what it says"`
}

func (p *probe) Head() web.Head {
	return web.Head{Title: "Probe " + p.Word, Description: "A probe.", Path: "/probes/" + p.Word}
}
func (p *probe) HTML() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := fmt.Fprintf(w, "<h1>%s</h1><p>%d %s</p>", templ.EscapeString(p.Word), p.Limit, p.Text)
		return err
	})
}
func (p *probe) Markdown(ctx context.Context, w io.Writer) error {
	if p.Word == "unrenderable" {
		return errors.New(webtest.Cause)
	}
	_, err := fmt.Fprintf(w, "# %s\n\n%d %s\n", p.Word, p.Limit, p.Text)
	return err
}
func (p *probe) CSV(w io.Writer) error { _, err := io.WriteString(w, "word\n"+p.Word+"\n"); return err }
func (p *probe) SVG(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	return err
}
func (p *probe) Next(bool) string { return "/probes/next?cursor=1" }

// grade is a type of text with fixed values, as the vocabulary has them.
type grade string

var grades = []grade{"new", "like_new", "excellent", "good", "well_used", "heavily_used", "faulty"}

// probeVocabulary, probeCodes and probeLayout are those of the site under test.
var (
	probeVocabulary = bind.Vocabulary{Types: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[grade](): bind.Enum(grades...)}}
	probeCodes      = []web.ErrorCode{{Code: "probe_not_found", Status: 404, Title: problem.Textf("Probe not found"), Meaning: problem.Textf("There is no such probe."), Repair: problem.Textf("Use one of the links.")}}
)

type probeLayout struct{}

func (probeLayout) Document(ctx context.Context, w io.Writer, page web.Page, _ *web.Viewer) error {
	if _, err := io.WriteString(w, "<!doctype html>"); err != nil {
		return err
	}
	return page.HTML().Render(ctx, w)
}
func (probeLayout) ViewerLinks(_ context.Context, viewer *web.Viewer) []byte { return nil }
func (probeLayout) Head(page web.Page) web.Head                              { return page.(interface{ Head() web.Head }).Head() }
func (probeLayout) Problem(p *web.Problem) web.Page {
	return &problemPage{p.Type, p.Title.String(), p.Status, p.Code, p.Message.String(), p.Hint.String(), p.RequestID, p.Links}
}

// problemPage is the page of an error.
type problemPage struct {
	Type      string     `json:"type"`
	Title     string     `json:"title"`
	Status    int        `json:"status"`
	Code      string     `json:"code"`
	Message   string     `json:"message"`
	Hint      string     `json:"hint"`
	RequestID string     `json:"request_id"`
	Links     []web.Link `json:"links"`
}

func (p *problemPage) Head() web.Head { return web.Head{Title: p.Title} }
func (p *problemPage) HTML() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := fmt.Fprintf(w, "<h1>%s</h1>%s", p.Title, templ.EscapeString(p.facts()))
		return err
	})
}
func (p *problemPage) Markdown(ctx context.Context, w io.Writer) error {
	_, err := fmt.Fprintf(w, "# %s\n\n%s\n", p.Title, p.facts())
	return err
}
func (p *problemPage) facts() string {
	return fmt.Sprintln(p.Status, p.Code, p.Message, p.Hint, p.RequestID, p.Links)
}

type probeIn struct {
	Word      string   `json:"word" in:"path" jsonschema:"a word" example:"lens"`
	List      []string `json:"list,omitempty" jsonschema:"several words" example:"a,b"`
	Condition []grade  `json:"condition,omitempty" jsonschema:"grades" example:"good"`
	Sort      string   `json:"sort,omitempty" jsonschema:"order" enum:"newest,price,-price" default:"newest" example:"price"`
	Limit     int      `json:"limit,omitempty" jsonschema:"how many" min:"1" max:"100" default:"24" example:"12"`
	Budget    string   `json:"budget_max,omitempty" jsonschema:"highest price" example:"800"`
	Fresh     bool     `json:"fresh,omitempty" jsonschema:"only new ones" example:"true"`
}

// dearTime is the processor time of the probe "dear".
const dearTime = 60 * time.Millisecond

// burn takes processor time, up to 10,000 steps where it can't be measured.
func burn(takes time.Duration) {
	for i := 0; takes > 0 && i < 10_000; i++ {
		meter := limit.StartMeter()
		for range 10_000 {
			_ = strconv.Itoa(i)
		}
		takes -= meter.Stop()
	}
}

// getProbe answers with a page, or by its word with an error of every kind.
func getProbe(_ context.Context, in *probeIn) (*probe, error) {
	switch in.Word {
	case "panic":
		panic(webtest.Cause)
	case "broken":
		return nil, errors.New(webtest.Cause)
	case "hidden":
		return nil, &problem.Error{Message: problem.Textf(webtest.Cause)}
	case "missing":
		return nil, &problem.Error{Kind: problem.NotFound, Code: "probe_not_found", Message: problem.Textf("No probe is called missing."), Cause: errors.New(webtest.Cause),
			Links: []problem.Link{{Href: "/probes", Label: "All probes"}}}
	case "busy":
		return nil, &problem.Error{Kind: problem.Unavailable, Code: "unavailable", Message: problem.Textf("Not now.")}
	case "dear":
		burn(dearTime)
	case "late":
		return nil, context.DeadlineExceeded
	}
	text := ""
	if in.Word == "long" {
		text = strings.Repeat("a long page compresses well ", 200)
	}
	return &probe{Word: in.Word, List: append([]string{}, in.List...), Limit: in.Limit, Text: text}, nil
}

type writeNoteIn struct {
	Text  string   `json:"text" jsonschema:"what to write" example:"a note"`
	Sort  string   `json:"sort,omitempty" jsonschema:"order" enum:"newest,price" example:"price"`
	Limit int      `json:"limit,omitempty" jsonschema:"how many" min:"1" max:"100" example:"12"`
	List  []string `json:"list,omitempty" jsonschema:"several words" example:"a,b"`
}

type findProbesIn struct {
	Keyword string `json:"keyword" jsonschema:"what to look for" example:"r6"`
}

// probeOperations are operations of every shape: with parameters and more formats,
// with a required parameter in the query, with a page alone, and live.
func probeOperations() []web.Operation {
	fixed := func(word string) (*probe, error) { return &probe{Word: word, List: []string{}, Limit: 24}, nil }
	return []web.Operation{
		web.Op[probeIn, *probe]{
			Name: "get_probe", Path: "/api/probes/{word}", Page: "/probes/{word}", Tag: "Service",
			Title: "A probe", Summary: "Says how it was asked.", Description: "For tests.",
			Errors: []string{"probe_not_found"}, Formats: []web.Format{web.CSV, web.SVG}, Do: getProbe,
		}.Operation(),
		web.Op[findProbesIn, *probe]{
			Name: "find_probes", Path: "/api/probes", Page: "/probes", Tag: "Service",
			Title: "Probes", Summary: "Finds probes.", Description: "For tests.",
			Do: func(context.Context, *findProbesIn) (*probe, error) { return fixed("found") },
		}.Operation(),
		web.Op[writeNoteIn, *probe]{
			Name: "write_note", Method: "POST", Path: "/api/notes", Page: "/notes", Form: "/page", Creates: true, Tag: "Service",
			Title: "Write a note", Summary: "Writes a note.", Description: "For tests.",
			Do: func(context.Context, *writeNoteIn) (*probe, error) { return fixed("written") },
		}.Operation(),
		web.Op[struct{}, *probe]{
			Name: "show_page", Page: "/page", Tag: "Service",
			Title: "A page", Summary: "Has a page alone.", Description: "For tests.",
			Do: func(context.Context, *struct{}) (*probe, error) { return fixed("page") },
		}.Operation(),
		web.Op[struct{}, *probe]{
			Name: "check_health", Path: "/api/health", Tag: "Service", Live: true,
			Title: "Health", Summary: "Is live.", Description: "For tests.",
			Do: func(context.Context, *struct{}) (*probe, error) { return fixed("health") },
		}.Operation(),
	}
}

// nobody knows no member.
type nobody struct{}

func (nobody) Token(context.Context, string) (*web.Identity, error)   { return nil, nil }
func (nobody) Session(context.Context, string) (*web.Identity, error) { return nil, nil }

// newProbes returns a server of the probes: without a limit to reach, with a clock
// that stands still, and nothing logged.
func newProbes(change ...func(*web.Config)) *Server {
	cfg := web.Config{
		Name: func() string { return "Probes" }, BaseURL: "https://secondlight.example",
		Layout: probeLayout{}, Vocabulary: &probeVocabulary, Codes: probeCodes, Auth: nobody{},
		Version: func() uint64 { return 1 }, SignIn: "/sign-in",
		RateLimit: 1_000_000, Clock: func() time.Time { return testNow }, Log: slog.New(slog.DiscardHandler),
	}
	for _, c := range change {
		c(&cfg)
	}
	s := New(cfg)
	s.Mount(probeOperations())
	s.MountText("/robots.txt", web.PlainText, func() string { return "User-agent: *\n" })
	return s
}

// testServer is a server of the probes that listens in memory.
type testServer struct {
	*Server
	client *webtest.Client
}

func newTestServer(t testing.TB, change ...func(*web.Config)) *testServer {
	t.Helper()
	s := newProbes(change...)
	return &testServer{s, webtest.Serve(t, s)}
}

// do sends one request; header holds names and values in turn.
func (s *testServer) do(t testing.TB, method, target string, header ...string) (*http.Response, string) {
	t.Helper()
	return s.client.Send(t, method, target, "", header...)
}
