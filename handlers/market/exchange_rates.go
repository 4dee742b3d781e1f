package market

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Limits of the job that reads exchange rates.
const (
	RatesJob   = "exchange rates" // name of its lease
	ratesRetry = time.Hour        // after an attempt to fetch them
)

// Rates reads the exchange rates from the file or the address that the operator
// has set.
type Rates struct {
	Prices *store.Prices
	Site   *ui.Site
	Leases *job.Leases
	Guard  *delivery.Guard
	Log    *slog.Logger
	Clock  models.Clock

	Source string // a path or an https URL, "" for none

	mu      sync.Mutex
	file    fileState // of what was read last
	fetched time.Time // when it was fetched last
}

// fileState tells whether a file has changed.
type fileState struct {
	changed time.Time
	size    int64
}

// Refresh reads the rates if they are due, on one server, and stores them. A file that
// can't be read is refused as a whole, and read again when it has changed. It returns
// ErrNotDue if there was nothing to do.
func (e *Rates) Refresh(ctx context.Context, now bool) error {
	if e.Source == "" {
		return job.ErrNotDue
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !now && e.Clock().Before(e.dueLocked()) {
		return job.ErrNotDue
	}
	return e.Leases.Exclusively(ctx, RatesJob, func(ctx context.Context) error { return e.update(ctx, now) })
}

// update reads the rates and stores them.
func (e *Rates) update(ctx context.Context, now bool) error {
	body, err := e.read(ctx, now)
	if err != nil {
		return err
	}
	days, err := models.ParseRates(bytes.NewReader(body))
	if err != nil {
		return err
	}
	if last, tomorrow := days[len(days)-1].Day, models.DayAt(e.Clock().UTC().AddDate(0, 0, 1)); last > tomorrow {
		return fmt.Errorf("exchange rates: %s is in the future", last)
	}
	changed, err := e.Prices.SaveRates(ctx, days)
	if err != nil {
		e.file = fileState{} // read it again
	}
	if changed > 0 {
		e.Log.Info("read exchange rates", "day", days[len(days)-1].Day, "changed", changed)
	}
	return err
}

// read returns the file or the document. It returns ErrNotDue if the file has not changed.
func (e *Rates) read(ctx context.Context, now bool) ([]byte, error) {
	if e.isURL() {
		e.fetched = e.Clock()
		return e.Guard.FetchFile(ctx, e.Source, models.MaxRatesFile)
	}
	info, err := os.Stat(e.Source)
	if err != nil {
		return nil, fmt.Errorf("read EXCHANGE_RATES: %w", err)
	}
	state := fileState{info.ModTime(), info.Size()}
	switch {
	case state == e.file && !now:
		return nil, job.ErrNotDue
	case info.Size() > models.MaxRatesFile:
		return nil, fmt.Errorf("read EXCHANGE_RATES: the file is larger than %d bytes", models.MaxRatesFile)
	}
	body, err := os.ReadFile(e.Source)
	if err == nil {
		e.file = state
	}
	return body, err
}

func (e *Rates) isURL() bool { return strings.HasPrefix(e.Source, "https://") }

// Due returns when rates are read next.
func (e *Rates) Due() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.dueLocked()
}

// dueLocked returns when rates are read next: a file at the next turn, which looks whether
// it has changed; an address on each working day after publication, and again after a while
// if there is nothing new.
func (e *Rates) dueLocked() time.Time {
	if !e.isURL() {
		return time.Time{}
	}
	due := NextPublication(e.Site.Rates().Day, e.Clock())
	if again := e.fetched.Add(ratesRetry); !e.fetched.IsZero() && due.Before(again) {
		return again
	}
	return due
}

// publicationTime is when the rates of a day have been published, UTC: the European Central
// Bank does so at about 16:00 CET.
const publicationTime = 15*time.Hour + 15*time.Minute

// NextPublication returns when the rates after those of a day are published: on the next
// working day. Without rates it is now.
func NextPublication(day models.Day, now time.Time) time.Time {
	last, ok := day.Start()
	if !ok {
		return now
	}
	next := last.AddDate(0, 0, 1)
	for next.Weekday() == time.Saturday || next.Weekday() == time.Sunday {
		next = next.AddDate(0, 0, 1)
	}
	return next.Add(publicationTime)
}
