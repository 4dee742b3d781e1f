package search

import (
	"sync"

	"github.com/secondlight/secondlight/models"
)

// backlog knows which of the changes that this process has committed the index does not
// show yet. Positions are in the order of commits, so the last of each says it all. It is
// safe for concurrent use.
type backlog struct {
	mu               sync.Mutex
	running          bool // Run applies changes
	committed, shown models.Position
	progress         chan struct{} // closed when shown or running changes
}

func newBacklog() backlog { return backlog{progress: make(chan struct{})} }

// commit records that this process has committed changes up to a position.
func (b *backlog) commit(to models.Position) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.committed = max(b.committed, to)
}

// show records that the index shows the changes up to a position.
func (b *backlog) show(to models.Position) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown = max(b.shown, to)
	b.announce()
}

// reset forgets the positions, which belong to a database that was replaced.
func (b *backlog) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.committed, b.shown = 0, 0
	b.announce()
}

// run records whether changes are applied.
func (b *backlog) run(running bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running = running
	b.announce()
}

func (b *backlog) announce() {
	close(b.progress)
	b.progress = make(chan struct{})
}

// last returns the position of the last change that this process has committed.
func (b *backlog) last() models.Position {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.committed
}

// shows reports whether the index shows the changes up to a position, or shows none
// because Run does not run, and returns a channel that is closed when that may change.
func (b *backlog) shows(to models.Position) (bool, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shown >= to || !b.running, b.progress
}
