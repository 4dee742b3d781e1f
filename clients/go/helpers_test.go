package secondlight

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

type answers func(*http.Request) *http.Response

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

func TestTransport(t *testing.T) {
	var keys, bodies []string
	var waits []time.Duration
	client := http.Client{Transport: &Transport{Sleep: func(d time.Duration) { waits = append(waits, d) }, Base: answers(func(r *http.Request) *http.Response {
		body, _ := io.ReadAll(r.Body)
		keys, bodies = append(keys, r.Header.Get("Idempotency-Key")), append(bodies, string(body))
		resp := &http.Response{StatusCode: 201, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}
		if len(keys) < 3 {
			resp.StatusCode = 429
			resp.Header.Set("Retry-After", "7")
		}
		return resp
	})}}
	resp, err := client.Post("http://shop.example/", "application/json", strings.NewReader("{}"))
	if err != nil || resp.StatusCode != 201 || keys[0] == "" || len(slices.Compact(keys)) != 1 || !slices.Equal(bodies, []string{"{}", "{}", "{}"}) || !slices.Equal(waits, []time.Duration{7 * time.Second, 7 * time.Second}) {
		t.Errorf("%v %v, keys %q, bodies %q, waits %v", resp, err, keys, bodies, waits)
	}
}

func TestCheck(t *testing.T) {
	var e *APIError
	err := Check(&http.Response{StatusCode: 404, Status: "404 Not Found"}, []byte(`{"status":404,"code":"listing_not_found","message":"No.","hint":"Search."}`))
	if !errors.As(err, &e) || e.Code != "listing_not_found" || err.Error() != "listing_not_found: No. Search." || Check(&http.Response{StatusCode: 200}, nil) != nil {
		t.Errorf("%v", err)
	}
}

func TestPages(t *testing.T) {
	next := "n"
	var got []string
	for page, err := range Pages(func(cursor string) ([]string, *string, error) {
		if cursor == "" {
			return []string{"a", "b"}, &next, nil
		}
		return []string{"c"}, nil, nil
	}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, page...)
	}
	if !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%q", got)
	}
}

func TestVerifyWebhook(t *testing.T) {
	header := http.Header{}
	header.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
	header.Set("webhook-timestamp", "1614265330")
	header.Set("webhook-signature", "v1,bad v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
	verify := func(body string, at int64) error {
		return VerifyWebhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", header, []byte(body), time.Unix(at, 0))
	}
	if err := verify(`{"test": 2432232314}`, 1614265330); err != nil {
		t.Error(err)
	}
	if verify(`{"test": 1}`, 1614265330) == nil || verify(`{"test": 2432232314}`, 1614265330+301) == nil {
		t.Error("another body or an old webhook is accepted")
	}
}
