package delivery

import (
	"errors"
	"time"
)

// Limits on concurrent attempts. attemptTimeout is well below the time for which
// a delivery is claimed.
const (
	maxMails       = 4
	maxWebhooks    = 64 // a slow receiver occupies models.MaxConcurrentWebhooks of them
	attemptTimeout = 30 * time.Second
	stopTimeout    = 5 * time.Second // for running attempts after the sender is stopped
)

// Limits of an attempt.
const (
	connectTimeout    = 5 * time.Second
	webhookTimeout    = 10 * time.Second
	maxResponse       = 4 << 10  // bytes of the response body that are read
	maxResponseHeader = 16 << 10 // bytes
)

// errPermanent marks failures that a retry cannot fix.
var errPermanent = errors.New("permanent failure")
