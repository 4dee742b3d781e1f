//go:build linux

package program

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Outcome is how long responses took, by status; 0 is that of requests without a response.
type Outcome struct{ Times map[int][]time.Duration }

// Load sends requests at a rate, whether or not they are answered.
func Load(rate int, period time.Duration, send func(i int) (status int, err error)) Outcome {
	began := time.Now()
	return LoadUntil(rate, func() bool { return time.Since(began) >= period }, send)
}

// LoadUntil is Load until a condition is met.
func LoadUntil(rate int, end func() bool, send func(i int) (status int, err error)) Outcome {
	out := Outcome{map[int][]time.Duration{}}
	var mu sync.Mutex
	var open sync.WaitGroup
	began := time.Now()
	for i := 0; !end(); i++ {
		time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / time.Duration(rate))))
		open.Go(func() {
			sent := time.Now()
			status, err := send(i)
			if err != nil {
				status = 0
			}
			mu.Lock()
			defer mu.Unlock()
			out.Times[status] = append(out.Times[status], time.Since(sent))
		})
	}
	open.Wait()
	return out
}

// String returns the number of each status, and the median, the 99th percentile and the longest time.
func (o *Outcome) String() string {
	var parts []string
	for _, status := range []int{200, 303, 429, 503, 0} {
		times := o.Times[status]
		if len(times) == 0 {
			continue
		}
		slices.Sort(times)
		at := func(percent int) time.Duration {
			return times[(len(times)-1)*percent/100].Round(100 * time.Microsecond)
		}
		parts = append(parts, fmt.Sprintf("%d × status %d in %s, p99 %s, at most %s", len(times), status, at(50), at(99), at(100)))
	}
	return strings.Join(parts, "; ")
}
