package serve

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/valyala/fasthttp"
)

// Limits of streams: event streams and MCP subscriptions.
const (
	maxClientStreams = 8    // of a member, or of an address without one
	maxStreams       = 1024 // of this server
)

// MountEvents serves server-sent events at a path. For each request it calls Open with
// the id of the last event that the client has received, "" for none. An error of Open
// is the response. Streams end when the client leaves or its token or session is no
// longer valid, when the server shuts down, and after ten minutes; clients then continue
// with Last-Event-ID.
func (s *Server) MountEvents(stream *web.EventStream) {
	s.Describer.AddStream(stream)
	s.app.Get(stream.Path, func(c *fiber.Ctx) error {
		caller := &web.StateOf(c.Context()).Caller
		if caller.AuthErr != nil {
			return caller.AuthErr
		}
		lastID, err := lastEventID(c)
		if err != nil {
			return err
		}
		ctx, cancel := caller.Context()
		source, err := stream.Open(ctx, lastID)
		cancel()
		if err != nil {
			return err
		}
		web.VaryByCaller(c)
		c.Set("Content-Type", web.EventStreamType)
		c.Set("Cache-Control", web.CacheNever)
		if c.Method() == http.MethodHead {
			return nil
		}
		release, err := s.streams.open(web.StateOf(c.Context()).Client)
		if err != nil {
			return err
		}
		access := s.watchAccess(c.Context())
		err = s.streamHandler(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			defer release()
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			defer context.AfterFunc(s.stopping, cancel)()
			rw.Header().Set("Content-Type", web.EventStreamType)
			w := web.NewEventWriter(rw, access)
			if err := w.Begin(); err != nil {
				return
			}
			if err := source(ctx, w); err != nil && ctx.Err() == nil && err != web.ErrStreamEnded {
				s.Log.Error("stream events", "request_id", r.Header.Get("X-Request-Id"), "err", err)
			}
		}))(c)
		if err != nil {
			release()
		}
		return err
	})
}

// lastEventID returns the id of the last event that a client has received: from the
// Last-Event-ID field or, for clients that can't set it, the parameter since.
func lastEventID(c *fiber.Ctx) (string, error) {
	id := c.Get("Last-Event-ID")
	for name, value := range c.Context().QueryArgs().All() {
		if string(name) != "since" {
			e := *web.NewError("unknown_parameter")
			e.Message, e.Hint = problem.Programf("There is no parameter %.40q.", name), problem.Programf("The only parameter is since.")
			return "", &e
		}
		if id == "" {
			id = string(value)
		}
	}
	return strings.Clone(id), nil
}

// watchAccess returns a function that reports whether the credentials of a request are
// still those of its caller, as of at most AccessInterval ago.
func (s *Server) watchAccess(ctx *fasthttp.RequestCtx) func(context.Context) bool {
	member := ""
	if id := web.StateOf(ctx).Caller.Identity; id != nil {
		member = id.ID
	}
	header := &fasthttp.RequestHeader{}
	ctx.Request.Header.CopyTo(header)
	var mu sync.Mutex
	checked, valid := time.Now(), true
	return func(ctx context.Context) bool {
		mu.Lock()
		defer mu.Unlock()
		if member == "" || !valid || time.Since(checked) < web.AccessInterval {
			return valid
		}
		id, _, err := s.IdentityFromHeader(ctx, header)
		checked, valid = time.Now(), err == nil && id != nil && id.ID == member
		return valid
	}
}

// streamCount counts the open streams. It is safe for concurrent use.
type streamCount struct {
	mu       sync.Mutex
	all      int
	byClient map[limit.Client]int
}

// open counts a stream of a client until release is called, or returns an error if
// there are too many.
func (n *streamCount) open(c limit.Client) (release func(), err error) {
	c = c.Charged()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byClient == nil {
		n.byClient = map[limit.Client]int{}
	}
	if n.byClient[c] >= maxClientStreams {
		return nil, web.NewError("too_many_streams")
	}
	if n.all >= maxStreams {
		return nil, web.NewError("unavailable")
	}
	n.all++
	n.byClient[c]++
	return sync.OnceFunc(func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.all--
		if n.byClient[c]--; n.byClient[c] == 0 {
			delete(n.byClient, c)
		}
	}), nil
}
