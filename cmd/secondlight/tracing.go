package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"
)

const (
	// stopTracing is how long the last spans may take to be sent.
	stopTracing = 2 * time.Second
	// traceErrors is how often the log says that spans cannot be sent.
	traceErrors = time.Minute
)

// newTracing returns a provider that sends spans with OTLP over HTTP, as the variables of
// OpenTelemetry say, or nil if they name no receiver. end sends the last spans.
func newTracing(ctx context.Context, environ []string, log *slog.Logger) (_ trace.TracerProvider, end func(), err error) {
	variables := env.ToMap(environ)
	if !tracingWanted(variables) {
		return nil, func() {}, nil
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		if value := variables[name]; value != "" && value != "http/protobuf" {
			return nil, nil, usageError{fmt.Errorf("invalid setting %s: %q is not http/protobuf", name, value)}
		}
	}
	client, err := newTraceClient(variables)
	if err != nil {
		return nil, nil, usageError{fmt.Errorf("invalid setting OTEL_EXPORTER_OTLP_…: %w", err)}
	}
	exporter := otlptrace.NewUnstarted(client)
	if err := exporter.Start(ctx); err != nil {
		return nil, nil, err
	}
	failing := rate.Sometimes{Interval: traceErrors}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		failing.Do(func() { log.Warn("send traces", "err", err) })
	}))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(describeServer(ctx, log)))
	return provider, func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopTracing)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("send the last traces", "err", err)
		}
	}, nil
}

// describeServer returns what traces say of the program, which OTEL_SERVICE_NAME and
// OTEL_RESOURCE_ATTRIBUTES override.
func describeServer(ctx context.Context, log *slog.Logger) *resource.Resource {
	r, err := resource.New(ctx, resource.WithHost(), resource.WithTelemetrySDK(), resource.WithFromEnv(),
		resource.WithAttributes(attribute.String("service.version", release(buildInfo()))))
	if err != nil {
		log.Warn("describe the server in traces", "err", err)
	}
	if _, named := r.Set().Value("service.name"); !named {
		r, _ = resource.Merge(resource.NewSchemaless(attribute.String("service.name", "secondlight")), r)
	}
	return r
}

// tracingWanted reports whether variables of OpenTelemetry name a receiver of spans.
func tracingWanted(variables map[string]string) bool {
	named := variables["OTEL_EXPORTER_OTLP_ENDPOINT"] != "" || variables["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] != ""
	return named && !strings.EqualFold(variables["OTEL_SDK_DISABLED"], "true") && variables["OTEL_TRACES_EXPORTER"] != "none"
}
