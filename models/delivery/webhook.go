package delivery

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Header fields of a webhook.
const (
	// IDHeader, TimestampHeader and StandardHeader carry the delivery's id, the Unix time in
	// seconds and the signature as Standard Webhooks defines them (https://www.standardwebhooks.com):
	// "v1," and the result of StandardSignature.
	IDHeader        = "Webhook-Id"
	TimestampHeader = "Webhook-Timestamp"
	StandardHeader  = "Webhook-Signature"
	// SignatureHeader is deprecated. It is sent beside StandardHeader, and carries the signature as
	// "t=1795000000,v1=5f2c…": the Unix time in seconds and the result of Sign.
	SignatureHeader = "Secondlight-Signature"
	// DeliveryHeader is deprecated, and has what IDHeader has.
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

// StandardSignature returns the signature of a webhook by Standard Webhooks: the HMAC-SHA256 of
// "id.at.body", in base64. at is the Unix time in seconds.
func StandardSignature(secret, id string, at int64, body string) string {
	mac := hmac.New(sha256.New, secretKey(secret))
	io.WriteString(mac, id+"."+strconv.FormatInt(at, 10)+"."+body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// secretKey returns the key that a secret stands for: what follows whsec_, decoded. Secrets of
// earlier releases are in the alphabet for URLs.
func secretKey(secret string) []byte {
	text := strings.TrimPrefix(secret, models.WebhookSecretPrefix)
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		if key, err := encoding.DecodeString(text); err == nil {
			return key
		}
	}
	return []byte(text)
}

// SentAt returns when a webhook was sent by its header fields, 1970 if they don't say.
func SentAt(header http.Header) time.Time {
	at, _ := strconv.ParseInt(header.Get(TimestampHeader), 10, 64)
	return time.Unix(at, 0)
}

// Tolerance is how old a webhook may be, and how far in the future, to be accepted.
const Tolerance = 5 * time.Minute

// Verify returns an error unless the header fields of a webhook have a valid signature of its
// body by Standard Webhooks, made within Tolerance of now.
func Verify(secret string, header http.Header, body string, now time.Time) error {
	id, timestamp := header.Get(IDHeader), header.Get(TimestampHeader)
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || id == "" {
		return errors.New("no " + strings.ToLower(IDHeader) + " or " + strings.ToLower(TimestampHeader))
	}
	if age := now.Sub(time.Unix(at, 0)); age.Abs() > Tolerance {
		return fmt.Errorf("the timestamp is %v away", age.Round(time.Second).Abs())
	}
	want := []byte("v1," + StandardSignature(secret, id, at, body))
	for _, signature := range strings.Fields(header.Get(StandardHeader)) {
		if hmac.Equal([]byte(signature), want) {
			return nil
		}
	}
	return errors.New("no signature matches the body and the secret")
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
	r.Header.Set(IDHeader, d.ID)
	r.Header.Set(TimestampHeader, strconv.FormatInt(at, 10))
	r.Header.Set(StandardHeader, "v1,"+StandardSignature(d.Secret, d.ID, at, d.Body))
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
