package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/delivery"
)

// TestRegistry checks the entry of a site in the MCP Registry.
func TestRegistry(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"registry"}, []string{"BASE_URL=https://shop.example", "SITE_NAME=Foto Ecke"}, nil, &out, &errs); status != exitOK {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	var entry registryEntry
	if err := json.Unmarshal(out.Bytes(), &entry); err != nil || entry.Name != "example.shop/market" || entry.Title != "Foto Ecke" || len(entry.Remotes) != 1 || entry.Remotes[0].URL != "https://shop.example/api/mcp" || entry.Version == "" {
		t.Errorf("%v: %s", err, out.String())
	}
	for _, private := range []string{"http://shop.example", "https://127.0.0.1", "https://localhost"} {
		if status := run(t.Context(), []string{"registry"}, []string{"BASE_URL=" + private}, nil, &out, &errs); status != exitFailed {
			t.Errorf("%s: status %d", private, status)
		}
	}
}

// TestWebhookVerify checks the signatures of webhooks on the command line: the test vector of
// Standard Webhooks, which is old, and a new one.
func TestWebhookVerify(t *testing.T) {
	t.Parallel()
	const secret, id, timestamp, signature, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", `{"test": 2432232314}`
	verify := func(body string, more ...string) int {
		var out, errs bytes.Buffer
		args := append([]string{"webhook", "verify", "--secret", secret, "--id", id, "--timestamp", timestamp, "--signature", signature}, more...)
		return run(t.Context(), args, nil, strings.NewReader(body), &out, &errs)
	}
	if status := verify(body, "--old"); status != exitOK {
		t.Errorf("the test vector: status %d", status)
	}
	if verify(body) != exitFailed || verify(body+" ", "--old") != exitFailed {
		t.Error("an old webhook or another body is accepted")
	}
	if got := "v1," + delivery.StandardSignature(secret, id, 1614265330, body); got != signature {
		t.Errorf("signature %s", got)
	}
}
