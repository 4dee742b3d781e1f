package codec

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// errRefused is ErrDamaged, said by a worker that can go on.
var errRefused = fmt.Errorf("%w: refused by the decoder", ErrDamaged)

// idleTime is how long a worker waits for another picture. Compiling the modules again takes less
// than two seconds.
const idleTime = 30 * time.Second

// LowPriority is whether the encoder only gets the processor time that nobody else wants. Tests that
// wait for it set it to false before the first picture.
var LowPriority = true

// The workers of this process, started when they are needed.
var (
	decoder = &pool{turn: make(chan struct{}, 1), start: (*exec.Cmd).Start}
	encoder = &pool{turn: make(chan struct{}, 1), start: startEncoder}
)

func startEncoder(process *exec.Cmd) error {
	if LowPriority {
		return startNice(process)
	}
	return process.Start()
}

// pool holds a worker.
type pool struct {
	turn  chan struct{} // a semaphore of 1
	start func(*exec.Cmd) error
	mu    sync.Mutex
	idle  *worker
	end   *time.Timer // of the idle worker
}

// take waits for the turn and returns a worker.
func (p *pool) take(ctx context.Context) (*worker, error) {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	w := p.idle
	if p.idle = nil; w != nil {
		p.end.Stop()
	}
	p.mu.Unlock()
	if w != nil {
		return w, nil
	}
	w, err := startWorker(p.start)
	if err != nil {
		<-p.turn
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return w, nil
}

// put gives up the turn, and keeps the worker for a while if it can go on.
func (p *pool) put(w *worker, healthy bool) {
	if !healthy {
		w.stop()
	} else {
		p.mu.Lock()
		p.idle = w
		p.end = time.AfterFunc(idleTime, func() { p.release(w) })
		p.mu.Unlock()
	}
	<-p.turn
}

// release ends a worker that is still idle.
func (p *pool) release(w *worker) {
	p.mu.Lock()
	idle := p.idle == w
	if idle {
		p.idle = nil
	}
	p.mu.Unlock()
	if idle {
		w.stop()
	}
}

// worker is a process that decodes files or encodes pictures.
type worker struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     io.Reader
}

// workerName is the name under which the program is a worker.
const workerName = "secondlight-codec"

func startWorker(start func(*exec.Cmd) error) (*worker, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "linux" {
		program = "/proc/self/exe" // the running version, also once another is installed
	}
	w := &worker{process: &exec.Cmd{Path: program, Args: []string{workerName}, Env: []string{}}}
	out, err := w.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if w.in, err = w.process.StdinPipe(); err != nil {
		return nil, err
	}
	w.out = out
	return w, start(w.process)
}

// stop ends the process.
func (w *worker) stop() {
	_ = w.process.Process.Kill() // it may have ended by itself
	_ = w.process.Wait()
}

// send sends a request to the worker, which is killed if ctx ends before stop is called. After an
// error other than errRefused the worker must be stopped.
func (w *worker) send(ctx context.Context, head requestHead, data []byte) (stop func() bool, err error) {
	stop = context.AfterFunc(ctx, func() { _ = w.process.Process.Kill() })
	head.Length = uint64(len(data))
	err = binary.Write(w.in, binary.LittleEndian, head)
	if err == nil {
		_, err = w.in.Write(data)
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return stop, err
}

// ended returns err, or why ctx has ended.
func ended(ctx context.Context, err error) error {
	switch {
	case err == nil || errors.Is(err, errRefused) || ctx.Err() == nil:
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", ErrDamaged, ctx.Err())
	}
	return ctx.Err()
}
