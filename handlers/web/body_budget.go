package web

import (
	"io"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/models/problem"
)

// Limits of the bodies in progress, in bytes unless noted.
const (
	smallBody  = 64 << 10  // larger bodies count towards maxUploads
	maxUploads = 4         // bodies in progress of one member or address
	maxBodies  = 256 << 20 // all bodies in progress
)

// bodyBudget bounds the memory of the bodies in progress. The zero value is ready to
// use.
type bodyBudget struct {
	mu      sync.Mutex
	held    int            // bytes
	uploads map[string]int // number of bodies larger than smallBody, by owner
}

var errBodiesBusy = &problem.Error{Kind: problem.Unavailable, Code: "unavailable",
	Message: problem.Textf("The server is receiving too many files."), Hint: problem.Textf("Try again in a few seconds, or send a smaller body.")}

var errTooManyUploads = &problem.Error{Kind: problem.TooMany, Code: "rate_limited", Wait: 5,
	Message: problem.Textf("You already have %d uploads in progress.", maxUploads), Hint: problem.Textf("Wait until one of them is complete.")}

// resize changes the size of an owner's body from one number of bytes to another.
func (b *bodyBudget) resize(owner string, from, to int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case to > from && b.held+to-from > maxBodies:
		return errBodiesBusy
	case from <= smallBody && to > smallBody:
		if b.uploads[owner] >= maxUploads {
			return errTooManyUploads
		}
		if b.uploads == nil {
			b.uploads = map[string]int{}
		}
		b.uploads[owner]++
	case from > smallBody && to <= smallBody:
		if b.uploads[owner]--; b.uploads[owner] == 0 {
			delete(b.uploads, owner)
		}
	}
	b.held += to - from
	return nil
}

// body is the body of a request in progress.
type body struct {
	budget   *bodyBudget
	owner    string
	reserved int
	bytes    []byte
}

// read reads a body of at most limit bytes. Declared is the length in its header, or
// negative if it is chunked.
func (b *body) read(stream io.Reader, declared, limit int) error {
	if declared > limit {
		return fiber.ErrRequestEntityTooLarge
	}
	end := limit + 1 // reading one byte more detects a body that is too large
	if declared >= 0 {
		end = declared
	}
	for len(b.bytes) < end {
		if len(b.bytes) == cap(b.bytes) {
			if err := b.grow(min(max(growth*cap(b.bytes), 16<<10), end)); err != nil {
				return err
			}
		}
		n, err := stream.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(b.bytes) > limit:
		return fiber.ErrRequestEntityTooLarge
	case len(b.bytes) < declared:
		return io.ErrUnexpectedEOF
	}
	return nil
}

// growth is the factor by which the memory of a body grows. With a smaller one, more of it
// would be garbage.
const growth = 4

// grow reserves and allocates size bytes.
func (b *body) grow(size int) error {
	if err := b.budget.resize(b.owner, b.reserved, size); err != nil {
		return err
	}
	b.reserved = size
	b.bytes = append(make([]byte, 0, size), b.bytes...)
	return nil
}

// release returns the memory of the body to the budget.
func (b *body) release() {
	_ = b.budget.resize(b.owner, b.reserved, 0) // releasing does not fail
	b.reserved = 0
}

// body returns an empty body, which counts for its owner.
func (b *bodyBudget) body(owner string) *body { return &body{budget: b, owner: owner} }

// size returns the number of bytes of all bodies.
func (b *bodyBudget) size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}
