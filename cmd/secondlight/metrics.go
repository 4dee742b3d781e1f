package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// listenMetrics opens the listener of METRICS_ADDR, or returns nil if it is not set.
func listenMetrics(set *settings) (net.Listener, error) {
	if set.MetricsAddr == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", set.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("the setting METRICS_ADDR is %s: %w", set.MetricsAddr, err)
	}
	return listener, nil
}

// serveMetrics serves the metrics and profiles of the process until ctx ends.
func serveMetrics(ctx context.Context, listener net.Listener, metrics http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	server := http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}
