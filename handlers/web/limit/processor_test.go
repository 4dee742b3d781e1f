//go:build linux

package limit

import (
	"strings"
	"testing"
	"time"
)

// work takes the processor time and returns what it took.
func work(takes time.Duration) time.Duration {
	m := StartMeter()
	for start := threadTime(); threadTime()-start < takes; {
		_ = strings.Repeat("x", 1000)
	}
	return m.Stop()
}

// TestMeter tests that a meter measures the work of its goroutine, and neither waiting nor
// the work of others.
func TestMeter(t *testing.T) {
	const long, short = 20 * time.Millisecond, 5 * time.Millisecond
	m, other := StartMeter(), make(chan time.Duration)
	go func() { other <- work(long) }()
	if took := <-other; took < long {
		t.Errorf("the other's work of %v took %v", long, took)
	}
	work(short)
	if took := m.Stop(); took < short || took >= long {
		t.Errorf("work of %v beside another of %v took %v", short, long, took)
	}
	if n := meters.Load(); n != 0 {
		t.Errorf("%d meters run", n)
	}
}

// TestMetersAreLimited tests that requests beyond the limit are not measured.
func TestMetersAreLimited(t *testing.T) {
	meters.Add(maxMeters)
	if took := work(time.Millisecond); took != 0 {
		t.Errorf("measured %v", took)
	}
	if n := meters.Add(-maxMeters); n != 0 {
		t.Errorf("%d meters run", n)
	}
}

// BenchmarkMeter measures what measuring a request costs.
func BenchmarkMeter(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		StartMeter().Stop()
	}
}
