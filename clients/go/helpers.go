package secondlight

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Attempts is how often a Transport sends a request at most.
const Attempts = 4

// Transport waits when the server says so (429 and 503) and sends the request again. A write has
// the same idempotency key in each attempt, so that it is done once. Use it as the Transport of
// the http.Client given to WithHTTPClient. The zero value sends by http.DefaultTransport.
type Transport struct {
	Base  http.RoundTripper
	Sleep func(time.Duration) // time.Sleep if nil
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(given *http.Request) (*http.Response, error) {
	base, sleep := t.Base, t.Sleep
	if base == nil {
		base = http.DefaultTransport
	}
	if sleep == nil {
		sleep = time.Sleep
	}
	r := given.Clone(given.Context())
	if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Header.Get("Idempotency-Key") == "" {
		r.Header.Set("Idempotency-Key", rand.Text())
	}
	for attempt := 1; ; attempt++ {
		resp, err := base.RoundTrip(r)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable || attempt == Attempts || r.Body != nil && r.GetBody == nil {
			return resp, err
		}
		wait := retryAfter(resp, attempt)
		_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<16))
		resp.Body.Close()
		sleep(wait)
		if r.Body != nil {
			if r.Body, err = r.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

// retryAfter returns how long to wait after an answer, at most a minute.
func retryAfter(resp *http.Response, attempt int) time.Duration {
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		seconds = 1 << attempt
	}
	return min(time.Duration(seconds)*time.Second, time.Minute)
}

// APIError is an error of the API: a status of HTTP, a stable code, a message and a hint.
type APIError struct {
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// Error implements error.
func (e *APIError) Error() string {
	return strings.TrimSpace(e.Code + ": " + e.Message + " " + e.Hint)
}

// Check returns the *APIError of an answer with an error, nil for success. body is that of the
// answer, as the WithResponse methods return it.
func Check(resp *http.Response, body []byte) error {
	if resp.StatusCode < http.StatusBadRequest {
		return nil
	}
	e := &APIError{Status: resp.StatusCode, Code: "unknown", Message: resp.Status}
	_ = json.Unmarshal(body, e)
	return e
}

// Pages yields the pages of a list. read returns the page at a cursor, "" for the first, and the
// next_cursor in it, which is nil or "" on the last.
func Pages[P any](read func(cursor string) (page P, next *string, err error)) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		cursor := ""
		for {
			page, next, err := read(cursor)
			if !yield(page, err) || err != nil || next == nil || *next == "" {
				return
			}
			cursor = *next
		}
	}
}

// VerifyWebhook returns an error unless a webhook has a valid signature of its body by Standard
// Webhooks, made within five minutes of now.
func VerifyWebhook(secret string, header http.Header, body []byte, now time.Time) error {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return errors.New("no webhook-id or webhook-timestamp")
	}
	if age := now.Sub(time.Unix(at, 0)); age.Abs() > 5*time.Minute {
		return fmt.Errorf("the timestamp is %v away", age.Abs().Round(time.Second))
	}
	text := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimPrefix(secret, "whsec_"))
	key, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return fmt.Errorf("secret: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", id, at, body)
	want := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), want) {
			return nil
		}
	}
	return errors.New("no signature matches")
}
