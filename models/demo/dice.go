package demo

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
)

// dice generates random numbers with several distributions.
type dice struct{ *rand.Rand }

// chance returns true with probability p.
func (d dice) chance(p float64) bool { return d.Float64() < p }

// between returns a number uniformly distributed between low and high.
func (d dice) between(low, high float64) float64 { return low + d.Float64()*(high-low) }

// triangle returns a number between low and high with a triangular distribution.
func (d dice) triangle(low, high float64) float64 {
	return low + (d.Float64()+d.Float64())/2*(high-low)
}

// lognormal returns a log-normally distributed number with median 1.
func (d dice) lognormal(sigma float64) float64 { return math.Exp(d.NormFloat64() * sigma) }

// pick returns one of the choices.
func pick[T any](d dice, choices []T) T { return choices[d.IntN(len(choices))] }

// weighted returns an index of weights, with a probability proportional to its weight.
func (d dice) weighted(weights []float64) int {
	var sum float64
	for _, w := range weights {
		sum += w
	}
	at := d.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// share divides n in proportion to the weights. Each part is rounded up or down at
// random, and the parts add up to n.
func (d dice) share(n int, weights []float64) []int {
	var sum, reached float64
	for _, w := range weights {
		sum += w
	}
	start, given := d.Float64(), 0
	parts := make([]int, len(weights))
	for i, w := range weights {
		reached += w
		upTo := int(reached/sum*float64(n) + start)
		if i == len(weights)-1 {
			upTo = n
		}
		upTo = min(upTo, n)
		parts[i], given = upTo-given, upTo
	}
	return parts
}

// id returns a UUIDv7 with the given time.
func (d dice) id(at models.Time) string {
	var id uuid.UUID
	a, b := d.Uint64(), d.Uint64()
	for i := range 8 {
		id[i], id[8+i] = byte(a>>(8*i)), byte(b>>(8*i))
	}
	for i := range 6 {
		id[i] = byte(int64(at) >> (40 - 8*i))
	}
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// season returns a seasonal factor around 1: high before summer and before Christmas,
// low in January and February.
func season(day time.Time, swing float64) float64 {
	year := 2 * math.Pi * float64(day.YearDay()) / 365.25
	return 1 - swing*(0.7*math.Cos(year-0.6)+0.3*math.Cos(2*year-0.8))
}

type month struct{ from, to time.Time }

// monthsBetween splits a period at the first of each month.
func monthsBetween(from, to time.Time) []month {
	var months []month
	for from.Before(to) {
		next := time.Date(from.Year(), from.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		if next.After(to) {
			next = to
		}
		months = append(months, month{from, next})
		from = next
	}
	return months
}

// minutesOfDay returns a time of day between 7:00 and 23:00.
func minutesOfDay(d dice) time.Duration { return time.Duration(7*60+d.IntN(16*60)) * time.Minute }
