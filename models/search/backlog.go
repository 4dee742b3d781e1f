package search

import (
	"context"
	"iter"
	"maps"
	"sync"

	"github.com/secondlight/secondlight/models"
)

// backlog holds the changes that this process has committed and that the index does
// not show yet. It is safe for concurrent use.
type backlog struct {
	mu      sync.Mutex
	commits uint64
	pending map[models.Change]commitRange
	shorter chan struct{} // closed when changes are removed
}

// commitRange holds the numbers of the first and the last commit that made a change.
type commitRange struct{ first, last uint64 }

func newBacklog() backlog {
	return backlog{pending: map[models.Change]commitRange{}, shorter: make(chan struct{})}
}

// add adds the changes of a commit.
func (b *backlog) add(changes []models.Change) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.commits++
	for _, c := range changes {
		made, known := b.pending[c]
		if !known {
			made.first = b.commits
		}
		b.pending[c] = commitRange{made.first, b.commits}
	}
}

// now returns the number of commits.
func (b *backlog) now() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.commits
}

// remove removes changes that were made by the first commits. A change made again
// since then stays.
func (b *backlog) remove(changes iter.Seq[models.Change], commits uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range changes {
		if made := b.pending[c]; made.last <= commits {
			delete(b.pending, c)
		} else {
			b.pending[c] = commitRange{max(made.first, commits+1), made.last}
		}
	}
	close(b.shorter)
	b.shorter = make(chan struct{})
}

// removeAll removes all changes made by the first commits.
func (b *backlog) removeAll(commits uint64) { b.remove(maps.Keys(b.pending), commits) }

// left reports whether changes of the first commits are pending, and returns a channel
// that is closed when there are fewer.
func (b *backlog) left(commits uint64) (some bool, shorter <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, made := range b.pending {
		if made.first <= commits {
			return true, b.shorter
		}
	}
	return false, b.shorter
}

// Settle waits until the index shows every change that this process has committed
// before, or ctx ends, and reports whether it does. While Run does not run it returns
// true at once.
func (f *Feed) Settle(ctx context.Context) bool {
	commits := f.backlog.now()
	for {
		some, shorter := f.backlog.left(commits)
		if !some {
			return true
		}
		select {
		case <-shorter:
		case <-ctx.Done():
			return false
		}
	}
}
