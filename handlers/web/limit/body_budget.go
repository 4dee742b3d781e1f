package limit

import (
	"io"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/models/problem"
)

// Limits of the bodies in progress, in bytes unless noted.
const (
	SmallBody  = 64 << 10  // larger bodies count towards MaxUploads
	MaxUploads = 4         // bodies in progress of one member or address
	maxBodies  = 256 << 20 // all bodies in progress
)

// Bodies bounds the memory of the bodies in progress. The zero value is ready to
// use.
type Bodies struct {
	Mu      sync.Mutex
	Held    int            // bytes
	Uploads map[string]int // number of bodies larger than SmallBody, by owner
}

var ErrBodiesBusy = &problem.Error{Kind: problem.Unavailable, Code: "unavailable",
	Message: problem.Textf("We're receiving too many files right now."), Hint: problem.Textf("Try again in a few seconds, or send a smaller body.")}

var errTooManyUploads = &problem.Error{Kind: problem.TooMany, Code: "rate_limited", Wait: 5,
	Message: problem.Textf("You already have %d uploads in progress.", MaxUploads), Hint: problem.Textf("Wait until one of them is complete.")}

// resize changes the size of an owner's body from one number of bytes to another.
func (b *Bodies) resize(owner string, from, to int) error {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	switch {
	case to > from && b.Held+to-from > maxBodies:
		return ErrBodiesBusy
	case from <= SmallBody && to > SmallBody:
		if b.Uploads[owner] >= MaxUploads {
			return errTooManyUploads
		}
		if b.Uploads == nil {
			b.Uploads = map[string]int{}
		}
		b.Uploads[owner]++
	case from > SmallBody && to <= SmallBody:
		if b.Uploads[owner]--; b.Uploads[owner] == 0 {
			delete(b.Uploads, owner)
		}
	}
	b.Held += to - from
	return nil
}

// body is the body of a request in progress.
type body struct {
	budget   *Bodies
	owner    string
	reserved int
	Bytes    []byte
}

// Read reads a body of at most limit bytes. Declared is the length in its header, or
// negative if it is chunked.
func (b *body) Read(stream io.Reader, declared, limit int) error {
	if declared > limit {
		return fiber.ErrRequestEntityTooLarge
	}
	end := limit + 1 // reading one byte more detects a body that is too large
	if declared >= 0 {
		end = declared
	}
	for len(b.Bytes) < end {
		if len(b.Bytes) == cap(b.Bytes) {
			if err := b.grow(min(max(growth*cap(b.Bytes), 16<<10), end)); err != nil {
				return err
			}
		}
		n, err := stream.Read(b.Bytes[len(b.Bytes):cap(b.Bytes)])
		b.Bytes = b.Bytes[:len(b.Bytes)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(b.Bytes) > limit:
		return fiber.ErrRequestEntityTooLarge
	case len(b.Bytes) < declared:
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
	b.Bytes = append(make([]byte, 0, size), b.Bytes...)
	return nil
}

// Release returns the memory of the body to the budget.
func (b *body) Release() {
	_ = b.budget.resize(b.owner, b.reserved, 0) // releasing does not fail
	b.reserved = 0
}

// Body returns an empty body, which counts for its owner.
func (b *Bodies) Body(owner string) *body { return &body{budget: b, owner: owner} }

// Size returns the number of bytes of all bodies.
func (b *Bodies) Size() int {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	return b.Held
}
