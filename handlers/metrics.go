package handlers

import (
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/secondlight/secondlight/handlers/web"
)

// Metrics counts what the server does, for Prometheus.
type Metrics struct {
	requests *prometheus.HistogramVec

	mu     sync.RWMutex
	series map[requestSeries]prometheus.Observer // of requests: found in a fifth of the time that it takes by labels
}

// requestSeries has the labels of requests.
type requestSeries struct {
	operation, format string
	status            int
}

// NewMetrics returns metrics for a Config.
func NewMetrics() *Metrics {
	return &Metrics{series: map[requestSeries]prometheus.Observer{}, requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "secondlight_request_duration_seconds", Help: "Time to answer requests, by operation, format and status. Tool calls have the format mcp.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"operation", "format", "status"})}
}

// observe counts a request.
func (m *Metrics) observe(o web.Observation) {
	key := requestSeries{o.Operation, o.Format, o.Status}
	m.mu.RLock()
	series := m.series[key]
	m.mu.RUnlock()
	if series == nil {
		series = m.requests.WithLabelValues(o.Operation, o.Format, strconv.Itoa(o.Status))
		m.mu.Lock()
		m.series[key] = series
		m.mu.Unlock()
	}
	series.Observe(o.Took.Seconds())
}
