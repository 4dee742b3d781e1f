package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"

	"github.com/XSAM/otelsql"
	"github.com/jmoiron/sqlx"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// openPool opens a pool of connections without connecting. With a provider, statements have
// spans below the span of their context, with their text but not the values.
func openPool(name, address string, tracing trace.TracerProvider) (*sqlx.DB, error) {
	if tracing == nil {
		return sqlx.Open(name, address)
	}
	pool, err := otelsql.Open(name, address, traceStatements(name, tracing)...)
	return sqlx.NewDb(pool, name), err
}

// connectPool is openPool for the connections of a connector.
func connectPool(name string, connector driver.Connector, tracing trace.TracerProvider) *sqlx.DB {
	if tracing == nil {
		return sqlx.NewDb(sql.OpenDB(connector), name)
	}
	return sqlx.NewDb(otelsql.OpenDB(connector, traceStatements(name, tracing)...), name)
}

func traceStatements(name string, tracing trace.TracerProvider) []otelsql.Option {
	return []otelsql.Option{otelsql.WithTracerProvider(tracing), otelsql.WithAttributes(attribute.String("db.system.name", name)),
		otelsql.WithSpanNameFormatter(statementName), otelsql.WithSpanOptions(otelsql.SpanOptions{
			SpanFilter:           isTraced,
			RecordError:          func(error) bool { return false }, // an error may have values
			OmitConnResetSession: true, OmitConnectorConnect: true, OmitConnPrepare: true, OmitRows: true,
		})}
}

// isTraced reports whether a statement belongs to a request or job that is recorded.
func isTraced(ctx context.Context, _ otelsql.Method, _ string, _ []driver.NamedValue) bool {
	return trace.SpanFromContext(ctx).IsRecording()
}

// statementName returns the first word of a statement, or the method, such as that which
// begins a transaction.
func statementName(_ context.Context, method otelsql.Method, query string) string {
	if words := strings.Fields(query); len(words) > 0 {
		return words[0]
	}
	return string(method)
}
