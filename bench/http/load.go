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

// load is how hard a server is pressed: until the requests are sent or the time
// is up, every connection asking again as soon as it has its answer.
type load struct {
	requests, connections int
	atMost                time.Duration
}

// outcome is what one side did in one round.
type outcome struct {
	elapsed   time.Duration
	latencies []time.Duration // sorted
}

func (o outcome) perSecond() float64 { return float64(len(o.latencies)) / o.elapsed.Seconds() }

// quantile is the latency that q of a hundred requests stayed under.
func (o outcome) quantile(q int) time.Duration {
	return o.latencies[(len(o.latencies)-1)*q/100]
}

// run asks for uris in their order. Any answer but a 200 of the wanted type ends
// it: a fast error page is not a result.
func (l load) run(ctx context.Context, address, accept string, uris []string) (outcome, error) {
	client := &fasthttp.HostClient{
		Addr: address, MaxConns: l.connections, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second,
		NoDefaultUserAgentHeader: true, DisablePathNormalizing: true,
	}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, l.atMost)
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
			req.Header.SetHost(address)
			for ctx.Err() == nil {
				n := int(sent.Add(1)) - 1
				if n >= len(uris) {
					return nil
				}
				req.SetRequestURI(uris[n])
				began := time.Now()
				if err := client.Do(req, resp); err != nil {
					return fmt.Errorf("GET %s: %w", uris[n], err)
				}
				lists[i] = append(lists[i], time.Since(began))
				if err := check(resp, accept, uris[n]); err != nil {
					return err
				}
			}
			return nil
		}
	)
	began := time.Now()
	for i := range l.connections {
		group.Go(func() {
			if err := worker(i); err != nil {
				errs <- err
				cancel()
			}
		})
	}
	group.Wait()
	out := outcome{elapsed: time.Since(began), latencies: slices.Concat(lists...)}
	slices.Sort(out.latencies)
	select {
	case err := <-errs:
		return out, err
	default:
	}
	if len(out.latencies) == 0 {
		return out, fmt.Errorf("no answer within %s", l.atMost)
	}
	return out, nil
}

func check(resp *fasthttp.Response, contentType, uri string) error {
	if resp.StatusCode() != fasthttp.StatusOK || !bytes.HasPrefix(resp.Header.ContentType(), []byte(contentType)) {
		return fmt.Errorf("GET %s: %d %s\n%.1000s", uri, resp.StatusCode(), resp.Header.ContentType(), resp.Body())
	}
	return nil
}
