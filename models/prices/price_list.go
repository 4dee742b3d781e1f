package prices

import (
	"slices"
	"sort"

	"github.com/secondlight/secondlight/models"
)

// priceList is a sorted list of prices. Inserting, removing and indexing take
// O(√n) for the sizes that occur: the prices are divided into chunks.
type priceList struct {
	chunks [][]models.Cents // none is empty
	len    int
	sum    models.Cents
}

// maxChunk is the number of prices at which a chunk is split.
const maxChunk = 512

func (l *priceList) insert(price models.Cents) {
	l.len++
	l.sum += price
	if len(l.chunks) == 0 {
		l.chunks = [][]models.Cents{{price}}
		return
	}
	i := min(l.chunkOf(price), len(l.chunks)-1)
	at, _ := slices.BinarySearch(l.chunks[i], price)
	chunk := slices.Insert(l.chunks[i], at, price)
	l.chunks[i] = chunk
	if len(chunk) == maxChunk {
		l.chunks = slices.Insert(l.chunks, i+1, slices.Clone(chunk[maxChunk/2:]))
		l.chunks[i] = chunk[:maxChunk/2]
	}
}

// remove removes a price that is in the list once.
func (l *priceList) remove(price models.Cents) {
	l.len--
	l.sum -= price
	i := l.chunkOf(price)
	at, _ := slices.BinarySearch(l.chunks[i], price)
	l.chunks[i] = slices.Delete(l.chunks[i], at, at+1)
	if len(l.chunks[i]) == 0 {
		l.chunks = slices.Delete(l.chunks, i, i+1)
	}
}

// chunkOf returns the index of the first chunk that has a price of at least the
// given one.
func (l *priceList) chunkOf(price models.Cents) int {
	return sort.Search(len(l.chunks), func(i int) bool { return l.chunks[i][len(l.chunks[i])-1] >= price })
}

// at returns the price at an index, from 0 for the lowest.
func (l *priceList) at(i int) models.Cents {
	for _, chunk := range l.chunks {
		if i < len(chunk) {
			return chunk[i]
		}
		i -= len(chunk)
	}
	panic("index out of range")
}

// stats returns the statistics of the prices, without LastSoldAt.
func (l *priceList) stats() Stats {
	if l.len == 0 {
		return Stats{}
	}
	n := models.Cents(l.len)
	return Stats{
		Count: l.len, Average: (2*l.sum + n) / (2 * n), Low: l.at(0), High: l.at(l.len - 1),
		P25: Quartile(l.len, l.at, 1), Median: l.median(), P75: Quartile(l.len, l.at, 3),
	}
}

func (l *priceList) median() models.Cents { return Quartile(l.len, l.at, 2) }

// Quartile returns the R-7 quantile q/4 of n sorted values, rounded half up:
// the value at index (n−1)·q/4, interpolated linearly.
func Quartile(n int, value func(i int) models.Cents, q int) models.Cents {
	at := (n - 1) * q
	i, quarters := at/4, models.Cents(at%4)
	low := value(i)
	if quarters == 0 {
		return low
	}
	return (4*low + quarters*(value(i+1)-low) + 2) / 4
}
