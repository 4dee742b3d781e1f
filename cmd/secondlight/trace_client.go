package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	// traceTimeout is how long a receiver of spans may take by default.
	traceTimeout = 10 * time.Second
	// traceRetry is how long after the first failure spans are sent again, unless the receiver
	// wants it later. It doubles up to traceMaxRetry.
	traceRetry, traceMaxRetry = 5 * time.Second, 30 * time.Second
)

// traceClient sends spans as protocol buffers over HTTP. It implements otlptrace.Client.
type traceClient struct {
	url     string
	headers http.Header
	gzip    bool
	retry   time.Duration // the first pause after a failure
	http    *http.Client
}

// newTraceClient returns a client with the settings of the variables of OpenTelemetry, of
// which those for traces alone go first.
func newTraceClient(variables map[string]string) (*traceClient, error) {
	setting := func(name string) string {
		return cmp.Or(variables["OTEL_EXPORTER_OTLP_TRACES_"+name], variables["OTEL_EXPORTER_OTLP_"+name])
	}
	c := &traceClient{url: variables["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"], retry: traceRetry}
	if c.url == "" {
		c.url = strings.TrimSuffix(variables["OTEL_EXPORTER_OTLP_ENDPOINT"], "/") + "/v1/traces"
	}
	if u, err := url.Parse(c.url); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the endpoint is not a URL with http or https")
	}
	switch compression := setting("COMPRESSION"); compression {
	case "", "none":
	case "gzip":
		c.gzip = true
	default:
		return nil, fmt.Errorf("the compression %q is not gzip or none", compression)
	}
	timeout := traceTimeout
	if text := setting("TIMEOUT"); text != "" {
		milliseconds, err := strconv.Atoi(text)
		if err != nil || milliseconds < 0 {
			return nil, fmt.Errorf("the timeout %q is not a number of milliseconds", text)
		}
		timeout = time.Duration(milliseconds) * time.Millisecond
	}
	var err error
	if c.headers, err = traceHeaders(variables["OTEL_EXPORTER_OTLP_HEADERS"], variables["OTEL_EXPORTER_OTLP_TRACES_HEADERS"]); err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if transport.TLSClientConfig, err = traceTLS(setting("CERTIFICATE"), setting("CLIENT_CERTIFICATE"), setting("CLIENT_KEY")); err != nil {
		return nil, err
	}
	c.http = &http.Client{Transport: transport, Timeout: timeout}
	return c, nil
}

// traceHeaders reads lists of headers, name=value,name=value with percent-encoded values. A
// later list replaces headers of an earlier one.
func traceHeaders(lists ...string) (http.Header, error) {
	headers := http.Header{}
	for _, list := range lists {
		for pair := range strings.SplitSeq(list, ",") {
			if strings.TrimSpace(pair) == "" {
				continue
			}
			name, value, ok := strings.Cut(pair, "=")
			value, err := url.PathUnescape(strings.TrimSpace(value))
			if !ok || err != nil {
				return nil, errors.New("the headers are not name=value,name=value") // they may contain a secret
			}
			headers.Set(strings.TrimSpace(name), value)
		}
	}
	return headers, nil
}

// traceTLS reads the certificate of the receiver's authority, and that of the client with its
// key. Each file may be "".
func traceTLS(authority, certificate, key string) (*tls.Config, error) {
	config := &tls.Config{}
	if authority != "" {
		text, err := os.ReadFile(authority)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s has no certificate", authority)
		}
	}
	if certificate != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// Start implements otlptrace.Client.
func (c *traceClient) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *traceClient) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces sends spans, again while the receiver is busy, until ctx ends.
func (c *traceClient) UploadTraces(ctx context.Context, spans []*otlp.ResourceSpans) error {
	body, err := proto.Marshal(&otlp.TracesData{ResourceSpans: spans}) // as an ExportTraceServiceRequest
	if err != nil {
		return err
	}
	if c.gzip {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(body); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		body = packed.Bytes()
	}
	for wait := c.retry; ; wait = min(2*wait, traceMaxRetry) {
		after, err := c.send(ctx, body)
		if err == nil || after < 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(max(wait, after)):
		}
	}
}

// send sends a body once. It returns how long to wait at least before sending it again, or a
// negative duration if that is no use.
func (c *traceClient) send(ctx context.Context, body []byte) (after time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	request.Header = c.headers.Clone()
	request.Header.Set("Content-Type", "application/x-protobuf")
	if c.gzip {
		request.Header.Set("Content-Encoding", "gzip")
	}
	resp, err := c.http.Do(request)
	if err != nil {
		return -1, err
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if resp.StatusCode/100 == 2 {
		return 0, nil
	}
	err = fmt.Errorf("%s: %s %q", c.url, resp.Status, bytes.TrimSpace(text))
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return time.Duration(max(seconds, 0)) * time.Second, err
	}
	return -1, err
}
