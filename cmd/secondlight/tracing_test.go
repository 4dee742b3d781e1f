package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/secondlight/secondlight/models/storetest"
)

// receiver collects the spans that are sent with OTLP over HTTP.
type receiver struct {
	mu       sync.Mutex
	spans    []*otlp.Span
	services []string
	text     strings.Builder // of all requests
}

// newReceiver starts a receiver and points the variables of OpenTelemetry at it.
func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	return r
}

func (r *receiver) ServeHTTP(_ http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	var sent otlp.TracesData
	if request.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text.WriteString(sent.String())
	for _, resource := range sent.ResourceSpans {
		for _, a := range resource.Resource.Attributes {
			if a.Key == "service.name" {
				r.services = append(r.services, a.Value.GetStringValue())
			}
		}
		for _, scope := range resource.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
}

// attributeOf returns an attribute of a span as text.
func attributeOf(s *otlp.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			text, _ := json.Marshal(a.Value.GetValue())
			return string(text)
		}
	}
	return ""
}

// below returns the spans with a name prefix that are below another.
func (r *receiver) below(parent *otlp.Span, prefix string) (found []*otlp.Span) {
	for _, s := range r.spans {
		if string(s.ParentSpanId) == string(parent.SpanId) && strings.HasPrefix(s.Name, prefix) {
			found = append(found, s)
		}
	}
	return found
}

// hasJobStatement reports whether a statement below a job was received.
func (r *receiver) hasJobStatement() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.spans, func(s *otlp.Span) bool { return s.Name == "job cleanup" && len(r.below(s, "")) > 0 })
}

// named returns the first span with a name, or fails the test.
func (r *receiver) named(t *testing.T, name string) *otlp.Span {
	t.Helper()
	var names []string
	for _, s := range r.spans {
		if s.Name == name {
			return s
		}
		names = append(names, s.Name)
	}
	t.Fatalf("there is no span %s in %q", name, names)
	return nil
}

// whileServing runs the site, calls do with its address, stops the site and returns its log.
func whileServing(t *testing.T, environ []string, do func(address string)) (log string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, nil, append(environ, "LISTEN_ADDR=127.0.0.1:0", "DEMO=false", "LOG_FORMAT=json", "ACCESS_LOG=1"), strings.NewReader(""), io.Discard, in)
		in.Close()
	}()
	var text strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			go func() {
				defer cancel()
				do(line.Address)
			}()
		}
	}
	if got := <-status; got != exitOK {
		t.Errorf("exit status %d\n%s", got, &text)
	}
	return text.String()
}

// TestTraces checks that requests and tool calls are traced down to their statements, below
// the span of the client, and that no value is in a trace.
func TestTraces(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		t.Setenv("OTEL_TRACES_SAMPLER", "parentbased_always_on")
		t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "100") // milliseconds until spans are sent
		r := newReceiver(t)
		const trace, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
		log := whileServing(t, append(os.Environ(), "DATABASE_URL="+url, "DATA_DIR="+t.TempDir()), func(address string) {
			send := func(method, path, body string) {
				request, _ := http.NewRequest(method, address+path, strings.NewReader(body))
				request.Header.Set("Traceparent", "00-"+trace+"-"+span+"-01")
				request.Header.Set("Content-Type", "application/json")
				request.Header.Set("Accept", "application/json, text/event-stream")
				if method == http.MethodGet {
					request.Header.Set("Authorization", "Bearer sl_secret-of-a-member")
				}
				if resp, err := http.DefaultClient.Do(request); err != nil {
					t.Error(err)
				} else {
					resp.Body.Close()
				}
			}
			send("GET", "/api/gear?keyword=secret-of-a-search", "")
			send("POST", "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_gear","arguments":{"keyword":"r6"}}}`)
			for deadline := time.Now().Add(patience); !r.hasJobStatement() && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			}
		})
		r.mu.Lock()
		defer r.mu.Unlock()
		request := r.named(t, "find_gear")
		if request.Kind != otlp.Span_SPAN_KIND_SERVER || hex.EncodeToString(request.TraceId) != trace || hex.EncodeToString(request.ParentSpanId) != span {
			t.Errorf("the request is %v, want it below %s of %s", request, span, trace)
		}
		if attributeOf(request, "http.response.status_code") != `{"IntValue":401}` || attributeOf(request, "http.response.format") != `{"StringValue":"json"}` {
			t.Errorf("the request is %v", request)
		}
		statements := r.below(request, "SELECT")
		if len(statements) == 0 || !strings.Contains(attributeOf(statements[0], "db.query.text"), "tokens") {
			t.Errorf("below the request are %v", statements)
		}
		if tools := r.below(r.named(t, "other"), "find_gear"); len(tools) != 1 || attributeOf(tools[0], "http.response.format") != `{"StringValue":"mcp"}` {
			t.Errorf("below the request for MCP are %v", tools)
		}
		if job := r.named(t, "job cleanup"); len(r.below(job, "")) == 0 {
			t.Errorf("there is no statement below a job: %v", job)
		}
		if strings.Contains(r.text.String(), "secret-of-a") {
			t.Error("a value is in a trace")
		}
		if r.services[0] != "secondlight" || !strings.Contains(log, `"trace_id":"`+trace+`"`) {
			t.Errorf("the service is %s; the log lacks the trace:\n%s", r.services[0], log)
		}
	})
}

func TestTracingWanted(t *testing.T) {
	const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318"
	for _, c := range []struct {
		env  []string
		want bool
	}{
		{nil, false},
		{[]string{"OTEL_SERVICE_NAME=shop"}, false},
		{[]string{endpoint}, true},
		{[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:4318/v1/traces"}, true},
		{[]string{endpoint, "OTEL_SDK_DISABLED=true"}, false},
		{[]string{endpoint, "OTEL_TRACES_EXPORTER=none"}, false},
	} {
		if got := tracingWanted(env.ToMap(c.env)); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
	if _, _, err := newTracing(t.Context(), []string{endpoint, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, nil); err == nil {
		t.Error("gRPC is accepted")
	}
}
