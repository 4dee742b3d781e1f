package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"

	"github.com/XSAM/otelsql"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// preparing is a connector whose connections keep the statements they prepare. The driver of
// PostgreSQL alone sends every statement with parameters twice over the network: once to be
// parsed, and once to run. That of SQLite alone parses and plans it every time, which takes
// longer than to run most.
type preparing struct{ driver.Connector }

// Connect implements driver.Connector.
func (p preparing) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &preparingConn{driverConn: conn.(driverConn), statements: map[string]driverStatement{}}, nil
}

// driverConn is what a connection of a driver implements.
type driverConn interface {
	plainConn
	driver.NamedValueChecker
}

// plainConn is what a connection of a driver that leaves arguments to database/sql implements.
type plainConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// driverStatement is what a prepared statement of a driver implements.
type driverStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// maxStatements is how many statements a connection remembers, prepared or not. There are any
// number of them, because lists of values differ in length.
const maxStatements = 500

// preparingConn is a connection that prepares a statement with parameters when it runs for
// the second time.
type preparingConn struct {
	driverConn
	statements map[string]driverStatement // by query; nil for one that has run once
}

// QueryContext implements driver.QueryerContext.
func (c *preparingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	statement, err := c.prepared(ctx, query, args)
	if err != nil {
		return nil, err
	}
	if statement == nil {
		return c.driverConn.QueryContext(ctx, query, args)
	}
	rows, err := statement.QueryContext(ctx, args)
	return rows, c.checked(query, err)
}

// ExecContext implements driver.ExecerContext.
func (c *preparingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	statement, err := c.prepared(ctx, query, args)
	if err != nil {
		return nil, err
	}
	if statement == nil {
		return c.driverConn.ExecContext(ctx, query, args)
	}
	result, err := statement.ExecContext(ctx, args)
	return result, c.checked(query, err)
}

// prepared returns the prepared statement of a query, or nil when it runs for the first time
// and if it has no parameters: then the driver needs one round trip, and a query may be
// several statements.
func (c *preparingConn) prepared(ctx context.Context, query string, args []driver.NamedValue) (driverStatement, error) {
	if len(args) == 0 {
		return nil, nil
	}
	statement, known := c.statements[query]
	if statement != nil {
		return statement, nil
	}
	if !known {
		c.makeRoom()
		c.statements[query] = nil
		return nil, nil
	}
	prepared, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.statements[query] = prepared.(driverStatement)
	return c.statements[query], nil
}

// Close implements driver.Conn. SQLite keeps the file open until its statements are closed,
// while those of PostgreSQL end with the session, without a round trip each.
func (c *preparingConn) Close() error {
	if _, ok := c.driverConn.(sqliteConn); ok {
		for query := range c.statements {
			c.forget(query)
		}
	}
	return c.driverConn.Close()
}

// makeRoom forgets any one statement if there are as many as a connection may have.
func (c *preparingConn) makeRoom() {
	if len(c.statements) < maxStatements {
		return
	}
	for query := range c.statements {
		c.forget(query)
		return
	}
}

// checked returns the error of a prepared statement, which is prepared again if its result
// has had other columns since a migration.
func (c *preparingConn) checked(query string, err error) error {
	const featureNotSupported = "0A000" // "cached plan must not change result type"
	var answer *pq.Error
	if errors.As(err, &answer) && answer.Code == featureNotSupported {
		c.forget(query)
	}
	return err
}

// forget closes the statement of a query. An error is one of the connection, which the next
// use of it returns.
func (c *preparingConn) forget(query string) {
	if statement := c.statements[query]; statement != nil {
		_ = statement.Close()
	}
	delete(c.statements, query)
}

// connectPool returns a pool of connections of a connector, without connecting. With a provider,
// statements have spans below the span of their context, with their text but not the values.
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

// statementName returns the first word of a statement, or the name of the method if there
// is no statement, as at the begin of a transaction.
func statementName(_ context.Context, method otelsql.Method, query string) string {
	if words := strings.Fields(query); len(words) > 0 {
		return words[0]
	}
	return string(method)
}
