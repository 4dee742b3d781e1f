package main

import (
	"compress/gzip"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// TestTraceClient checks that spans arrive with every setting, and that a busy receiver gets
// them again.
func TestTraceClient(t *testing.T) {
	requests := 0
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests++; requests == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if r.URL.Path != "/otlp/v1/traces" || r.Header.Get("Api-Key") != "a,b" || r.Header.Get("Tenant") != "shop" {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		var sent otlp.TracesData
		packed, err := gzip.NewReader(r.Body)
		if err == nil {
			var body []byte
			if body, err = io.ReadAll(packed); err == nil {
				err = proto.Unmarshal(body, &sent)
			}
		}
		if err != nil || len(sent.ResourceSpans) != 1 || sent.ResourceSpans[0].SchemaUrl != "url" {
			t.Errorf("%v, %v", &sent, err)
		}
	}))
	t.Cleanup(server.Close)
	authority := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(authority, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := newTraceClient(map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL + "/otlp/", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%2Cb, tenant = all",
		"OTEL_EXPORTER_OTLP_TRACES_HEADERS": "tenant=shop", "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_EXPORTER_OTLP_CERTIFICATE": authority,
		"OTEL_EXPORTER_OTLP_TIMEOUT": "5000",
	})
	if err != nil {
		t.Fatal(err)
	}
	c.retry = 1
	if err := c.UploadTraces(t.Context(), []*otlp.ResourceSpans{{SchemaUrl: "url"}}); err != nil || requests != 2 {
		t.Errorf("%d requests, %v", requests, err)
	}
}

// TestTraceClientFails checks that a receiver that refuses spans is named and not asked again.
func TestTraceClientFails(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		http.Error(w, "no such tenant", http.StatusForbidden)
	}))
	t.Cleanup(server.Close)
	c, err := newTraceClient(map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": server.URL + "/spans"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.UploadTraces(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "/spans: 403 Forbidden \"no such tenant\"") || requests != 1 {
		t.Errorf("%d requests, %v", requests, err)
	}
}

func TestTraceClientSettings(t *testing.T) {
	for name, value := range map[string]string{"ENDPOINT": "collector:4318", "HEADERS": "secret", "TIMEOUT": "1s", "COMPRESSION": "zstd", "CERTIFICATE": "/nowhere", "CLIENT_KEY": "/nowhere"} {
		variables := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}
		variables["OTEL_EXPORTER_OTLP_"+name] = value
		if _, err := newTraceClient(variables); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}
