//go:build linux

// Package load asks servers over many connections and times the answers, for benchmarks.
package load

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/secondlight/secondlight/bench/program"
)

// Load is how hard a server is pressed: for a time, every connection asking
// again as soon as it has its answer.
type Load struct {
	Addresses, Connections int // different addresses a round
	Time                   time.Duration
}

// Request is a request to a server. The zero Method is GET.
type Request struct{ Method, URI, Header, Body string }

// Outcome is what one side did in one round.
type Outcome struct {
	elapsed   time.Duration
	latencies []time.Duration // sorted
	cpu       time.Duration   // that the server took; 0 when the system does not tell
	bytes     int             // of all bodies

	Refused int // writes that were not accepted
}

// PerRequest returns the processor time of one answer, in microseconds.
func (o *Outcome) PerRequest() float64 {
	return float64(o.cpu) / float64(time.Microsecond) / float64(len(o.latencies))
}

// PerSecond returns the answers in a second.
func (o *Outcome) PerSecond() float64 { return float64(len(o.latencies)) / o.elapsed.Seconds() }

// Size returns the mean length of a body, in bytes.
func (o *Outcome) Size() int { return o.bytes / len(o.latencies) }

// Quantile returns the latency that q of a hundred requests stayed under.
func (o *Outcome) Quantile(q int) time.Duration {
	return o.latencies[(len(o.latencies)-1)*q/100]
}

// client asks over many connections from one thread, by epoll. A goroutine for
// each connection would be woken for each answer of a server that is slow, and for
// dozens at once of one that is fast: the client would take three times as long
// for the same answer of the one, on processors that both share with it.
type client struct {
	to     *program.Server
	accept string
	header string // further header fields, each with its line end
	asks   []Request
	again  bool // from the first when all were asked
	sent   int
	out    Outcome
}

// Run sends a server requests in their order, and again from the first if again
// is set, else it ends after the last. Any answer but a 200 of the wanted type
// ends it at once: a fast error page is not a result.
func (l Load) Run(ctx context.Context, to *program.Server, accept, header string, asks []Request, again bool) (*Outcome, error) {
	// Nor may what the client collects as garbage weigh on whichever side it
	// happens to fall.
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	c := &client{to: to, accept: accept, header: header, asks: asks, again: again}
	c.out.latencies = make([]time.Duration, 0, 1<<20)
	poll, err := syscall.EpollCreate1(0)
	if err != nil {
		return &c.out, err
	}
	defer syscall.Close(poll)
	wires := map[int32]*wire{}
	for range l.Connections {
		w, err := dial(to.Address)
		if err != nil {
			return &c.out, err
		}
		defer syscall.Close(w.fd)
		wires[int32(w.fd)] = w
		if err := syscall.EpollCtl(poll, syscall.EPOLL_CTL_ADD, w.fd, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(w.fd)}); err != nil {
			return &c.out, err
		}
	}

	began, cpu := time.Now(), to.Processor()
	open := 0 // questions without an answer
	for _, w := range wires {
		asked, err := c.ask(w)
		if err != nil {
			return &c.out, err
		}
		if asked {
			open++
		}
	}
	var ready [64]syscall.EpollEvent
	for open > 0 {
		n, err := syscall.EpollWait(poll, ready[:], 1000)
		if err != nil && err != syscall.EINTR {
			return &c.out, err
		}
		ended := ctx.Err() != nil || time.Since(began) >= l.Time
		if time.Since(began) > l.Time+30*time.Second {
			return &c.out, fmt.Errorf("%d answers did not come within 30 s", open)
		}
		for i := range max(n, 0) {
			w := wires[ready[i].Fd]
			answered, err := c.read(w)
			if err != nil {
				return &c.out, fmt.Errorf("GET %s: %w", w.URI, err)
			}
			if !answered {
				continue
			}
			asked := false
			if !ended {
				if asked, err = c.ask(w); err != nil {
					return &c.out, err
				}
			}
			if !asked {
				open--
			}
		}
	}
	c.out.elapsed, c.out.cpu = time.Since(began), to.Processor()-cpu
	slices.Sort(c.out.latencies)
	if len(c.out.latencies) == 0 {
		return &c.out, fmt.Errorf("no answer within %s", l.Time)
	}
	return &c.out, ctx.Err()
}

// wire is a connection, with the question asked on it and the answer as far as
// it has come.
type wire struct {
	fd int
	Request
	asked    time.Time
	question []byte
	answer   []byte
	head     int // length of the head; 0 before it has come
	whole    int // length of the answer, or chunked
}

// chunked is the length of an answer that comes in chunks: it is known at the last of them.
const chunked = -1

// lastChunk ends an answer in chunks. JSON and HTML don't contain it.
var lastChunk = []byte("\r\n0\r\n\r\n")

func dial(address string) (*wire, error) {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, err
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Connect(fd, &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}); err != nil {
		syscall.Close(fd)
		return nil, err
	}
	return &wire{fd: fd, answer: make([]byte, 0, 256<<10)}, syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1)
}

// ask asks for the next address; it reports false when there is none.
func (c *client) ask(w *wire) (asked bool, err error) {
	if c.sent >= len(c.asks) && !c.again {
		return false, nil
	}
	w.Request = c.asks[c.sent%len(c.asks)]
	c.sent++
	method := cmp.Or(w.Method, "GET")
	q := append(append(append(w.question[:0], method...), ' '), w.URI...)
	q = append(append(q, " HTTP/1.1\r\nHost: "...), c.to.Address...)
	if w.Method == "" {
		q = append(append(append(q, "\r\nAccept: "...), c.accept...), "\r\n"...)
		q = append(q, c.header...)
	} else {
		q = append(append(q, "\r\nContent-Type: application/json\r\nContent-Length: "...), strconv.Itoa(len(w.Body))...)
		q = append(append(q, "\r\n"...), w.Header...)
	}
	w.question = append(append(q, "\r\n"...), w.Body...)
	w.answer, w.head, w.whole, w.asked = w.answer[:0], 0, 0, time.Now()
	n, err := syscall.Write(w.fd, w.question)
	if err == nil && n < len(w.question) {
		err = fmt.Errorf("a question of %d bytes could not be sent at once", len(w.question))
	}
	return err == nil, err
}

// read takes what has come of an answer; it reports whether that is all.
func (c *client) read(w *wire) (answered bool, err error) {
	n, err := syscall.Read(w.fd, w.answer[len(w.answer):cap(w.answer)])
	switch {
	case err == syscall.EINTR:
		return false, nil
	case err != nil:
		return false, err
	case n == 0:
		return false, fmt.Errorf("the connection was closed, or the answer is longer than %d bytes", cap(w.answer))
	}
	w.answer = w.answer[:len(w.answer)+n]
	if w.head == 0 {
		end := bytes.Index(w.answer, []byte("\r\n\r\n"))
		if end < 0 {
			return false, nil
		}
		w.head = end + 4
		length, err := c.length(w, w.answer[:end+2])
		if err != nil {
			return false, err
		}
		if w.whole = length; length != chunked {
			w.whole += w.head
		}
	}
	if w.whole == chunked && !bytes.HasSuffix(w.answer, lastChunk) || len(w.answer) < w.whole {
		return false, nil
	}
	c.out.latencies = append(c.out.latencies, time.Since(w.asked))
	c.out.bytes += len(w.answer) - w.head
	return true, nil
}

// length returns the length of a body, from the head of its answer.
func (c *client) length(w *wire, head []byte) (int, error) {
	if w.Method == "" {
		return check(head, c.accept)
	}
	if !bytes.HasPrefix(head, []byte("HTTP/1.1 2")) {
		c.out.Refused++
	}
	return lengthOf(head)
}

// check refuses a head that is not that of a 200 of the wanted type, and reads
// from it how long the body is.
func check(head []byte, contentType string) (length int, err error) {
	if !bytes.HasPrefix(head, []byte("HTTP/1.1 200 ")) || !bytes.HasPrefix(fieldOf(head, "Content-Type"), []byte(contentType)) {
		return 0, fmt.Errorf("no 200 of type %s:\n%s", contentType, head)
	}
	return lengthOf(head)
}

func lengthOf(head []byte) (int, error) {
	if string(fieldOf(head, "Transfer-Encoding")) == "chunked" {
		return chunked, nil
	}
	return strconv.Atoi(string(fieldOf(head, "Content-Length")))
}

// fieldOf is the value of a header field, written as both sides write it.
func fieldOf(head []byte, name string) []byte {
	_, value, _ := bytes.Cut(head, []byte("\r\n"+name+": "))
	value, _, _ = bytes.Cut(value, []byte("\r\n"))
	return value
}
