package web

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressInterval is the least time between two reports of progress.
const progressInterval = 100 * time.Millisecond

// Progress reports how much of the work of an operation is done, in any unit. MCP
// clients with a progress token are notified several times a second at most; for other
// callers it does nothing. It is safe for concurrent use.
func Progress(ctx context.Context, done, total int) {
	if p, ok := ctx.Value(progressKey{}).(*progress); ok {
		p.report(ctx, done, total)
	}
}

// progressKey is the context key of the *progress of an operation.
type progressKey struct{}

// progress tells an MCP client about the progress of a tool.
type progress struct {
	session *mcp.ServerSession
	token   any

	mu   sync.Mutex
	done int
	at   time.Time
}

// WithProgress returns a context in which Progress tells the client of a call, if it
// asked for it.
func WithProgress(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return ctx
	}
	return context.WithValue(ctx, progressKey{}, &progress{session: req.Session, token: token})
}

// report sends a notification, unless the last one was sent just before or had the same
// progress.
func (p *progress) report(ctx context.Context, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if done <= p.done || done < total && now.Sub(p.at) < progressInterval {
		return
	}
	p.done, p.at = done, now
	// A client that has left ends ctx: nothing else can be done about an error.
	_ = p.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: p.token, Progress: float64(done), Total: float64(total)})
}
