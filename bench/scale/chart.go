//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// line is a cost by the number of listings.
type line struct {
	name string
	of   func(m *measured) float64
}

// panel is a part of the chart, with axes of its own, both logarithmic.
type panel struct {
	title string
	lines []line
}

const (
	panelWidth, panelHeight = 360, 230
	left, right             = 56, 84 // around the lines of a panel
	top, bottom             = 34, 38
)

// chart draws the costs by the number of listings.
func chart(empty *measured, all []*measured) []byte {
	panels := []panel{
		{"Memory, bytes a listing", []line{
			{"all requests", func(m *measured) float64 { return perListing(m.SearchedMemory, empty.SearchedMemory, m) }},
			{"start", func(m *measured) float64 { return perListing(m.ResumedMemory, empty.ResumedMemory, m) }},
		}},
		{"Start, seconds of the processors", []line{
			{"all rows", func(m *measured) float64 { return m.Load.Processor.Seconds() }},
			{"snapshot", func(m *measured) float64 { return m.Resume.Processor.Seconds() }},
		}},
		{"Search in the process, ms", []line{
			{"p99", func(m *measured) float64 { return m.Indexed.P99.Seconds() * 1e3 }},
			{"p50", func(m *measured) float64 { return m.Indexed.P50.Seconds() * 1e3 }},
		}},
		{"Create and publish, ms of the processors", []line{
			{"one", func(m *measured) float64 { return m.Publish.Processor.Seconds() * 1e3 }},
		}},
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
<title>Costs by the number of listings</title>
<style>
text { fill: #333 } path { stroke: #8884; fill: none } .l0 { stroke: #c2410c } .l1 { stroke: #2563eb } .d0 { fill: #c2410c } .d1 { fill: #2563eb }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .l0 { stroke: #fb923c } .l1 { stroke: #93c5fd } .d0 { fill: #fb923c } .d1 { fill: #93c5fd } }
</style>
`, 2*panelWidth, 2*panelHeight)
	for i, p := range panels {
		fmt.Fprintf(&b, "<g transform=\"translate(%d %d)\">\n", i%2*panelWidth, i/2*panelHeight)
		p.draw(&b, all)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// perListing is what a listing costs beyond an empty site.
func perListing(memory, empty int, m *measured) float64 {
	return float64(memory-empty) / float64(max(m.Listings, 1))
}

func (p *panel) draw(b *bytes.Buffer, all []*measured) {
	low, high := math.Inf(1), math.Inf(-1) // powers of ten
	for _, m := range all {
		for _, l := range p.lines {
			power := math.Log10(max(l.of(m), 1e-3))
			low, high = min(low, math.Floor(power)), max(high, math.Ceil(power))
		}
	}
	high = max(high, low+1)
	x := func(m *measured) float64 {
		return left + (math.Log10(float64(m.Listings))-4.5)/2.8*(panelWidth-left-right)
	}
	y := func(power float64) float64 {
		return panelHeight - bottom - (power-low)/(high-low)*(panelHeight-top-bottom)
	}
	fmt.Fprintf(b, `<text x="%d" y="18" font-weight="bold">%s</text>`+"\n", left, p.title)
	for power := low; power <= high; power++ {
		fmt.Fprintf(b, `<path d="M%d %.0fH%d"/><text x="%d" y="%.0f" text-anchor="end">%s</text>`+"\n",
			left, y(power), panelWidth-right, left-6, y(power)+4, strconv.FormatFloat(math.Pow(10, power), 'f', -1, 64))
	}
	for _, m := range all {
		fmt.Fprintf(b, `<path d="M%.0f %dV%d"/><text x="%.0f" y="%d" text-anchor="middle">%s</text>`+"\n",
			x(m), top, panelHeight-bottom, x(m), panelHeight-bottom+16, short(m.Listings))
	}
	label := 0.0 // lines are in order of height, so that a label only has to avoid the one above
	for i, l := range p.lines {
		var points []string
		var at float64
		for _, m := range all {
			at = y(math.Log10(max(l.of(m), 1e-3)))
			points = append(points, fmt.Sprintf("%.0f %.0f", x(m), at))
			fmt.Fprintf(b, `<circle class="d%d" cx="%.0f" cy="%.0f" r="3"/>`, i, x(m), at)
		}
		label = max(at, label+16)
		fmt.Fprintf(b, `<path class="l%d" stroke-width="2" d="M%s"/><text x="%d" y="%.0f">%s</text>`+"\n", i, strings.Join(points, "L"), panelWidth-right+8, label, l.name)
	}
}

// short writes a number of listings, such as 60k and 1M.
func short(n int) string {
	if n >= 500_000 {
		return strconv.Itoa((n+500_000)/1_000_000) + "M"
	}
	return strconv.Itoa((n+500)/1000) + "k"
}
