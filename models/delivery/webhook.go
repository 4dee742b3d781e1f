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
	"time"

	"github.com/secondlight/secondlight/models"
)

// Header fields of a webhook.
const (
	// SignatureHeader is "t=1795000000,v1=5f2c…": when it was signed, in seconds,
	// and Sign of that and the body.
	SignatureHeader = "Secondlight-Signature"
	// DeliveryHeader is the delivery's id, the same at each attempt.
	DeliveryHeader = "Secondlight-Delivery"
)

// Bounds of an attempt.
const (
	connectTime  = 5 * time.Second
	webhookTime  = 10 * time.Second
	maxAnswer    = 4 << 10 // bytes of the receiver's answer that are read
	maxAnswerTop = 16 << 10
)

// Sign is the signature of a webhook: HMAC-SHA256 over "timestamp.body" under
// the webhook's secret, in hexadecimal.
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
	return &hooks{agent: agent, clock: clock, client: &http.Client{
		Timeout: webhookTime,
		// A redirect leads where nobody signed for.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            guard.dial,
			TLSHandshakeTimeout:    connectTime,
			MaxResponseHeaderBytes: maxAnswerTop,
			DisableKeepAlives:      true,
			DisableCompression:     true,
		},
	}}
}

// post sends a webhook once. Any 2xx is taken as received; 410 as never again.
func (h *hooks) post(ctx context.Context, d *models.Delivery) error {
	if err := checkURL(d.Recipient); err != nil {
		return fmt.Errorf("%w: %w", err, errPermanent)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.Recipient, strings.NewReader(d.Body))
	if err != nil {
		return fmt.Errorf("the address is none: %w", errPermanent)
	}
	at := h.clock().Unix()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", h.agent)
	r.Header.Set(DeliveryHeader, d.ID)
	r.Header.Set(SignatureHeader, fmt.Sprintf("t=%d,v1=%s", at, Sign(d.Secret, at, d.Body)))
	resp, err := h.client.Do(r)
	if err != nil {
		var refused *refusal
		if errors.As(err, &refused) {
			return fmt.Errorf("%w: %w", refused, errPermanent)
		}
		return told("the receiver is not reached", err)
	}
	defer resp.Body.Close()
	// So that a receiver who writes before it reads is heard out, within bounds.
	_, _ = io.CopyN(io.Discard, resp.Body, maxAnswer)
	switch {
	case resp.StatusCode >= 200 && resp.StatusCode < 300:
		return nil
	case resp.StatusCode == http.StatusGone:
		return fmt.Errorf("the receiver answered 410: %w", errPermanent)
	}
	return fmt.Errorf("the receiver answered %d", resp.StatusCode)
}
