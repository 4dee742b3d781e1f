//go:build linux && !race

package handlers

import (
	"cmp"
	"flag"
	"fmt"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
)

var measureCosts = flag.Bool("costs", false, "measure the processor time of the dearest input of every operation")

// Limits of what an operation may take for each request that it is charged as.
const (
	maxProcessorTime = 50 * time.Millisecond
	maxAllocated     = 16 << 20
)

// hostileTexts cost as much as possible where names, words or texts are read, each in another
// way. They are repeated up to the greatest length.
var hostileTexts = []string{
	"50mm f1.8 35mm f1.4 24-70mm f2 ", "cannno nikkno sonny ", "canonnikon", "canon nikon sony ", "1 2 3 4 5 6 7 8 ", "a b c d e f g h ", "sony lens ",
	"ef-50mm-f1-8-", "é", "<a>&\"", "[x](/y) **z** ", "=?utf-8?q?x?= ", "2026-11-", "9",
}

// hostileValues returns the dearest values of a parameter of a kind of text, in up to size
// bytes.
func hostileValues(p *bind.Param, text string, size int) any {
	n := 1
	if p.Repeat {
		n = p.MaxValues
	}
	length := min(p.MaxLength, max(size/n, 40))
	value := func(i int) string {
		different := strconv.Itoa(i)
		return strings.ToValidUTF8(strings.Repeat(text, length/len(text)+1)[:length-len(different)], "") + different
	}
	if !p.Repeat {
		return value(0)
	}
	var values []string
	for i := range min(n, max(1, size/length)) {
		values = append(values, value(i))
	}
	if !p.Lines && !p.Rows && size < 1<<16 {
		return strings.Join(values, ",")
	}
	return values
}

// cost is what one request takes.
type cost struct {
	operation, input string
	status, charge   int
	took             time.Duration
	allocated        uint64
}

func (c *cost) String() string {
	return fmt.Sprintf("%-28s %-44.44s %6d %6d %9.2f %9.2f %9d", c.operation, c.input, c.status, c.charge,
		float64(c.took.Microseconds())/1000, float64(c.took.Microseconds())/1000/float64(max(c.charge, 1)), c.allocated>>10)
}

// dear reports whether a request costs more than it is charged as.
func (c *cost) dear() bool {
	if *measureCosts {
		return c.took > maxProcessorTime*time.Duration(max(c.charge, 1))
	}
	return c.allocated > maxAllocated*uint64(max(c.charge, 1))
}

// used returns the processor time and the bytes allocated by this program so far.
func used() (time.Duration, uint64) {
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), sample[0].Value.Uint64()
}

// costs measures requests.
type costs struct {
	*scene
	remaining map[string]int // by policy and caller
}

// measure sends a request and returns what it takes.
func (c *costs) measure(o *web.Operation, input string, arguments args, header []string) *cost {
	time1, bytes1 := used()
	resp, _ := c.s.request(c.T, o, arguments, header...)
	time2, bytes2 := used()
	key := resp.Header.Get("RateLimit-Policy") + c.caller.handle()
	left, _ := strconv.Atoi(resp.Header.Get("RateLimit-Remaining"))
	before, known := c.remaining[key]
	if !known {
		before = left + 1
	}
	c.remaining[key] = left
	return &cost{o.Name, input, resp.StatusCode, before - left, time2 - time1, bytes2 - bytes1}
}

func (m *testMember) handle() string {
	if m == nil {
		return ""
	}
	return m.Handle
}

// dearest returns the dearest request of an operation: its parameters are replaced by every
// kind of hostile text, one at a time and all at once.
func (c *costs) dearest(o *web.Operation) *cost {
	row := matrix[o.Name]
	var worst *cost
	sent := 0
	try := func(input string, change func(args)) {
		var best *cost
		if sent++; *measureCosts && sent%15 == 1 { // an operation may suspend or delete them, and they have limits
			c.meet()
		}
		for range 3 { // the least counts, because the garbage collector and jobs run at any time
			c.caller = map[string]*testMember{"ann": c.ann, "bob": c.bob}[row.right]
			switch o.Access {
			case web.Everybody:
				c.caller = nil
			case web.SignedIn: // it may end the session, or the member
				c.made++
				c.caller = c.s.join(c.T, fmt.Sprint("member-", c.made), models.RoleMember)
			case web.Operators:
				c.caller = c.operator
			}
			arguments := args{}
			for name, value := range row.ask(c.scene) {
				arguments[name] = value
			}
			change(arguments)
			got := c.measure(o, input, arguments, c.proof(o, ""))
			if best == nil || got.took < best.took {
				best = got
			}
			if !best.dear() && !(*measureCosts && best.took > maxProcessorTime/2) {
				break
			}
		}
		if worst == nil || best.took*time.Duration(max(worst.charge, 1)) > worst.took*time.Duration(max(best.charge, 1)) {
			worst = best
		}
		if best.dear() {
			c.Errorf("%v", best)
		}
	}
	try("as documented", func(args) {})
	size := 10_000 // of a query
	if o.Plan.Body {
		size = 900_000
		if o.Access == web.Everybody {
			size = 500_000
		}
	}
	texts := hostileTexts
	if !*measureCosts {
		texts = texts[:1]
	}
	for _, text := range texts {
		var hostile []*bind.Param
		for i := range o.Plan.Params {
			p := &o.Plan.Params[i]
			if p.MaxLength > 0 && p.Format != "binary" {
				hostile = append(hostile, p)
			}
		}
		for _, p := range hostile {
			if *measureCosts || p.Repeat || o.Access == web.Everybody {
				try(fmt.Sprintf("%s: %q", p.Name, strings.TrimSpace(text)), func(arguments args) { arguments[p.Name] = hostileValues(p, text, size) })
			}
		}
		if len(hostile) > 1 {
			try(fmt.Sprintf("all: %q", strings.TrimSpace(text)), func(arguments args) {
				for _, p := range hostile {
					arguments[p.Name] = hostileValues(p, text, size/len(hostile))
				}
			})
		}
	}
	return worst
}

// meet makes new members for the operations that follow.
func (c *costs) meet() {
	suffix := ""
	if c.ann != nil {
		c.made++
		suffix = fmt.Sprint("-", c.made)
	}
	for handle, member := range map[string]**testMember{"ann": &c.ann, "bob": &c.bob, "eve": &c.eve} {
		*member = c.s.join(c.T, handle+suffix, models.RoleMember)
	}
	c.operator = c.s.join(c.T, "the-operator"+suffix, models.RoleOperator)
}

// TestCosts tests that no operation takes more than a request may for each request that it is
// charged as, with the dearest input at every limit: bytes allocated, and processor time with
// -costs, which also prints a table.
func TestCosts(t *testing.T) {
	s := newMarketServer(t)
	c := &costs{&scene{T: t, s: s}, map[string]int{}}
	c.meet()
	var all []*cost
	for _, o := range s.Operations() {
		if o.Access == web.SignedIn && !*measureCosts {
			continue // a new member for each would take seconds
		}
		all = append(all, c.dearest(o))
	}
	if *measureCosts {
		slices.SortFunc(all, func(a, b *cost) int {
			return cmp.Compare(b.took/time.Duration(max(b.charge, 1)), a.took/time.Duration(max(a.charge, 1)))
		})
		fmt.Printf("%-28s %-44s %6s %6s %9s %9s %9s\n", "operation", "dearest input", "status", "charge", "ms", "ms/charge", "KB")
		for _, cost := range all {
			fmt.Println(cost)
		}
	}
}
