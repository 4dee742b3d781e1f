package delivery

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Header fields of a webhook.
const (
	// SignatureHeader carries the signature as "t=1795000000,v1=5f2c…": the Unix
	// time in seconds and the result of Sign.
	SignatureHeader = "Secondlight-Signature"
	// DeliveryHeader carries the delivery's id, which is the same at each attempt.
	DeliveryHeader = "Secondlight-Delivery"
	// DroppedHeader carries the number of older deliveries of the search that were
	// dropped because too many were waiting, if any were.
	DroppedHeader = "Secondlight-Dropped"
)

// Sign returns the signature of a webhook: the HMAC-SHA256 of "at.body" with the
// webhook's secret, in hexadecimal. at is the Unix time in seconds.
func Sign(secret string, at int64, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	io.WriteString(mac, strconv.FormatInt(at, 10)+"."+body)
	return hex.EncodeToString(mac.Sum(nil))
}

// hooks posts webhooks.
type hooks struct {
	client *http.Client
	agent  string
	clock  models.Clock
}

func newHooks(guard *Guard, agent string, clock models.Clock) *hooks {
	return &hooks{agent: agent, clock: clock, client: guard.client(webhookTimeout)}
}

// post sends a webhook once. Any 2xx response is success; 410 is a permanent
// failure, and every other response a temporary one.
func (h *hooks) post(ctx context.Context, d *models.Delivery) error {
	if err := checkURL(d.Recipient); err != nil {
		return fmt.Errorf("%w: %w", err, errPermanent)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.Recipient, strings.NewReader(d.Body))
	if err != nil {
		return fmt.Errorf("invalid address: %w", errPermanent)
	}
	at := h.clock().Unix()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", h.agent)
	r.Header.Set(DeliveryHeader, d.ID)
	r.Header.Set(SignatureHeader, fmt.Sprintf("t=%d,v1=%s", at, Sign(d.Secret, at, d.Body)))
	if d.Dropped > 0 {
		r.Header.Set(DroppedHeader, strconv.Itoa(d.Dropped))
	}
	resp, err := h.client.Do(r)
	if err != nil {
		var refused *problem.ValueError
		if errors.As(err, &refused) {
			return fmt.Errorf("%w: %w", refused, errPermanent)
		}
		return redact("cannot reach the receiver", err)
	}
	defer resp.Body.Close()
	// Some receivers write before they have read the whole request.
	_, _ = io.CopyN(io.Discard, resp.Body, maxResponse)
	switch {
	case resp.StatusCode >= 200 && resp.StatusCode < 300:
		return nil
	case resp.StatusCode == http.StatusGone:
		return fmt.Errorf("the receiver answered 410: %w", errPermanent)
	}
	return fmt.Errorf("the receiver answered %d", resp.StatusCode)
}
