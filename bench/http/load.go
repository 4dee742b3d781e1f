package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// load is how hard a server is pressed: for a time, every connection asking
// again as soon as it has its answer.
type load struct {
	addresses, connections int // different addresses a round
	time                   time.Duration
}

// outcome is what one side did in one round.
type outcome struct {
	elapsed   time.Duration
	latencies []time.Duration // sorted
	cpu       time.Duration   // that the server took; 0 when the system does not tell
}

// perRequest is the processor time of one answer, in microseconds.
func (o outcome) perRequest() float64 {
	return float64(o.cpu) / float64(time.Microsecond) / float64(len(o.latencies))
}

func (o outcome) perSecond() float64 { return float64(len(o.latencies)) / o.elapsed.Seconds() }

// quantile is the latency that q of a hundred requests stayed under.
func (o outcome) quantile(q int) time.Duration {
	return o.latencies[(len(o.latencies)-1)*q/100]
}

// run asks a server for uris in their order, and again from the first if again
// is set, else it ends after the last. Any answer but a 200 of the wanted type
// ends it at once: a fast error page is not a result.
func (l load) run(ctx context.Context, to *server, accept string, uris []string, again bool) (outcome, error) {
	client := &fasthttp.HostClient{
		Addr: to.address, MaxConns: l.connections, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second,
		NoDefaultUserAgentHeader: true, DisablePathNormalizing: true,
	}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, l.time)
	defer cancel()

	var (
		sent   atomic.Int64
		group  sync.WaitGroup
		lists  = make([][]time.Duration, l.connections)
		errs   = make(chan error, l.connections)
		worker = func(i int) error {
			req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
			defer fasthttp.ReleaseRequest(req)
			defer fasthttp.ReleaseResponse(resp)
			req.Header.Set("Accept", accept)
			req.Header.SetHost(to.address)
			for ctx.Err() == nil {
				n := int(sent.Add(1)) - 1
				if n >= len(uris) && !again {
					return nil
				}
				uri := uris[n%len(uris)]
				req.SetRequestURI(uri)
				began := time.Now()
				if err := client.Do(req, resp); err != nil {
					return fmt.Errorf("GET %s: %w", uri, err)
				}
				lists[i] = append(lists[i], time.Since(began))
				if err := check(resp, accept, uri); err != nil {
					return err
				}
			}
			return nil
		}
	)
	began, cpu := time.Now(), to.cpu()
	for i := range l.connections {
		group.Go(func() {
			if err := worker(i); err != nil {
				errs <- err
				cancel()
			}
		})
	}
	group.Wait()
	out := outcome{elapsed: time.Since(began), latencies: slices.Concat(lists...), cpu: to.cpu() - cpu}
	slices.Sort(out.latencies)
	select {
	case err := <-errs:
		return out, err
	default:
	}
	if len(out.latencies) == 0 {
		return out, fmt.Errorf("no answer within %s", l.time)
	}
	return out, nil
}

func check(resp *fasthttp.Response, contentType, uri string) error {
	if resp.StatusCode() != fasthttp.StatusOK || !bytes.HasPrefix(resp.Header.ContentType(), []byte(contentType)) {
		return fmt.Errorf("GET %s: %d %s\n%.1000s", uri, resp.StatusCode(), resp.Header.ContentType(), resp.Body())
	}
	return nil
}
