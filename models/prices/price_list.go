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
	sums   []models.Cents   // of the chunks
	len    int
}

// maxChunk is the number of prices at which a chunk is split.
const maxChunk = 512

func (l *priceList) insert(price models.Cents) {
	l.len++
	if len(l.chunks) == 0 {
		l.chunks, l.sums = [][]models.Cents{{price}}, []models.Cents{price}
		return
	}
	i := min(l.chunkOf(price), len(l.chunks)-1)
	at, _ := slices.BinarySearch(l.chunks[i], price)
	chunk := slices.Insert(l.chunks[i], at, price)
	l.chunks[i] = chunk
	l.sums[i] += price
	if len(chunk) == maxChunk {
		upper := slices.Clone(chunk[maxChunk/2:])
		l.chunks, l.sums = slices.Insert(l.chunks, i+1, upper), slices.Insert(l.sums, i+1, 0)
		l.chunks[i] = chunk[:maxChunk/2]
		for _, p := range upper {
			l.sums[i], l.sums[i+1] = l.sums[i]-p, l.sums[i+1]+p
		}
	}
}

// remove removes a price that is in the list once.
func (l *priceList) remove(price models.Cents) {
	l.len--
	i := l.chunkOf(price)
	l.sums[i] -= price
	at, _ := slices.BinarySearch(l.chunks[i], price)
	l.chunks[i] = slices.Delete(l.chunks[i], at, at+1)
	if len(l.chunks[i]) == 0 {
		l.chunks, l.sums = slices.Delete(l.chunks, i, i+1), slices.Delete(l.sums, i, i+1)
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
	tail := l.len / 4
	n := models.Cents(l.len - 2*tail)
	return Stats{
		Count: l.len, Average: (2*l.sumOf(tail, l.len-tail) + n) / (2 * n), Low: quantile(l.len, l.at, 1, 10), High: quantile(l.len, l.at, 9, 10),
		P25: Quartile(l.len, l.at, 1), Median: l.median(), P75: Quartile(l.len, l.at, 3),
	}
}

// sumOf returns the sum of the prices with indexes in [from, to).
func (l *priceList) sumOf(from, to int) (sum models.Cents) {
	for i, chunk := range l.chunks {
		if from <= 0 && len(chunk) <= to {
			sum += l.sums[i]
		} else {
			for _, price := range chunk[min(max(from, 0), len(chunk)):min(max(to, 0), len(chunk))] {
				sum += price
			}
		}
		from, to = from-len(chunk), to-len(chunk)
	}
	return sum
}

func (l *priceList) median() models.Cents { return Quartile(l.len, l.at, 2) }

// Quartile returns the R-7 quantile q/4 of n sorted values, rounded half up:
// the value at index (n−1)·q/4, interpolated linearly.
func Quartile(n int, value func(i int) models.Cents, q int) models.Cents {
	return quantile(n, value, q, 4)
}

// quantile returns the R-7 quantile q/parts of n sorted values, rounded half up.
func quantile(n int, value func(i int) models.Cents, q, parts int) models.Cents {
	at, whole := (n-1)*q, models.Cents(parts)
	i, part := at/parts, models.Cents(at%parts)
	low := value(i)
	if part == 0 {
		return low
	}
	return (2*whole*low + 2*part*(value(i+1)-low) + whole) / (2 * whole)
}
